import { Button } from '@mantine/core'
import clsx from 'clsx'
import { Link } from 'react-router'
import { openingBalanceType } from '../../domain/lookups/lookupIds.ts'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { calculateShare } from '../../domain/reports/measures/measures.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayPercent, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { BudgetWarnings } from '../budget/BudgetWarnings.tsx'
import { useBudgetYearNames } from '../budget/useYearNames.ts'
import type { api } from '../shell/api.ts'
import { ChartCard } from '../shell/ChartCard.tsx'
import { usePermissionCheck } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import tilesStyles from '../ui/layout/tiles.module.css'
import { BalanceSentence } from './BalanceSentence.tsx'
import classes from './HeadlineFigures.module.css'

const BalanceChart = lazyComponent(() => import('../ui/figures/BalanceChart.tsx'), 'BalanceChart')
const ReservesChart = lazyComponent(() => import('../ui/figures/ReservesChart.tsx'), 'ReservesChart')

export type BudgetSummary = Awaited<ReturnType<typeof api.overview.summary.query>>

const isCapital = (type: number): boolean => type === openingBalanceType.capital

const pounds = (value: number): string => displayWholePounds(toPennies(value))

/** Whether a budget is empty: no year has a figure, and no figure is missing or out of date. */
function isBlank({ years, contractsNotCalculated, outOfDate }: BudgetSummary): boolean {
  return (
    !contractsNotCalculated && !outOfDate.length && years.every(({ income, staffing, nonStaffing }) => !income && !staffing && !nonStaffing)
  )
}

/** Tells the user what to add to an empty budget, with links. */
function GettingStarted() {
  const may = usePermissionCheck()
  const mayStaff = may(['BudgetingStaffingReadUpdate'])
  const mayMoney = may(['BudgetingNonStaffingReadUpdate'])
  return (
    <Card style={{ marginBottom: 16 }}>
      <EmptyState>
        <h2>This budget is empty</h2>
        <p>Its figures appear here once staff, pupils, income and spending are entered. Each can be imported from Excel.</p>
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
      </EmptyState>
    </Card>
  )
}

