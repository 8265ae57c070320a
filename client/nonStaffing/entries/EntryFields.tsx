import { Textarea, TextInput } from '@mantine/core'
import { FundSharesInput } from '../../resources/inputs/FundShares.tsx'
import { useSelection } from '../../shell/selection.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { listSelectOptions } from '../toSelectOptions.ts'
import type { EntryDraft } from './entryDraft.ts'
import type { EntryChoices } from './sheetModel.ts'

export interface EntryFieldsProps {
  draft: EntryDraft
  set: (part: Partial<EntryDraft>) => void
  choices: EntryChoices
  error: (field: string) => string | undefined
  disabled: boolean
}

const numberOf = (value: string | null): number | null => (value === null ? null : Number(value))

/** Fields for the purpose of an entry and its codes. */
export function EntryPurposeFields({ draft, set, choices, error, disabled }: EntryFieldsProps) {
  const groups = [true, false].map((isIncome) => ({
    group: isIncome ? 'Income' : 'Expenditure',
    items: listSelectOptions(
      choices.budgetCodes.filter((code) => code.isIncome === isIncome),
      draft.budgetCodeId,
    ),
  }))
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>Entry</CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div className={fieldsStyles.double} data-field="description">
          <TextInput
            label="Description"
            required
            value={draft.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            error={error('description')}
            maxLength={200}
            disabled={disabled}
            data-autofocus={draft.id === null || undefined}
          />
        </div>
        <div data-field="identifier">
          <TextInput
            label="Identifier"
            value={draft.identifier}
            onChange={(event) => set({ identifier: event.currentTarget.value })}
            error={error('identifier')}
            maxLength={50}
            disabled={disabled}
          />
        </div>
        <div className={fieldsStyles.double} data-field="budgetCodeId">
          <Choice
            label="Budget code"
            required
            data={groups}
            value={draft.budgetCodeId === null ? null : String(draft.budgetCodeId)}
            onChange={(value) => set({ budgetCodeId: numberOf(value) })}
            error={error('budgetCodeId')}
            disabled={disabled}
          />
        </div>
        <div data-field="costCentreId">
          <Choice
            label="Cost centre"
            required={choices.costCentresMandatory}
            clearable
            data={listSelectOptions(choices.costCentres, draft.costCentreId)}
            value={draft.costCentreId === null ? null : String(draft.costCentreId)}
            onChange={(value) => set({ costCentreId: numberOf(value) })}
            error={error('costCentreId')}
            disabled={disabled}
          />
        </div>
      </CardBody>
    </Card>
  )
}

/** Fields for the fund shares, tags, notes and reminder of an entry. */
export function EntryDetailFields({ draft, set, choices, error, disabled }: EntryFieldsProps) {
  const { locationId } = useSelection()
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>Details</CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div className={fieldsStyles.wide} data-field="fundCodes">
          <FundSharesInput
            value={draft.fundCodes}
            onChange={(fundCodes) => set({ fundCodes })}
            locationId={locationId}
            disabled={disabled}
            error={error('fundCodes')}
          />
        </div>
        <div className={fieldsStyles.wide} data-field="analysisTags">
          <MultiChoice
            label="Analysis tags"
            data={listSelectOptions(choices.analysisTags)}
            value={draft.analysisTags.map(String)}
            onChange={(tags) => set({ analysisTags: tags.map(Number) })}
            error={error('analysisTags')}
            disabled={disabled}
          />
        </div>
        <div className={fieldsStyles.wide} data-field="notes">
          <Textarea
            label="Notes"
            autosize
            minRows={2}
            maxLength={2000}
            value={draft.notes}
            onChange={(event) => set({ notes: event.currentTarget.value })}
            error={error('notes')}
            disabled={disabled}
          />
        </div>
        <div data-field="reminderDate">
          <DateField
            label="Reminder date"
            value={draft.reminderDate}
            onChange={(reminderDate) => set({ reminderDate })}
            error={error('reminderDate')}
            disabled={disabled}
          />
        </div>
        <div className={fieldsStyles.double} data-field="reminderText">
          <TextInput
            label="Reminder text"
            value={draft.reminderText}
            onChange={(event) => set({ reminderText: event.currentTarget.value })}
            error={error('reminderText')}
            maxLength={200}
            disabled={disabled}
            description="Only you are reminded, on your home page."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </div>
      </CardBody>
    </Card>
  )
}
