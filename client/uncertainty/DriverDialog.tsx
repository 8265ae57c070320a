import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { lookups } from '../../domain/lookups/lookups.ts'
import { driverInput, isStaffDriver } from '../../domain/uncertainty/budget/driver.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { useSelectedLocationId } from '../budget/useBudget.ts'
import { validateWith } from '../resources/editor/validateWith.ts'
import { MultiRecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { DateField } from '../ui/fields/DateField.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { blankDriver, type DriverDraft, driverValues, kindHints, kindLabels, unitOf } from './driverDraft.ts'

const yearGroups = lookups.pupilYearGroups.map(({ id, name }) => ({ value: String(id), label: name }))

/** Edits one driver: what it is, what it applies to, and its low, likely and high values. */
export function DriverDialog({
  start,
  isNew,
  onSave,
  onClose,
}: {
  start: DriverDraft
  isNew: boolean
  onSave: (driver: DriverDraft) => void
  onClose: () => void
}) {
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const locationId = useSelectedLocationId()
  const set = (part: Partial<DriverDraft>): void => setDraft({ ...draft, ...part })
  const { kind } = draft
  const save = (): void => {
    const found = validateWith(driverInput, draft).problems
    setProblems(Object.fromEntries(found.map(({ field, message }) => [field, message])))
    if (found.length) return
    onSave(draft)
    onClose()
  }
  const hasCodes = !isStaffDriver(draft) && kind !== 'intake' && kind !== 'fundingRate'
  return (
    <Dialog title={isNew ? 'Add driver' : 'Change driver'} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className={fieldsStyles.fields}>
          <Choice
            label="What is uncertain"
            required
            data={keysOf(kindLabels).map((value) => ({ value, label: kindLabels[value] }))}
            value={kind}
            onChange={(next) => {
              if (next === null) return
              setProblems({})
              // A driver keeps only what its kind uses.
              const { contractTypeIds, budgetCodeIds, yearGroup, perYear } = blankDriver(draft.id)
              set({
                kind: next,
                name: draft.name === kindLabels[kind] ? kindLabels[next] : draft.name,
                contractTypeIds,
                budgetCodeIds,
                yearGroup,
                perYear,
              })
            }}
          />
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={problems.name}
          />
          {isStaffDriver(draft) && (
            <MultiRecordPicker
              to="contractType"
              label="Contract types"
              required
              value={draft.contractTypeIds}
              onChange={(contractTypeIds) => set({ contractTypeIds })}
              error={problems.contractTypeIds}
            />
          )}
          {hasCodes && (
            <MultiRecordPicker
              to="budgetCode"
              label="Budget codes"
              required
              locationId={locationId}
              value={draft.budgetCodeIds}
              onChange={(budgetCodeIds) => set({ budgetCodeIds })}
              error={problems.budgetCodeIds}
            />
          )}
          {kind === 'intake' && (
            <Choice
              label="Year group"
              required
              data={yearGroups}
              value={draft.yearGroup === null ? null : String(draft.yearGroup)}
              onChange={(value) => set({ yearGroup: value === null ? null : Number(value) })}
              error={problems.yearGroup}
            />
          )}
          <DateField
            label="From"
            required={isStaffDriver(draft)}
            description={isStaffDriver(draft) ? undefined : 'Empty for the first day of the budget'}
            value={draft.from}
            onChange={(from) => set({ from })}
            error={problems.from}
          />
          <p className={fieldsStyles.wide} style={{ margin: 0 }}>
            {kindHints[kind]} One future in ten is below low, and one in ten is above high.
          </p>
          <div className={fieldsStyles.wide} style={{ display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 14 }}>
            {driverValues.map(({ field, label }) => (
              <NumberField
                key={field}
                label={label}
                required
                hideControls
                suffix={unitOf(draft)}
                decimalScale={4}
                value={draft[field]}
                onChange={(value) => setDraft({ ...draft, [field]: value })}
                error={problems[field]}
              />
            ))}
          </div>
          {(hasCodes || kind === 'fundingRate') && (
            <Checkbox
              className={fieldsStyles.wide}
              label="The same change comes again in every later year"
              checked={draft.perYear}
              onChange={(event) => set({ perYear: event.currentTarget.checked })}
            />
          )}
        </div>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{isNew ? 'Add' : 'Change'}</Button>
        </Group>
      </form>
    </Dialog>
  )
}
