import type { ExtraColumns } from '../../domain/reports/extraColumns.ts'
import { type ReportName, reports } from '../../domain/reports/registry.ts'
import { trpc } from '../shell/api.ts'
import { RequestFileButton } from '../shell/files/RequestFileButton.tsx'
import { type Asked, requestOf } from './asked.ts'

/** A button that has a worker create the report as a PDF, and downloads it when ready. */
export function PaperButton({
  name,
  asked,
  beside,
  isDisabled,
}: {
  name: ReportName
  asked: Asked
  /** The comparison columns that the screen shows next to each money column. */
  beside: ExtraColumns
  isDisabled: boolean
}) {
  const { mutateAsync } = trpc.reports.paper.useMutation()
  const request = {
    ...requestOf(asked),
    ...beside,
    pence: asked.hasPence,
    report: name,
    budgetIds: name === 'budgetComparison' ? asked.budgetIds : null,
  }
  return <RequestFileButton title={reports[name].title} label="PDF" isDisabled={isDisabled} ask={() => mutateAsync(request)} />
}
