import { lookups } from '../../../domain/lookups/lookups.ts'
import type { Field } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { Body } from '../product/http.ts'

/** Values that do not follow from the kind of a field: rules over several fields, and values already in use. */
const special: Record<string, (n: number) => Record<string, unknown>> = {
  extendedLeaveRule: (n) => ({ firstWeek: 60 + (n % 400), lastWeek: 60 + (n % 400) }),
  gagPoolTable: () => ({ percentage: 5 }),
  nationalInsurance: (n) => ({ bandStart: 900_000 + n, bandEnd: null, minAge: 0, maxAge: null }),
  localAuthorityFundingRate: () => ({ category: 40 }),
  extendedLeaveRuleSet: () => ({ replacementId: null, replacedFrom: null }),
  payScalePoint: () => ({ replacesIncrement: null }),
}

/**
 * The id of a record to refer to, of a resource and with these values. `#` is the position of the field, so that two fields can refer to
 * two records.
 */
export type FindReferenceId = (resource: string, where: Record<string, unknown>) => number

function valueFor(field: Field, n: number, ids: FindReferenceId): unknown {
  switch (field.kind) {
    case 'text':
      if (field.format === 'email') return `person${n}@sample.example`
      if (field.format === 'url') return `https://sample${n}.example`
      if (field.format === 'slug') return `sample-${n}`
      if (field.format === 'video' || field.format === 'icon' || field.format === 'niNumber') return null
      return `S${n}`
    case 'longText':
      return `Sample ${n}`
    case 'richText':
      return `<p>Sample ${n}</p>`
    case 'integer':
      return Math.min(field.max ?? 1000, Math.max(field.min ?? 0, n))
    case 'money':
    case 'percent':
    case 'decimal':
      return Math.max(field.min ?? 0, 1)
    case 'date':
      return `2031-01-${String((n % 28) + 1).padStart(2, '0')}`
    case 'dateTime':
      return field.label === 'Expires' ? '2031-02-01T00:00:00.000Z' : '2031-01-01T00:00:00.000Z'
    case 'flag':
      return field.default ?? false
    case 'choice':
      return field.default ?? lookups[field.lookup][0]!.id
    case 'flags':
      return lookups[field.lookup][0]!.id
    case 'choices':
      return [lookups[field.lookup][n % lookups[field.lookup].length]]
    case 'rates':
      return field.columns.map(() => n % 10)
    case 'image':
      return null
    case 'reference':
      return field.required ? ids(field.to, field.where ?? {}) : null
    case 'references':
      return []
    case 'rows':
      return [{ effectiveDate: '2030-09-01', value: n }]
    case 'colour':
      return '00ff00'
  }
}

/** A valid record of a resource. Another `n` gives another record. */
export function buildSample(resource: AnyResource, n: number, ids: FindReferenceId): Body {
  return {
    ...Object.fromEntries(
      Object.entries(resource.fields).map(([name, field], index) => [
        name,
        valueFor(field, n, (to, where) => ids(to, { ...where, '#': index })),
      ]),
    ),
    ...special[resource.name]?.(n),
  }
}
