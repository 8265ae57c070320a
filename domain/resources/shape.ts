import { z } from 'zod'
import { describeLookup, lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { isKeyOf } from '../values/keysOf.ts'
import { addArticle, defaultTerms, getCountableTerm, toMidSentence } from '../words/terms.ts'
import { listColumns } from './columns.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, type FieldValue, isReferring } from './fields.ts'
import type { AnyRecord, AnyResource } from './resource.ts'
import type { RecordValues } from './schema.ts'

type Shape<K extends FieldKind> = (field: FieldOf<K>) => z.ZodType

/** The schema of a stored value of each kind, without the messages, defaults and corrections for input. */
const shapes: { [K in FieldKind]: Shape<K> } = {
  text: ({ max, format }) =>
    format
      ? z
          .string()
          .max(max)
          .meta({ examples: [textExamples[format]] })
      : z.string().max(max),
  longText: ({ max }) => z.string().max(max),
  richText: ({ max }) =>
    z
      .string()
      .max(max)
      .meta({ examples: ['<p>Checked with the trust.</p>'] }),
  integer: ({ min, max }) =>
    z
      .int()
      .min(min ?? -2_147_483_648)
      .max(max ?? 2_147_483_647),
  money: () => z.number().meta({ examples: [1250.5] }),
  percent: () => z.number().meta({ examples: [2.5] }),
  decimal: () => z.number().meta({ examples: [0.6] }),
  date: () => z.iso.date().meta({ examples: ['2026-09-01'] }),
  dateTime: () => z.iso.datetime().meta({ examples: ['2026-09-01T08:30:00.000Z'] }),
  flag: () => z.boolean(),
  choice: ({ lookup }) => z.literal(lookups[lookup].map((item) => item.id)),
  flags: () => z.int().min(0),
  choices: () => z.array(z.strictObject({ id: z.int(), name: z.string() })),
  rates: ({ columns, min, max }) => z.array(z.number().min(min).max(max)).length(columns.length),
  image: () => z.int().positive(),
  reference: () => z.int().positive(),
  references: ({ max }) => (max === undefined ? z.array(z.int().positive()) : z.array(z.int().positive()).max(max)),
  point: () => z.int().positive(),
  shares: () => z.array(z.strictObject({ fundCodeId: z.int(), percentage: z.number() })),
  rows: ({ of }) => z.array(z.strictObject(buildReplyShape(of))),
  colour: () =>
    z
      .string()
      .regex(/^[0-9a-fA-F]{6}$/)
      .meta({ examples: ['1c7ed6'] }),
}

const textExamples = {
  email: 'office@school.example',
  slug: 'opening-a-budget',
  video: 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
  icon: 'book',
  niNumber: 'QQ123456C',
  url: 'https://school.example',
}

const shapeOf = <K extends FieldKind>(field: FieldOf<K>): z.ZodType => shapes[field.kind](field)

/** Kinds whose values are never null, because they have an empty value: No, 0 or an empty list. */
const neverNullKinds: ReadonlySet<FieldKind> = new Set(['flag', 'flags', 'choices', 'rates', 'references', 'shares', 'rows'])

/** The title and description of a field in the API documentation. */
function describeField(field: Field): { title: string; description?: string } {
  const about = [
    field.help,
    field.kind === 'choice' || field.kind === 'flags'
      ? `${describeLookup(field.lookup)}${field.kind === 'flags' ? '; the sum of what is chosen' : ''}.`
      : undefined,
    isReferring(field) && field.kind !== 'shares' ? describeReference(field) : undefined,
    field.kind === 'money' ? 'Pounds.' : field.kind === 'percent' || field.kind === 'rates' ? 'A percentage.' : undefined,
    field.kind === 'richText' ? 'HTML; anything not allowed is removed.' : undefined,
  ].filter(Boolean)
  return { title: field.label, ...(about.length ? { description: about.join(' ') } : {}) }
}

function describeReference({ kind, to }: { kind: FieldKind; to: string }): string {
  const key = assertDefined(to[0]).toUpperCase() + to.slice(1)
  if (!isKeyOf(defaultTerms, key)) throw new Error(`${to} is not called anything`)
  const term = getCountableTerm(key)
  return kind === 'references' ? `Ids of ${toMidSentence(term.plural)}.` : `Id of ${addArticle(term)}.`
}

/** The schema of a field in a stored record. A value may be null if it is missing. */
function storedShape(field: Field): z.ZodType {
  const isNever = field.kind === 'flag' ? !field.either : neverNullKinds.has(field.kind) || (Boolean(field.required) && !field.mayBeUnknown)
  const shape = shapeOf(field)
  return (isNever ? shape : shape.nullable()).meta(describeField(field))
}

/** The documented schema of a field for input. An optional field may be left out or null. */
function inputShape(field: Field): z.ZodType {
  const shape = shapeOf(field)
  if (field.mayBeUnknown) return shape.nullable().meta(describeField(field))
  return (field.required && field.default === undefined ? shape : shape.nullish()).meta(describeField(field))
}

/** Schemas of fields in a reply. */
export function buildReplyShape<const F extends Fields>(fields: F): { -readonly [K in keyof F]: z.ZodType<FieldValue<F[K]>> } {
  // The compiler derives the same types from the declaration.
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, storedShape(field)])) as {
    -readonly [K in keyof F]: z.ZodType<FieldValue<F[K]>>
  }
}