/** A sentence and five tiles for the first year, and charts of the in-year balance and the reserves of all years. */
export function HeadlineFigures({ overview, school }: { overview: BudgetSummary; school: string }) {
  const mayType = usePermissionCheck()(['BudgetingNonStaffingReadUpdate'])
  const years = useBudgetYearNames()
  const now = assertDefined(overview.years[0])
  const last = assertDefined(overview.years.at(-1))
  const share = (part: number): string => {
    const percent = now.income > 0 ? calculateShare(toPennies(part), toPennies(now.income)) : null
    return percent === null ? 'there is no income yet' : `${displayPercent(percent)} of income`
  }
  const perPupil = now.pupils ? `${pounds(Math.round((now.income / now.pupils) * 100) / 100)} per pupil` : null
  // Funding of a year follows the number of pupils on roll in the autumn before.
  const october = `October ${years[0]?.slice(0, 4)}`
  const falls = last.closing < now.closing
  const hasCapital = overview.years.some(({ balances }) => balances.some(({ type, closing }) => isCapital(type) && closing !== 0))
  const reserves = overview.years.map(({ balances }) =>
    balances.reduce((sum, { type, closing }) => (isCapital(type) ? sum : sum + closing), 0),
  )
  const { reserveFloor } = overview
  const policy = reserveFloor === null ? undefined : overview.years.map(({ income }) => (income * reserveFloor) / 100)
  const nonZeroBalances = now.balances.filter(({ closing }) => closing !== 0)
  if (isBlank(overview) && !overview.hasOpening)
    return (
      <>
        <BudgetWarnings overview={overview} />
        <GettingStarted />
      </>
    )
  return (
    <>
      <BudgetWarnings overview={overview} />
      <BalanceSentence overview={overview} school={school} years={years} />
      <div className={tilesStyles.tiles}>
        <div className={tilesStyles.tile} title={displayMoney(toPennies(now.income))}>
          <span className={textStyles.dim}>Income {years[0]}</span>
          <strong>
            {pounds(now.income)}
            <IncompleteSumNote count={now.gaps.income} />
          </strong>
          {perPupil === null && mayType ? (
            <Link to="/non-staffing/pupil-numbers">Enter pupil numbers for {october}</Link>
          ) : (
            <span className={textStyles.dim}>{perPupil ?? `no pupil numbers for ${october}`}</span>
          )}
        </div>
        <div className={tilesStyles.tile} title={displayMoney(toPennies(now.staffing))}>
          <span className={textStyles.dim}>Staffing</span>
          <strong>
            {pounds(now.staffing)}
            <IncompleteSumNote count={now.gaps.staffing} />
          </strong>
          <span className={textStyles.dim}>{share(now.staffing)}</span>
        </div>
        <div className={tilesStyles.tile} title={displayMoney(toPennies(now.nonStaffing))}>
          <span className={textStyles.dim}>Non-staffing</span>
          <strong>
            {pounds(now.nonStaffing)}
            <IncompleteSumNote count={now.gaps.nonStaffing} />
          </strong>
          <span className={textStyles.dim}>{share(now.nonStaffing)}</span>
        </div>
        <div className={tilesStyles.tile} title={displayMoney(toPennies(now.inYear))}>
          <span className={textStyles.dim}>In-year balance</span>
          <strong className={now.inYear < 0 ? textStyles.up : undefined}>
            {pounds(now.inYear)}
            <IncompleteSumNote count={now.gaps.inYear} />
          </strong>
          <span className={now.inYear < 0 ? textStyles.up : textStyles.down}>{now.inYear < 0 ? '▼ deficit' : '▲ surplus'}</span>
        </div>
        <div className={tilesStyles.tile} title={displayMoney(toPennies(now.closing))}>
          <span className={textStyles.dim}>Closing balance</span>
          <strong className={now.closing < 0 ? textStyles.up : undefined}>
            {pounds(now.closing)}
            <IncompleteSumNote count={now.gaps.closing} />
          </strong>
          {overview.hasOpening ? (
            years.length > 1 && (
              <span className={falls ? textStyles.up : textStyles.down}>
                {falls ? 'falls' : 'rises'} to {pounds(last.closing)} by {years.at(-1)}
              </span>
            )
          ) : (
            <Link to="/overview/opening-balances">Enter the opening balances</Link>
          )}
          {nonZeroBalances.length > 1 && (
            <span className={clsx(textStyles.dim, textStyles.line)}>
              {nonZeroBalances
                .map(({ type, closing }) => `${pounds(closing)} ${getLookupName('openingBalanceTypes', type)?.toLowerCase()}`)
                .join(', ')}
            </span>
          )}
        </div>
      </div>
      <div className={classes.pair}>
        <ChartCard
          label="Surplus or deficit by year"
          heading="Surplus or deficit by year"
          title="Surplus or deficit by year"
          height={210}
          table={{
            corner: 'Whole pounds',
            columns: years,
            rows: (
              [
                ['Income', 'income'],
                ['Staffing', 'staffing'],
                ['Non-staffing', 'nonStaffing'],
                ['In-year balance', 'inYear'],
              ] as const
            ).map(([name, field]) => ({ key: field, name, values: overview.years.map((year) => pounds(year[field])) })),
          }}
        >
          <BalanceChart years={years} values={overview.years.map(({ inYear }) => inYear)} />
        </ChartCard>
        <ChartCard
          label="Reserves at the end of each year"
          heading={
            <>
              Reserves at the end of each year
              {hasCapital && <span className={textStyles.dim}>excluding capital</span>}
            </>
          }
          title="Reserves at the end of each year"
          height={210}
          table={{
            corner: 'Whole pounds',
            columns: years,
            rows: [
              { key: 'reserves', name: 'Reserves', values: reserves.map(pounds) },
              ...(policy ? [{ key: 'policy', name: `Policy: ${overview.reserveFloor}% of income`, values: policy.map(pounds) }] : []),
            ],
          }}
        >
          <ReservesChart years={years} values={reserves} policy={policy} />
        </ChartCard>
      </div>
    </>
  )
}
