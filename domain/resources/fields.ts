import type { LookupItem, LookupName } from '../lookups/lookups.ts'
import type { LocationId } from '../values/ids.ts'
import type { Percent, Pounds } from '../values/units.ts'
import type { FundShare } from './shares.ts'

/** The options that every kind of field has. The label is for users; the key of the field is its name in the API. */
export interface FieldOptions {
  label: string
  /** A shorter label for narrow columns. */
  short?: string
  /** For a list, the name of one value in a sentence, as in `Payroll code is required.`; by default the label. */
  one?: string
  required?: boolean
  /** For a required field: null or an empty cell is accepted and means unknown. Only a request without the field is refused. */
  mayBeUnknown?: true
  /** Whether two records of the scope must not have the same value. */
  unique?: boolean
  default?: unknown
  /**
   * The organisation's setting that shows the field. While the setting is off, the field is hidden and its value does not change (behaviour
   * B-098).
   */
  hiddenUnless?: 'cfrEnabled' | 'gagEnabled' | 'acoaEnabled' | 'customEnabled'
  /** The organisation's setting that makes the field required (behaviour B-130). */
  requiredWhen?: 'costCentresMandatory'
  /** The heading of the field's column in import and export files. Without one, the field has no column. */
  column?: string
  /** Headings used by other systems for this column. They replace the general list of such headings. */
  called?: readonly string[]
  /** Whether another system's heading means this column. Used where a list of headings would be too long. */
  isCalled?: (heading: string) => boolean
  /** Whether a cell looks like a value of this column. This recognises a column without a heading. */
  isLike?: (cell: string) => boolean
  /** The section of the form that contains the field. */
  section?: string
  help?: string
}

export interface TextField extends FieldOptions {
  kind: 'text'
  max: number
  /** Whether the text identifies a record. If a spreadsheet has changed it, for example into a date, the file is refused. */
  isCode?: boolean
  /** `video`: a link for embedding a video of the supported service (notices K-28). `icon`: the name of an icon. */
  format?: 'email' | 'url' | 'slug' | 'video' | 'icon' | 'niNumber'
}
export interface LongTextField extends FieldOptions {
  kind: 'longText'
  max: number
}
/** Text with headings, lists, bold, italic, links and images. The server removes all other markup (behaviour B-124). */
export interface RichTextField extends FieldOptions {
  kind: 'richText'
  max: number
}
export interface IntegerField extends FieldOptions {
  kind: 'integer'
  min?: number
  max?: number
}
/** Pounds with two decimals. */
export interface MoneyField extends FieldOptions {
  kind: 'money'
  min?: Pounds
  max?: Pounds
}
/** A percentage with four decimals: 28.68 means 28.68%. */
export interface PercentField extends FieldOptions {
  kind: 'percent'
  min?: number
  max?: number
}
/** The unit of a number that depends on another field of the record. */
export type NumberUnit = 'percent' | 'pounds'
/** Hours, weeks or FTE with six decimals. */
export interface DecimalField extends FieldOptions {
  kind: 'decimal'
  /** The choice field that decides the unit of the number, and the unit for each item of the choice. */
  unitBy?: { field: string; of: Readonly<Record<number, NumberUnit>> }
  min?: number
  max?: number
}
export interface DateField extends FieldOptions {
  kind: 'date'
  /** A two-digit year is always in the past. */
  isBirthday?: boolean
}
/** A moment in ISO 8601 with a time zone. */
export interface DateTimeField extends FieldOptions {
  kind: 'dateTime'
}
/** Yes or no. With `either` the value may also be null, which means both. */
export interface FlagField extends FieldOptions {
  kind: 'flag'
  either?: boolean
}
export interface ChoiceField extends FieldOptions {
  kind: 'choice'
  lookup: LookupName
}
/** A sum of bits, one for each selected item of a lookup such as `payScaleTypes`; there is one import column for each bit. */
export interface FlagsField extends FieldOptions {
  kind: 'flags'
  lookup: LookupName
  columns: readonly string[]
}
/** Several items of a lookup, each with its id and name. */
export interface ChoicesField extends FieldOptions {
  kind: 'choices'
  lookup: LookupName
}
/** A fixed number of percentages, with one import column for each of them. */
export interface RatesField extends FieldOptions {
  kind: 'rates'
  columns: readonly string[]
  min: number
  max: number
}
/** The id of a stored image. */
export interface ImageField extends FieldOptions {
  kind: 'image'
  /** Whether the image is visible to every organisation if an administrator uploads it. */
  shared?: boolean
}
export interface ReferenceField extends FieldOptions {
  kind: 'reference'
  to: string
  /** Only records with these field values are accepted. */
  where?: Readonly<Record<string, number | boolean>>
  /** Whether the referenced record may belong to other locations than the record itself. */
  anyLocation?: boolean
}
export interface ReferencesField extends FieldOptions {
  kind: 'references'
  to: string
  /** The maximum number of values; 5,000 by default. */
  max?: number
}
/**
 * A point of a pay scale, by the id of its record. Contracts also store its kind, scale and increment. A point from a file is text until
 * the pay scale is known.
 */
