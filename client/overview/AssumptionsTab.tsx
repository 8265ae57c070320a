import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { displayDate } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { useNames } from '../resources/resourceApi.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../state/selection.ts'

type Budget = Awaited<ReturnType<typeof api.budgets.summary.query>>['budget']
type Rates = Awaited<ReturnType<typeof api.budgetSummaries.erPension.query>>

/** Rates by contract type and date. */
function RateTable({ title, note, rates }: { title: string; note: string; rates: Rates }) {
  const types = useNames(
    'contractType',
    rates.flatMap((one) => one.rows.map((row) => row.contractTypeId)),
  )
  return (
    <section className="card scroll">
      <div className="card-head">
        {title} <span className="note">{note}</span>
      </div>
      {rates.length === 0 ? (
        <div className="empty">None is typed.</div>
      ) : (
        <table className="figures tight">
          <thead>
            <tr>
              <th scope="col">From</th>
              {[...types.values()].map((type) => (
                <th scope="col" key={type.id}>
                  {type.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rates.map((one) => (
              <tr key={one.effectiveDate}>
                <th scope="row">{displayDate(one.effectiveDate)}</th>
                {[...types.values()].map((type) => {
                  const row = one.rows.find((each) => each.contractTypeId === type.id)
                  return <td key={type.id}>{row ? `${row.rate} %` : ''}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Pay awards, pension rates and price rises that the budget is calculated with. */
export function AssumptionsTab({ budget }: { budget: Budget }) {
  const { budgetId } = useSelection()
  const awards = useQuery({ queryKey: ['overview', 'awards', budgetId], queryFn: () => api.budgetSummaries.inflation.query() })
  const pensions = useQuery({ queryKey: ['overview', 'pensions', budgetId], queryFn: () => api.budgetSummaries.erPension.query() })
  const sets = useNames('staffAssumptions', [budget.staffAssumptionsId])
  const inflations = useNames('inflation', budget.inflationId === null ? [] : [budget.inflationId])
  if (awards.isError) return <LoadFailed query={awards} />
  if (pensions.isError) return <LoadFailed query={pensions} />
  if (!awards.data || !pensions.data) return <Skeleton height={200} />
  return (
    <div className="stack">
      <div className="card scroll">
        <table className="figures words">
          <tbody>
            <tr>
              <th scope="row">Staff assumptions</th>
              <td>{sets.get(budget.staffAssumptionsId)?.name}</td>
            </tr>
            <tr>
              <th scope="row">Non-staff inflation</th>
              <td>{budget.inflationId === null ? 'none: prices do not rise' : inflations.get(budget.inflationId)?.name}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <RateTable title="Pay awards" note="per cent, each on top of the one before" rates={awards.data} />
      <RateTable title="Employer pension" note="per cent of pensionable pay" rates={pensions.data} />
    </div>
  )
}
