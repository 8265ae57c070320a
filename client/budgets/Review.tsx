import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { budgetVersionTypes, type ElementKind, elementNames } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/calendar.ts'
import { api } from '../api/api.ts'
import { useNames } from '../resources/resourceApi.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useCore } from '../state/core.ts'
import { type BudgetDraft, finishedRows } from './budgetDraft.ts'
import { elementTitles } from './ElementRows.tsx'

/** What will be made, and what it would lack. */
export function Review({ draft }: { draft: BudgetDraft }) {
  const { locations } = useCore()
  const types = useNames('contractType', draft.contractTypeIds)
  const assumptions = useNames('staffAssumptions', draft.staffAssumptionsId === null ? [] : [draft.staffAssumptionsId])
  const inflations = useNames('inflation', draft.inflationId === null ? [] : [draft.inflationId])
  const rows = finishedRows(draft)
  const review = useQuery({
    queryKey: ['review', draft],
    queryFn: () => api.budgetRound.review.query({ ...draft, ...rows }),
    gcTime: 0,
  })
  const facts: [string, string][] = [
    ['Locations', draft.locationIds.map((id) => locations.find((one) => one.id === id)?.name ?? '').join(', ')],
    ['Name', draft.name],
    ['Version type', budgetVersionTypes.find((type) => type.id === draft.versionType)?.name ?? ''],
    ['Years', `${yearName(draft.firstYear, 0)}, ${draft.numberOfYears} in all`],
    ['Staff assumptions', draft.staffAssumptionsId === null ? 'none' : (assumptions.get(draft.staffAssumptionsId)?.name ?? '…')],
    ['Non-staff inflation', draft.inflationId === null ? 'none' : (inflations.get(draft.inflationId)?.name ?? '…')],
    ['Contract types', draft.contractTypeIds.map((id) => types.get(id)?.name ?? '…').join(', ') || 'none'],
    ['Tables', elementNames.map((kind: ElementKind) => `${elementTitles[kind]} ${rows[kind].length}`).join(' · ')],
  ]
  return (
    <>
      {review.isError && <LoadFailed query={review} />}
      {review.data && (
        <Alert
          color={review.data.some((warning) => warning.blocks) ? 'red' : review.data.length ? 'orange' : 'teal'}
          title={
            review.data.length ? `${review.data.length} ${review.data.length === 1 ? 'thing' : 'things'} to look at` : 'Nothing is missing'
          }
          role="status"
        >
          {review.data.length ? (
            <ul className="warnings">
              {review.data.map((warning) => (
                <li key={warning.text}>
                  {warning.blocks && <b>Must be changed: </b>}
                  {warning.text}
                </li>
              ))}
            </ul>
          ) : (
            'Every kind of pay has its table on the first day, and every contract type its pension rate.'
          )}
        </Alert>
      )}
      <section className="card scroll">
        <div className="card-head">
          {draft.locationIds.length} {draft.locationIds.length === 1 ? 'budget' : 'budgets'} will be made{' '}
          <span className="note">all of them or none</span>
        </div>
        <table className="figures words">
          <tbody>
            {facts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
