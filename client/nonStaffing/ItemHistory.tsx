import { useQuery } from '@tanstack/react-query'
import { displayDateTime } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../state/selection.ts'

/** Who did what to one entry, calculation, prediction or balance, the newest first. */
export function ItemHistory({ id, version }: { id: string; version: number | null }) {
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['budgetHistory', budgetId, id, version],
    queryFn: () => api.budgets.history.query({ itemId: id }),
  })
  return (
    <details className="card">
      <summary className="card-head">
        History <span className="note">{query.data ? `${query.data.length} ${query.data.length === 1 ? 'change' : 'changes'}` : ''}</span>
      </summary>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : (
        <ul className="history">
          {query.data?.map((line) => (
            <li key={line.version}>
              <b>{line.actor}</b> {line.sentence} <span className="dim">{displayDateTime(line.at)}</span>
              {line.changes.length > 0 && (
                <table>
                  <tbody>
                    {line.changes.slice(0, 12).map((change) => (
                      <tr key={change.field}>
                        <td className="dim">{change.field}</td>
                        <td>{change.before}</td>
                        <td>→ {change.after}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
