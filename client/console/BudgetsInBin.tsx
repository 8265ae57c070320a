import { Button, Table, VisuallyHidden } from '@mantine/core'
import { keptInBinUntil } from '../../domain/bin.ts'
import { yearName } from '../../domain/calendar.ts'
import { dayInLondon, displayDate, displayDateTime, displayNumber } from '../../domain/format.ts'
import { useRestoreBudgets } from '../budget/useRestoreBudgets.ts'
import type { api } from '../shell/api.ts'
import { useCore, useTerm } from '../shell/core.ts'
import cardStyles from '../ui/Card.module.css'
import { Card, CardHead } from '../ui/Card.tsx'
import scrollStyles from '../ui/scroll.module.css'
import classes from './BinPage.module.css'

type Deleted = Awaited<ReturnType<typeof api.bin.budgets.query>>

const until = (deletedAt: string): string => displayDate(dayInLondon(keptInBinUntil(deletedAt)))

/** Years as people name them, the first and the last. */
function yearsOf({ firstYear, numberOfYears }: Deleted['rows'][number]): string {
  const first = yearName(firstYear, 0)
  return numberOfYears > 1 ? `${first} to ${yearName(firstYear, numberOfYears - 1)}` : first
}

/** The budgets that were deleted of late, each to be restored with all that was in it. */
export function BudgetsInBin({ deleted: { rows, total } }: { deleted: Deleted }) {
  const { locations } = useCore()
  const term = useTerm()
  const { restore, isPending } = useRestoreBudgets()
  const placeOf = (id: number): string => locations.find((one) => one.id === id)?.name ?? ''
  return (
    <Card aria-label="Deleted budgets">
      <CardHead>{term('Budget').plural}</CardHead>
      <div className={scrollStyles.scroll}>
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th className={classes.wide}>{term('Location').singular}</Table.Th>
              <Table.Th className={classes.wide}>Years</Table.Th>
              <Table.Th className={classes.wide}>Deleted</Table.Th>
              <Table.Th className={classes.wide}>By</Table.Th>
              <Table.Th className={classes.wide}>Stays until</Table.Th>
              <Table.Th>
                <VisuallyHidden>Restore</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.id}>
                <Table.Td>
                  {row.name}
                  <span className={classes.told}>
                    {placeOf(row.locationId)}, {yearsOf(row)}, deleted {displayDateTime(row.deletedAt)} by {row.deletedBy}; stays until{' '}
                    {until(row.deletedAt)}
                  </span>
                </Table.Td>
                <Table.Td className={classes.wide}>{placeOf(row.locationId)}</Table.Td>
                <Table.Td className={classes.wide}>{yearsOf(row)}</Table.Td>
                <Table.Td className={classes.wide}>{displayDateTime(row.deletedAt)}</Table.Td>
                <Table.Td className={classes.wide}>{row.deletedBy}</Table.Td>
                <Table.Td className={classes.wide}>{until(row.deletedAt)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Restore ${row.name} of ${placeOf(row.locationId)}`}
                    disabled={isPending}
                    onClick={() => void restore([row])}
                  >
                    Restore
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {total > rows.length && (
        <div className={cardStyles.foot}>
          The newest {displayNumber(rows.length)} of {displayNumber(total)}. Search to find the others.
        </div>
      )}
    </Card>
  )
}
