import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { displayCount } from '../../../domain/values/format.ts'
import { FundSharesInput } from '../../resources/inputs/FundShares.tsx'
import { useSelection } from '../../shell/selection.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { listSelectOptions } from '../toSelectOptions.ts'
import type { EntryChoices, SheetRowChanges } from './sheetModel.ts'

type Name = 'budgetCodeId' | 'costCentreId' | 'fundCodes' | 'analysisTags' | 'profileTemplateId'

const numberOf = (value: string | null): number | null => (value === null ? null : Number(value))

/** Changes the fields that the user ticked on all selected entries; if one is refused, none is changed (behaviour B-111). */
export function BulkEditEntries({
  ids,
  choices,
  onSave,
  onClose,
}: {
  ids: readonly string[]
  choices: EntryChoices
  onSave: (changes: SheetRowChanges) => Promise<Map<string, string>>
  onClose: () => void
}) {
  const { locationId } = useSelection()
  const [ticked, setTicked] = useState<ReadonlySet<Name>>(new Set())
  const [values, setValues] = useState<{ [K in Name]?: SheetRowChanges[K] }>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const tick = (name: Name): void => {
    const next = new Set(ticked)
    if (!next.delete(name)) next.add(name)
    setTicked(next)
  }
  const set = (part: typeof values): void => setValues({ ...values, ...part })
  const save = async (): Promise<void> => {
    setBusy(true)
    const empty = { costCentreId: null, profileTemplateId: null, fundCodes: [], analysisTags: [] }
    const all: { [K in Name]?: SheetRowChanges[K] } = { ...empty, ...values }
    const changes: SheetRowChanges = Object.fromEntries([...ticked].flatMap((name) => (name in all ? [[name, all[name]]] : [])))
    const problems = await onSave(changes)
    setBusy(false)
    if (problems.size) setProblem(`${[...problems.values()][0]} Nothing was changed.`)
    else onClose()
  }
  const field = (name: Name, label: string, input: React.ReactNode) => (
    <div style={{ display: 'grid', gridTemplateColumns: '150px minmax(0, 1fr)', gap: 12, alignItems: 'center' }}>
      <Checkbox label={label} checked={ticked.has(name)} onChange={() => tick(name)} />
      <fieldset disabled={!ticked.has(name)} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        {ticked.has(name) ? input : <span className={textStyles.dim}>not changed</span>}
      </fieldset>
    </div>
  )
  return (
    <Dialog onClose={onClose} title={`Bulk edit ${displayCount(ids.length, 'entry', 'entries')}`} size="lg">
      <div style={{ display: 'grid', gap: 12 }}>
        {field(
          'budgetCodeId',
          'Budget code',
          <Choice
            aria-label="Budget code"
            data={listSelectOptions(choices.budgetCodes)}
            value={values.budgetCodeId ? String(values.budgetCodeId) : null}
            onChange={(value) => set({ budgetCodeId: numberOf(value) ?? undefined })}
          />,
        )}
        {field(
          'costCentreId',
          'Cost centre',
          <Choice
            aria-label="Cost centre"
            clearable
            data={listSelectOptions(choices.costCentres)}
            value={values.costCentreId ? String(values.costCentreId) : null}
            onChange={(value) => set({ costCentreId: numberOf(value) })}
          />,
        )}
        {field(
          'fundCodes',
          'Fund codes',
          <FundSharesInput
            value={values.fundCodes ?? []}
            onChange={(shares) =>
              // If the shares are unfinished, the server refuses them with a message.
              set({ fundCodes: shares as SheetRowChanges['fundCodes'] })
            }
            locationId={locationId}
          />,
        )}
        {field(
          'analysisTags',
          'Analysis tags',
          <MultiChoice
            aria-label="Analysis tags"
            data={listSelectOptions(choices.analysisTags)}
            value={(values.analysisTags ?? []).map(String)}
            onChange={(tags) => set({ analysisTags: tags.map(Number) })}
          />,
        )}
        {field(
          'profileTemplateId',
          'Profile',
          <Choice
            aria-label="Profile"
            clearable
            placeholder="Equal months"
            data={listSelectOptions(choices.profiles)}
            value={values.profileTemplateId ? String(values.profileTemplateId) : null}
            onChange={(value) => set({ profileTemplateId: numberOf(value) })}
          />,
        )}
        {problem && (
          <p className={textStyles.up} role="alert" style={{ margin: 0 }}>
            {problem}
          </p>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => void save()} loading={busy} disabled={!ticked.size}>
            Change
          </Button>
        </Group>
      </div>
    </Dialog>
  )
}
