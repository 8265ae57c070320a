import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { displayDateTime } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

/**
 * Who did what when in a budget, or in one of its contracts, down to the field; one's own saves can be taken back.
 * @param budgetId another budget than the selected one, to read only
 */
export function History({ contractId, budgetId: other }: { contractId?: string; budgetId?: string }) {
  const { budgetId } = useSelection()
  const history = useQuery({
    queryKey: ['budgetHistory', other ?? budgetId, contractId],
    queryFn: () => (other ? api.budgets.historyById.query({ id: other }) : api.budgets.history.query({ contractId })),
    staleTime: 0,
  })
  const undo = useMutation({
    mutationFn: (version: number) => api.budgets.undo.mutate({ version }),
    onSuccess: async () => {
      said(notices.saved)
      await Promise.all([queries.invalidateQueries(), reloadBudgets()])
    },
    onError: failed,
  })
  if (history.isError) return <LoadFailed query={history} />
  if (!history.data) return <Skeleton height={160} />
  if (!history.data.length) return <div className="empty">Nothing has happened yet.</div>
  return (
    <div className="card">
      <ul className="history">
        {history.data.map((line) => (
          <li key={line.version}>
            <b>{line.actor}</b> {line.sentence}
            <span className="dim">
              {' '}
              · {displayDateTime(line.at)} · version {line.version}
            </span>
            {line.undoable && !other && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                loading={undo.isPending && undo.variables === line.version}
                onClick={() => undo.mutate(line.version)}
              >
                Undo
              </Button>
            )}
            {line.changes.length > 0 && (
              <table>
                <tbody>
                  {line.changes.map((change) => (
                    <tr key={change.field}>
                      <td className="dim">{change.field}</td>
                      <td>{change.before}</td>
                      <td aria-label="to">→</td>
                      <td>{change.after}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function HistoryPage() {
  return (
    <>
      <PageHead
        title="History"
        documentTitle="History - Overview"
        facts="Every change of this budget, newest first. It cannot be switched off."
      />
      <History />
    </>
  )
}
