import type { ExtraColumns } from '../../domain/reports/extraColumns.ts'
import { type ReportName, reports } from '../../domain/reports/registry.ts'
import { trpc } from '../shell/api.ts'
import { FileButton } from '../shell/files/FileButton.tsx'
import { type Asked, requestOf } from './asked.ts'

/** The report as PDF, made by a worker while one waits, or works on. */
export function PaperButton({
  name,
  asked,
  beside,
  isDisabled,
}: {
  name: ReportName
  asked: Asked
  /** The columns that the screen shows beside each column of money. */
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
  return <FileButton title={reports[name].title} label="PDF" isDisabled={isDisabled} ask={() => mutateAsync(request)} />
}
