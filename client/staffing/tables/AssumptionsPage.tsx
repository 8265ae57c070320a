import { Skeleton } from '@mantine/core'
import { displayDate } from '../../../domain/values/format.ts'
import { DatedValuesTimeline } from '../../budget/history/Timeline.tsx'
import { type api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import classes from './rates.module.css'

type Rates = Awaited<ReturnType<typeof api.budgetSummaries.inflation.query>>
type Pensions = Awaited<ReturnType<typeof api.budgetSummaries.erPension.query>>
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
  rates: Rates | Pensions
  types: Types
}) {
  return (
    <Card style={{ marginBottom: 16 }}>
      <CardHead>
        {title} <CardNote>{note}</CardNote>
      </CardHead>
      <CardBody className={classes.rates}>
        {types.map((type) => {
          // Both types of summary have these properties; properties of only one type are checked before use.
          const typeRates = (rates as Rates).flatMap((summary) =>
            summary.rows
              .filter((row) => row.contractTypeId === type.id)
              .map((row) => ({
                effectiveDate: summary.effectiveDate,
                rate: row.rate,
                ofTable:
                  'inTable' in row && row.inTable !== null
                    ? `, of which ${row.inTable}% is in the pay table${row.liftedTo === null ? '' : `, increased to ${row.liftedTo}%`}`
                    : '',
              })),
          )
          return (
            <div key={type.id}>
              <h3>{type.name}</h3>
              {typeRates.length ? (
                <>
                  <DatedValuesTimeline
                    dated={typeRates.map((one) => ({ effectiveDate: one.effectiveDate, label: `${one.rate}%` }))}
                    chosen={-1}
                    label={`${title} of ${type.name}`}
                    isOptional={isOptional}
                  />
                  <p className={textStyles.dim}>
                    {typeRates.map((one) => `${one.rate}% from ${displayDate(one.effectiveDate)}${one.ofTable}`).join(' · ')}
                  </p>
                </>
              ) : (
                <p className={isOptional ? textStyles.dim : textStyles.missing}>{none}</p>
              )}
            </div>
          )
        })}
      </CardBody>
    </Card>
  )
}

/** The budget's staff assumptions: pay awards and employer pension rates by contract type. */
export function AssumptionsPage() {
  const term = useTerm()('StaffAssumptions')
  const loaded = [
    trpc.budgetSummaries.contractTypes.useQuery(),
    trpc.budgetSummaries.inflation.useQuery(),
    trpc.budgetSummaries.erPension.useQuery(),
  ] as const
  const broken = loaded.find((query) => query.isError)
  if (broken) return <LoadFailed query={broken} />
  const [types, awards, pensions] = [loaded[0].data, loaded[1].data, loaded[2].data]
  const name = awards?.[0]?.adminTable.name ?? pensions?.[0]?.adminTable.name
  return (
    <>
      <PageHead title={term.plural} documentTitle={`${term.plural} - Staffing`} facts={name ? `The budget uses ${name}` : ' '} />
      {types && awards && pensions ? (
        <>
          <RateTable
            title="Pay awards"
            note="each increases pay from its date; one already in a newer pay table is not counted twice"
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
