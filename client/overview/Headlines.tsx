import { CompositeChart } from '@mantine/charts'
import { Alert } from '@mantine/core'
import { Link } from 'react-router'
import { displayCount, money, penniesOf, wholePounds } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { inSentence } from '../../domain/terms.ts'
import type { api } from '../api/api.ts'
import { useYears } from '../nonStaffing/useYears.ts'
import { useMay, useTerm } from '../state/core.ts'

export type Overview = Awaited<ReturnType<typeof api.overview.summary.query>>

const pounds = (value: number): string => wholePounds(penniesOf(value))

/** What keeps the figures from being whole or current, with the way to mend each. */
function Warnings({ overview }: { overview: Overview }) {
  const may = useMay()
  const mayEdit = may(['BudgetingNonStaffingReadUpdate'])
  const contracts = useTerm()('StaffContract')
  const years = useYears()
  const deficits = overview.years.flatMap(({ balances }, year) =>
    balances.filter((balance) => balance.closing < 0).map((balance) => ({ year, type: balance.type, closing: balance.closing })),
  )
  const first = new Map<number, (typeof deficits)[number]>()
  for (const one of deficits) if (!first.has(one.type)) first.set(one.type, one)
  const lines = [
    overview.contractsNotCalculated > 0 && (
      <span key="contracts">
        {displayCount(overview.contractsNotCalculated, inSentence(contracts.singular), inSentence(contracts.plural))} could not be
        calculated and {overview.contractsNotCalculated === 1 ? 'is' : 'are'} left out of the totals
        {may(['BudgetingStaffingRead', 'BudgetingStaffingReadUpdate']) && (
          <>
            : <Link to="/staffing/checks">see why</Link>
          </>
        )}
      </span>
    ),
    ...overview.outOfDate.map((entry) => (
      <span key={entry.id}>
        {entry.description} is out of date: its {entry.source === 'calculation' ? 'calculation' : 'funding prediction'} comes to another
        figure now
        {mayEdit && (
          <>
            .{' '}
            <Link to={`/non-staffing/${entry.source === 'calculation' ? 'ie-calculator' : 'funding-predictor'}/${entry.sourceId}`}>
              Bring it up to date
            </Link>
          </>
        )}
      </span>
    )),
    overview.recalculation && (
      <span key="group">
        {overview.recalculation.reason ?? 'Something shared'} changed since {overview.recalculation.group} was last recalculated
        {may(['ConsoleBudgetGroupReadUpdate']) && (
          <>
            : <Link to="/console/budget-management/groups">recalculate it</Link>
          </>
        )}
      </span>
    ),
    ...overview.problems.map((problem) => <span key={problem}>{problem}</span>),
    ...[...first.values()].map(({ year, type, closing }) => (
      <span key={`deficit ${type}`}>
        The {lookupName('openingBalanceTypes', type)?.toLowerCase()} balance falls below zero in {years[year]}: {money(penniesOf(closing))}{' '}
        at its end
      </span>
    )),
  ].filter(Boolean)
  if (!lines.length) return null
  return (
    <Alert color="orange" mb="md" role="status">
      <ul className="warnings">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** The first year in five tiles, all years as bars with the closing balance as a line. */
export function Headlines({ overview }: { overview: Overview }) {
  const years = useYears()
  const now = overview.years[0]!
  const last = overview.years.at(-1)!
  const share = (part: number): string =>
    now.income > 0 ? `${((part / now.income) * 100).toFixed(1)} % of income` : 'there is no income yet'
  const perPupil = now.pupils ? `${pounds(Math.round((now.income / now.pupils) * 100) / 100)} per pupil` : 'pupil numbers are not typed'
  const falls = last.closing < now.closing
  return (
    <>
      <Warnings overview={overview} />
      <div className="tiles">
        <div className="tile" title={money(penniesOf(now.income))}>
          <span className="dim">Income {years[0]}</span>
          <strong>{pounds(now.income)}</strong>
          <span className="dim">{perPupil}</span>
        </div>
        <div className="tile" title={money(penniesOf(now.staffing))}>
          <span className="dim">Staffing</span>
          <strong>{pounds(now.staffing)}</strong>
          <span className="dim">{share(now.staffing)}</span>
        </div>
        <div className="tile" title={money(penniesOf(now.nonStaffing))}>
          <span className="dim">Non-staffing</span>
          <strong>{pounds(now.nonStaffing)}</strong>
          <span className="dim">{share(now.nonStaffing)}</span>
        </div>
        <div className="tile" title={money(penniesOf(now.inYear))}>
          <span className="dim">In-year balance</span>
          <strong className={now.inYear < 0 ? 'up' : undefined}>{pounds(now.inYear)}</strong>
          <span className={now.inYear < 0 ? 'up' : 'down'}>
            {now.inYear < 0 ? '▼ more is spent than comes in' : '▲ less is spent than comes in'}
          </span>
        </div>
        <div className="tile" title={money(penniesOf(now.closing))}>
          <span className="dim">Closing balance</span>
          <strong className={now.closing < 0 ? 'up' : undefined}>{pounds(now.closing)}</strong>
          {overview.hasOpening ? (
            years.length > 1 && (
              <span className={falls ? 'up' : 'down'}>
                {falls ? 'falls' : 'rises'} to {pounds(last.closing)} by {years.at(-1)}
              </span>
            )
          ) : (
            <Link to="/overview/opening-balances">Type the opening balances</Link>
          )}
        </div>
      </div>
      <section className="card" aria-label="Income and expenditure by year" style={{ marginBottom: 16 }}>
        <div className="card-body">
          <CompositeChart
            h={210}
            data={overview.years.map((year, index) => ({
              year: years[index],
              Income: year.income,
              Staffing: year.staffing,
              'Non-staffing': year.nonStaffing,
              'Closing balance': year.closing,
            }))}
            dataKey="year"
            maxBarWidth={42}
            withLegend
            series={[
              { name: 'Income', type: 'bar', color: 'var(--accent)' },
              { name: 'Staffing', type: 'bar', color: 'gray.6' },
              { name: 'Non-staffing', type: 'bar', color: 'gray.4' },
              { name: 'Closing balance', type: 'line', color: 'var(--warn)' },
            ]}
            valueFormatter={(value) => wholePounds(Math.round(value * 100))}
            yAxisProps={{ width: 84, tickFormatter: (value: number) => wholePounds(Math.round(value * 100)) }}
            tickLine="none"
          />
        </div>
      </section>
    </>
  )
}
