import { type Cells, plainHeading } from '../../../domain/files/headings.ts'
import { type Balance, balanceOf, moneyOf, type OtherSheet } from '../../../domain/files/proof.ts'
import { otherTables, type Sheet } from '../../../domain/files/sheets.ts'
import { mappingText, type Suggested, suggester } from '../../../domain/files/texts.ts'
import {
  type ColumnMeaning,
  detectLedgerLayout,
  type FoundLedgerTable,
  findLedgerMonth,
  findLedgerTable,
  isLedgerYearToDate,
  type LedgerLayout,
  ledgerRowSides,
  ledgerTableAt,
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
import { type CalendarMonth, monthAt } from '../../../domain/monitoring/monitoring.ts'
import { type LocationId, locationIdOf } from '../../../domain/values/ids.ts'
import { recordOf } from '../../../domain/values/keysOf.ts'
import { must } from '../../../domain/values/must.ts'
import type { Answers } from '../../shell/api.ts'

export type Open = Answers['ledgers']['open']
export type Ledger = Open['ledgers'][number]

/** What somebody has chosen of a file, beside what was found by itself. */
export interface Choices {
  ledger: string
  month: CalendarMonth
  monthIsMeant: boolean
  headingRow: number
  columns: (ColumnMeaning | null)[]
  sign: AmountSign | null
  isCumulative: boolean
  locationId: LocationId | null
  costCentreId: number | null
  /** By kind, and by the text as mappings keep it. */
  mapping: Record<MappedKind, ReadonlyMap<string, number | null>>
  /** The money that the user has agreed to leave out, as the screen listed it when they agreed. */
  confirmed: string
}

/** A file that was read, and what is chosen of it. */
export interface ChosenFile {
  name: string
  sheets: Sheet[]
  sheet: number
  choices: Choices
}

/** A ledger all of whose headings a row has; of several the one with the most. */
function ledgerOf(headings: readonly string[], ledgers: readonly Ledger[]): Ledger | undefined {
  const own = new Set(headings.map(plainHeading))
  return ledgers
    .filter(({ columns }) => columns.length > 0 && columns.every((column) => own.has(column.heading)))
    .sort((a, b) => b.columns.length - a.columns.length || b.id - a.id)[0]
}

/** What decides how much of a row counts: a column that says it is read, even where files before had none. */
const deciding: readonly (ColumnMeaning | null)[] = ['sign', 'type', 'period', 'year']

/** The columns of a row of headings as a ledger has them, and what decides beside them. */
function columnsAs(ledger: Ledger, { headings, columns: found }: FoundLedgerTable): (ColumnMeaning | null)[] {
  const meanings = new Map(ledger.columns.map(({ heading, meaning }) => [heading, meaning]))
  const used = new Set<ColumnMeaning>()
  return headings.map((heading, index) => {
    const own = found[index] ?? null
    const meaning = meanings.get(plainHeading(heading)) ?? (deciding.includes(own) ? own : null)
    if (meaning === null || used.has(meaning)) return null
    used.add(meaning)
    return meaning
  })
}

/** What is found of a file by itself: its table, the ledger that it is of, its month, whether it is the year to date, its school. */
export function firstChoices(
  cells: Cells,
  { open, shown, words }: { open: Open; shown: CalendarMonth; words: Record<LedgerLayout, string> },
): Choices {
  const found = findLedgerTable(cells)
  const headings = found?.headings ?? cells[0] ?? []
  const ledger = found ? ledgerOf(headings, open.ledgers) : undefined
  const columns = found && ledger ? columnsAs(ledger, found) : (found?.columns.slice() ?? headings.map(() => null))
  const table = found && { ...found, columns }
  const find = suggester(open.targets.location)
  const titled = found?.titles.flatMap((title) => idOf(find(placeOfTitle(title), '')) ?? []) ?? []
  const month = (table && findLedgerMonth(cells, table, open.startMonth)) ?? shown
  const place = titled[0] ?? (open.targets.location.length === 1 ? must(open.targets.location[0]).id : undefined)
  return {
    ledger: ledger?.name ?? (found ? words[found.layout] : 'Ledger'),
    month,
    monthIsMeant: false,
    headingRow: found?.headingRow ?? 1,
    columns: table ? selectMonthColumn(cells, table, { ...month, startMonth: open.startMonth }) : columns,
    sign: ledger?.sign ?? null,
    isCumulative: table ? isLedgerYearToDate(cells, table, ledger?.isCumulative) : false,
    locationId: place === undefined ? null : locationIdOf(place),
    costCentreId: ledger?.costCentreId ?? null,
    mapping: { account: new Map(), costCentre: new Map(), fund: new Map(), tag: new Map(), location: new Map() },
    confirmed: '',
  }
}

const placeOfTitle = (title: string): string => title.replace(/^(?:school|academy|location|establishment|site)\s*[:–-]\s*/i, '').trim()

/** The record that was found; none where its number and its name say different things. */
const idOf = (found: Suggested | 'conflict' | null): number | undefined => (found === 'conflict' ? undefined : found?.id)

/** Where a text is mapped to, and why. */
export interface MappedGroup extends LedgerTextGroup {
  id: number | null | undefined
  by: 'chosen' | 'learned' | 'code' | 'name' | null
}

/** A file as it reads with what somebody has chosen. */
export interface Reading {
  table: FoundLedgerTable | null
  rows: LedgerRow[]
  read: ReturnType<typeof readLedger> | null
}

/** Reads the rows of a table; `isPlace` says which sections are called as locations are. */
export function readRows(
  cells: Cells,
  { headingRow, columns, isCumulative, month }: Pick<Choices, 'headingRow' | 'columns' | 'isCumulative' | 'month'>,
  { isPlace, startMonth }: { isPlace: (text: string) => boolean; startMonth: number },
): Reading {
  const layout = detectLedgerLayout(columns)
  if (!layout) return { table: null, rows: [], read: null }
  const table = ledgerTableAt(cells, headingRow, { columns, layout, isCumulative })
  const read = readLedger(cells, table, { isPlace, month: { ...month, isCumulative, startMonth } })
  // Our template names budget codes by their numbers; what it describes is the line.
  const rows = layout === 'template' ? read.rows.map((row) => ({ ...row, accountName: '' })) : read.rows
  return { table, rows, read }
}

/** What the other sheets of a workbook come to that read as tables of the same kind. */
export function otherSheetsOf(sheets: readonly Sheet[], sheet: number, month: MonthToRead): OtherSheet[] {
  return otherTables(sheets, sheet, (cells) => Number(findLedgerTable(cells) !== null)).map(({ name, cells }) => {
    const table = must(findLedgerTable(cells))
    const columns = selectMonthColumn(cells, table, month)
    const { rows } = readLedger(cells, { ...table, columns }, { isPlace: () => false, month })
    return { name, cells: rows.length, value: rows.reduce((sum, row) => sum + row.amount + row.commitment, 0) }
  })
}

/** The mapping of the texts of some rows: what somebody chose, else what was learned, else what is called the same. */
export function mapRows(
  rows: readonly LedgerRow[],
  choices: Pick<Choices, 'ledger' | 'mapping'>,
  open: Open,
): Record<MappedKind, MappedGroup[]> {
  const ledger = open.ledgers.find((one) => one.name.toLowerCase() === choices.ledger.trim().toLowerCase())
  return recordOf(mappedKinds, (kind) => {
    const find = suggester(open.targets[kind].filter((target) => !target.isArchived))
    const hasNames = kind === 'account' && rows.some((row) => row.accountName)
    const learned = new Map(ledger?.texts[kind].map(({ text, id }) => [text, id]))
    return groupLedgerTexts(rows, kind).map((group): MappedGroup => {
      const key = mappingText(group.text)
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

/** Whether a section may be called as a location is. */
export function placeFinder(choices: Pick<Choices, 'ledger' | 'mapping'>, open: Open): (text: string) => boolean {
  const ledger = open.ledgers.find((one) => one.name.toLowerCase() === choices.ledger.trim().toLowerCase())
  const known = new Set([...choices.mapping.location.keys(), ...(ledger?.texts.location ?? []).map((one) => one.text)])
  const find = suggester(open.targets.location)
  return (text) => known.has(mappingText(text)) || idOf(find(text, '')) !== undefined
}

/** The lines that a file comes to, the proof that all of its money is accounted for, and the cells that stop it. */
export function proveRows(
  cells: Cells,
  reading: Reading & { table: FoundLedgerTable },
  { choices, groups, open }: { choices: Choices; groups: Record<MappedKind, MappedGroup[]>; open: Open },
) {
  const mapping = createLedgerMapping(
    (kind) => new Map(groups[kind].flatMap(({ text, id }) => (id === undefined ? [] : [[mappingText(text), id]]))),
  )
  const types = new Map(open.targets.account.map((code) => [code.id, code.type ?? undefined]))
  const typeOf = (id: number): number | undefined => types.get(id)
  const { layout } = reading.table
  const { areDebits } = ledgerRowSides(cells, reading.table)
  const isFixed = layout === 'trialBalance' || layout === 'template' || areDebits
  const sign = (isFixed ? null : choices.sign) ?? guessAmountSign(reading.rows, { layout, mapping, typeOf, areDebits })
  const { locationId, costCentreId } = choices
  const made = mapLedger(reading.rows, { layout, sign, mapping, locationId, costCentreId, typeOf })
  const index = choices.month.year * 12 + choices.month.month - 1
  const yearStart = index - ((choices.month.month - open.startMonth + 12) % 12)
  const wanted = {
    ...monthAt(index),
    isCumulative: choices.isCumulative,
    yearStart,
    startMonth: open.startMonth,
    isMeant: choices.monthIsMeant,
  }
  const { imported, leftOut, unmapped } = made.proof
  const balance: Balance = balanceOf(moneyOf(cells, must(reading.read).table), {
    imported: imported.amount + imported.commitment,
    leftOut: leftOut.amount + leftOut.commitment,
    unmapped: unmapped.amount + unmapped.commitment,
  })
  return {
    made,
    balance,
    sign,
    isFixed,
    problems: [...must(reading.read).problems, ...findMonthProblems(reading.rows, reading.table, wanted)],
  }
}

const figures: readonly (ColumnMeaning | null)[] = ['amount', 'debit', 'credit', 'commitment']

/** A file as the server takes it: titles and sections as they stand, of the lines the columns that are used. */
export function rowsToSend(rows: readonly string[], { headingRow, columns }: Choices): string[] {
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

/** The texts of a file with what they are mapped to, as the server takes them. */
export function mappingToSend(groups: Record<MappedKind, readonly MappedGroup[]>) {
  const of = (kind: MappedKind): { text: string; id: number | null }[] =>
    groups[kind].flatMap(({ text, id }) => (id === undefined ? [] : [{ text, id }]))
  return { account: of('account'), costCentre: of('costCentre'), fund: of('fund'), tag: of('tag'), location: of('location') }
}
