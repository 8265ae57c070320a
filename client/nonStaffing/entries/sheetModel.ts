import type { EntryChanges } from '../../../domain/budget/items/decideEntry.ts'
import { readAmount, readDecimal } from '../../../domain/files/cells.ts'
import { formatShareCell, parseShareCell } from '../../../domain/resources/shares.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayFigure, toPennies, toPounds } from '../../../domain/values/format.ts'
import type { Pennies, Percent } from '../../../domain/values/units.ts'
import type { SheetRow } from '../../../server/shared/nonStaffing/entries/sheet/queries.ts'
import type { api } from '../../shell/api.ts'

type Block = Awaited<ReturnType<typeof api.entries.sheet.query>>
export type SheetEntry = SheetRow
/** The part of the sheet that has loaded so far; `total` is the number of all entries. */
export type LoadedSheet = Omit<Block, 'rows' | 'next'> & { rows: SheetEntry[]; isWhole: boolean }
export type EntryChoices = Awaited<ReturnType<typeof api.entries.choices.query>>
export type SheetRowChanges = EntryChanges

/** A row of the sheet: a saved entry, an unsaved entry, or an amount that comes from another part of the budget. */
export interface SheetLine {
  id: string
  kind: 'entry' | 'draft' | 'linked'
  entry: SheetEntry | null
  /** The values that the user has typed so far in a new row. */
  draft: SheetRowChanges
  problem: string | null
  identifier: string | null
  description: string
  budgetCodeId: number | null
  costCentreId: number | null
  fundCodes: { fundCodeId: number; percentage: Percent }[]
  analysisTags: number[]
  profileTemplateId: number | null
  amounts: (number | null)[]
  note: string | null
}

export type SheetField =
  | 'identifier'
  | 'description'
  | 'budgetCodeId'
  | 'costCentreId'
  | 'fundCodes'
  | 'analysisTags'
  | 'profileTemplateId'
  | `year${number}`

/** Returns the year of an amount column, from 0; −1 for other columns. */
export function parseYearField(field: string): number {
  return field.startsWith('year') ? Number(field.slice(4)) : -1
}

export function toEntryLine(entry: SheetEntry): SheetLine {
  const { id, identifier, description, budgetCodeId, costCentreId, fundCodes, analysisTags, profileTemplateId, amounts } = entry
  const note = entry.source === 'calculation' ? 'Calculation' : entry.source === 'prediction' ? 'Funding' : null
  return {
    id,
    kind: 'entry',
    entry,
    draft: {},
    problem: null,
    identifier,
    description,
    budgetCodeId,
    costCentreId,
    fundCodes,
    analysisTags,
    profileTemplateId,
    amounts,
    note,
  }
}

export function toLinkedLine({ id, name, kind, budgetCodeId, amounts }: LoadedSheet['linked'][number]): SheetLine {
  return {
    ...createEmptyLine(id, amounts.length),
    kind: 'linked',
    description: name,
    budgetCodeId,
    amounts,
    note: kind === 'gagPool' ? 'GAG pool' : 'Top slice',
  }
}

export function createEmptyLine(id: string, years: number): SheetLine {
  return {
    id,
    kind: 'draft',
    entry: null,
    draft: {},
    problem: null,
    identifier: null,
    description: '',
    budgetCodeId: null,
    costCentreId: null,
    fundCodes: [],
    analysisTags: [],
    profileTemplateId: null,
    amounts: Array<number | null>(years).fill(null),
    note: null,
  }
}

export function isEmptyLine(row: SheetLine): boolean {
  return row.kind === 'draft' && Object.keys(row.draft).length === 0
}

type Choice = { id: number; code: string; description: string; isOffered: boolean }

