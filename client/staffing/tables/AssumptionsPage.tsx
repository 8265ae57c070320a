import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { displayDate } from '../../../domain/format.ts'
import { api } from '../../api/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { PageHead } from '../../shell/PageHead.tsx'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { Timeline } from './Timeline.tsx'

type Rates = Awaited<ReturnType<typeof api.budgetSummaries.inflation.query>>
type Types = Awaited<ReturnType<typeof api.budgetSummaries.contractTypes.query>>

/** Every contract type of the budget with its rates over the years. */
function RateTable({
  title,
  note,
  none,
  isOptional = false,
  rates,
  types,
}: {
  title: string
  note: string
  none: string
  isOptional?: boolean
  rates: Rates
  types: Types
}) {
  return (
    <section className="card" style={{ marginBottom: 16 }}>
      <div className="card-head">
        {title} <span className="note">{note}</span>
      </div>
      <div className="card-body rates">
        {types.map((type) => {
          const own = rates.flatMap((summary) =>
            summary.rows
              .filter((row) => row.contractTypeId === type.id)
              .map((row) => ({ effectiveDate: summary.effectiveDate, rate: row.rate })),
          )
          return (
            <div key={type.id}>
              <h3>{type.name}</h3>
              {own.length ? (
                <>
                  <Timeline
                    dated={own.map((one) => ({ effectiveDate: one.effectiveDate, label: `${one.rate} %` }))}
                    chosen={-1}
                    label={`${title} of ${type.name}`}
                    isOptional={isOptional}
                  />
                  <p className="dim">{own.map((one) => `${one.rate} % from ${displayDate(one.effectiveDate)}`).join(' · ')}</p>
                </>
              ) : (
                <p className={isOptional ? 'dim' : 'missing'}>{none}</p>
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}

/** The assumptions of the budget: pay awards and employer pension rates by contract type. */
export function AssumptionsPage() {
  const term = useTerm()('StaffAssumptions')
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['budgetSummary', 'assumptions', budgetId],
    queryFn: () =>
      Promise.all([
        api.budgetSummaries.contractTypes.query(),
        api.budgetSummaries.inflation.query(),
        api.budgetSummaries.erPension.query(),
      ]),
  })
  if (query.isError) return <LoadFailed query={query} />
  const [types, awards, pensions] = query.data ?? []
  const name = awards?.[0]?.adminTable.name ?? pensions?.[0]?.adminTable.name
  return (
    <>
      <PageHead title={term.plural} documentTitle={`${term.plural} - Staffing`} facts={name ? `The budget uses ${name}` : ' '} />
      {types && awards && pensions ? (
        <>
          <RateTable
            title="Pay awards"
            note="each raises pay from its date on; one that a newer pay table already has is not counted twice"
            none="No pay award is assumed."
            isOptional
            rates={awards}
            types={types}
          />
          <RateTable
            title="Employer pension"
            note="of pensionable pay"
            none="No rate: pensions of this contract type cannot be calculated."
            rates={pensions}
            types={types}
          />
        </>
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}
