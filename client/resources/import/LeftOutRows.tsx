import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { displayCount, displayList, displayMoney } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'

/** Up to this many rows have a button of their own. Another button includes all rows again. */
const maximumListed = 12

/** A row of a file that the user left out of the import. */
interface LeftOutRow {
  /** The row number as in the spreadsheet, from 1. */
  number: number
  /** What the row is about, such as the name of a person. */
  name: string
}

/** The rows that the user left out of an import, each with a button that includes it again. */
export function LeftOutRows({
  rows,
  sum,
  onTakeBack,
}: {
  rows: readonly LeftOutRow[]
  /** The sum of the amounts in these rows; null if the file has no amounts. */
  sum: Pennies | null
  onTakeBack: (numbers: readonly number[]) => void
}) {
  const notice = useRef<HTMLDivElement>(null)
  const { length } = rows
  // The button that leaves out a row disappears together with the row, so the focus moves here.
  useEffect(() => {
    if (length) notice.current?.focus()
  }, [length])
  if (!length) return null
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="status"
      color="blue"
      mb="sm"
      title={`You left ${displayCount(length, 'row')} out on purpose${sum === null ? '' : `: ${displayMoney(sum)}`}`}
    >
      <Group gap="xs">
        {rows.slice(0, maximumListed).map(({ number, name }) => (
          <Button key={number} size="compact-sm" variant="default" onClick={() => onTakeBack([number])}>
            Include row {number}
            {name && `, ${name.slice(0, 40)}`}
          </Button>
        ))}
        {length > 1 && (
          <Button size="compact-sm" variant="subtle" onClick={() => onTakeBack(rows.map(({ number }) => number))}>
            Include all {length}
          </Button>
        )}
      </Group>
      {length > maximumListed && (
        <Text size="sm" mt="xs">
          The first {maximumListed} are listed.
        </Text>
      )}
    </Alert>
  )
}

/** Builds a sentence that lists the rows left out, to follow the result of an import; empty if there are none. */
export function describeRowsLeftOut(numbers: readonly number[], sum: Pennies | null): string {
  if (!numbers.length) return ''
  const listed = numbers.length > maximumListed ? '' : ` (${displayList(numbers.map(String))})`
  const money = sum === null ? '' : `: ${displayMoney(sum)}`
  return ` ${displayCount(numbers.length, 'row')} left out on purpose${listed}${money}.`
}

/** Returns the label of the button that leaves out a number of rows. */
export const getLeaveOutLabel = (rows: number): string => (rows === 1 ? 'Leave out this row' : `Leave out ${displayCount(rows, 'row')}`)
