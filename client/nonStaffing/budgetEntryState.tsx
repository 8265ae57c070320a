import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { displayFigure } from '../../domain/values/format.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import rowsStyles from './rows.module.css'

/** The state that calculations and predictions have in common: whether their total is in the budget as an entry. */
interface BudgetEntryState {
  entryId: string | null
  isOutOfDate: boolean
}

/** Whether a calculation's total is in the budget and up to date. */
export function BudgetEntryPills({ state, isLocked }: { state: BudgetEntryState | null | undefined; isLocked: boolean }) {
  return (
    <>
      {state?.entryId && (state.isOutOfDate ? <Pill tone="warn">The budget is out of date</Pill> : <Pill tone="good">In the budget</Pill>)}
      {isLocked && <Pill tone="warn">Locked</Pill>}
    </>
  )
}

/** A link to the budget entry with the total, for the end of a sentence. */
export function BudgetEntryLink({ state }: { state: BudgetEntryState | null | undefined }) {
  if (!state?.entryId) return null
  return (
    <>
      {' '}
      · <Link to={`/non-staffing/budget-entries/${state.entryId}`}>Its budget entry</Link>
    </>
  )
}

/** A button that saves the calculation and puts its total into the budget. It is disabled until every row has a result. */
export function SaveToBudgetButton({ isWhole, isBusy, onPress }: { isWhole: boolean; isBusy: boolean; onPress: () => void }) {
  return (
    <Button onClick={onPress} loading={isBusy} disabled={!isWhole} title={isWhole ? undefined : 'Complete the marked rows first'}>
      Save and add to the budget
    </Button>
  )
}

/** Table cells with the total of each year. */
export function YearTotalCells({ years, total }: { years: readonly string[]; total: readonly (number | null)[] }) {
  return years.map((name, year) => (
    <td key={name} className={rowsStyles.num}>
      {total[year] == null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(total[year])}
    </td>
  ))
}
