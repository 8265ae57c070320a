import type { ExtraColumns } from '../../domain/reports/extraColumns.ts'
import { type ReportName, reports } from '../../domain/reports/registry.ts'
import { trpc } from '../shell/api.ts'
import { RequestFileButton } from '../shell/files/RequestFileButton.tsx'
import { type ReportParameters, toReportRequest } from './reportParameters.ts'

/** A button that requests the report as a PDF, which a worker creates, and downloads the file when it is ready. */
export function ReportPdfButton({
  name,
  parameters,
  beside,
  isDisabled,
}: {
  name: ReportName
  parameters: ReportParameters
  /** The comparison columns that the screen shows next to each money column. */
  beside: ExtraColumns
  isDisabled: boolean
}) {
  const { mutateAsync } = trpc.reports.paper.useMutation()
  const request = {
    ...toReportRequest(parameters),
    ...beside,
    pence: parameters.hasPence,
    report: name,
    budgetIds: name === 'budgetComparison' ? parameters.budgetIds : null,
  }
  return <RequestFileButton title={reports[name].title} label="PDF" isDisabled={isDisabled} ask={() => mutateAsync(request)} />
}
