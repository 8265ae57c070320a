import { z } from 'zod'
import { analysisTagIcons } from '../lookups/icons.ts'
import { type LookupItem, lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { isDate } from '../values/calendar.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { hasDecimals } from '../values/decimals.ts'
import { parseMomentInLondon } from '../values/format.ts'
import { isRecord } from '../values/unknownValues.ts'
import type { FieldProblem } from '../words/errors.ts'
import { toMidSentence } from '../words/terms.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, type FieldValue, getSingularName, type RequestValue } from './fields.ts'
import type { AnyResource } from './resource.ts'

/** The unvalidated values of a record from a form, API call or import. */
export type RecordValues = Record<string, unknown>

type Checker<K extends FieldKind> = (field: FieldOf<K>) => z.ZodType

/** Matches a date, or a date and time with an optional zone. */
const momentPattern = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const emailPattern = /^[^\s\p{C}@]+@[^\s\p{C}@.]+(\.[^\s\p{C}@.]+)+$/u
/** Matches a link for embedding a video (notices K-28). */
const videoPattern = /^https:\/\/www\.youtube(-nocookie)?\.com\/embed\/[\w-]{11}(\?[^\s#]*)?$/
/**
 * Matches HMRC's format of a national insurance number: two prefix letters except those never issued, six digits, and a suffix from A to D.
 */
const niNumberPattern = /^[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]\d{6}[A-D]$/
const urlPattern = /^https?:\/\/[^\s.]+\.[^\s]+$/

/** Fund codes with their shares (`FundShare` of entities.json). */
export const fundShares = z
  .array(
    z.object({
      fundCodeId: z.number('Fund code is required.').int(),
      percentage: z
        .number('The share of a fund code must be a number.')
        .min(0, 'The share of a fund code must be between 0 and 100.')
        .max(100, 'The share of a fund code must be between 0 and 100.')
        .refine((share) => hasDecimals(share, 4), 'The share of a fund code can have at most 4 decimal places.'),
    }),
  )
  .max(20, 'There can be at most 20 fund codes.')

/** The schemas for each kind of field, with the messages of notices.json, so that forms, the API and imports give the same messages. */
const checkers: { [K in FieldKind]: Checker<K> } = {
  text: ({ label, max, format }) => {
    const plain = z.string(`${label} must be text.`).trim().max(max, `${label} can have at most ${max} characters.`)
    if (format === 'email') return plain.regex(emailPattern, `${label} is not an email address.`)
    if (format === 'slug') return plain.regex(/^[a-z0-9-]+$/, `${label} can contain only lower-case letters, digits and hyphens.`)
    if (format === 'video') return plain.regex(videoPattern, `${label} must be a YouTube embed link.`)
    if (format === 'icon') return plain.refine((name) => analysisTagIcons.includes(name), `${label} is not one of the choices.`)
    if (format === 'niNumber')
      return z
        .string(`${label} must be text.`)
        .transform((typed) => typed.replace(/\s/g, '').toUpperCase())
        .pipe(z.string().regex(niNumberPattern, `${label} is not valid.`))
    if (format === 'url') return plain.regex(urlPattern, `${label} is not a web address.`)
    return plain
  },
  longText: ({ label, max }) => z.string(`${label} must be text.`).max(max, `${label} can have at most ${max} characters.`),
  richText: ({ label, max }) => z.string(`${label} must be text.`).max(max, `${label} can have at most ${max} characters.`),
  integer: (field) =>
    ranged(z.number(`${field.label} must be a number.`).int(`${field.label} must be a whole number.`), field, 2_147_483_647),
  money: (field) => decimals(ranged(z.number(`${field.label} must be a number.`), field, 999_999_999.99), field.label, 2),
  percent: (field) => decimals(ranged(z.number(`${field.label} must be a number.`), field, 99_999), field.label, 4),
  decimal: (field) => decimals(ranged(z.number(`${field.label} must be a number.`), field, 999_999), field.label, 6),
  date: ({ label }) => z.string(`${label} is not a valid date.`).refine(isDate, `${label} is not a valid date.`),
  dateTime: ({ label }) =>
    z
      .string(`${label} is not a valid date.`)
      .refine(
        (text) => momentPattern.test(text) && isDate(text.slice(0, 10)) && !Number.isNaN(parseMomentInLondon(text).getTime()),
        `${label} is not a valid date.`,
      )
      .transform((text) => parseMomentInLondon(text).toISOString()),
  flag: ({ label }) => z.boolean(`${label} must be Yes or No.`),
  choice: ({ label, lookup }) =>
    createChoiceSchema(
      label,
      lookups[lookup].map((item) => item.id),
    ),
  flags: ({ label, lookup, required }) => {
    const all = lookups[lookup].reduce((sum, item) => sum + item.id, 0)
    return z
      .number(`${label} is not one of the choices.`)
      .int()
      .min(required ? 1 : 0, `${label} is required.`)
      .max(all, `${label} is not one of the choices.`)
  },
  choices: ({ label, lookup, required }) => {
    const all: readonly LookupItem[] = lookups[lookup]
    const one = z
      .union([z.number(), z.string(), z.object({ id: z.number().optional(), name: z.string().optional() })])
      .transform((item) => {
        const wanted = typeof item === 'object' ? (item.id ?? item.name) : item
        return all.find((each) => each.id === wanted || each.name === wanted)
      })
    return z
      .array(one, `${label} must be a list.`)
      .max(all.length * 2, `${label} is not one of the choices.`)
      .refine((list) => !list.includes(undefined), `${label} is not one of the choices.`)
      .transform((list) => all.filter((item) => list.includes(item)).map(({ id, name }) => ({ id, name })))
      .refine((list) => !required || list.length > 0, `${label} is required.`)
  },
  rates: ({ label, columns, min, max }) =>
    z
      .array(
        decimals(
          z
            .number(`${label} must be a number.`)
            .min(min, between(label, min, max))
            .max(max, between(label, min, max)),
          label,
          4,
        ),
        `${label} must have ${numberWord(columns.length)} rates.`,
      )
      .length(columns.length, `${label} must have ${numberWord(columns.length)} rates.`),
  image: ({ label }) => z.number(`${label} was not found.`).int(`${label} was not found.`).positive(`${label} was not found.`),
  reference: ({ label }) => z.number(`${label} was not found.`).int(`${label} was not found.`).positive(`${label} was not found.`),
  references: (field) => {
    const { label, required, max = 5000 } = field
    const one = getSingularName(field)
    return z
      .array(z.number(`${one} was not found.`).int().positive(`${one} was not found.`), `${label} must be a list.`)
      .max(max, `${label} can have at most ${max} entries.`)
      .transform((ids) => [...new Set(ids)])
      .refine((ids) => !required || ids.length > 0, `${one} is required.`)
  },
  point: ({ label }) => z.number(`${label} was not found.`).int(`${label} was not found.`).positive(`${label} was not found.`),
  shares: () => fundShares,
  rows: ({ label, of, required, max = 500, none = `${label} is required.`, keepsOrder }) => {
    const all = z
      .array(
        z.object(Object.fromEntries(Object.entries(of).map(([name, field]) => [name, fieldSchema(field)]))),
        `${label} must be a list of rows.`,
      )
      .max(max, `${label} can have at most ${max} rows.`)
    if (keepsOrder) return all.refine((list) => !required || list.length > 0, none)
    return all
      .transform((list) => [...list].sort((a, b) => String(a.effectiveDate).localeCompare(String(b.effectiveDate))))
      .refine((list) => !required || list.length > 0, none)
      .refine((list) => new Set(list.map((row) => row.effectiveDate)).size === list.length, 'Two rows have the same effective date.')
  },
  colour: ({ label }) =>
    z.string(`${label} must be six hexadecimal digits.`).regex(/^[0-9a-f]{6}$/i, `${label} must be six hexadecimal digits.`),
}

const numberWord = (count: number): string => ({ 5: 'five', 12: 'twelve' })[count] ?? String(count)
const between = (label: string, min: number, max: number): string => `${label} must be between ${min} and ${max}.`

function ranged(schema: z.ZodNumber, { label, min, max }: { label: string; min?: number; max?: number }, limit: number): z.ZodNumber {
  const message =
    max === undefined && min !== undefined
      ? `${label} must be between ${min} and ${limit}.`
      : `${label} must be between ${min ?? -limit} and ${max ?? limit}.`
  return schema.min(min ?? -limit, message).max(max ?? limit, message)
}

function decimals(schema: z.ZodNumber, label: string, places: number): z.ZodType {
  return schema.refine((value) => hasDecimals(value, places), `${label} can have at most ${places} decimal places.`)
}

function createChoiceSchema(label: string, ids: number[]): z.ZodType {
  return z.number(`${label} is not one of the choices.`).refine((value) => ids.includes(value), `${label} is not one of the choices.`)
}

/** The field from which each schema was made. The API documentation describes the field. */
const fieldOf = new WeakMap<object, Field>()

/** Finds the declared field of a schema. @returns undefined for a schema not made from a field */
export function findSchemaField(schema: object): Field | undefined {
  return fieldOf.get(schema)
}

function fieldSchema(field: Field): z.ZodType {
  const schema = buildFieldSchema(field)
  fieldOf.set(schema, field)
  return schema
}

const checkerOf = <K extends FieldKind>(field: FieldOf<K>): z.ZodType => checkers[field.kind](field)

/** Matches zero-width and bidirectional control characters, which text copied from web pages and emails may contain. */
const invisibleCharacters = /[\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

/** Removes invisible characters, so that texts which look the same are equal. Line breaks are visible, so they remain. */
const removeInvisible = (text: string): string => text.replace(invisibleCharacters, '').trim()

/** Builds the input schema of a field. Empty text counts as missing (behaviour B-058). Flags and lists are never missing. */
function buildFieldSchema(field: Field): z.ZodType {
  const inner = checkerOf(field)
  const blank = (value: unknown): unknown => {
    const typed = field.kind === 'text' && typeof value === 'string' ? removeInvisible(value) : value
    return typed === undefined || typed === null || (typeof typed === 'string' && typed.trim() === '') ? null : typed
  }
  if (field.kind === 'flag' && !field.either) return z.preprocess((value) => blank(value) ?? field.default ?? false, inner)
  if (field.kind === 'rows') {
    const { of, keepsOrder, leavesUnfinished } = field
    const needed = Object.keys(of).filter((name) => of[name]?.required)
    // Whether a row has any value; empty rows are dropped.
    const isRow = (row: unknown): boolean => {
      if (keepsOrder || !isRecord(row)) return true
      return leavesUnfinished ? needed.every((name) => blank(row[name]) !== null) : Object.values(row).some((cell) => blank(cell) !== null)
    }
    return z.preprocess((value) => (Array.isArray(value) ? value.filter(isRow) : (blank(value) ?? [])), inner)
  }
  if (field.kind === 'references' || field.kind === 'choices' || field.kind === 'rates' || field.kind === 'shares')
    return z.preprocess((value) => blank(value) ?? [], inner)
  if (field.kind === 'flags') return z.preprocess((value) => blank(value) ?? 0, inner)
  if (field.required)
    return z.preprocess(
      (value) => (field.mayBeUnknown && value === undefined ? undefined : (blank(value) ?? field.default ?? null)),
      z.unknown().transform((value, context) => {
        if (value === null && field.mayBeUnknown) return null
        if (value === null || value === undefined) {
          context.addIssue({ code: 'custom', message: `${field.label} is required.` })
          return z.NEVER
        }
        const result = inner.safeParse(value)
        if (!result.success) for (const issue of result.error.issues) context.addIssue({ code: 'custom', message: issue.message })
        return result.data
      }),
    )
  return z.preprocess((value) => blank(value) ?? null, inner.nullable())
}

/** The schemas of fields in a request. If an optional field is left out, it gets its default or an empty value. */
type RequestShape<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends { required: true }
    ? z.ZodType<FieldValue<F[K]>, RequestValue<F[K]>>
    : z.ZodDefault<z.ZodType<FieldValue<F[K]>, RequestValue<F[K]> | null>>
}

/** Builds the input schemas of declared fields for a procedure. */
export function buildInputShape<const F extends Fields>(fields: F): RequestShape<F> {
  // Each schema validates the values that its field declares. The compiler derives the same type from the declaration.
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (field.required) return [name, fieldSchema(field)]
      const schema = fieldSchema(field).default(field.default ?? getEmptyValue(field))
      fieldOf.set(schema, field)
      return [name, schema]
    }),
  ) as RequestShape<F>
}

