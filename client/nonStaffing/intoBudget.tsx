import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { displayFigure } from '../../domain/values/format.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import rowsStyles from './rows.module.css'

/** What a calculation and a prediction have in common: their rows are worked out, and the sum goes into the budget as one entry. */
interface Stands {
  entryId: string | null
  isOutOfDate: boolean
}

/** How what is worked out stands to the budget. */
export function StandsPills({ state, isLocked }: { state: Stands | null | undefined; isLocked: boolean }) {
  return (
    <>
      {state?.entryId && (state.isOutOfDate ? <Pill tone="warn">The budget is out of date</Pill> : <Pill tone="good">In the budget</Pill>)}
      {isLocked && <Pill tone="warn">Locked</Pill>}
    </>
  )
}

/** The way to the entry that was made of it, behind what else is said. */
export function EntryLink({ state }: { state: Stands | null | undefined }) {
  if (!state?.entryId) return null
  return (
    <>
      {' '}
      · <Link to={`/non-staffing/budget-entries/${state.entryId}`}>Its budget entry</Link>
    </>
  )
}

/** Saves it and puts its sum into the budget, once every row can be worked out. */
export function ProcessButton({ isWhole, isBusy, onPress }: { isWhole: boolean; isBusy: boolean; onPress: () => void }) {
  return (
    <Button onClick={onPress} loading={isBusy} disabled={!isWhole} title={isWhole ? undefined : 'Complete the marked rows first'}>
      Save and put into the budget
    </Button>
  )
}

/** The cells of what goes to the budget, year by year. */
export function SumCells({ years, total }: { years: readonly string[]; total: readonly (number | null)[] }) {
  return years.map((name, year) => (
    <td key={name} className={rowsStyles.num}>
      {total[year] == null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(total[year])}
    </td>
  ))
}
