import { CloseButton, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { figure, penniesOf } from '../../../domain/format.ts'
import { api } from '../../api/api.ts'
import { useSelection } from '../../state/selection.ts'
import { resultLines } from './quickRow.ts'

/** How much more or less than the first one. */
function Difference({ pennies }: { pennies: number }) {
  if (pennies === 0) return <span className="dim">same</span>
  return (
    <span className={pennies > 0 ? 'up' : 'down'}>
      {pennies > 0 ? '▲' : '▼'} {figure(Math.abs(pennies))}
    </span>
  )
}

/** Quick calculations side by side, each against the first. */
export function Compare({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['quick', 'compare', budgetId, ids],
    queryFn: () => Promise.all(ids.map((id) => api.quickCalculator.get.query({ id }))),
  })
  const rows = query.data
  const first = rows?.[0]?.result[0]
  return (
    <section className="card" aria-label="Comparison" style={{ marginBottom: 16 }}>
      <div className="card-head">
        Side by side {rows && rows.length > 1 && <span className="note">against {rows[0]!.name}</span>}
        <span style={{ flex: 1 }} />
        <CloseButton onClick={onClose} aria-label="Close the comparison" />
      </div>
      {!rows ? (
        <Skeleton height={200} />
      ) : (
        <div className="scroll">
          <table className="figures">
            <thead>
              <tr>
                <th aria-label="Figure" />
                {rows.map((row) => (
                  <th key={row.id} scope="col">
                    {row.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {resultLines.map(({ key, label, isTotal }) => (
                <tr key={key} className={isTotal ? 'total' : undefined}>
                  <th scope="row">{label}</th>
                  {rows.map((row, index) => {
                    const result = row.result[0]
                    return (
                      <td key={row.id}>
                        {result ? figure(penniesOf(result[key])) : <span className="missing">not calculated</span>}
                        {index > 0 && isTotal && result && first && (
                          <div>
                            <Difference pennies={penniesOf(result[key]) - penniesOf(first[key])} />
                          </div>
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
