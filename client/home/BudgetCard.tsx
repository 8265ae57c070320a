import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { calculateShare } from '../../domain/reports/measures/measures.ts'
import { yearName } from '../../domain/values/calendar.ts'
import { displayMoney, displayPercent, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { getCurrentMonth } from '../budget/months.ts'
import { useBudget } from '../budget/useBudget.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Sparkline } from '../ui/figures/Sparkline.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

const summary = '/overview/summary'

/** Five figures of the selected budget for the current year, or its first year, and the trend of its balance. */
export function BudgetCard() {
  const budget = useBudget()
  const overview = trpc.overview.summary.useQuery()
  if (overview.isError) return <LoadFailed query={overview} />
  if (!overview.data) return <Skeleton height={132} mb="md" />
  const { firstYear, startMonth } = budget
  const monthsFromStart = toMonthIndex(getCurrentMonth()) - toMonthIndex({ year: firstYear, month: startMonth })
  const { years, hasOpening } = overview.data
  const at = monthsFromStart >= 0 && monthsFromStart < years.length * 12 ? Math.floor(monthsFromStart / 12) : 0
  const year = years[at]
  if (!year) return null
  const { income, staffing, nonStaffing, inYear, closing, gaps } = year
  const share = calculateShare(toPennies(staffing), toPennies(income))
  const course = years.map(({ closing: pounds }, index) => `${yearName(firstYear, index)} ${displayMoney(toPennies(pounds))}`).join(', ')
  return (
    <Card aria-label="The budget at a glance" style={{ marginBottom: 16 }}>
      <CardHead>
        <Link to={summary}>{budget.name}</Link>
        <CardNote>{yearName(firstYear, at)}</CardNote>
      </CardHead>
      <dl className={classes.figures}>
        <Amount label="Income" pounds={income} missing={gaps.income} />
        <Amount label="Staffing" pounds={staffing} missing={gaps.staffing}>
          {share !== null && `${displayPercent(share)} of income`}
        </Amount>
        <Amount label="Non-staffing" pounds={nonStaffing} missing={gaps.nonStaffing} />
        <Amount label="In-year balance" pounds={inYear} missing={gaps.inYear} isBalance />
        <Amount label="Closing balance" pounds={closing} missing={gaps.closing} isBalance>
          {years.length > 1 && hasOpening && (
            <Sparkline values={years.map((one) => one.closing)} label={`The closing balance by year: ${course}`} />
          )}
          {!hasOpening && <Link to="/overview/opening-balances">Enter the opening balances</Link>}
        </Amount>
      </dl>
    </Card>
  )
}

function Amount({
  label,
  pounds,
  missing,
  isBalance,
  children,
}: {
  label: string
  pounds: number
  /** Number of monthly figures that are not calculated and so not included. */
  missing: number
  isBalance?: boolean
  children?: ReactNode
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd title={displayMoney(toPennies(pounds))} className={isBalance && pounds < 0 ? textStyles.up : undefined}>
        <Link to={summary}>{displayWholePounds(toPennies(pounds))}</Link>
        <IncompleteSumNote count={missing} />
      </dd>
      {children && <dd className={classes.beside}>{children}</dd>}
    </div>
  )
}
