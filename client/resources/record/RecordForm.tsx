import { memo } from 'react'
import { type Field, getNumberUnit, type NumberUnit } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import fieldsStyles from '../../ui/fields/fields.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { FieldInput } from '../inputs/FieldInput.tsx'

const wide: readonly string[] = ['rows', 'flags', 'longText', 'richText', 'references', 'choices', 'rates', 'image']

/** Lists the sections of a form with their fields, in declared order, without fields that only the server sets. */
export function listFormSections(
  resource: AnyResource,
  isHidden: (field: Field) => boolean,
  fixed: readonly string[],
): { name: string; fields: [string, Field][] }[] {
  const sections = new Map<string, [string, Field][]>()
  for (const entry of Object.entries(resource.fields)) {
    const [name, field] = entry
    if (isHidden(field) || fixed.includes(name) || resource.readOnly?.includes(name)) continue
    const section = field.section ?? 'Details'
    sections.set(section, [...(sections.get(section) ?? []), entry])
  }
  return [...sections].map(([name, fields]) => ({ name, fields }))
}

/** A record's fields in sections, with each problem below its field. */
export function RecordForm({
  resource,
  values,
  onChange,
  problems,
  isHidden,
  fixed = [],
  only,
  flags = {},
  disabled,
}: {
  resource: AnyResource
  values: RecordValues
  /** Called with the changed values. The function must be stable, so that only the edited field renders again. */
  onChange: (part: RecordValues) => void
  problems: FieldProblem[]
  isHidden: (field: Field) => boolean
  fixed?: readonly string[]
  /** The only section to show; leave out to show all sections. */
  only?: string
  /** Settings of the organisation that make fields required. */
  flags?: Readonly<Record<string, boolean>>
  disabled?: boolean
}) {
  const sections = listFormSections(resource, isHidden, fixed).filter((section) => only === undefined || section.name === only)
  return (
    <SectionStack>
      {sections.map(({ name: section, fields }) => (
        <Card key={section} style={{ overflow: 'visible' }}>
          <CardHead>{section}</CardHead>
          <CardBody className={fieldsStyles.fields}>
            {fields.map(([name, field]) => (
              <RecordField
                key={name}
                name={name}
                field={field}
                isRequired={Boolean(field.requiredWhen && flags[field.requiredWhen])}
                value={values[name]}
                unit={getNumberUnit(field, values)}
                onChange={onChange}
                error={problems.find((problem) => problem.field === name || problem.field.startsWith(`${name}.`))?.message}
                disabled={disabled}
              />
            ))}
          </CardBody>
        </Card>
      ))}
    </SectionStack>
  )
}

const RecordField = memo(function RecordField({
  name,
  field,
  isRequired,
  value,
  unit,
  onChange,
  error,
  disabled,
}: {
  name: string
  field: Field
  isRequired: boolean
  value: unknown
  unit: NumberUnit | undefined
  onChange: (part: RecordValues) => void
  error: string | undefined
  disabled: boolean | undefined
}) {
  return (
    <div
      className={
        wide.includes(field.kind) ? fieldsStyles.wide : field.kind === 'text' && field.max >= 100 ? fieldsStyles.double : undefined
      }
      data-field={name}
    >
      <FieldInput
        field={isRequired ? { ...field, required: true } : field}
        value={value}
        unit={unit}
        onChange={(next) => onChange({ [name]: next })}
        error={error}
        disabled={disabled}
      />
    </div>
  )
})
