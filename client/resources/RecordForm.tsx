import type { FieldProblem } from '../../domain/errors.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { FieldInput } from './FieldInput.tsx'

const wide: readonly string[] = ['rows', 'flags', 'longText', 'richText', 'references', 'choices', 'rates', 'image']

/** The sections of a form with their fields, in the order of the declaration; what the server sets is no field of a form. */
export function sectionsOf(
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

/** The fields of a record in their sections; problems stand under the fields they belong to. */
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
  values: Values
  onChange: (values: Values) => void
  problems: FieldProblem[]
  isHidden: (field: Field) => boolean
  fixed?: readonly string[]
  /** The one section to show; none: all. */
  only?: string
  /** Settings of the organisation that make fields required. */
  flags?: Readonly<Record<string, boolean>>
  disabled?: boolean
}) {
  const sections = sectionsOf(resource, isHidden, fixed).filter((section) => only === undefined || section.name === only)
  return (
    <div className="stack">
      {sections.map(({ name: section, fields }) => (
        <section key={section} className="card" style={{ overflow: 'visible' }}>
          <div className="card-head">{section}</div>
          <div className="card-body fields">
            {fields.map(([name, field]) => (
              <div
                key={name}
                className={wide.includes(field.kind) ? 'wide' : field.kind === 'text' && field.max >= 100 ? 'double' : undefined}
                data-field={name}
              >
                <FieldInput
                  field={field.requiredWhen && flags[field.requiredWhen] ? { ...field, required: true } : field}
                  value={values[name]}
                  onChange={(value) => onChange({ ...values, [name]: value })}
                  error={problems.find((problem) => problem.field === name || problem.field.startsWith(`${name}.`))?.message}
                  disabled={disabled}
                />
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/** Brings the first broken field into sight and focus. */
export function focusProblem(problems: readonly FieldProblem[]): void {
  const name = problems[0]?.field.split('.')[0]
  window.setTimeout(() => {
    const field = document.querySelector(`[data-field="${name}"]`)
    field?.scrollIntoView({ block: 'center' })
    field?.querySelector<HTMLElement>('input, textarea, button')?.focus()
  })
}
