import { Alert, Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { describeDeficit, displayChance } from '../../domain/uncertainty/describeUncertainty.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDecimal, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { RouterOutputs } from '../shell/api.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { type DriverDraft, unitOf } from './driverDraft.ts'
import classes from './HowSure.module.css'

const FanChart = lazyComponent(() => import('./FanChart.tsx'), 'FanChart')

type Result = RouterOutputs['uncertainty']['run']
type Year = Result['years'][number]

const pounds = (amount: number | null): string => (amount === null ? 'not calculated' : displayWholePounds(toPennies(amount)))

function Chance({ chance, percent }: { chance: Year['belowZero']; percent: number | null }) {
  if (!chance || percent === null) return 'not calculated'
  return (
    <>
      {percent}%<div className={textStyles.dim}>{displayChance({ ...chance, percent })} futures</div>
    </>
  )
}

/** What a run found: a sentence, the reserves of each year, the drivers that decide them, and how it was worked out. */
export function FuturesResult({
  result,
  drivers,
  floor,
}: {
  result: Result
  /** The drivers of the run. */
  drivers: readonly DriverDraft[]
  /** The reserve floor of each year, in pounds; null if the organisation has none. */
  floor: readonly number[] | null
}) {
  const last = assertDefined(result.years.at(-1))
  const valuesOf = (id: string): string => {
    const driver = drivers.find((one) => one.id === id)
    if (!driver) return ''
    const [low, likely, high] = [driver.low, driver.likely, driver.high].map((value) => `${displayDecimal(value ?? 0, 4)}${unitOf(driver)}`)
    return `${likely}, between ${low} and ${high}`
  }
  const notes = [
    ...result.withoutOpeningBalance.map((name) => `${name} has no opening balance, so its reserves start from zero.`),
    ...(result.contractsNotCalculated
      ? [`${displayCount(result.contractsNotCalculated, 'contract')} could not be calculated and no future includes them.`]
      : []),
    ...(result.years.some(({ missing }) => missing > 0) ? ['Reserves with a * exclude figures that could not be calculated.'] : []),
  ]
  return (
    <>
      <Card aria-label="Result">
        <CardBody>
          <p className={classes.sentence}>
            {last.belowZero && last.belowZeroPercent !== null
              ? describeDeficit({ ...last.belowZero, percent: last.belowZeroPercent }, last.year)
              : last.sentences[0]}
          </p>
          {result.sentences.slice(1).map((sentence) => (
            <p key={sentence} style={{ margin: '6px 0 0' }}>
              {sentence}
            </p>
          ))}
          {notes.length > 0 && (
            <Alert color="orange" mt="sm" p="xs">
              {notes.map((note) => (
                <div key={note}>{note}</div>
              ))}
            </Alert>
          )}
        </CardBody>
      </Card>
      <Card aria-label="Closing reserves">
        <CardHead>Closing reserve of each year</CardHead>
        <CardBody>
          <Suspense fallback={<Skeleton height={280} />}>
            <FanChart years={result.years} floor={floor} />
          </Suspense>
        </CardBody>
      </Card>
      <Card aria-label="Year by year">
        <CardHead>Year by year</CardHead>
        <div className={scrollStyles.scroll}>
          <DataTable
            label="Closing reserve of each year"
            rows={result.years}
            keyOf={({ year }) => year}
            columns={[
              { id: 'year', label: 'Year' },
              {
                id: 'zero',
                label: 'Below zero',
                isFigure: true,
                cell: (year) => <Chance chance={year.belowZero} percent={year.belowZeroPercent} />,
              },
              ...(floor
                ? [
                    {
                      id: 'floor',
                      label: 'Below the reserve floor',
                      isFigure: true,
                      cell: (year: Year) => <Chance chance={year.belowFloor} percent={year.belowFloorPercent} />,
                    },
                  ]
                : []),
              {
                id: 'planned',
                label: 'In the budget',
                isFigure: true,
                cell: ({ planned, missing }) => (
                  <>
                    {pounds(planned)}
                    <IncompleteSumNote count={missing} />
                  </>
                ),
              },
              { id: 'p10', label: '1 in 10 is below', isFigure: true, cell: ({ p10 }) => pounds(p10) },
              { id: 'p50', label: 'Half are below', isFigure: true, cell: ({ p50 }) => pounds(p50) },
              { id: 'p90', label: '1 in 10 is above', isFigure: true, cell: ({ p90 }) => pounds(p90) },
            ]}
          />
        </div>
      </Card>
      <Card aria-label="What affects the result most">
        <CardHead>What affects the reserve of {last.year} most</CardHead>
        <DataTable
          label="What affects the result most"
          className={classes.shares}
          rows={result.drivers}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              label: 'Driver',
              cell: ({ id, name, note }) => (
                <>
                  {name}
                  <div className={textStyles.dim}>{valuesOf(id)}</div>
                  {note && <div className={textStyles.dim}>{note}</div>}
                </>
              ),
            },
            {
              id: 'bar',
              label: 'Bar',
              isLabelHidden: true,
              className: classes.bar,
              cell: ({ share }) => (
                <span className={classes.track} aria-hidden>
                  <span style={{ width: `${(share ?? 0) * 100}%` }} />
                </span>
              ),
            },
            {
              id: 'share',
              label: 'Share of the effect',
              isFigure: true,
              cell: ({ share }) => (share === null ? 'not calculated' : `${Math.round(share * 100)}%`),
            },
          ]}
        />
      </Card>
      <Card>
        <CardBody>
          <details className={classes.how}>
            <summary>How it was worked out</summary>
            <p>
              Bursar drew {displayCount(result.draws, 'future')} of the budget. In each, every driver has another value, and the budget is
              calculated again with it.
            </p>
            <p>
              Seed {result.seed}, engine {result.engine}
              {result.version !== null && `, version ${result.version} of the budget`}. The same seed and drivers give the same figures
              again.
            </p>
          </details>
        </CardBody>
      </Card>
    </>
  )
}
