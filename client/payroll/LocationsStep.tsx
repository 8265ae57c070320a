import { Button, Group, Skeleton } from '@mantine/core'
import { payrollMonthState } from '../../domain/lookups/lookupIds.ts'
import { displayDateTime, displayFigure, toPennies } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { NoBudgetMessage } from '../budget/NoBudgetMessage.tsx'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import type { ReconciliationScope } from './reconciliationChanges.ts'

/**
 * The back-pay ledger of a month depends on up to two years of reconciliations, so it is cached for five minutes or until payroll data
 * changes.
 */
const ledgerCaching = { staleTime: 5 * 60_000 }

/** The payroll of one month at all schools. */
export function PayrollByLocationStep({ level: { groupId, ...month }, onNext }: { level: ReconciliationScope; onNext: () => void }) {
  const list = trpc.payroll.locations.useQuery({ ...month, group: groupId })
  const ledger = trpc.payroll.backPay.ledger.useQuery({ ...month, group: groupId }, ledgerCaching)
  const openByLocation = new Map<LocationId, number>()
  for (const { locationId, open } of ledger.data?.lines ?? [])
    openByLocation.set(locationId, (openByLocation.get(locationId) ?? 0) + toPennies(open))
  if (list.isError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={240} />
  if (!list.data.length) return <NoBudgetMessage month={month} />
  const rows = list.data
  const sumOf = (figureOf: (row: (typeof rows)[number]) => number): number => rows.reduce((sum, row) => sum + figureOf(row), 0)
  type Row = (typeof rows)[number] | null
  /** Builds a column of figures with their sum in the footer. */
  const sum = (id: string, label: string, of: (row: (typeof rows)[number]) => number): TableColumn<Row> => ({
    id,
    label,
    isFigure: true,
    cell: (row) => (row ? of(row) : sumOf(of)),
  })
  const columns: TableColumn<Row>[] = [
    { id: 'location', label: 'Location', cell: (row) => row?.location ?? 'Total' },
    {
      id: 'imported',
      label: 'Payroll imported',
      cell: (row) => row && (row.overview.importedAt ? displayDateTime(row.overview.importedAt) : 'not yet'),
    },
    {
      id: 'state',
      label: 'State',
      cell: (row) =>
        row && (
          <Pill tone={row.overview.state === payrollMonthState.complete ? 'good' : undefined}>
            {row.overview.state === payrollMonthState.complete ? 'Complete' : 'Open'}
          </Pill>
        ),
    },
    sum('employees', 'Employees', ({ overview }) => overview.employees),
    sum('different', 'Differ', ({ people }) => people.different),
    sum('onlyInPayroll', 'Only in payroll', ({ people }) => people.onlyInPayroll),
    sum('onlyInBudget', 'Only in budget', ({ people }) => people.onlyInBudget),
    {
      id: 'budget',
      label: 'Budget £',
      isFigure: true,
      cell: (row) => (
        <>
          {displayFigure(row ? toPennies(row.overview.calculated) : sumOf(({ overview }) => toPennies(overview.calculated)))}
          <IncompleteSumNote count={row ? row.overview.notCalculated : sumOf(({ overview }) => overview.notCalculated)} />
        </>
      ),
    },
    ...(['actual', 'difference'] as const).map(
      (id): TableColumn<Row> => ({
        id,
        label: id === 'actual' ? 'Actual £' : 'Difference £',
        isFigure: true,
        cell: (row) =>
          row
            ? row.overview.importedAt && displayFigure(toPennies(row.overview[id]))
            : displayFigure(sumOf(({ overview }) => (overview.importedAt ? toPennies(overview[id]) : 0))),
      }),
    ),
    {
      id: 'backPay',
      label: 'Back pay outstanding £',
      isFigure: true,
      cell: (row) =>
        ledger.data &&
        displayFigure(
          row ? (openByLocation.get(row.locationId) ?? 0) : [...openByLocation.values()].reduce((total, open) => total + open, 0),
        ),
    },
  ]
  return (
    <>
      <Card className={scrollStyles.scroll} aria-label="Locations">
        <DataTable isTight columns={columns} rows={rows} foot={rows.length > 1 ? [null] : []} />
      </Card>
      <Group justify="flex-end" mt="md">
        <Button onClick={onNext}>Next: the file</Button>
      </Group>
    </>
  )
}
