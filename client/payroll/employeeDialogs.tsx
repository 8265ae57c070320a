import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { displayCount, displayMoney, toPounds } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { confirmDiscard, useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { useDialogSave } from '../shell/useSave.ts'
import { FormModal } from '../ui/dialogs/FormModal.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { type EmployeeDifference, getEmployeeName, type PayrollRow } from './employees.ts'
import type { ReconciliationChanges } from './reconciliationChanges.ts'

/** Adds a note to an employee, or the same note to several employees. */
export function EmployeeNoteDialog({
  employees,
  changes,
  onClose,
}: {
  employees: readonly EmployeeDifference[]
  changes: ReconciliationChanges
  onClose: () => void
}) {
  const [only] = employees.length === 1 ? employees : []
  const before = only?.note ?? ''
  const [text, setText] = useState(before)
  const isRemoved = text.trim() === ''
  useUnsavedChanges(text !== before)
  const remove = async (notice: string): Promise<void> => notifySuccess(notice, await changes.removeNotes(employees))
  const saving = useDialogSave(() => changes.saveNotes(employees, text), notices.savedNote, onClose)
  const removal = useDialogSave(() => remove(only ? notices.removedNote : notices.removedNotes), null, onClose)
  const { problem, isSaving, save } = isRemoved && before ? removal : saving
  const close = async (): Promise<void> => {
    if (text === before || (await confirmDiscard())) onClose()
  }
  return (
    <FormModal
      title={`Note on ${only ? getEmployeeName(only) : displayCount(employees.length, 'employee')}`}
      action={isRemoved && before ? 'Remove note' : 'Save note'}
      isSaving={isSaving}
      more={
        !only &&
        employees.some((one) => one.note) && (
          <Button variant="default" c="var(--bad)" mr="auto" loading={removal.isSaving} onClick={() => void removal.save()}>
            Remove notes
          </Button>
        )
      }
      onSave={save}
      onClose={() => void close()}
    >
      <Textarea
        label="Note"
        data-autofocus
        autosize
        minRows={3}
        maxLength={2000}
        value={text}
        error={problem ?? removal.problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormModal>
  )
}

/** Carries part of an employee's difference forward to the next month. The rest still needs an explanation. */
export function CarryForwardDialog({
  employee,
  changes,
  onClose,
}: {
  employee: EmployeeDifference
  changes: ReconciliationChanges
  onClose: () => void
}) {
  const amountToCarry = employee.carriedForward ?? employee.difference
  const before = amountToCarry === null ? null : toPounds(amountToCarry)
  const [value, setValue] = useState<number | null>(before)
  useUnsavedChanges(value !== before)
  const { problem, isSaving, save } = useDialogSave(
    () => changes.carryAmount(employee.employeeNumber, value ?? 0),
    notices.carriedForward,
    onClose,
  )
  const close = async (): Promise<void> => {
    if (value === before || (await confirmDiscard())) onClose()
  }
  return (
    <FormModal
      title={`Carry an amount forward for ${getEmployeeName(employee)}`}
      action="Carry forward"
      isSaving={isSaving}
      onSave={save}
      onClose={() => void close()}
    >
      <NumberField
        label="Amount"
        description={
          employee.difference === null
            ? 'The difference could not be calculated.'
            : `Part of a difference of ${displayMoney(employee.difference)}. A negative amount is still to be paid; a positive amount was overpaid.`
        }
        prefix="£"
        decimalScale={2}
        thousandSeparator=","
        data-autofocus
        value={value}
        error={problem}
        onChange={setValue}
      />
    </FormModal>
  )
}

/** Replaces an imported actual with an amount that the user enters, until the user clears it. */
export function ReplaceActualDialog({ row, changes, onClose }: { row: PayrollRow; changes: ReconciliationChanges; onClose: () => void }) {
  const { employeeNumber, payrollCode, locationId } = row
  const cell = { employeeNumber, payrollCode, locationId }
  const before = row.actual
  const [value, setValue] = useState<number | null>(before)
  useUnsavedChanges(value !== before)
  const { problem, isSaving, save } = useDialogSave(() => changes.typeActual(cell, value ?? 0), notices.savedActual, onClose)
  const clearing = useDialogSave(async () => notifySuccess(notices.clearedActual, await changes.clearActual(cell)), null, onClose)
  const close = async (): Promise<void> => {
    if (value === before || (await confirmDiscard())) onClose()
  }
  return (
    <FormModal
      title={`Actual of ${row.name ?? employeeNumber}, ${payrollCode}`}
      more={
        row.isTyped && (
          <Button variant="default" loading={clearing.isSaving} onClick={() => void clearing.save()}>
            Clear
          </Button>
        )
      }
      isSaving={isSaving}
      onSave={save}
      onClose={() => void close()}
    >
      <NumberField
        label="Actual"
        description="Enter a deduction with a minus sign. This replaces the imported amount until it is cleared."
        prefix="£"
        decimalScale={2}
        thousandSeparator=","
        data-autofocus
        value={value}
        error={problem ?? clearing.problem}
        onChange={setValue}
      />
    </FormModal>
  )
}
