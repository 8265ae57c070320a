import { Skeleton } from '@mantine/core'
import { inflationSetting as rise } from '../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { DatedValuesTimeline } from '../../budget/history/Timeline.tsx'
import { useSelectedLocationId } from '../../budget/useBudget.ts'
import { trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import classes from './rates.module.css'

interface Allowance {
  id: number
  name: string
  proRate: boolean
  erPension: boolean
  inflationSetting: number
  rates: { effectiveDate: string; value: number }[]
  locations: LocationId[]
}

function describeAllowance({ proRate, erPension, inflationSetting }: Allowance): string {
  const inflation = lookups.inflationSettings.find((item) => item.id === inflationSetting)?.name
  return [
    proRate ? 'by share of full time' : 'in full, whatever the hours',
    erPension ? 'pensionable' : 'not pensionable',
    inflationSetting === rise.none ? 'no awards' : `increases with ${toMidSentence(inflation ?? '')}`,
  ].join(' · ')
}

/** The allowances available at this location, with their rates over the budget's years. */
export function AllowancesPage() {
  const term = useTerm()('Allowance')
  const locationId = useSelectedLocationId()
  const query = assertDefined(trpc.resources.allowance).list.useQuery({ pageNumber: 1, pageSize: 5000, sort: 'name' })
  if (query.isError) return <LoadFailed query={query} />
  // The generic router does not know the row type of a single entity.
  const rows = (query.data?.rows as Allowance[] | undefined)?.filter((row) => !row.locations.length || row.locations.includes(locationId))
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={rows && <Pill>{rows.length}</Pill>}
        facts="Annual value, from each date"
      />
      {!rows ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No allowances</h2>
            <p>Payments in addition to basic pay are set up in the console, under Staffing.</p>
          </EmptyState>
        </Card>
      ) : (
        <Card>
          <CardBody className={classes.rates}>
            {rows.map((row) => {
              const rates = [...row.rates].sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
              return (
                <div key={row.id}>
                  <h3>
                    {row.name} <CardNote>{describeAllowance(row)}</CardNote>
                  </h3>
                  <DatedValuesTimeline
                    dated={rates.map((rate) => ({ effectiveDate: rate.effectiveDate, label: `£${displayFigure(toPennies(rate.value))}` }))}
                    chosen={-1}
                    label={`Rates for ${row.name}`}
                  />
                  <p className={textStyles.dim}>
                    {rates.map((rate) => `£${displayFigure(toPennies(rate.value))} from ${displayDate(rate.effectiveDate)}`).join(' · ')}
                  </p>
                </div>
              )
            })}
          </CardBody>
        </Card>
      )}
    </>
  )
}
