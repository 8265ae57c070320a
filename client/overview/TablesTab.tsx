import { elementKinds, elementNames } from '../../domain/budget/budget.ts'
import { displayDate } from '../../domain/format.ts'
import type { api } from '../api/api.ts'
import { elementTitles } from '../budgets/ElementRows.tsx'
import { useNames } from '../resources/resourceApi.ts'

type Budget = Awaited<ReturnType<typeof api.budgets.summary.query>>['budget']

/** Which table of each kind applies from which date on. */
export function TablesTab({ budget }: { budget: Budget }) {
  const idsOf = (of: string): number[] =>
    elementNames.filter((kind) => elementKinds[kind].of === of).flatMap((kind) => budget[kind].map((row) => row.adminTableId))
  const names = {
    adminTable: useNames('adminTable', idsOf('adminTable')),
    topSliceTable: useNames('topSliceTable', idsOf('topSliceTable')),
    gagPoolTable: useNames('gagPoolTable', idsOf('gagPoolTable')),
  }
  return (
    <div className="card scroll">
      <div className="card-head">
        Effective tables <span className="note">each from its date on</span>
      </div>
      <table className="figures words">
        <tbody>
          {elementNames.map((kind) => (
            <tr key={kind}>
              <th scope="row">{elementTitles[kind]}</th>
              <td>
                {budget[kind].length
                  ? budget[kind]
                      .map(
                        (row) =>
                          `${names[elementKinds[kind].of].get(row.adminTableId)?.name ?? '…'} from ${displayDate(row.effectiveDate)}`,
                      )
                      .join(' · ')
                  : 'none'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
