import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ScenarioChange } from '../../domain/budget/items/scenario.ts'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toPennies } from '../../domain/values/format.ts'
import { numberOrNull, textOrNull } from '../../domain/values/unknownValues.ts'
import { type AwardDraft, AwardFields, createInitialAward } from '../budget/AwardChoice.tsx'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { toPublicError } from '../shell/api.ts'
import { notifyFailure } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { DateField } from '../ui/fields/DateField.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { AwardPreview } from './AwardPreview.tsx'
import { type ScenarioChangeDraft, scenarioChangeKinds, validateChange } from './changeDraft.ts'
import type { ScenarioList } from './ScenarioComparison.tsx'

/**
 * Edits one change of a scenario: its kind, subject and date. For the first change of a new scenario, the user also enters the scenario's
 * name.
 */
export function ScenarioChangeDialog({
  scenarioList,
  isNew,
  onClose,
  onAdd,
}: {
  scenarioList: ScenarioList
  isNew: boolean
  onClose: () => void
  /**
   * Adds a change.
   * @param name the name of a new scenario
   */
  onAdd: (change: ScenarioChange, name: string) => Promise<void>
}) {
  const [name, setName] = useState('')
  const { locationId } = useSelection()
  const [award, setAward] = useState<AwardDraft>(() =>
    createInitialAward(scenarioList.standing, scenarioList.contractTypes, scenarioList.today),
  )
  const started = (): ScenarioChangeDraft => ({
    kind: 'award',
    contractTypeIds: award.contractTypeIds,
    effectiveDate: award.effectiveDate ?? undefined,
  })
  const [draft, setDraft] = useState<ScenarioChangeDraft>(started)
  const [pounds, setPounds] = useState<number | null>(null)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const set = (part: Record<string, unknown>): void => setDraft({ ...draft, ...part })
  const add = (): void => {
    const amount = draft.kind === 'newEntry' && pounds !== null ? { amount: toPennies(pounds) } : {}
    const read = validateChange({ ...draft, ...amount })
    const unnamed: Record<string, string> = isNew && !name.trim() ? { name: 'Name is required.' } : {}
    const found = { ...('change' in read ? {} : read.problems), ...unnamed }
    setProblems(found)
    if (!('change' in read) || unnamed.name) return
    setBusy(true)
    onAdd(read.change, name)
      .then(onClose, (failure) => {
        setProblems(Object.fromEntries(toPublicError(failure).fields.map(({ field, message }) => [field, message])))
        notifyFailure(failure)
      })
      .finally(() => setBusy(false))
  }
  const number = (name: string, label: string, more: Partial<React.ComponentProps<typeof NumberField>> = {}) => (
    <NumberField
      label={label}
      required
      value={numberOrNull(draft[name])}
      onChange={(value) => set({ [name]: value ?? undefined })}
      error={problems[name]}
      hideControls
      {...more}
    />
  )
  const date = (name: string, label: string) => (
    <DateField
      label={label}
      required
      value={textOrNull(draft[name])}
      onChange={(value) => set({ [name]: value ?? undefined })}
      error={problems[name]}
    />
  )
  const choice = (
    name: string,
    { label, data, isNumber = false }: { label: string; data: { value: string; label: string }[]; isNumber?: boolean },
  ) => (
    <Choice
      label={label}
      required
      data={data}
      value={draft[name] === undefined ? null : String(draft[name])}
      onChange={(value) => set({ [name]: value === null ? undefined : isNumber ? Number(value) : value })}
      error={problems[name]}
      nothingFoundMessage="Nothing matches."
    />
  )
  const years = scenarioList.yearNames.map((label, index) => ({ value: String(index), label }))
  const contracts = scenarioList.contracts.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Dialog onClose={onClose} title={isNew ? 'Add scenario' : 'Add a change'}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <SectionStack>
          {isNew && (
            <TextInput
              label="Name"
              required
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={problems.name}
              maxLength={100}
            />
          )}
          <Choice
            label={isNew ? 'First change' : 'What changes'}
            data={scenarioChangeKinds}
            value={draft.kind}
            data-autofocus={isNew ? undefined : true}
            onChange={(kind) => {
              setProblems({})
              setDraft(
                kind === 'award' ? started() : { kind: assertDefined(scenarioChangeKinds.find(({ value }) => value === kind)).value },
              )
            }}
          />
          {draft.kind === 'award' && (
            <>
              <AwardFields
                existing={scenarioList.standing}
                types={scenarioList.contractTypes}
                value={award}
                onChange={(next) => {
                  setAward(next)
                  set({ contractTypeIds: next.contractTypeIds, effectiveDate: next.effectiveDate ?? undefined })
                }}
                problems={problems}
              />
              {number('rate', award.standing === null ? 'Award' : 'Replacement award', { suffix: '%', decimalScale: 2 })}
              <AwardPreview draft={draft} yearNames={scenarioList.yearNames} />
            </>
          )}
          {draft.kind === 'removePost' && (
            <>
              {choice('contractId', { label: 'Post', data: contracts })}
              {date('from', 'From')}
            </>
          )}
          {draft.kind === 'hours' && (
            <>
              {choice('contractId', { label: 'Post', data: contracts })}
              {date('from', 'From')}
              {number('percentage', 'Percentage of its current hours', { suffix: '%', decimalScale: 2 })}
            </>
          )}
          {draft.kind === 'entry' && (
            <>
              {choice('entryId', { label: 'Budget entry', data: scenarioList.entries.map(({ id, name }) => ({ value: id, label: name })) })}
              {number('percentage', 'Increase (minus for a decrease)', { suffix: '%', decimalScale: 2 })}
            </>
          )}
          {draft.kind === 'newEntry' && (
            <>
              <TextInput
                label="Description"
                required
                value={textOrNull(draft.description) ?? ''}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={problems.description}
                maxLength={200}
              />
              <RecordPicker
                to="budgetCode"
                label="Budget code"
                required
                locationId={locationId}
                value={numberOrNull(draft.budgetCodeId)}
                onChange={(id) => set({ budgetCodeId: id ?? undefined })}
                error={problems.budgetCodeId}
              />
              <NumberField
                label="Amount in its first year"
                required
                value={pounds}
                onChange={setPounds}
                error={problems.amount}
                prefix="£"
                thousandSeparator=","
                decimalScale={2}
                hideControls
              />
              {choice('firstYear', { label: 'First year', data: years, isNumber: true })}
            </>
          )}
          {draft.kind === 'pupils' && (
            <>
              {choice('yearGroup', {
                label: 'Year group',
                data: scenarioList.yearGroups.map((id) => ({ value: String(id), label: getLookupName('pupilYearGroups', id) ?? '' })),
                isNumber: true,
              })}
              {choice('firstYear', { label: 'From', data: years, isNumber: true })}
              {number('by', 'Extra pupils (minus for fewer)', { allowDecimal: false })}
            </>
          )}
        </SectionStack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Add
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
