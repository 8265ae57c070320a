import { Alert, Button } from '@mantine/core'
import { Link } from 'react-router'
import { displayCount, displayPercent, money, penniesOf, wholePounds } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { must } from '../../domain/must.ts'
import { shareIn } from '../../domain/reports/measures/measures.ts'
import { inSentence } from '../../domain/terms.ts'
import { RecalculateLine } from '../budget/RecalculateLine.tsx'
import { useBudget } from '../budget/useBudget.ts'
import { useYears } from '../budget/useYears.ts'
import type { api } from '../shell/api.ts'
import { ChartCard } from '../shell/ChartCard.tsx'
import { useMay, useTerm } from '../shell/core.ts'
import { lazyPart } from '../shell/loadPart.ts'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Gaps } from '../ui/Gaps.tsx'
import textStyles from '../ui/text.module.css'
import tilesStyles from '../ui/tiles.module.css'

const YearsChart = lazyPart(() => import('./YearsChart.tsx'), 'YearsChart')

export type Overview = Awaited<ReturnType<typeof api.overview.summary.query>>

const pounds = (value: number): string => wholePounds(penniesOf(value))

/** What keeps the figures from being whole or current, with the way to mend each. */
function Warnings({ overview }: { overview: Overview }) {
  const may = useMay()
  const mayEdit = may(['BudgetingNonStaffingReadUpdate'])
  const contracts = useTerm()('StaffContract')
  const years = useYears()
  // What keeps a figure from being calculated then is that it is shared out among the budgets of a group.
  const joins = useBudget().budgetGroupId === null && may(['ConsoleBudgetGroupReadUpdate'])
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
    overview.recalculation && <RecalculateLine key="costs" />,
    ...overview.problems.map((problem) => (
      <span key={problem}>
        {problem} {joins && <Link to="/console/budget-management/groups">Put it into a group</Link>}
      </span>
    )),
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
      <ul className={textStyles.warnings}>
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** Whether nothing was put into a budget yet, nor anything that could not be calculated. */
function isBlank({ years, contractsNotCalculated, outOfDate }: Overview): boolean {
  return (
    !contractsNotCalculated && !outOfDate.length && years.every(({ income, staffing, nonStaffing }) => !income && !staffing && !nonStaffing)
  )
}

/** What belongs into a budget that is still empty, with the way to each. */
function FirstThings() {
  const may = useMay()
  const mayStaff = may(['BudgetingStaffingReadUpdate'])
  const mayMoney = may(['BudgetingNonStaffingReadUpdate'])
  return (
    <Card style={{ marginBottom: 16 }}>
      <Empty>
        <h2>This budget is empty</h2>
        <p>Its figures stand here once staff, pupils, income and spending are in. Each can come from an Excel file.</p>
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, justifyContent: 'center' }}>
          {mayStaff && (
            <Button component={Link} to="/staffing/staff-contracts">
              Staff contracts
            </Button>
          )}
          {mayMoney && (
            <>
              <Button component={Link} to="/non-staffing/pupil-numbers" variant="default">
                Pupil numbers
              </Button>
              <Button component={Link} to="/non-staffing/budget-entries" variant="default">
                Income and spending
              </Button>
            </>
          )}
        </div>
      </Empty>
    </Card>
  )
}

/** The first year in five tiles, all years as bars with the closing balance as a line. */
export function Headlines({ overview }: { overview: Overview }) {
  const mayType = useMay()(['BudgetingNonStaffingReadUpdate'])
  const years = useYears()
  const now = must(overview.years[0])
  const last = must(overview.years.at(-1))
  const share = (part: number): string => {
    const percent = now.income > 0 ? shareIn(penniesOf(part), penniesOf(now.income)) : null
    return percent === null ? 'there is no income yet' : `${displayPercent(percent)} of income`
  }
  const perPupil = now.pupils ? `${pounds(Math.round((now.income / now.pupils) * 100) / 100)} per pupil` : null
  // Those on roll in the year, who fund the next one.
  const october = `October ${years[0]?.slice(0, 4)}`
  const falls = last.closing < now.closing
  if (isBlank(overview) && !overview.hasOpening)
    return (
      <>
        <Warnings overview={overview} />
        <FirstThings />
      </>
    )
  return (
    <>
      <Warnings overview={overview} />
      <div className={tilesStyles.tiles}>
        <div className={tilesStyles.tile} title={money(penniesOf(now.income))}>
          <span className={textStyles.dim}>Income {years[0]}</span>
          <strong>
            {pounds(now.income)}
            <Gaps count={now.gaps.income} />
          </strong>
          {perPupil === null && mayType ? (
            <Link to="/non-staffing/pupil-numbers">Type the pupils of {october}</Link>
          ) : (
            <span className={textStyles.dim}>{perPupil ?? `pupils of ${october} are not typed`}</span>
          )}
        </div>
        <div className={tilesStyles.tile} title={money(penniesOf(now.staffing))}>
          <span className={textStyles.dim}>Staffing</span>
          <strong>
            {pounds(now.staffing)}
            <Gaps count={now.gaps.staffing} />
          </strong>
          <span className={textStyles.dim}>{share(now.staffing)}</span>
        </div>
        <div className={tilesStyles.tile} title={money(penniesOf(now.nonStaffing))}>
          <span className={textStyles.dim}>Non-staffing</span>
          <strong>
            {pounds(now.nonStaffing)}
            <Gaps count={now.gaps.nonStaffing} />
          </strong>
          <span className={textStyles.dim}>{share(now.nonStaffing)}</span>
        </div>
        <div className={tilesStyles.tile} title={money(penniesOf(now.inYear))}>
          <span className={textStyles.dim}>In-year balance</span>
          <strong className={now.inYear < 0 ? textStyles.up : undefined}>
            {pounds(now.inYear)}
            <Gaps count={now.gaps.inYear} />
          </strong>
          <span className={now.inYear < 0 ? textStyles.up : textStyles.down}>
            {now.inYear < 0 ? '▼ more is spent than comes in' : '▲ less is spent than comes in'}
          </span>
        </div>
        <div className={tilesStyles.tile} title={money(penniesOf(now.closing))}>
          <span className={textStyles.dim}>Closing balance</span>
          <strong className={now.closing < 0 ? textStyles.up : undefined}>
            {pounds(now.closing)}
            <Gaps count={now.gaps.closing} />
          </strong>
          {overview.hasOpening ? (
            years.length > 1 && (
              <span className={falls ? textStyles.up : textStyles.down}>
                {falls ? 'falls' : 'rises'} to {pounds(last.closing)} by {years.at(-1)}
              </span>
            )
          ) : (
            <Link to="/overview/opening-balances">Type the opening balances</Link>
          )}
        </div>
      </div>
      <div style={{ marginBottom: 16 }}>
        <ChartCard
          label="Income and expenditure by year"
          heading="Income and expenditure by year"
          title="Income and expenditure by year"
          height={210}
          table={{
            corner: 'Whole pounds',
            columns: years,
            rows: (
              [
                ['Income', 'income'],
                ['Staffing', 'staffing'],
                ['Non-staffing', 'nonStaffing'],
                ['Closing balance', 'closing'],
              ] as const
            ).map(([name, field]) => ({ key: field, name, values: overview.years.map((year) => pounds(year[field])) })),
          }}
        >
          <YearsChart overview={overview} />
        </ChartCard>
      </div>
    </>
  )
}