/** Builds input schemas for a partial update. A field that is left out stays unchanged, so the schemas have no defaults. */
export function buildPatchShape<const F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): { [K in N]: z.ZodOptional<z.ZodType<FieldValue<F[K]>, RequestValue<F[K]> | null>> } {
  // The compiler derives the same types, as in `buildInputShape`.
  return Object.fromEntries(names.map((name) => [name, fieldSchema(assertDefined(fields[name])).optional()])) as {
    [K in N]: z.ZodOptional<z.ZodType<FieldValue<F[K]>, RequestValue<F[K]> | null>>
  }
}

const cache = new Map<AnyResource, z.ZodType<RecordValues, RecordValues>>()

/** The schema of a record, shared by forms, calls and imports. A missing optional field takes its default. */
function recordSchema(resource: AnyResource): z.ZodType<RecordValues, RecordValues> {
  let schema = cache.get(resource)
  if (!schema) {
    schema = z.object(Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, fieldSchema(field)])))
    cache.set(resource, schema)
  }
  return schema
}

export function buildNewRecord(resource: AnyResource): RecordValues {
  return createEmptyValues(resource.fields)
}

/** Creates the initial values of fields in a form: the default of each field, or an empty value. */
export function createEmptyValues(fields: Fields): RecordValues {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.default ?? getEmptyValue(field)]))
}

