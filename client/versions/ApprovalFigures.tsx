import { Skeleton } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { budgetState } from '../../domain/lookups/lookupIds.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displaySignedPounds, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { useBudget } from '../budget/useBudget.ts'
import { useYears } from '../budget/useYears.ts'
import { Warnings } from '../budget/Warnings.tsx'
import { type api, trpc } from '../shell/api.ts'
import { type BudgetItem, useCore } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, Note } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'

type Compared = Awaited<ReturnType<typeof api.moments.compare.query>>

const lines = [
  { field: 'income', name: 'Income' },
  { field: 'staffing', name: 'Staffing' },
  { field: 'nonStaffing', name: 'Non-staffing' },
  { field: 'inYear', name: 'In-year balance', isTotal: true },
  { field: 'closing', name: 'Closing balance', isTotal: true },
] as const

/**
 * The school's approved budget for the latest year that starts no later than the open one; undefined if several are
 * locked, such as an original and a revised one.
 */
function useLastApproved(own: BudgetItem): BudgetItem | undefined {
  const { budgets } = useCore()
  const locked = budgets.filter((one) => one.state === budgetState.locked && one.mongoId !== own.mongoId && one.firstYear <= own.firstYear)
  const newest = Math.max(...locked.map((one) => one.firstYear))
  const [only, another] = locked.filter((one) => one.firstYear === newest)
  return another ? undefined : only
}

/**
 * How income and expenditure of a year moved between the two sides, in whole pennies; null if either lacks the year or
 * is not calculated.
 */
function moved({ codes, years }: Compared, name: string): { income: number; expenditure: number } | null {
  const at = years.indexOf(name)
  const sums = { income: 0, expenditure: 0 }
  if (at < 0) return null
  for (const { isIncome, years: pairs } of codes) {
    const { a, b, missing } = assertDefined(pairs[at])
    if (a === null || b === null || missing.a || missing.b) return null
    sums[isIncome ? 'income' : 'expenditure'] += toPennies(b) - toPennies(a)
  }
  return codes.length ? sums : null
}

function Moved({ pennies }: { pennies: number | null }) {
  if (pennies === null) return <td className={textStyles.dim}>–</td>
  return <td title={displayMoney(pennies)}>{displaySignedPounds(pennies)}</td>
}

/**
 * What the approver decides on: the figures of every year, their problems, and the changes since the last approved
 * budget.
 */
export function ApprovalFigures() {
  const own = useBudget()
  const years = useYears()
  const before = useLastApproved(own)
  const overview = trpc.overview.summary.useQuery()
  const compared = trpc.moments.compare.useQuery(
    before ? { a: { budgetId: before.mongoId, version: null }, b: { budgetId: own.mongoId, version: null } } : skipToken,
  )
  if (overview.isError) return <LoadFailed query={overview} />
  if (!overview.data) return <Skeleton height={240} />
  const { data } = overview
  const moves = years.map((name) => (compared.data ? moved(compared.data, name) : null))
  return (
    <>
      <Warnings overview={data} />
      <Card className={scrollStyles.scroll} aria-label="What is approved">
        <CardHead>
          What is approved <Note>whole pounds</Note>
        </CardHead>
        <Figures>
          <thead>
            <tr>
              <th scope="col" aria-label="Line" />
              {years.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ field, name, ...line }) => (
              <tr key={field} className={'isTotal' in line ? figuresStyles.total : undefined}>
                <th scope="row">{name}</th>
                {data.years.map((year, index) => (
                  <td key={index} title={displayMoney(toPennies(year[field]))} className={year[field] < 0 ? textStyles.up : undefined}>
                    {displayWholePounds(toPennies(year[field]))}
                    <Gaps count={year.gaps[field]} />
                  </td>
                ))}
              </tr>
            ))}
            {before && moves.some((one) => one !== null) && (
              <Fragment>
                <tr>
                  <th scope="row" colSpan={years.length + 1}>
                    Moved since <b>{before.name}</b>.{' '}
                    <Link to={`/overview/compare?a=${before.mongoId}@&b=${own.mongoId}@`}>Compare line by line</Link>
                  </th>
                </tr>
                {(['income', 'expenditure'] as const).map((side) => (
                  <tr key={side} className={figuresStyles.sub}>
                    <th scope="row">{side === 'income' ? 'Income' : 'Expenditure'}</th>
                    {moves.map((one, index) => (
                      <Moved key={index} pennies={one?.[side] ?? null} />
                    ))}
                  </tr>
                ))}
                <tr className={figuresStyles.sub}>
                  <th scope="row">In-year balance</th>
                  {moves.map((one, index) => (
                    <Moved key={index} pennies={one && one.income - one.expenditure} />
                  ))}
                </tr>
              </Fragment>
            )}
          </tbody>
        </Figures>
      </Card>
    </>
  )
}
