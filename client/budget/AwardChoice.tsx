import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDate } from '../../domain/values/format.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import { DateField } from '../ui/fields/DateField.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'

/** A pay award that is already in the budget, from a pay table or its staff assumptions. */
export interface ExistingAward {
  effectiveDate: string
  rate: string
  table: string | null
  contractTypeIds: number[]
}

/** The award being edited: an existing award, by its index in the list, or a new award with its own date. */
export interface AwardDraft {
  standing: number | null
  contractTypeIds: number[]
  effectiveDate: string | null
}

const fresh = 'new'

function labelAward({ effectiveDate, rate, table, contractTypeIds }: ExistingAward, nameOf: (id: number) => string): string {
  const where = table ? ` in ${table}` : ''
  return `${contractTypeIds.map(nameOf).join(', ')}: ${displayDate(effectiveDate)}, ${Number(rate)}%${where}`
}

/** Fields for choosing the award to try. An existing award is raised or lowered; a new award is added to the existing ones. */
export function AwardFields({
  existing,
  types,
  value,
  onChange,
  problems = {},
}: {
  existing: ExistingAward[]
  types: { id: number; name: string }[]
  value: AwardDraft
  onChange: (next: AwardDraft, award: ExistingAward | null) => void
  problems?: Record<string, string>
}) {
  const nameOf = (id: number): string => types.find((type) => type.id === id)?.name ?? ''
  const chosen = value.standing === null ? null : (existing[value.standing] ?? null)
  const offeredTypes = chosen ? types.filter((type) => chosen.contractTypeIds.includes(type.id)) : types
  const choose = (picked: string | null): void => {
    const index = picked === null || picked === fresh ? null : Number(picked)
    const award = index === null ? null : assertDefined(existing[index])
    onChange(
      {
        standing: index,
        contractTypeIds: award?.contractTypeIds ?? types.map((type) => type.id),
        effectiveDate: award?.effectiveDate ?? value.effectiveDate,
      },
      award,
    )
  }
  return (
    <>
      <Choice
        className={fieldsStyles.double}
        label="Award"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={chosen ? 'Its rate is replaced by the one you enter' : 'Added on top of any earlier awards'}
        data={[
          ...existing.map((award, index) => ({ value: String(index), label: labelAward(award, nameOf) })),
          { value: fresh, label: 'A new award, added to the existing ones' },
        ]}
        value={value.standing === null ? fresh : String(value.standing)}
        onChange={choose}
      />
      {!chosen && (
        <DateField
          label="From"
          required
          value={value.effectiveDate}
          onChange={(effectiveDate) => onChange({ ...value, effectiveDate }, null)}
          error={problems.effectiveDate ?? (value.effectiveDate ? undefined : 'Date is required.')}
        />
      )}
      <MultiChoice
        className={fieldsStyles.double}
        label="Contract types"
        data={offeredTypes.map((type) => ({ value: String(type.id), label: type.name }))}
        value={value.contractTypeIds.map(String)}
        onChange={(values) => onChange({ ...value, contractTypeIds: values.map(Number) }, chosen)}
        error={problems.contractTypeIds ?? (value.contractTypeIds.length ? undefined : 'Choose at least one contract type.')}
      />
    </>
  )
}

/** Creates the initial award of a new what-if: the next existing award from today, otherwise the last one. */
export function createInitialAward(existing: readonly ExistingAward[], types: readonly { id: number }[], today: string): AwardDraft {
  const next = existing.findIndex((award) => award.effectiveDate >= today)
  const index = next === -1 ? existing.length - 1 : next
  const award = existing[index]
  return award
    ? { standing: index, contractTypeIds: award.contractTypeIds, effectiveDate: award.effectiveDate }
    : { standing: null, contractTypeIds: types.map((type) => type.id), effectiveDate: null }
}
