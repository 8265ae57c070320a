import { Button } from '@mantine/core'
import { type ReportName, reports } from '../../domain/reports/registry.ts'
import type { Beside } from '../../domain/reports/shownColumns.ts'
import { trpc } from '../shell/api.ts'
import { FileProgress } from '../shell/FileProgress.tsx'
import { failed } from '../shell/notify.tsx'
import { useFile } from '../shell/useFile.ts'
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
  beside: Beside
  isDisabled: boolean
}) {
  const file = useFile()
  const ask = trpc.reports.paper.useMutation({ onSuccess: ({ id }) => file.follow(id), onError: failed })
  if (file.percent !== null) return <FileProgress title={reports[name].title} percent={file.percent} onCancel={file.cancel} />
  const request = {
    ...requestOf(asked),
    ...beside,
    pence: asked.hasPence,
    report: name,
    budgetIds: name === 'budgetComparison' ? asked.budgetIds : null,
  }
  return (
    <Button variant="default" disabled={isDisabled} loading={ask.isPending} onClick={() => ask.mutate(request)}>
      PDF
    </Button>
  )
}
