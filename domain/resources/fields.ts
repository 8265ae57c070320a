import type { LookupItem, LookupName } from '../lookups/lookups.ts'
import type { LocationId } from '../values/ids.ts'
import type { Percent, Pounds } from '../values/units.ts'
import type { FundShare } from './shares.ts'

/** What every field may say of itself. Labels are what people read; the key of the field is its name in the API. */
export interface FieldOptions {
  label: string
  /** Over a narrow column, where the label has no room. */
  short?: string
  /** What one of a list is called in a sentence, where that is not its label: `Payroll code is required.` */
  one?: string
  required?: boolean
  /** Of a required one: it may be said to be not known, by an empty cell or null; only leaving it out is refused. */
  mayBeUnknown?: true
  /** No two records of the scope may share the value. */
  unique?: boolean
  default?: unknown
  /** The flag of the organisation without which the field is shown nowhere; its value stays untouched (behaviour B-098). */
  hiddenUnless?: 'cfrEnabled' | 'gagEnabled' | 'acoaEnabled' | 'customEnabled'
  /** The setting of the organisation with which the field must be filled in (behaviour B-130). */
  requiredWhen?: 'costCentresMandatory'
  /** The heading of the import and export column; none: the field is in neither. */
  column?: string
  /** What files of other systems call that column, where they call others of its heading otherwise. */
  called?: readonly string[]
  /** The section of the form the field stands in. */
  section?: string
  help?: string
}

export interface TextField extends FieldOptions {
  kind: 'text'
  max: number
  /** It tells one record from another: what a spreadsheet makes of such a text is refused in files. */
  isCode?: boolean
  /** `video`: an embed link of the one video service (notices K-28); `icon`: the name of an icon of the product. */
  format?: 'email' | 'url' | 'slug' | 'video' | 'icon' | 'niNumber'
}
export interface LongTextField extends FieldOptions {
  kind: 'longText'
  max: number
}
/** Headings, lists, bold, italic, links and images; the server takes out everything else (behaviour B-124). */
export interface RichTextField extends FieldOptions {
  kind: 'richText'
  max: number
}
export interface IntegerField extends FieldOptions {
  kind: 'integer'
  min?: number
  max?: number
}
/** Pounds, two decimals. */
export interface MoneyField extends FieldOptions {
  kind: 'money'
  min?: Pounds
  max?: Pounds
}
/** 28.68 means 28.68 %; four decimals. */
export interface PercentField extends FieldOptions {
  kind: 'percent'
  min?: number
  max?: number
}
/** What a number counts, where another field of the record says so. */
export type NumberUnit = 'percent' | 'pounds'
/** Hours, weeks, FTE: six decimals. */
export interface DecimalField extends FieldOptions {
  kind: 'decimal'
  /** The choice that says what the number counts, and what it does for each of its items. */
  unitBy?: { field: string; of: Readonly<Record<number, NumberUnit>> }
  min?: number
  max?: number
}
export interface DateField extends FieldOptions {
  kind: 'date'
  /** Two digits of its year never mean one to come. */
  isBirthday?: boolean
}
/** A moment, in ISO 8601 with its zone. */
export interface DateTimeField extends FieldOptions {
  kind: 'dateTime'
}
/** Yes or no; with `either` it may be empty, which means both. */
export interface FlagField extends FieldOptions {
  kind: 'flag'
  either?: boolean
}
export interface ChoiceField extends FieldOptions {
  kind: 'choice'
  lookup: LookupName
}
/** A sum of bits of a list, as `payScaleTypes`; one import column for each bit. */
export interface FlagsField extends FieldOptions {
  kind: 'flags'
  lookup: LookupName
  columns: readonly string[]
}
/** Some items of a list, each with its id and name. */
export interface ChoicesField extends FieldOptions {
  kind: 'choices'
  lookup: LookupName
}
/** A fixed number of rates in per cent, one import column for each. */
export interface RatesField extends FieldOptions {
  kind: 'rates'
  columns: readonly string[]
  min: number
  max: number
}
/** The id of a stored image. */
export interface ImageField extends FieldOptions {
  kind: 'image'
  /** Everybody may see it, of whatever organisation, where an administrator chooses it. */
  shared?: boolean
}
export interface ReferenceField extends FieldOptions {
  kind: 'reference'
  to: string
  /** Only records with these values are offered and accepted. */
  where?: Readonly<Record<string, number | boolean>>
  /** It may belong to other locations than the record does. */
  anyLocation?: boolean
}
export interface ReferencesField extends FieldOptions {
  kind: 'references'
  to: string
  /** How many there can be; 5,000 where it does not say. */
  max?: number
}
/** A point of a pay scale, by the id of its record. What is costed keeps kind, scale and increment beside it; in files it is text until the pay scale is known. */
export interface PointField extends FieldOptions {
  kind: 'point'
  to: 'payScalePoint'
}
/** Fund codes with the per cent that each pays: none at all, or 100 in all. */
export interface SharesField extends FieldOptions {
  kind: 'shares'
  to: 'fundCode'
}
/** What a row may hold. */
export type PartField =
  | DateField
  | MoneyField
  | PercentField
  | DecimalField
  | TextField
  | FlagField
  | ReferenceField
  | ReferencesField
  | PointField
/** Effective-dated values in the record, sorted by date; two rows of one date are refused (rules.md §1). */
export interface RowsField extends FieldOptions {
  kind: 'rows'
  of: Readonly<Record<string, PartField>>
  /** How many there can be; 500 where it does not say. */
  max?: number
  /** What is said where there must be a row and there is none. */
  none?: string
  /** Rows without all that a row must have are left out (behaviour B-152). */
  leavesUnfinished?: boolean
  /** Rows stay in the order in which they are typed, so that what is wrong stands at its row; whoever decides sorts and compares them. */
  keepsOrder?: boolean
}
/** Six hexadecimal digits without #. */
export interface ColourField extends FieldOptions {
  kind: 'colour'
}

