import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { displayDate, figure, penniesOf } from '../../../domain/format.ts'
import { lookups } from '../../../domain/lookups.ts'
import { api } from '../../api/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { PageHead } from '../../shell/PageHead.tsx'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { Timeline } from './Timeline.tsx'

interface Allowance {
  id: number
  name: string
  proRate: boolean
  erPension: boolean
  inflationSetting: number
  rates: { effectiveDate: string; value: number }[]
  locations: number[]
}

function facts({ proRate, erPension, inflationSetting }: Allowance): string {
  const inflation = lookups.inflationSettings.find((item) => item.id === inflationSetting)?.name
  return [
    proRate ? 'by share of full time' : 'in full, whatever the hours',
    erPension ? 'pensionable' : 'not pensionable',
    inflationSetting === 0 ? 'no awards' : `rises with ${inflation?.toLowerCase()}`,
  ].join(' · ')
}

/** The allowances that contracts of this location may have, with their rates over the years of the budget. */
export function AllowancesPage() {
  const term = useTerm()('Allowance')
  const { organisationId, locationId } = useSelection()
  const query = useQuery({
    queryKey: ['allowances', organisationId],
    queryFn: () => api.resources.allowance!.list.query({ pageNumber: 1, pageSize: 5000, sort: 'name' }),
  })
  if (query.isError) return <LoadFailed query={query} />
  const rows = (query.data?.rows as unknown as Allowance[] | undefined)?.filter(
    (row) => !row.locations.length || row.locations.includes(locationId!),
  )
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={rows && <span className="pill">{rows.length}</span>}
        facts="A year's value, from each date on"
      />
      {!rows ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>No allowances</h2>
            <p>Payments on top of basic pay are kept in the console, under Staffing.</p>
          </div>
        </div>
      ) : (
        <div className="card">
          <div className="card-body rates">
            {rows.map((row) => {
              const rates = [...row.rates].sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
              return (
                <div key={row.id}>
                  <h3>
                    {row.name} <span className="note">{facts(row)}</span>
                  </h3>
                  <Timeline
                    dated={rates.map((rate) => ({ effectiveDate: rate.effectiveDate, label: `£${figure(penniesOf(rate.value))}` }))}
                    chosen={-1}
                    label={`Rates of ${row.name}`}
                  />
                  <p className="dim">
                    {rates.map((rate) => `£${figure(penniesOf(rate.value))} from ${displayDate(rate.effectiveDate)}`).join(' · ')}
                  </p>
                </div>
              )
            })}
          </div>
        </div>
      )}
    </>
  )
}
