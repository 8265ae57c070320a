import { Checkbox, TextInput } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { calculationType, payScaleType } from '../../../domain/lookups/lookupIds.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { MultiRecordPicker } from '../../resources/inputs/RecordPicker.tsx'
import { trpc } from '../../shell/api.ts'
import { useSelection } from '../../shell/selection.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'

/** The form values of a quick calculation. */
export interface QuickDraft {
  id: string | null
  version: number | null
  name: string
  type: number | null
  contractTypeId: number | null
  scalePointId: number | null
  spotOrAdjustment: number | null
  allowanceIds: number[]
  eRpension: boolean
  hoursPerWeek: number | null
  paidWeeksPerYear: number | null
  fte: number | null
}

export const emptyQuickDraft: QuickDraft = {
  id: null,
  version: null,
  name: '',
  type: null,
  contractTypeId: null,
  scalePointId: null,
  spotOrAdjustment: null,
  allowanceIds: [],
  eRpension: true,
  hoursPerWeek: null,
  paidWeeksPerYear: null,
  fte: 1,
}

const queryOptions = { staleTime: 60_000 }

/** The fields of a post. Each answer limits the options of the next field (behaviour B-184). */
export function QuickFields({
  draft,
  set,
  problems,
}: {
  draft: QuickDraft
  set: (part: Partial<QuickDraft>) => void
  problems: readonly FieldProblem[]
}) {
  const { budgetId, locationId } = useSelection()
  const { type, contractTypeId } = draft
  const types = trpc.quickCalculator.types.useQuery(undefined, { ...queryOptions })
  const contractTypes = trpc.quickCalculator.contractTypes.useQuery(
    budgetId === null || type === null ? skipToken : { budgetId, type },
    queryOptions,
  )
  const points = trpc.quickCalculator.scalePoints.useQuery(
    budgetId === null || contractTypeId === null ? skipToken : { budgetId, contractTypeId },
    queryOptions,
  )
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const chosen = contractTypes.data?.find((one) => one.id === contractTypeId)
  // Until a contract type is chosen, both FTE and hours are shown.
  const shownMeasure = !chosen ? 'both' : chosen.calculationType === calculationType.fte ? 'fte' : 'hours'
  const ofType = points.data?.filter((point) => belongsToScaleType(point.organisationId, type)) ?? []
  const scales = [...new Set(ofType.map((point) => point.scale))]
  const number = (
    field: 'spotOrAdjustment' | 'hoursPerWeek' | 'paidWeeksPerYear' | 'fte',
    { label, decimals, required = false, prefix }: { label: string; decimals: number; required?: boolean; prefix?: string },
  ) => (
    <div data-field={field}>
      <NumberField
        label={label}
        required={required}
        value={draft[field]}
        onChange={(value) => set({ [field]: value })}
        decimalScale={decimals}
        prefix={prefix}
        thousandSeparator=","
        hideControls
        error={error(field)}
      />
    </div>
  )
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>Post</CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div data-field="name" className={fieldsStyles.double}>
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={error('name')}
            data-autofocus
          />
        </div>
        <div data-field="type">
          <Choice
            label="Type"
            required
            data={(types.data ?? []).map((item) => ({ value: String(item.id), label: item.name }))}
            value={type === null ? null : String(type)}
            onChange={(value) => set({ type: value === null ? null : Number(value), contractTypeId: null, scalePointId: null })}
            error={error('type')}
          />
        </div>
        <div data-field="contractTypeId">
          <Choice
            label="Contract type"
            required
            placeholder={type === null ? 'Choose the type first' : undefined}
            disabled={type === null}
            data={(contractTypes.data ?? []).map((item) => ({ value: String(item.id), label: item.name }))}
            value={contractTypeId === null ? null : String(contractTypeId)}
            onChange={(value) => set({ contractTypeId: value === null ? null : Number(value), scalePointId: null })}
            error={error('contractTypeId')}
          />
        </div>
        <div data-field="scalePointId">
          <Choice
            label="Scale point"
            clearable
            placeholder={contractTypeId === null ? 'Choose the contract type first' : 'None: spot salary'}
            disabled={contractTypeId === null}
            data={scales.map((scale) => ({
              group: scale,
              items: ofType
                .filter((point) => point.scale === scale)
                .map((point) => ({ value: String(point.id), label: `${point.scale} ${point.point}` })),
            }))}
            value={draft.scalePointId === null ? null : String(draft.scalePointId)}
            onChange={(value) => set({ scalePointId: value === null ? null : Number(value) })}
            error={error('scalePointId')}
          />
        </div>
        {number('spotOrAdjustment', {
          label: draft.scalePointId === null ? 'Spot salary' : 'Annual adjustment',
          decimals: 2,
          required: false,
          prefix: '£',
        })}
        {shownMeasure !== 'hours' && number('fte', { label: 'FTE', decimals: 6, required: true })}
        {shownMeasure !== 'fte' && (
          <>
            {number('hoursPerWeek', { label: 'Hours per week', decimals: 6, required: Boolean(chosen) })}
            {number('paidWeeksPerYear', { label: 'Paid weeks per year', decimals: 6, required: Boolean(chosen) })}
          </>
        )}
        <div data-field="allowanceIds" className={fieldsStyles.wide}>
          <MultiRecordPicker
            to="allowance"
            label="Allowances"
            value={draft.allowanceIds}
            onChange={(allowanceIds) => set({ allowanceIds })}
            error={error('allowanceIds')}
            disabled={false}
            locationId={locationId}
          />
        </div>
        <Checkbox
          label="Employer pension"
          checked={draft.eRpension}
          onChange={(event) => set({ eRpension: event.currentTarget.checked })}
        />
      </CardBody>
    </Card>
  )
}

/**
 * Whether a scale point belongs to a pay scale type: national points to the standard types, an organisation's own points to the custom
 * types.
 */
function belongsToScaleType(owner: number | null, type: number | null): boolean {
  return type === null || (owner === null) === (type === payScaleType.teacher || type === payScaleType.support)
}