/** Every kind of field, by its name. */
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
export type Kind = keyof FieldKinds

/** A field of a kind. A table of functions by kind is `{ [K in Kind]: (field: FieldOf<K>) => … }`, and is asked through a function of any K. */
export type FieldOf<K extends Kind> = { [P in K]: FieldKinds[P] & { kind: P } }[K]

export type Field = FieldOf<Kind>

/** The TypeScript type of a value by the kind of its field. */
export interface ValueOf {
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

/** The entities whose ids are kinds of their own (`domain/values/ids.ts`), by their names. */
export interface IdOf {
  location: LocationId
}

/** The id of a record that a field names. */
type NamedId<F extends Field> = F extends { to: infer To extends keyof IdOf } ? IdOf[To] : number

/** The value of a field that is there. */
type FilledValue<F extends Field> = F extends { kind: 'reference' }
  ? NamedId<F>
  : F extends { kind: 'references' }
    ? NamedId<F>[]
    : ValueOf[F['kind']]

type Filled = 'flag' | 'references' | 'shares' | 'rows' | 'flags' | 'choices' | 'rates'

/** A value that may be missing is null, but flags, lists and sums of bits always are something. */
export type FieldValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields }
  ? ValuesOf<O>[]
  : F extends { either: true }
    ? boolean | null
    : F['kind'] extends Filled
      ? FilledValue<F>
      : F extends { mayBeUnknown: true }
        ? FilledValue<F> | null
        : F extends { required: true }
          ? FilledValue<F>
          : FilledValue<F> | null

export type Fields = Readonly<Record<string, Field>>

/** The values of some fields. */
export type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: FieldValue<F[K]> }

type MustKeys<F extends Fields> = { [K in keyof F]: F[K] extends { required: true } ? K : never }[keyof F]

/** The values of some fields as they may be sent: what need not be there may be left out, or empty. */
export type SentOf<F extends Fields> = { -readonly [K in MustKeys<F>]: SentValue<F[K]> } & {
  -readonly [K in Exclude<keyof F, MustKeys<F>>]?: SentValue<F[K]> | null
}

export type SentValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields } ? SentOf<O>[] : FieldValue<F>

/** The value of a field as it is typed: anything but a switch or a list may still be missing. */
export type TypedValue<F extends Field> = F extends { kind: 'rows'; of: infer O extends Fields }
  ? TypedOf<O>[]
  : F extends { kind: 'shares' }
    ? { [K in keyof FundShare]: FundShare[K] | null }[]
    : F['kind'] extends Filled
      ? FilledValue<F>
      : FilledValue<F> | null

export type TypedOf<F extends Fields> = { -readonly [K in keyof F]: TypedValue<F[K]> }

type Options<K extends Kind> = Omit<FieldOf<K>, 'kind' | 'label'>

function maker<K extends Kind>(kind: K) {
  return <const O extends Options<K>>(label: string, options?: O): { kind: K; label: string } & O =>
    // What is spread may be nothing, which is not seen to be all of the options.
    ({ kind, label, ...options }) as { kind: K; label: string } & O
}

export const text = maker('text')
export const longText = maker('longText')
export const richText = maker('richText')
export const integer = maker('integer')
export const money = maker('money')
export const percent = maker('percent')
export const decimal = maker('decimal')

/** What a number of a record counts, as far as its declaration says. */
export function unitOf(field: Field, record: Readonly<Record<string, unknown>>): NumberUnit | undefined {
  return field.kind === 'decimal' && field.unitBy ? field.unitBy.of[Number(record[field.unitBy.field])] : undefined
}
export const date = maker('date')
export const dateTime = maker('dateTime')
export const flag = maker('flag')
export const choice = maker('choice')
export const flags = maker('flags')
export const choices = maker('choices')
export const rates = maker('rates')
export const image = maker('image')
export const reference = maker('reference')
export const references = maker('references')
export const point = maker('point')
export const shares = maker('shares')
export const rows = maker('rows')
export const colour = maker('colour')

/** What a field is called in a sentence about one value: a list by what one of it is. */
export function calledOne({ label, one }: FieldOptions): string {
  return one ?? label
}

/** A field that names records of another entity. */
export type NamingField = ReferenceField | ReferencesField | PointField | SharesField

export function isNaming(field: Field): field is NamingField {
  return field.kind === 'reference' || field.kind === 'references' || field.kind === 'point' || field.kind === 'shares'
}

/** Every field that names records of other entities, with those that stand within rows, as the part of a row. */
export function namingFields(fields: Fields): { name: string; part?: string; field: NamingField }[] {
  return Object.entries(fields).flatMap(([name, field]): { name: string; part?: string; field: NamingField }[] => {
    if (isNaming(field)) return [{ name, field }]
    if (field.kind !== 'rows') return []
    return Object.entries(field.of).flatMap(([part, one]) => (isNaming(one) ? [{ name, part, field: one }] : []))
  })
}

/** Of an object what the declared fields hold, and nothing else. */
export function declaredPart<F extends Fields, T extends Record<keyof F & string, unknown>>(fields: F, of: T): Pick<T, keyof F & string> {
  // Each name with its own value, which the compiler forgets on the way.
  return Object.fromEntries(Object.keys(fields).map((name) => [name, of[name]])) as Pick<T, keyof F & string>
}