export interface PointField extends FieldOptions {
  kind: 'point'
  to: 'payScalePoint'
}
/** Fund codes with percentages that add up to 100, or none. */
export interface SharesField extends FieldOptions {
  kind: 'shares'
  to: 'fundCode'
}
/** A field that a row of a `rows` field may have. */
export type RowPartField =
  | DateField
  | MoneyField
  | PercentField
  | DecimalField
  | TextField
  | FlagField
  | ReferenceField
  | ReferencesField
  | PointField
/**
 * Values with effective dates, stored as rows within the record and sorted by date. Two rows with the same date are refused (rules.md §1).
 */
export interface RowsField extends FieldOptions {
  kind: 'rows'
  of: Readonly<Record<string, RowPartField>>
  /** The maximum number of rows; 500 by default. */
  max?: number
  /** The message if the list is required and has no rows. */
  none?: string
  /** Whether rows without all required values are dropped (behaviour B-152). */
  leavesUnfinished?: boolean
  /**
   * Whether rows stay in the order in which the user entered them, so that a problem can name its row. The command sorts and compares them.
   */
  keepsOrder?: boolean
}
/** Six hexadecimal digits without #. */
export interface ColourField extends FieldOptions {
  kind: 'colour'
}

interface FieldKinds {
  text: TextField
  longText: LongTextField
  richText: RichTextField
  integer: IntegerField
  money: MoneyField
  percent: PercentField
  decimal: DecimalField
  date: DateField
  dateTime: DateTimeField
  flag: FlagField
  choice: ChoiceField
  flags: FlagsField
  choices: ChoicesField
  rates: RatesField
  image: ImageField
  reference: ReferenceField
  references: ReferencesField
  point: PointField
  shares: SharesField
  rows: RowsField
  colour: ColourField
}
export type FieldKind = keyof FieldKinds

/**
 * A field of kind `K`. Type a table with a function for each kind as `{ [K in Kind]: (field: FieldOf<K>) => … }`, and call it from a
 * function that is generic in `K`.
 */
export type FieldOf<K extends FieldKind> = { [P in K]: FieldKinds[P] & { kind: P } }[K]

export type Field = FieldOf<FieldKind>

/** The TypeScript type of a value by kind of field. */
export interface ValueByKind {
  text: string
  longText: string
  richText: string
  integer: number
  money: Pounds
  percent: Percent
  decimal: number
  date: string
  dateTime: string
  flag: boolean
  choice: number
  flags: number
  choices: LookupItem[]
  rates: Percent[]
  image: number
  reference: number
  references: number[]
  point: number
  shares: FundShare[]
  rows: Record<string, string | number>[]
  colour: string
}

/** The branded id types by name of the entity (`domain/values/ids.ts`). */
export interface IdByEntity {
  location: LocationId
}

/** The id type of a referenced record. */
type NamedId<F extends Field> = F extends { to: infer To extends keyof IdByEntity } ? IdByEntity[To] : number

/** The type of a field's value if the value is not null. */
type FilledValue<F extends Field> = F extends { kind: 'reference' }
  ? NamedId<F>
  : F extends { kind: 'references' }
    ? NamedId<F>[]
    : ValueByKind[F['kind']]

type AlwaysFilledKind = 'flag' | 'references' | 'shares' | 'rows' | 'flags' | 'choices' | 'rates'

/**
 * The type of a field's value; null means that the value is missing. Flags, lists and sums of bits are never null, because they have an
 * empty value.
 */
