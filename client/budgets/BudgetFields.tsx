import { TextInput } from '@mantine/core'
import { lookups } from '../../domain/lookups/lookups.ts'
import { budget, budgetTableKindNames } from '../../domain/resources/entities/budget/budget.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { toBudgetGroupId } from '../../domain/values/ids.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import { MultiRecordPicker, RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { trpc } from '../shell/api.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import type { BudgetDraft } from './budgetDraft.ts'
import { BudgetTableRows } from './ElementRows.tsx'

const { fields } = budget

export interface BudgetFieldsProps {
  draft: BudgetDraft
  set: (part: Partial<BudgetDraft>) => void
  error: (field: string) => string | undefined
  disabled: boolean
}

/** Name, purpose and years of a budget. */
export function BasicFields({ draft, set, error, disabled, isNew }: BudgetFieldsProps & { isNew: boolean }) {
  const groups = trpc.groups.list.useQuery()
  const chosenGroup = groups.data?.find((group) => group.id === draft.budgetGroupId)
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>
        Budget <CardNote>{yearsInWords(draft)}</CardNote>
      </CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div className={fieldsStyles.double} data-field="name">
          <TextInput
            label={fields.name.label}
            required
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={error('name')}
            disabled={disabled}
            maxLength={fields.name.max}
          />
        </div>
        <div data-field="versionType">
          <Choice
            label={fields.versionType.label}
            data={lookups.budgetVersionTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(draft.versionType)}
            onChange={(value) => set({ versionType: Number(value) })}
            error={error('versionType')}
            disabled={disabled}
          />
        </div>
        <div data-field="firstYear">
          <NumberField
            label={fields.firstYear.label}
            required
            value={draft.firstYear}
            onChange={(value) => set({ firstYear: Number(value) })}
            error={error('firstYear')}
            disabled={disabled || !isNew}
            allowDecimal={false}
            hideControls
          />
        </div>
        <div data-field="numberOfYears">
          <NumberField
            label={fields.numberOfYears.label}
            required
            min={fields.numberOfYears.min}
            max={fields.numberOfYears.max}
            value={draft.numberOfYears}
            onChange={(value) => set({ numberOfYears: Number(value) })}
            error={error('numberOfYears')}
            disabled={disabled}
            allowDecimal={false}
          />
        </div>
        <div className={fieldsStyles.double} data-field="budgetGroupId">
          <Choice
            label={defaultTerms.BudgetGroup.singular}
            description={`${groups.data?.length === 0 ? 'There are none yet: add one later, under Budget groups. ' : ''}The apprenticeship levy is calculated for the budgets of a group together.`}
            data={(groups.data ?? [])
              .filter((group) => !group.isShared || group === chosenGroup)
              .map((group) => ({ value: group.id, label: group.name }))}
            value={draft.budgetGroupId}
            onChange={(chosen) => set({ budgetGroupId: chosen === null ? null : toBudgetGroupId(chosen) })}
            clearable
            placeholder="None"
            error={error('budgetGroupId') ?? error('items')}
            disabled={disabled || chosenGroup?.isShared}
          />
        </div>
      </CardBody>
    </Card>
  )
}

function yearsInWords({ firstYear, numberOfYears }: BudgetDraft): string {
  if (!(firstYear >= 2000 && firstYear <= 2100 && numberOfYears >= 1 && numberOfYears <= 5)) return ''
  return numberOfYears === 1
    ? formatBudgetYear(firstYear, 0)
    : `${formatBudgetYear(firstYear, 0)} to ${formatBudgetYear(firstYear, numberOfYears - 1)}`
}

/** Pay awards, pension rates, inflation and contract types. */
export function AssumptionFields({ draft, set, error, disabled }: BudgetFieldsProps) {
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>
        Assumptions <CardNote>how you expect pay and prices to change</CardNote>
      </CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div className={fieldsStyles.double} data-field="staffAssumptionsId">
          <RecordPicker
            to="staffAssumptions"
            label={fields.staffAssumptionsId.label}
            required
            value={draft.staffAssumptionsId}
            onChange={(staffAssumptionsId) => set({ staffAssumptionsId })}
            error={error('staffAssumptionsId')}
            disabled={disabled}
          />
        </div>
        <div className={fieldsStyles.double} data-field="inflationId">
          <RecordPicker
            to="inflation"
            label={fields.inflationId.label}
            value={draft.inflationId}
            onChange={(inflationId) => set({ inflationId })}
            error={error('inflationId')}
            disabled={disabled}
          />
        </div>
      </CardBody>
    </Card>
  )
}

export function ContractTypeFields({ draft, set, error, disabled }: BudgetFieldsProps) {
  return (
    <Card style={{ overflow: 'visible' }} data-field="contractTypeIds">
      <CardHead>{fields.contractTypeIds.label}</CardHead>
      <CardBody>
        <MultiRecordPicker
          to="contractType"
          label={fields.contractTypeIds.label}
          required
          value={draft.contractTypeIds}
          onChange={(contractTypeIds) => set({ contractTypeIds })}
          error={error('contractTypeIds')}
          disabled={disabled}
        />
      </CardBody>
    </Card>
  )
}

/** Which table of each kind applies from which date. */
export function TableFields({ draft, set, error, disabled }: BudgetFieldsProps) {
  return (
    <>
      {budgetTableKindNames.map((kind) => (
        <BudgetTableRows
          key={kind}
          kind={kind}
          rows={draft[kind]}
          onChange={(rows) => set({ [kind]: rows })}
          error={error(kind)}
          disabled={disabled}
        />
      ))}
    </>
  )
}
