import { Alert, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount, displayDateTime, displayMoney, toPennies } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import type { RouterOutputs } from '../shell/api.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import { type EmployeeDifference, formatEmployeeNames } from './employees.ts'
import { FileTotalsProof } from './FileTotalsProof.tsx'
import type { ReconciliationChanges, ReconciliationScope } from './reconciliationChanges.ts'

const ClearMonthDialog = lazyComponent(() => import('./ClearMonthDialog.tsx'), 'ClearMonthDialog')
const ImportPayrollDialog = lazyComponent(() => import('./provider/ImportPayrollDialog.tsx'), 'ImportPayrollDialog')

type Imported = RouterOutputs['payroll']['providers']['import']

/** Imports the payroll provider's file for the month, and shows the result of the import. */
export function PayrollFileStep({
  level,
  changes,
  mayClear,
  location,
  missing,
  proof,
  importedAt,
  isReadOnly,
  onStart,
  onNext,
}: {
  level: ReconciliationScope
  changes: ReconciliationChanges
  /** Whether the month can be cleared: it has data, and the user can see all of the data. */
  mayClear: boolean
  /** The location that the page is filtered to; undefined for all locations. */
  location: { id: LocationId; name: string } | undefined
  /** Employees who have pay in the budget for the month but none in the file. */
  missing: readonly EmployeeDifference[]
  proof: RouterOutputs['payroll']['reconcile']['proof']
  importedAt: string | null
  isReadOnly: boolean
  /** Keeps the page at this step while an import adds data to the month. */
  onStart: () => void
  onNext: () => void
}) {
  const { groupId, ...month } = level
  const { locations } = useCoreData()
  const isAllowed = usePermissionCheck()
  const { locationId } = useSelection()
  const [open, setOpen] = useState<'import' | 'clear' | null>(null)
  const [done, setDone] = useState<Imported | null>(null)
  const isConsole = groupId === null
  const monthName = formatMonth(month)
  const fileLocation = location ?? locations.find((one) => one.id === locationId)
  // A user who reconciles every location, and has not filtered the page to one location, imports a file for all locations.
  const isForAllLocations = isConsole || (!location && locations.length > 1 && isAllowed(['ConsolePayrollReconciliationReadUpdate']))
  const start = !isReadOnly && (
    <Button
      onClick={() => {
        onStart()
        setOpen('import')
      }}
    >
      Import the payroll for {monthName}
    </Button>
  )
  const clear = !isReadOnly && mayClear && (
    <Button variant="default" onClick={() => setOpen('clear')}>
      Clear the month
    </Button>
  )
  return (
    <>
      <Card aria-label="File">
        {importedAt ? (
          <CardBody>
            <p style={{ marginTop: 0 }}>
              The payroll for {monthName} was imported on {displayDateTime(importedAt)}. Importing again replaces the employees and codes
              that are in the file, and keeps notes and amounts carried forward.
            </p>
            {proof && <FileTotalsProof proof={proof} />}
            {missing.length > 0 && (
              <Alert color="yellow" mt="md" title="Is the file complete?">
                {displayCount(missing.length, 'employee')} with pay in the budget for {monthName} {missing.length === 1 ? 'is' : 'are'} not
                in the payroll: {formatEmployeeNames(missing)}. If the rest of the payroll is in another file, import that too before you
                continue.
              </Alert>
            )}
            <Group mt="md">
              {start}
              {clear}
            </Group>
          </CardBody>
        ) : (
          <EmptyState>
            <h2>No payroll for {monthName} yet</h2>
            <p>
              {isForAllLocations
                ? 'Import your provider’s file for all locations, as .xlsx or CSV in your provider’s layout. Each row must say which location it belongs to.'
                : `Import your provider’s file for ${fileLocation?.name ?? 'the location'}, as .xlsx or CSV in your provider’s layout.`}
            </p>
            <Group justify="center">
              {start}
              {clear}
            </Group>
          </EmptyState>
        )}
        {done && (
          <CardBody role="status" aria-label="What was imported">
            <p style={{ marginTop: 0 }}>
              {displayCount(done.imported, 'amount')} imported, {displayMoney(toPennies(done.sum))} in total, to the penny.
            </p>
            {done.unknown.length > 0 && (
              <p>
                {displayCount(done.unknown.length, 'employee number')} not found here: {done.unknown.slice(0, 10).join(', ')}
                {done.unknown.length > 10 && ' …'}. They are listed as only in payroll.
              </p>
            )}
            {done.doubled.length > 0 && (
              <p>
                Added together, because the same employee and code are in several rows:{' '}
                {done.doubled
                  .slice(0, 10)
                  .map((one) => `${one.employeeNumber} ${one.payrollCode} (rows ${one.rows.join(', ')})`)
                  .join('; ')}
                .
              </p>
            )}
            {done.remarks.map((remark) => (
              <p key={remark}>{remark}</p>
            ))}
          </CardBody>
        )}
      </Card>
      {importedAt && (
        <Group justify="flex-end" mt="md">
          <Button onClick={onNext}>Next: exceptions</Button>
        </Group>
      )}
      {open === 'import' && (
        <PageSection height={0}>
          <ImportPayrollDialog
            month={month}
            location={isForAllLocations ? null : (fileLocation ?? null)}
            onClose={() => setOpen(null)}
            onDone={setDone}
          />
        </PageSection>
      )}
      {open === 'clear' && (
        <PageSection height={0}>
          <ClearMonthDialog
            level={level}
            changes={changes}
            onClose={() => {
              setOpen(null)
              setDone(null)
            }}
          />
        </PageSection>
      )}
    </>
  )
}