function getEmptyValue(field: Field): unknown {
  if (field.kind === 'flag') return field.either ? null : false
  if (field.kind === 'references' || field.kind === 'rows' || field.kind === 'choices' || field.kind === 'shares') return []
  if (field.kind === 'rates') return field.columns.map(() => 0)
  return field.kind === 'flags' ? 0 : null
}

/** Validates values against all rules of the declaration. */
export function checkRecord(resource: AnyResource, values: RecordValues): { values: RecordValues; problems: FieldProblem[] } {
  const result = recordSchema(resource).safeParse(values)
  if (!result.success)
    return { values, problems: result.error.issues.map((issue) => ({ field: String(issue.path[0] ?? ''), message: issue.message })) }
  return { values: result.data, problems: resource.check?.(result.data) ?? [] }
}

/** Finds empty fields that the organisation's settings require (behaviour B-130). */
export function findMissingBySettings(
  resource: AnyResource,
  values: RecordValues,
  settings: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  return Object.entries(resource.fields).flatMap(([name, { requiredWhen, label }]) =>
    requiredWhen && settings[requiredWhen] && (values[name] === null || values[name] === undefined)
      ? [{ field: name, message: `${label} is required by your organisation.` }]
      : [],
  )
}

/** Finds a range that overlaps the range of a related record. */
function findOverlaps({ nonOverlapping, fields }: AnyResource, values: RecordValues, others: Iterable<RecordValues>): FieldProblem[] {
  if (!nonOverlapping) return []
  const { from, to, within } = nonOverlapping
  for (const other of others) {
    if (other[within] !== values[within] || Number(other[from]) > Number(values[to]) || Number(other[to]) < Number(values[from])) continue
    return [
      {
        field: from,
        message: `${assertDefined(fields[from]).label} to ${toMidSentence(assertDefined(fields[to]).label)} overlaps with another row, ${other[from]} to ${other[to]}. Change one of the two.`,
      },
    ]
  }
  return []
}

