import { Button, Group, Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ScenarioChange } from '../../domain/budget/items/scenario.ts'
import { penniesOf } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { DateField } from '../resources/DateField.tsx'
import { ManyPicker, Picker } from '../resources/Picker.tsx'
import { useSelection } from '../state/selection.ts'
import { type ChangeDraft, changeKinds, checkedChange } from './changeDraft.ts'
import type { Ground } from './SideBySide.tsx'

/** One change of a scenario: what kind it is, what it is about, and from when. */
export function ChangeDialog({ ground, onClose, onAdd }: { ground: Ground; onClose: () => void; onAdd: (change: ScenarioChange) => void }) {
  const { locationId } = useSelection()
  const [draft, setDraft] = useState<ChangeDraft>({ kind: 'award', contractTypeIds: ground.contractTypeIds })
  const [pounds, setPounds] = useState<number | string>('')
  const [problems, setProblems] = useState<Record<string, string>>({})
  const set = (part: Record<string, unknown>): void => setDraft({ ...draft, ...part })
  const add = (): void => {
    const amount = draft.kind === 'newEntry' && pounds !== '' ? { amount: penniesOf(pounds) } : {}
    const read = checkedChange({ ...draft, ...amount })
    if ('change' in read) onAdd(read.change)
    else setProblems(read.problems)
  }
  const number = (name: string, label: string, more: Partial<React.ComponentProps<typeof NumberInput>> = {}) => (
    <NumberInput
      label={label}
      required
      value={(draft[name] as number | undefined) ?? ''}
      onChange={(value) => set({ [name]: value === '' ? undefined : Number(value) })}
      error={problems[name]}
      hideControls
      {...more}
    />
  )
  const date = (name: string, label: string) => (
    <DateField
      label={label}
      required
      value={(draft[name] as string | undefined) ?? null}
      onChange={(value) => set({ [name]: value ?? undefined })}
      error={problems[name]}
    />
  )
  const choice = (name: string, label: string, data: { value: string; label: string }[], isNumber = false) => (
    <Select
      label={label}
      required
      searchable
      data={data}
      value={draft[name] === undefined ? null : String(draft[name])}
      onChange={(value) => set({ [name]: value === null ? undefined : isNumber ? Number(value) : value })}
      error={problems[name]}
      nothingFoundMessage="Nothing matches."
    />
  )
  const years = ground.yearNames.map((label, index) => ({ value: String(index), label }))
  const contracts = ground.contracts.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Modal opened onClose={onClose} title="Add a change">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <div className="stack">
          <Select
            label="What changes"
            data={changeKinds}
            value={draft.kind}
            allowDeselect={false}
            data-autofocus
            onChange={(kind) => {
              setProblems({})
              setDraft({ kind: kind as ChangeDraft['kind'], ...(kind === 'award' ? { contractTypeIds: ground.contractTypeIds } : {}) })
            }}
          />
          {draft.kind === 'award' && (
            <>
              <ManyPicker
                to="contractType"
                label="Contract types"
                required
                value={(draft.contractTypeIds as number[] | undefined) ?? []}
                onChange={(contractTypeIds) => set({ contractTypeIds })}
                error={problems.contractTypeIds}
              />
              {date('effectiveDate', 'From')}
              {number('rate', 'Award in place of the one of that date', { suffix: ' %', decimalScale: 2 })}
            </>
          )}
          {draft.kind === 'removePost' && (
            <>
              {choice('contractId', 'Post', contracts)}
              {date('from', 'From')}
            </>
          )}
          {draft.kind === 'hours' && (
            <>
              {choice('contractId', 'Post', contracts)}
              {date('from', 'From')}
              {number('percentage', 'Share of the hours it has now', { suffix: ' %', decimalScale: 2 })}
            </>
          )}
          {draft.kind === 'entry' && (
            <>
              {choice(
                'entryId',
                'Budget entry',
                ground.entries.map(({ id, name }) => ({ value: id, label: name })),
              )}
              {number('percentage', 'More, or less with a minus', { suffix: ' %', decimalScale: 2 })}
            </>
          )}
          {draft.kind === 'newEntry' && (
            <>
              <TextInput
                label="Description"
                required
                value={(draft.description as string | undefined) ?? ''}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={problems.description}
                maxLength={200}
              />
              <Picker
                to="budgetCode"
                label="Budget code"
                required
                locationId={locationId}
                value={(draft.budgetCodeId as number | undefined) ?? null}
                onChange={(id) => set({ budgetCodeId: id ?? undefined })}
                error={problems.budgetCodeId}
              />
              <NumberInput
                label="Amount of its first year"
                required
                value={pounds}
                onChange={setPounds}
                error={problems.amount}
                prefix="£"
                thousandSeparator=","
                decimalScale={2}
                hideControls
              />
              {choice('firstYear', 'First year', years, true)}
            </>
          )}
          {draft.kind === 'pupils' && (
            <>
              {choice(
                'yearGroup',
                'Year group',
                ground.yearGroups.map((id) => ({ value: String(id), label: lookupName('pupilYearGroups', id) ?? '' })),
                true,
              )}
              {choice('firstYear', 'From', years, true)}
              {number('by', 'Pupils more, or fewer with a minus', { allowDecimal: false })}
            </>
          )}
        </div>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Add</Button>
        </Group>
      </form>
    </Modal>
  )
}
