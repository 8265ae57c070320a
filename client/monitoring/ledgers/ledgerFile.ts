import { type Cells, normaliseHeading } from '../../../domain/files/headings.ts'
import { parsePeriod } from '../../../domain/files/periods.ts'
import { balanceFileMoney, type FileBalance, type OtherSheet, sumFileMoney } from '../../../domain/files/proof.ts'
import { listOtherTables, type Sheet, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { createMappingSuggester, type MappingSuggestion, normaliseMappingText } from '../../../domain/files/texts.ts'
import {
  buildLedgerTable,
  type ColumnMeaning,
  type DetectedLedgerTable,
  detectLedgerLayout,
  findLedgerMonth,
  findLedgerTable,
  isLedgerYearToDate,
  type LedgerLayout,
  readLedgerSides,
  selectMonthColumn,
} from '../../../domain/monitoring/ledger/columns.ts'
import {
  type AmountSign,
  createLedgerMapping,
  groupLedgerTexts,
  guessAmountSign,
  type LedgerTextGroup,
  type MappedKind,
  mapLedger,
  mappedKinds,
} from '../../../domain/monitoring/ledger/mapping.ts'
import { findMonthProblems, type LedgerRow, type MonthToRead, readLedger } from '../../../domain/monitoring/ledger/rows.ts'
import { type CalendarMonth, fromMonthIndex } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../../domain/values/ids.ts'
import { recordFromKeys } from '../../../domain/values/keysOf.ts'
import type { RouterOutputs } from '../../shell/api.ts'

export type LedgerSetup = RouterOutputs['ledgers']['open']
export type KnownLedger = LedgerSetup['ledgers'][number]

/** How a file is read: detected values at first, then the user's choices. */
export interface LedgerFileChoices {
  ledger: string
  month: CalendarMonth
  isMonthConfirmed: boolean
  headingRow: number
  columns: (ColumnMeaning | null)[]
  sign: AmountSign | null
  isCumulative: boolean
  locationId: LocationId | null
  costCentreId: number | null
  /** The record for each text, by kind and then by the text as normalised for saved mappings. Null means left out. */
  mapping: Record<MappedKind, ReadonlyMap<string, number | null>>
  /** An uploaded list of old codes with their budget codes. */
  codes: readonly { text: string; id: number }[]
  /** The money that the user has agreed to leave out, as the screen listed it when the user agreed. */
  confirmed: string
  /** The rows that the user left out, by their numbers in the spreadsheet. */
  leftOut: ReadonlySet<number>
}

/** An uploaded file and the choices made for it. */
export interface LedgerFile {
  name: string
  sheets: Sheet[]
  sheet: number
  choices: LedgerFileChoices
}

/** Finds the known ledger whose headings are all in the file; if there are several, the ledger with the most headings. */
function findKnownLedger(headings: readonly string[], ledgers: readonly KnownLedger[]): KnownLedger | undefined {
  const fileHeadings = new Set(headings.map(normaliseHeading))
  return ledgers
    .filter(({ columns }) => columns.length > 0 && columns.every((column) => fileHeadings.has(column.heading)))
    .sort((a, b) => b.columns.length - a.columns.length || b.id - a.id)[0]
}

/**
 * Columns that determine the sign of a row's amount and whether the row counts. They are read even if earlier files had no such columns.
 */
const decidingColumns: readonly (ColumnMeaning | null)[] = ['sign', 'type', 'period', 'year']

/** Returns the meaning of each column: as learned for the ledger, or a detected column of `decidingColumns`. */
function mergeColumns(ledger: KnownLedger, { headings, columns: found }: DetectedLedgerTable): (ColumnMeaning | null)[] {
  const meanings = new Map(ledger.columns.map(({ heading, meaning }) => [heading, meaning]))
  const used = new Set<ColumnMeaning>()
  return headings.map((heading, index) => {
    const detected = found[index] ?? null
    const meaning = meanings.get(normaliseHeading(heading)) ?? (decidingColumns.includes(detected) ? detected : null)
    if (meaning === null || used.has(meaning)) return null
    used.add(meaning)
    return meaning
  })
}

/** Detects as much as possible in a sheet: its table, ledger, month, school, and whether it is the year to date. */
export function detectLedgerFileChoices(
  { name, rows }: Pick<Sheet, 'name' | 'rows'>,
  { open, shown, words }: { open: LedgerSetup; shown: CalendarMonth; words: Record<LedgerLayout, string> },
): LedgerFileChoices {
  const cells = splitRowsIntoCells(rows)
  const found = findLedgerTable(cells)
  const headings = found?.headings ?? cells[0] ?? []
  const ledger = found ? findKnownLedger(headings, open.ledgers) : undefined
  const columns = found && ledger ? mergeColumns(ledger, found) : (found?.columns.slice() ?? headings.map(() => null))
  const table = found && { ...found, columns }
  const find = createMappingSuggester(open.targets.location)
  const titleLocationIds = found?.titles.flatMap((title) => getMatchedId(find(placeOfTitle(title), '')) ?? []) ?? []
  // The month in the name of a sheet such as “Aug 27” is used if nothing in the sheet names its month.
  const { year, month: number } = parsePeriod(name) ?? {}
  const ofSheet = year && number ? { year, month: number } : null
  const month = (table && findLedgerMonth(cells, table, open.startMonth)) ?? ofSheet ?? shown
  const locationId = titleLocationIds[0] ?? (open.targets.location.length === 1 ? assertDefined(open.targets.location[0]).id : undefined)
  return {
    ledger: ledger?.name ?? (found ? words[found.layout] : 'Ledger'),
    month,
    isMonthConfirmed: false,
    headingRow: found?.headingRow ?? 1,
    columns: table ? selectMonthColumn(cells, table, { ...month, startMonth: open.startMonth }) : columns,
    sign: ledger?.sign ?? null,
    isCumulative: table ? isLedgerYearToDate(cells, table, ledger?.isCumulative) : false,
    locationId: locationId === undefined ? null : toLocationId(locationId),
    costCentreId: ledger?.costCentreId ?? null,
    mapping: { account: new Map(), costCentre: new Map(), fund: new Map(), tag: new Map(), location: new Map() },
    codes: [],
    confirmed: '',
    leftOut: new Set(),
  }
}

const placeOfTitle = (title: string): string => title.replace(/^(?:school|academy|location|establishment|site)\s*[:–-]\s*/i, '').trim()

/** Returns the id of the matching record; undefined if there is none, or the code and the name match different records. */
const getMatchedId = (found: MappingSuggestion | 'conflict' | null): number | undefined => (found === 'conflict' ? undefined : found?.id)

/** A group of equal texts, the record they map to, and how that was decided. */
export interface MappedTextGroup extends LedgerTextGroup {
  id: number | null | undefined
  by: 'chosen' | 'learned' | 'code' | 'name' | null
}

/** A file parsed with the current choices. */
export interface ParsedLedgerFile {
  table: DetectedLedgerTable | null
  rows: LedgerRow[]
  read: ReturnType<typeof readLedger> | null
}

/**
 * Parses the rows of a table.
 * @param isPlace whether the title of a section names a location
 */
export function parseLedgerRows(
  cells: Cells,
  {
    headingRow,
    columns,
    isCumulative,
    month,
    leftOut,
  }: Pick<LedgerFileChoices, 'headingRow' | 'columns' | 'isCumulative' | 'month'> & Partial<Pick<LedgerFileChoices, 'leftOut'>>,
  { isPlace, startMonth }: { isPlace: (text: string) => boolean; startMonth: number },
): ParsedLedgerFile {
  const layout = detectLedgerLayout(columns)
  if (!layout) return { table: null, rows: [], read: null }
  const table = buildLedgerTable(cells, headingRow, { columns, layout, isCumulative })
  const read = readLedger(cells, table, { isPlace, month: { ...month, isCumulative, startMonth }, leftOut })
  // In the template, a line's description describes the line itself and not its budget code.
  const rows = layout === 'template' ? read.rows.map((row) => ({ ...row, accountName: '' })) : read.rows
  return { table, rows, read }
}

/** Finds the other sheets of the workbook that have a table of the same kind, with their totals. */
export function findOtherLedgerSheets(sheets: readonly Sheet[], sheet: number, month: MonthToRead): OtherSheet[] {
  return listOtherTables(sheets, sheet, (cells) => Number(findLedgerTable(cells) !== null)).map(({ name, cells }) => {
    const table = assertDefined(findLedgerTable(cells))
    const columns = selectMonthColumn(cells, table, month)
    const { rows } = readLedger(cells, { ...table, columns }, { isPlace: () => false, month })
    return { name, cells: rows.length, value: rows.reduce((sum, row) => sum + row.amount + row.commitment, 0) }
  })
}

/**
 * Maps each text to a record: the one that the user chose, otherwise the one learned earlier, otherwise a record with the same code or
 * name.
 */
export function mapLedgerTexts(
  rows: readonly LedgerRow[],
  choices: Pick<LedgerFileChoices, 'ledger' | 'mapping'>,
  open: LedgerSetup,
): Record<MappedKind, MappedTextGroup[]> {
  const ledger = open.ledgers.find((one) => one.name.toLowerCase() === choices.ledger.trim().toLowerCase())
  return recordFromKeys(mappedKinds, (kind) => {
    const find = createMappingSuggester(open.targets[kind].filter((target) => !target.isArchived))
    const hasNames = kind === 'account' && rows.some((row) => row.accountName)
    const learned = new Map(ledger?.texts[kind].map(({ text, id }) => [text, id]))
    return groupLedgerTexts(rows, kind).map((group): MappedTextGroup => {
      const key = normaliseMappingText(group.text)
      const chosen = choices.mapping[kind].get(key)
      if (chosen !== undefined) return { ...group, id: chosen, by: 'chosen' }
      if (group.isLoose) return { ...group, id: undefined, by: null }
      const id = learned.get(key)
      if (id !== undefined) return { ...group, id, by: 'learned' }
      const suggested = find(group.text, group.name, hasNames)
      return suggested === null || suggested === 'conflict' ? { ...group, id: undefined, by: null } : { ...group, ...suggested }
    })
  })
}

/** Returns a function that tests whether the title of a section names a location. */
export function createLocationTest(choices: Pick<LedgerFileChoices, 'ledger' | 'mapping'>, open: LedgerSetup): (text: string) => boolean {
  const ledger = open.ledgers.find((one) => one.name.toLowerCase() === choices.ledger.trim().toLowerCase())
  const known = new Set([...choices.mapping.location.keys(), ...(ledger?.texts.location ?? []).map((one) => one.text)])
  const find = createMappingSuggester(open.targets.location)
  return (text) => known.has(normaliseMappingText(text)) || getMatchedId(find(text, '')) !== undefined
}

/** Builds the lines of a file, the balance that accounts for all its money, and the list of cells that prevent an import. */
export function buildLedgerImport(
  cells: Cells,
  reading: ParsedLedgerFile & { table: DetectedLedgerTable },
  { choices, groups, open }: { choices: LedgerFileChoices; groups: Record<MappedKind, MappedTextGroup[]>; open: LedgerSetup },
) {
  const mapping = createLedgerMapping(
    (kind) => new Map(groups[kind].flatMap(({ text, id }) => (id === undefined ? [] : [[normaliseMappingText(text), id]]))),
  )
  const types = new Map(open.targets.account.map((code) => [code.id, code.type ?? undefined]))
  const typeOf = (id: number): number | undefined => types.get(id)
  const { layout } = reading.table
  const { areDebits } = readLedgerSides(cells, reading.table)
  const isFixed = layout === 'trialBalance' || layout === 'template' || areDebits
  const sign = (isFixed ? null : choices.sign) ?? guessAmountSign(reading.rows, { layout, mapping, typeOf, areDebits })
  const { locationId, costCentreId } = choices
  const mapped = mapLedger(reading.rows, { layout, sign, mapping, locationId, costCentreId, typeOf })
  const index = choices.month.year * 12 + choices.month.month - 1
  const yearStart = index - ((choices.month.month - open.startMonth + 12) % 12)
  const wanted = {
    ...fromMonthIndex(index),
    isCumulative: choices.isCumulative,
    yearStart,
    startMonth: open.startMonth,
    isMeant: choices.isMonthConfirmed,
  }
  const { imported, leftOut, unmapped } = mapped.proof
  const balance: FileBalance = balanceFileMoney(sumFileMoney(cells, assertDefined(reading.read).table), {
    imported: imported.amount + imported.commitment,
    leftOut: leftOut.amount + leftOut.commitment,
    unmapped: unmapped.amount + unmapped.commitment,
  })
  return {
    made: mapped,
    balance,
    sign,
    isFixed,
    problems: [...assertDefined(reading.read).problems, ...findMonthProblems(reading.rows, reading.table, wanted)],
  }
}

const figures: readonly (ColumnMeaning | null)[] = ['amount', 'debit', 'credit', 'commitment']

/** Reduces the rows to what is sent: titles and sections unchanged, and only the used columns of each line. */
export function prepareRowsToSend(rows: readonly string[], { headingRow, columns }: LedgerFileChoices): string[] {
  return rows.map((row, index) => {
    const cells = row.split('\t')
    const isLine = cells.some((cell, column) => figures.includes(columns[column] ?? null) && /\d/.test(cell))
    if (index < headingRow || !isLine) return row
    return cells
      .map((cell, column) => (columns[column] ? cell : ''))
      .join('\t')
      .replace(/\t+$/, '')
  })
}

/** Builds the mappings to send with a file. */
export function prepareMappingToSend(groups: Record<MappedKind, readonly MappedTextGroup[]>, codes: LedgerFileChoices['codes']) {
  const of = (kind: MappedKind): { text: string; id: number | null }[] =>
    groups[kind].flatMap(({ text, id }) => (id === undefined ? [] : [{ text, id }]))
  // Codes of an uploaded list that this file does not have are also sent, so that they are known for later files.
  const inFile = new Set(groups.account.map(({ text }) => normaliseMappingText(text)))
  const others = codes.filter(({ text }) => !inFile.has(normaliseMappingText(text)))
  return {
    account: [...of('account'), ...others],
    costCentre: of('costCentre'),
    fund: of('fund'),
    tag: of('tag'),
    location: of('location'),
  }
}
