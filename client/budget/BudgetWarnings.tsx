import { Alert } from '@mantine/core'
import { Link } from 'react-router'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { displayCount, displayMoney, toPennies } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import type { api } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import textStyles from '../ui/labels/text.module.css'
import { OutOfDateNotice } from './OutOfDateNotice.tsx'
import { useSelectedBudget } from './useBudget.ts'
import { useBudgetYearNames } from './useYearNames.ts'

type Overview = Awaited<ReturnType<typeof api.overview.summary.query>>

/** Lists the reasons why figures are incomplete or out of date, each with a link to the screen where it can be fixed. */
export function BudgetWarnings({ overview }: { overview: Overview }) {
  const may = usePermissionCheck()
  const mayEdit = may(['BudgetingNonStaffingReadUpdate'])
  const contracts = useTerm()('StaffContract')
  const years = useBudgetYearNames()
  // Figures that are shared out across a budget group cannot be calculated for a budget outside a group.
  const canJoinGroup = useSelectedBudget().budgetGroupId === null && may(['ConsoleBudgetGroupReadUpdate'])
  const deficits = overview.years.flatMap(({ balances }, year) =>
    balances.filter((balance) => balance.closing < 0).map((balance) => ({ year, type: balance.type, closing: balance.closing })),
  )
  const first = new Map<number, (typeof deficits)[number]>()
  for (const one of deficits) if (!first.has(one.type)) first.set(one.type, one)
  const lines = [
    overview.contractsNotCalculated > 0 && (
      <span key="contracts">
        {displayCount(overview.contractsNotCalculated, toMidSentence(contracts.singular), toMidSentence(contracts.plural))} could not be
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
        {entry.description} is out of date: its {entry.source === 'calculation' ? 'calculation' : 'funding prediction'} now gives a
        different figure
        {mayEdit && (
          <>
            .{' '}
            <Link to={`/non-staffing/${entry.source === 'calculation' ? 'ie-calculator' : 'funding-predictor'}/${entry.sourceId}`}>
              Update the entry
            </Link>
          </>
        )}
      </span>
    )),
    overview.recalculation && <OutOfDateNotice key="costs" />,
    ...overview.problems.map((problem) => (
      <span key={problem}>
        {problem} {canJoinGroup && <Link to="/console/budget-management/groups">Add it to a group</Link>}
      </span>
    )),
    ...[...first.values()].map(({ year, type, closing }) => (
      <span key={`deficit ${type}`}>
        The {toMidSentence(getLookupName('openingBalanceTypes', type) ?? '')} balance falls below zero in {years[year]}:{' '}
        {displayMoney(toPennies(closing))} at the end of the year
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
