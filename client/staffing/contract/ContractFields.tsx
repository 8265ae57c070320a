import { Checkbox, TextInput } from '@mantine/core'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import type { FieldOptions } from '../../../domain/resources/fields.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { MultiRecordPicker } from '../../resources/inputs/RecordPicker.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { MemoizedPart } from '../../ui/MemoizedPart.tsx'
import type { ContractDraft } from './contractDraft.ts'
import type { CostingInputs } from './costingInputs.ts'
import { EmployeePicker } from './EmployeePicker.tsx'
import { PointSelect } from './PointSelect.tsx'

const { fields } = staffContract
const isRequired = ({ required = false }: FieldOptions): boolean => required

/** Props that all sections of the form have. */
export interface ContractFormProps {
  draft: ContractDraft
  set: (part: Partial<ContractDraft>) => void
  inputs: CostingInputs
  locationId: LocationId | null
  problems: readonly FieldProblem[]
  disabled: boolean
}

/** Lists the pay scales that a contract type allows. If there is only one, the form does not ask for it. */
function scaleTypes({ shared }: CostingInputs, contractType: number | null) {
  const flags = contractType === null ? 15 : (shared.contractTypes[contractType]?.payScaleTypes ?? 15)
  return lookups.payScaleTypes.filter((item) => flags & item.id)
}

/** Fields for the employee, contract type and dates of a contract. */
export function ContractFields({ draft, set, inputs, locationId, problems, disabled }: ContractFormProps) {
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const types = scaleTypes(inputs, draft.contractTypeName)
  const text = (field: 'contractName' | 'position' | 'department') => (
    <MemoizedPart of={[draft[field], error(field), disabled]}>
      {() => (
        <div data-field={field}>
          <TextInput
            label={fields[field].label}
            required={isRequired(fields[field])}
            value={draft[field] ?? ''}
            onChange={(event) => set({ [field]: event.currentTarget.value })}
            error={error(field)}
            disabled={disabled}
            maxLength={fields[field].max}
          />
        </div>
      )}
    </MemoizedPart>
  )
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>Contract</CardHead>
      <CardBody className={fieldsStyles.fields}>
        <MemoizedPart of={[draft.employeeNumber, inputs.name, draft.id, error('employeeNumber'), disabled]}>
          {() => (
            <div data-field="employeeNumber">
              <EmployeePicker
                label={fields.employeeNumber.short}
                value={draft.employeeNumber}
                name={inputs.name}
                hasFocus={draft.id === null}
                onChange={(employeeNumber) => set({ employeeNumber })}
                error={error('employeeNumber')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
        {text('contractName')}
        {text('position')}
        <MemoizedPart of={[draft.contractTypeName, draft.type, inputs, error('contractTypeName'), disabled]}>
          {() => (
            <div data-field="contractTypeName">
              <Choice
                label={fields.contractTypeName.label}
                required
                data={inputs.contractTypeIds.map((id) => ({
                  value: String(id),
                  label: inputs.shared.labels[`type:${id}`] ?? `Type ${id}`,
                }))}
                value={draft.contractTypeName === null ? null : String(draft.contractTypeName)}
                onChange={(value) => {
                  if (value === null) return
                  const allowed = scaleTypes(inputs, Number(value))
                  set({
                    contractTypeName: Number(value),
                    type: allowed.some((item) => item.id === draft.type) ? draft.type : (allowed[0]?.id ?? draft.type),
                  })
                }}
                error={error('contractTypeName')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.contractTypeName, draft.type, inputs, error('type'), disabled]}>
          {() => (
            <div data-field="type">
              <Choice
                label={fields.type.label}
                required
                data={types.map((item) => ({ value: String(item.id), label: item.name }))}
                value={String(draft.type)}
                onChange={(value) => value && set({ type: Number(value) })}
                error={error('type')}
                disabled={disabled || types.length < 2}
              />
            </div>
          )}
        </MemoizedPart>
        {text('department')}
        <MemoizedPart of={[draft.startDate, error('startDate'), disabled]}>
          {() => (
            <div data-field="startDate">
              <DateField
                label={fields.startDate.label}
                required
                value={draft.startDate}
                onChange={(startDate) => set({ startDate })}
                error={error('startDate')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.endDate, error('endDate'), disabled]}>
          {() => (
            <div data-field="endDate">
              <DateField
                label={fields.endDate.label}
                value={draft.endDate}
                onChange={(endDate) => set({ endDate })}
                error={error('endDate')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.maximumScalePoint, draft.type, inputs, error('maximumScalePoint'), disabled]}>
          {() => (
            <div data-field="maximumScalePoint">
              <PointSelect
                label={fields.maximumScalePoint.label}
                placeholder="None: no increments"
                inputs={inputs}
                type={draft.type}
                value={draft.maximumScalePoint}
                onChange={(maximumScalePoint) => set({ maximumScalePoint })}
                error={error('maximumScalePoint')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.serviceTerms, locationId, error('serviceTerms'), disabled]}>
          {() => (
            <div data-field="serviceTerms" className={fieldsStyles.wide}>
              <MultiRecordPicker
                to="serviceTerm"
                label={fields.serviceTerms.label}
                required
                value={draft.serviceTerms}
                onChange={(serviceTerms) => set({ serviceTerms })}
                error={error('serviceTerms')}
                disabled={disabled}
                locationId={locationId}
              />
              {draft.serviceTerms.length > 1 && (
                <span className={textStyles.dim} style={{ fontSize: 12.5 }}>
                  The first sets where the cost is posted; the others are matched with payroll.
                </span>
              )}
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.apprentice, disabled]}>
          {() => (
            <Checkbox
              label={fields.apprentice.label}
              checked={draft.apprentice}
              onChange={(event) => set({ apprentice: event.currentTarget.checked })}
              disabled={disabled}
              description={fields.apprentice.help}
            />
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.attritionContract, disabled]}>
          {() => (
            <Checkbox
              label={fields.attritionContract.label}
              checked={draft.attritionContract}
              onChange={(event) => set({ attritionContract: event.currentTarget.checked })}
              disabled={disabled}
              description={fields.attritionContract.help}
            />
          )}
        </MemoizedPart>
      </CardBody>
    </Card>
  )
}
