import type { LookupItem, LookupName } from '../lookups.ts'

/** What every field may say of itself. Labels are what people read; the key of the field is its name in the API. */
export interface FieldOptions {
  label: string
  required?: boolean
  /** No two records of the scope may share the value. */
  unique?: boolean
  default?: unknown
  /** The flag of the organisation without which the field is shown nowhere; its value stays untouched (behaviour B-098). */
  hiddenUnless?: 'cfrEnabled' | 'gagEnabled' | 'acoaEnabled' | 'customEnabled'
  /** The setting of the organisation with which the field must be filled in (behaviour B-130). */
  requiredWhen?: 'costCentresMandatory'
  /** The heading of the import and export column; none: the field is in neither. */
  column?: string
  /** The section of the form the field stands in. */
  section?: string
  help?: string
}

export interface TextField extends FieldOptions {
  kind: 'text'
  max: number
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
  min?: number
  max?: number
}
/** 28.68 means 28.68 %; four decimals. */
export interface PercentField extends FieldOptions {
  kind: 'percent'
  min?: number
  max?: number
}
/** Hours, weeks, FTE: six decimals. */
export interface DecimalField extends FieldOptions {
  kind: 'decimal'
  min?: number
  max?: number
}
export interface DateField extends FieldOptions {
  kind: 'date'
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
}
/** Effective-dated values in the record, sorted by date; two rows of one date are refused (rules.md §1). */
export interface RowsField extends FieldOptions {
  kind: 'rows'
  of: Readonly<Record<string, DateField | MoneyField | PercentField | DecimalField | TextField | FlagField>>
}
/** Six hexadecimal digits without #. */
export interface ColourField extends FieldOptions {
  kind: 'colour'
}

export type Field =
  | TextField
  | LongTextField
  | RichTextField
  | IntegerField
  | MoneyField
  | PercentField
  | DecimalField
  | DateField
  | DateTimeField
  | FlagField
  | ChoiceField
  | FlagsField
  | ChoicesField
  | RatesField
  | ImageField
  | ReferenceField
  | ReferencesField
  | RowsField
  | ColourField
export type Kind = Field['kind']

/** The TypeScript type of a value by the kind of its field. */
interface ValueOf {
  text: string
  longText: string
  richText: string
  integer: number
  money: number
  percent: number
  decimal: number
  date: string
  dateTime: string
  flag: boolean
  choice: number
  flags: number
  choices: LookupItem[]
  rates: number[]
  image: number
  reference: number
  references: number[]
  rows: Record<string, string | number>[]
  colour: string
}

type Filled = 'flag' | 'references' | 'rows' | 'flags' | 'choices' | 'rates'

/** A value that may be missing is null, but flags, lists and sums of bits always are something. */
export type FieldValue<F extends Field> = F extends { either: true }
  ? boolean | null
  : F['kind'] extends Filled
    ? ValueOf[F['kind']]
    : F extends { required: true }
      ? ValueOf[F['kind']]
      : ValueOf[F['kind']] | null

type Options<K extends Kind> = Omit<Extract<Field, { kind: K }>, 'kind' | 'label'>

function maker<K extends Kind>(kind: K) {
  return <const O extends Options<K>>(label: string, options?: O): { kind: K; label: string } & O =>
    ({ kind, label, ...options }) as { kind: K; label: string } & O
}

export const text = maker('text')
export const longText = maker('longText')
export const richText = maker('richText')
export const integer = maker('integer')
export const money = maker('money')
export const percent = maker('percent')
export const decimal = maker('decimal')
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
export const rows = maker('rows')
export const colour = maker('colour')