export type FieldValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields }
  ? ValuesOf<O>[]
  : F extends { either: true }
    ? boolean | null
    : F['kind'] extends AlwaysFilledKind
      ? FilledValue<F>
      : F extends { mayBeUnknown: true }
        ? FilledValue<F> | null
        : F extends { required: true }
          ? FilledValue<F>
          : FilledValue<F> | null

export type Fields = Readonly<Record<string, Field>>

export type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: FieldValue<F[K]> }

type MustKeys<F extends Fields> = { [K in keyof F]: F[K] extends { required: true } ? K : never }[keyof F]

/** The values of fields in a request: an optional value may be left out or null. */
export type RequestValuesOf<F extends Fields> = { -readonly [K in MustKeys<F>]: RequestValue<F[K]> } & {
  -readonly [K in Exclude<keyof F, MustKeys<F>>]?: RequestValue<F[K]> | null
}

export type RequestValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields } ? RequestValuesOf<O>[] : FieldValue<F>

/** The value of a field while a user edits a form. It may be null, except for a flag or a list. */
export type EditedValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields }
  ? EditedValuesOf<O>[]
  : F extends { kind: 'shares' }
    ? { [K in keyof FundShare]: FundShare[K] | null }[]
    : F['kind'] extends AlwaysFilledKind
      ? FilledValue<F>
      : FilledValue<F> | null

/** The values of fields while a user edits them; a value that is not yet entered is null. */
export type EditedValuesOf<F extends Fields> = { -readonly [K in keyof F]: EditedValue<F[K]> }

type Options<K extends FieldKind> = Omit<FieldOf<K>, 'kind' | 'label'>

function createFieldMaker<K extends FieldKind>(kind: K) {
  return <const O extends Options<K>>(label: string, options?: O): { kind: K; label: string } & O =>
    // The compiler cannot see that an absent `options` adds no properties.
    ({ kind, label, ...options }) as { kind: K; label: string } & O
}

export const text = createFieldMaker('text')
export const longText = createFieldMaker('longText')
export const richText = createFieldMaker('richText')
export const integer = createFieldMaker('integer')
export const money = createFieldMaker('money')
export const percent = createFieldMaker('percent')
export const decimal = createFieldMaker('decimal')

/** Returns the unit of a number in a record; undefined if the field's declaration has no unit. */
export function getNumberUnit(field: Field, record: Readonly<Record<string, unknown>>): NumberUnit | undefined {
  return field.kind === 'decimal' && field.unitBy ? field.unitBy.of[Number(record[field.unitBy.field])] : undefined
}
export const date = createFieldMaker('date')
export const dateTime = createFieldMaker('dateTime')
export const flag = createFieldMaker('flag')
export const choice = createFieldMaker('choice')
export const flags = createFieldMaker('flags')
export const choices = createFieldMaker('choices')
export const rates = createFieldMaker('rates')
export const image = createFieldMaker('image')
export const reference = createFieldMaker('reference')
export const references = createFieldMaker('references')
export const point = createFieldMaker('point')
export const shares = createFieldMaker('shares')
export const rows = createFieldMaker('rows')
export const colour = createFieldMaker('colour')

/** Returns the name of a single value of a field for use in a sentence. */
export function getSingularName({ label, one }: FieldOptions): string {
  return one ?? label
}

/** A field that refers to records of another entity. */
export type ReferringField = ReferenceField | ReferencesField | PointField | SharesField

export function isReferring(field: Field): field is ReferringField {
  return field.kind === 'reference' || field.kind === 'references' || field.kind === 'point' || field.kind === 'shares'
}

/** Lists the fields that refer to other entities. `part` is set for a field of a row. */
export function listReferringFields(fields: Fields): { name: string; part?: string; field: ReferringField }[] {
  return Object.entries(fields).flatMap(([name, field]): { name: string; part?: string; field: ReferringField }[] => {
    if (isReferring(field)) return [{ name, field }]
    if (field.kind !== 'rows') return []
    return Object.entries(field.of).flatMap(([part, one]) => (isReferring(one) ? [{ name, part, field: one }] : []))
  })
}

/** Copies only the declared fields of an object. */
export function pickDeclaredFields<F extends Fields, T extends Record<keyof F & string, unknown>>(
  fields: F,
  of: T,
): Pick<T, keyof F & string> {
  // Each value has the type of its own field. `Object.fromEntries` loses this connection.
  return Object.fromEntries(Object.keys(fields).map((name) => [name, of[name]])) as Pick<T, keyof F & string>
}