/** The documented schema of a field in a request, without the corrections that its validating schema makes. */
export function buildDocumentedInputSchema(field: Field): z.ZodType {
  if (field.kind !== 'rows') return inputShape(field)
  const rows = z.array(z.object(Object.fromEntries(Object.entries(field.of).map(([name, part]) => [name, inputShape(part)]))))
  return (field.required ? rows : rows.nullish()).meta(describeField(field))
}

function mapFieldsToShapes(resource: AnyResource, shape: (field: Field) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(resource.fields)
      .filter(([name]) => name !== 'organisationId')
      .map(([name, field]) => [name, shape(field)]),
  )
}

/** A record that another record refers to, as the reply shows it. */
export interface NamedReference {
  id: number
  name: string
  description: string | null
  archived: boolean
}

export const namedReferenceShape: z.ZodType<NamedReference> = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  archived: z.boolean(),
})

/** A page of records. On request it also contains the names of the records that they refer to, by entity. */
export interface RecordPage {
  rows: AnyRecord[]
  total: number
  names?: Record<string, NamedReference[]> | undefined
}

const names = z
  .record(z.string(), z.array(namedReferenceShape))
  .optional()
  .meta({ description: 'The names of the records it refers to, by entity; only if the call sets `withNames`.' })

interface Shapes {
  stored: z.ZodType<AnyRecord>
  page: z.ZodType<RecordPage>
  created: z.ZodType<RecordValues>
  updated: z.ZodType<RecordValues>
  imported: z.ZodType<Record<string, unknown>[]>
}

const shapesByResource = new Map<AnyResource, Shapes>()

const version = z.int().positive().meta({ description: 'Increases by one with each change.' })
const owner = z
  .int()
  .positive()
  .brand<'OrganisationId'>()
  .nullable()
  .meta({ description: 'Id of the organisation it belongs to; null if it is national.' })

function buildShapes(resource: AnyResource): Shapes {
  const { key } = resource
  const { singular, plural } = defaultTerms[key]
  const stored = z
    .strictObject({
      id: z.int().positive(),
      version,
      created: z.iso.date().meta({ examples: ['2026-09-01'] }),
      organisationId: owner,
      ...mapFieldsToShapes(resource, storedShape),
    })
    .meta({ id: key, title: singular, description: resource.purpose })
  const fields = {
    ...mapFieldsToShapes(resource, inputShape),
    ...(resource.scope === 'organisation' ? {} : { organisationId: owner.optional() }),
  }
  const headings = listColumns(resource)
  return {
    stored,
    page: z
      .strictObject({
        rows: z.array(stored),
        total: z.int().min(0).meta({ description: 'The total number of records, on all pages.' }),
        names,
      })
      .meta({ id: `${key}Page`, description: `A page of ${toMidSentence(plural)}.` }),
    created: z.looseObject(fields).meta({ id: `${key}Input`, description: `The fields for adding ${addArticle(getCountableTerm(key))}.` }),
    updated: z
      .looseObject({
        id: z.int().positive(),
        version: version
          .nullish()
          .meta({ description: 'The version you read. If a newer one has been saved since, the change is refused with 409.' }),
        ...fields,
      })
      .meta({ id: `${key}Update`, description: `All fields of ${addArticle(getCountableTerm(key))}, with their new values.` }),
    imported: z
      .array(
        z
          .object(
            Object.fromEntries(
              headings.map(({ heading, required }) => {
                const cell = z.union([z.string().max(30_000), z.number(), z.boolean()]).nullable()
                return [heading, required ? cell : cell.optional()]
              }),
            ),
          )
          .meta({
            id: `${key}ImportRow`,
            description: `A row of an import file for ${toMidSentence(getCountableTerm(key).plural)}. Each property is a column heading of the template.`,
          }),
      )
      .meta({ id: `${key}ImportRows` }),
  }
}

/**
 * Builds the documented schemas of an entity's calls. Replies are checked against these schemas; requests are validated by `recordSchema`
 * instead.
 */
export function buildCallSchemas(resource: AnyResource): Shapes {
  let shape = shapesByResource.get(resource)
  if (!shape) {
    shape = buildShapes(resource)
    shapesByResource.set(resource, shape)
  }
  return shape
}