/** Lists the records that can be chosen in a column; null if the column is free text. */
export function listColumnChoices(choices: EntryChoices, field: string): readonly Choice[] | null {
  if (field === 'budgetCodeId') return choices.budgetCodes
  if (field === 'costCentreId') return choices.costCentres
  if (field === 'profileTemplateId') return choices.profiles
  if (field === 'analysisTags') return choices.analysisTags
  return field === 'fundCodes' ? choices.fundCodes : null
}

const nameOf = (list: readonly Choice[], id: number): string => list.find((one) => one.id === id)?.code ?? ''

/** Finds a record by its code, by code and description as displayed, or by its description. */
function findChoice(list: readonly Choice[], text: string): Choice | undefined {
  const searchText = text.trim().toLowerCase()
  const offered = list.filter((one) => one.isOffered)
  return (
    offered.find((one) => one.code.toLowerCase() === searchText) ??
    offered.find((one) => `${one.code} ${one.description}`.toLowerCase() === searchText) ??
    offered.find((one) => one.description.toLowerCase() === searchText)
  )
}

/** Returns the field of an editable column. The column's id is the name of the field. */
export function getSheetField(id: string | undefined): SheetField {
  // Callers have already excluded the columns that cannot be edited.
  return id as SheetField
}

/** Returns the text of a cell in a form that can be typed or pasted back. */
export function getCellText(row: SheetLine, field: SheetField, choices: EntryChoices): string {
  const year = parseYearField(field)
  if (year >= 0) {
    const amount = row.amounts[year] ?? null
    return amount === null ? '' : displayFigure(amount).replace('−', '-')
  }
  if (field === 'fundCodes') return formatShareCell(row.fundCodes, (id) => nameOf(choices.fundCodes, id))
  if (field === 'analysisTags') return row.analysisTags.map((id) => nameOf(choices.analysisTags, id)).join('; ')
  const list = listColumnChoices(choices, field)
  const value: unknown = Reflect.get(row, field)
  if (list) return typeof value === 'number' ? nameOf(list, value) : ''
  return String(value ?? '')
}

const names: Record<string, string> = { budgetCodeId: 'budget code', costCentreId: 'cost centre', profileTemplateId: 'profile template' }

/**
 * Parses text that a user typed or pasted into a cell.
 * @returns the change, or the problem in one sentence
 */
export function parseCellText(
  text: string,
  { field, choices, sheet, row }: { field: SheetField; choices: EntryChoices; sheet: Pick<LoadedSheet, 'yearNames'>; row: SheetLine },
): { changes: SheetRowChanges } | { problem: string } {
  const typed = text.trim()
  const year = parseYearField(field)
  if (year >= 0) return amountChange(typed, { year, sheet, row })
  if (field === 'description') return typed ? { changes: { description: typed } } : { problem: 'Enter what the money is for.' }
  if (field === 'identifier') return { changes: { identifier: typed || null } }
  if (field === 'fundCodes') {
    const funds = parseShareCell(typed, (code) => findChoice(choices.fundCodes, code)?.id)
    if (!funds) return { problem: 'Enter each fund code with its share, such as GEN 60; PPG 40.' }
    const sum = funds.reduce((all, share) => all + Math.round(share.percentage * 10_000), 0)
    return funds.length && sum !== 1_000_000 ? { problem: 'The shares must add up to 100.' } : { changes: { fundCodes: funds } }
  }
  if (field === 'analysisTags') {
    const tags = typed ? typed.split(';').map((name) => findChoice(choices.analysisTags, name)) : []
    if (!tags.every((tag) => tag !== undefined)) return { problem: 'Analysis tag not found.' }
    return { changes: { analysisTags: tags.map((tag) => tag.id) } }
  }
  const list = assertDefined(listColumnChoices(choices, field))
  const found = typed ? findChoice(list, typed) : undefined
  if (typed && !found) return { problem: `No ${names[field]} matches “${typed}”. Enter a code, or choose from the list.` }
  if (!typed && field === 'budgetCodeId') return { problem: 'An entry needs a budget code.' }
  if (!typed && field === 'costCentreId' && choices.costCentresMandatory) return { problem: 'An entry needs a cost centre.' }
  return { changes: { [field]: found?.id ?? null } }
}