/** Returns the field that groups records for checks against each other; undefined if no check compares records. */
export function getGroupingField({ nonOverlapping, siblingCheck }: AnyResource): string | undefined {
  return nonOverlapping?.within ?? siblingCheck?.within
}

/** Finds the problems that a record has with other records of its list. */
export function findSiblingProblems(resource: AnyResource, values: RecordValues, others: readonly RecordValues[]): FieldProblem[] {
  const { siblingCheck } = resource
  const siblings = siblingCheck ? others.filter((other) => other[siblingCheck.within] === values[siblingCheck.within]) : []
  return [...findOverlaps(resource, values, others), ...(siblingCheck?.problems(values, siblings) ?? [])]
}

/** Whether two values of a field are equal (behaviour B-058: the order of references does not matter). */
export function isSameValue(field: Field | undefined, a: unknown, b: unknown): boolean {
  const tidy = (value: unknown): unknown => (value === '' || value === undefined ? null : value)
  // Input that has not been validated may not be a list.
  const ordered = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : (tidy(value) ?? []))
  if (field?.kind === 'references') return canonicalJson(ordered(a)) === canonicalJson(ordered(b))
  // PostgreSQL may return the keys of a row in another order.
  return canonicalJson(tidy(a)) === canonicalJson(tidy(b))
}

export function listChangedFields(resource: AnyResource, before: RecordValues, after: RecordValues): string[] {
  return Object.keys(resource.fields).filter((name) => !isSameValue(resource.fields[name], before[name], after[name]))
}
