import { Alert, Button } from '@mantine/core'
import type { ReportedCount } from '../../../domain/budget/items/pupilNumbers.ts'
import type { CountedRow } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import classes from './PupilsPage.module.css'

/** A count at its row and column. */
interface Cell {
  index: number
  column: number
  count: number
}

/** Counts from another system that differ from those entered here, with buttons that copy them. */
export function ReportedPupilCounts({
  reported,
  counted,
  columnOf,
  onTakeOver,
}: {
  reported: readonly ReportedCount[]
  counted: readonly CountedRow[]
  columnOf: (october: number) => number
  /** Copies counts into the table; null if the user can only read. */
  onTakeOver: ((cells: Cell[]) => void) | null
}) {
  const others = reported.flatMap((one) => {
    const row = counted.find(({ yearGroup }) => yearGroup === one.yearGroup)
    const column = columnOf(one.october)
    const typedCount = row?.counts[column]
    return row && typedCount && typedCount.count !== one.count ? [{ ...one, index: row.index, column, here: typedCount.count }] : []
  })
  if (!others.length) return null
  return (
    <Alert title="Another system has different numbers" mb="md" maw={720}>
      <ul className={classes.said}>
        {others.map(({ yearGroup, october, count, here }) => (
          <li key={`${october} ${yearGroup}`}>
            {getLookupName('pupilYearGroups', yearGroup)} in October {october}: {here ?? 'not known'} here, {count} there
          </li>
        ))}
      </ul>
      {onTakeOver && (
        <Button size="compact-sm" variant="default" mt="xs" onClick={() => onTakeOver(others)}>
          Use its numbers
        </Button>
      )}
    </Alert>
  )
}
