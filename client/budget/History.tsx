import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { displayDateTime } from '../../domain/format.ts'
import type { BudgetId, ContractId } from '../../domain/ids.ts'
import { notices } from '../../domain/notices.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { failed, said } from '../shell/notify.tsx'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import historyStyles from '../ui/history.module.css'
import textStyles from '../ui/text.module.css'

/** The version before which the first page ends: there is none. */
const newest: number | undefined = undefined

/**
 * Who did what when in a budget, or in one of its contracts, down to the field; one's own saves can be taken back.
 * @param budgetId another budget than the selected one, to read only
 */
export function History({ contractId, budgetId: other }: { contractId?: ContractId; budgetId?: BudgetId }) {
  const { client } = trpc.useUtils()
  const history = useInfiniteQuery({
    queryKey: [...getQueryKey(other ? trpc.budgets.historyById : trpc.budgets.history), 'pages', other, contractId],
    queryFn: ({ pageParam: before }) =>
      other ? client.budgets.historyById.query({ id: other, before }) : client.budgets.history.query({ contractId, before }),
    initialPageParam: newest,
    // The first version of a budget is that it was made.
    getNextPageParam: (page) => {
      const last = page.at(-1)?.version ?? 1
      return last > 1 && (!contractId || page.length === 100) ? last : undefined
    },
    staleTime: 0,
    // Opened anew it is read anew: an old one is never shown first.
    gcTime: 0,
  })
  const undo = trpc.budgets.undo.useMutation({ onSuccess: () => said(notices.saved), onError: failed })
  if (history.isError) return <LoadFailed query={history} />
  if (!history.data) return <Skeleton height={160} />
  const lines = history.data.pages.flat()
  if (!lines.length) return <Empty>Nothing has happened yet.</Empty>
  return (
    <Card>
      <ul className={historyStyles.history}>
        {lines.map((line) => (
          <li key={line.version}>
            <b>{line.actor}</b> {line.sentence}
            <span className={textStyles.dim}>
              {' '}
              · {displayDateTime(line.at)} · version {line.version}
            </span>
            {line.undoable && !other && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                loading={undo.isPending && undo.variables.versions.includes(line.version)}
                onClick={() => undo.mutate({ versions: [line.version] })}
              >
                Undo
              </Button>
            )}
            {line.changes.length > 0 && (
              <table>
                <tbody>
                  {line.changes.map((change) => (
                    <tr key={change.field}>
                      <td className={textStyles.dim}>{change.field}</td>
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
      {history.hasNextPage && (
        <Button variant="subtle" m="sm" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show earlier changes
        </Button>
      )}
    </Card>
  )
}
