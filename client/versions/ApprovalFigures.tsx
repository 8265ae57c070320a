import { Skeleton } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { budgetState } from '../../domain/lookups/lookupIds.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displaySignedPounds, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { BudgetWarnings } from '../budget/BudgetWarnings.tsx'
import { useSelectedBudget } from '../budget/useBudget.ts'
import { useBudgetYearNames } from '../budget/useYearNames.ts'
import { type api, trpc } from '../shell/api.ts'
import { type SelectableBudget, useCoreData } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable, type RowStyle } from '../ui/table/DataTable.tsx'

type Compared = Awaited<ReturnType<typeof api.moments.compare.query>>

const lines = [
  { field: 'income', name: 'Income' },
  { field: 'staffing', name: 'Staffing' },
  { field: 'nonStaffing', name: 'Non-staffing' },
  { field: 'inYear', name: 'In-year balance', isTotal: true },
  { field: 'closing', name: 'Closing balance', isTotal: true },
] as const

/**
 * The school's approved budget for the latest year that starts no later than the open one; undefined if several budgets are locked, such as
 * an original and a revised one.
 */
function useLastApproved(openBudget: SelectableBudget): SelectableBudget | undefined {
  const { budgets } = useCoreData()
  const locked = budgets.filter(
    (one) => one.state === budgetState.locked && one.mongoId !== openBudget.mongoId && one.firstYear <= openBudget.firstYear,
  )
  const newest = Math.max(...locked.map((one) => one.firstYear))
  const [only, another] = locked.filter((one) => one.firstYear === newest)
  return another ? undefined : only
}

/**
 * How income and expenditure of a year moved between the two sides, in whole pennies; null if one of the sides lacks the year or is not
 * calculated.
 */
function calculateChange({ codes, years }: Compared, name: string): { income: number; expenditure: number } | null {
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

interface ApprovalLine {
  name: ReactNode
  look?: RowStyle | undefined
  /** Shown in place of the figures. */
  span?: ReactNode
  cell?: (year: number) => ReactNode
}

/** The figures that an approver needs: those of every year, the budget's problems, and what changed since the last approved budget. */
export function ApprovalFigures() {
  const openBudget = useSelectedBudget()
  const years = useBudgetYearNames()
  const before = useLastApproved(openBudget)
  const overview = trpc.overview.summary.useQuery()
  const compared = trpc.moments.compare.useQuery(
    before ? { a: { budgetId: before.mongoId, version: null }, b: { budgetId: openBudget.mongoId, version: null } } : skipToken,
  )
  if (overview.isError) return <LoadFailed query={overview} />
  if (!overview.data) return <Skeleton height={240} />
  const { data } = overview
  const moves = years.map((name) => (compared.data ? calculateChange(compared.data, name) : null))
  const movedLine = (name: string, of: (one: NonNullable<(typeof moves)[number]>) => number): ApprovalLine => ({
    name,
    look: 'sub',
    cell: (index) => {
      const one = moves[index]
      return one ? <span title={displayMoney(of(one))}>{displaySignedPounds(of(one))}</span> : <span className={textStyles.dim}>–</span>
    },
  })
  const approvalLines: ApprovalLine[] = [
    ...lines.map(
      ({ field, name, ...line }): ApprovalLine => ({
        name,
        look: 'isTotal' in line ? 'total' : undefined,
        cell: (index) => {
          const year = assertDefined(data.years[index])
          return (
            <span title={displayMoney(toPennies(year[field]))} className={year[field] < 0 ? textStyles.up : undefined}>
              {displayWholePounds(toPennies(year[field]))}
              <IncompleteSumNote count={year.gaps[field]} />
            </span>
          )
        },
      }),
    ),
    ...(before && moves.some((one) => one !== null)
      ? [
          {
            name: '',
            span: (
              <>
                Changed since <b>{before.name}</b>.{' '}
                <Link to={`/overview/compare?from=${before.mongoId}@&to=${openBudget.mongoId}@`}>Compare line by line</Link>
              </>
            ),
          },
          movedLine('Income', (one) => one.income),
          movedLine('Expenditure', (one) => one.expenditure),
          movedLine('In-year balance', (one) => one.income - one.expenditure),
        ]
      : []),
  ]
  return (
    <>
      <BudgetWarnings overview={data} />
      <Card className={scrollStyles.scroll} aria-label="What is approved">
        <CardHead>
          What is approved <CardNote>whole pounds</CardNote>
        </CardHead>
        <DataTable
          columns={[
            { id: 'line', label: 'Line', isLabelHidden: true, cell: ({ name }) => name },
            ...createFigureColumns<ApprovalLine>(years, (line, index) => line.cell?.(index)),
          ]}
          rows={approvalLines}
          look={({ look }) => look}
          spanOf={({ span }) => span}
        />
      </Card>
    </>
  )
}
