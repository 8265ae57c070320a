import { Skeleton } from '@mantine/core'
import { displayDate } from '../../domain/values/format.ts'
import { useNames } from '../resources/resourceApi.ts'
import { type api, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Figures } from '../ui/figures/Figures.tsx'
import { Card, CardHead, Note } from '../ui/layout/Card.tsx'
import { Stack } from '../ui/layout/Stack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'

type Budget = Awaited<ReturnType<typeof api.budgets.summary.query>>['budget']
type Rates = Awaited<ReturnType<typeof api.budgetSummaries.erPension.query>>

function RateTable({ title, note, rates }: { title: string; note: string; rates: Rates }) {
  const types = useNames(
    'contractType',
    rates.flatMap((one) => one.rows.map((row) => row.contractTypeId)),
  )
  return (
    <Card className={scrollStyles.scroll}>
      <CardHead>
        {title} <Note>{note}</Note>
      </CardHead>
      {rates.length === 0 ? (
        <Empty>None is typed.</Empty>
      ) : (
        <Figures isTight>
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
                  return <td key={type.id}>{row ? `${row.rate}%` : ''}</td>
                })}
              </tr>
            ))}
          </tbody>
        </Figures>
      )}
    </Card>
  )
}

/** The pay awards, pension rates and inflation rates used by the budget. */
export function AssumptionsTab({ budget }: { budget: Budget }) {
  const awards = trpc.budgetSummaries.inflation.useQuery()
  const pensions = trpc.budgetSummaries.erPension.useQuery()
  const sets = useNames('staffAssumptions', [budget.staffAssumptionsId])
  const inflations = useNames('inflation', budget.inflationId === null ? [] : [budget.inflationId])
  if (awards.isError) return <LoadFailed query={awards} />
  if (pensions.isError) return <LoadFailed query={pensions} />
  if (!awards.data || !pensions.data) return <Skeleton height={200} />
  return (
    <Stack>
      <Card className={scrollStyles.scroll}>
        <Figures isWords>
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
        </Figures>
      </Card>
      <RateTable title="Pay awards" note="per cent, each on top of the one before" rates={awards.data} />
      <RateTable title="Employer pension" note="per cent of pensionable pay" rates={pensions.data} />
    </Stack>
  )
}