/** Amounts must be below this, in whole pennies. */
const largestPennies = 100_000_000_000

/**
 * Parses pounds that a user typed or pasted, in every form that files may contain and as `12k`.
 * @returns whole pennies; undefined if the text is not an amount
 */
export function parsePoundsAsPennies(text: string): Pennies | undefined {
  const inThousands = /(?<=\d)\s*k(?=\)?$)/i
  const read = readAmount(inThousands.test(text.trim()) ? multiplyByThousand(text.trim().replace(inThousands, '')) : text)
  // A dash alone is ambiguous, so it is not read as zero.
  const hasDigitOrPound = /\d|£/.test(text)
  return hasDigitOrPound && 'value' in read && Math.abs(read.value) < largestPennies ? read.value : undefined
}

/** Multiplies a number in text by a thousand; other text is unchanged. */
function multiplyByThousand(text: string): string {
  const read = readDecimal(text)
  if (!read) return text
  return `${read.isNegative ? '-' : ''}${read.whole}${read.decimals.padEnd(3, '0').slice(0, 3)}.${read.decimals.slice(3)}`
}

function amountChange(
  typed: string,
  { year, sheet: { yearNames }, row }: { year: number; sheet: Pick<LoadedSheet, 'yearNames'>; row: SheetLine },
): { changes: SheetRowChanges } | { problem: string } {
  const firstYear = row.entry?.firstYear ?? 0
  const yearName = assertDefined(yearNames[year])
  if (!typed) {
    if (year <= firstYear) return { problem: 'Enter an amount, or 0 for none.' }
    return { changes: { years: [{ yearName, amount: null, rate: null, periods: null }] } }
  }
  const pennies = parsePoundsAsPennies(typed)
  if (pennies === undefined) return { problem: 'Enter pounds, such as 1,250 or 1250.50.' }
  if (year < firstYear) return { problem: `This entry begins in ${yearNames[firstYear]}. Open it to start it earlier.` }
  const amount = toPounds(pennies)
  return { changes: year === firstYear ? { amount } : { years: [{ yearName, amount, rate: null, periods: null }] } }
}

/** Returns a row with unsaved changes applied. */
export function applyRowChanges(row: SheetLine, changes: SheetRowChanges, sheet: Pick<LoadedSheet, 'yearNames'>): SheetLine {
  const { amount, years, ...plain } = changes
  const amounts = [...row.amounts]
  if (amount !== undefined && amount !== null) amounts[row.entry?.firstYear ?? 0] = toPennies(amount)
  for (const { yearName, amount: typed } of years ?? [])
    if (typed !== null && typed !== undefined) amounts[sheet.yearNames.indexOf(yearName)] = toPennies(typed)
  return {
    ...row,
    ...plain,
    amounts,
    draft: row.kind === 'draft' ? mergeRowChanges(row.draft, changes) : row.draft,
    problem: null,
  }
}

/** Merges two changes to a row. Each year is merged separately; of two values for a field, the later one applies. */
export function mergeRowChanges(before: SheetRowChanges, changes: SheetRowChanges): SheetRowChanges {
  const { years: newer } = changes
  const years = newer
    ? [...(before.years ?? []).filter((year) => !newer.some((one) => one.yearName === year.yearName)), ...newer]
    : before.years
  return { ...before, ...changes, ...(years ? { years } : {}) }
}

/** Describes what a new row needs before it can be saved; null if it is complete. */
export function describeMissingFields({ draft }: SheetLine, choices: EntryChoices): string | null {
  if (!draft.description) return 'a description'
  if (!draft.budgetCodeId) return 'a budget code'
  if (choices.costCentresMandatory && !draft.costCentreId) return 'a cost centre'
  return draft.amount === undefined || draft.amount === null ? 'an amount' : null
}
