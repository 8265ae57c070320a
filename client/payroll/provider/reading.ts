import { type Cells, plainHeading } from '../../../domain/files/headings.ts'
import { type Balance, balanceOf, moneyOf, type OtherSheet } from '../../../domain/files/proof.ts'
import { otherTables, type Sheet } from '../../../domain/files/sheets.ts'
import { mappingText, placeText, suggester } from '../../../domain/files/texts.ts'
import { createCodeSuggester } from '../../../domain/payroll/provider/codes.ts'
import {
  detectPayColumns,
  detectPayLayout,
  type FoundPayTable,
  findPayTable,
  type PayMeaning,
  payTableAt,
} from '../../../domain/payroll/provider/columns.ts'
import {
  groupPayTexts,
  mapPay,
  type PayMapping,
  type PayProof,
  type PayrollContents,
  type PayTextKind,
  payTextKinds,
  readPayroll,
} from '../../../domain/payroll/provider/rows.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { recordOf } from '../../../domain/values/keysOf.ts'
import { must } from '../../../domain/values/must.ts'
import type { MappedText } from '../../resources/import/MappingTable.tsx'
import type { Answers } from '../../shell/api.ts'

export type Open = Answers['payroll']['providers']['open']
type Provider = Open['providers'][number]

/** What somebody has chosen of a file, beside what was found by itself. */
export interface Choices {
  provider: string
  headingRow: number
  columns: (PayMeaning | null)[]
  monthIsMeant: boolean
  /** By kind, and by the text as mappings keep it. */
  mapping: PayMapping
  /** The money that the user has agreed to leave out, as the screen listed it when they agreed. */
  confirmed: string
}

/** The provider whose fixed columns a row of headings has; of several the one with the most columns in common. */
function providerOf(headings: readonly string[], providers: readonly Provider[]): Provider | undefined {
  const own = new Set(headings.map(plainHeading))
  // Elements come and go from month to month: what is not one tells providers apart.
  const fits = ({ columns }: Provider): boolean => columns.every(({ heading, meaning }) => meaning === 'element' || own.has(heading))
  const shared = ({ columns }: Provider): number => columns.filter(({ heading }) => own.has(heading)).length
  return providers.filter((one) => fits(one) && shared(one) > 1).sort((a, b) => shared(b) - shared(a) || b.id - a.id)[0]
}

/** The columns as a provider has them; what is new holds what it says itself. */
function columnsAs({ columns }: Provider, { headings, columns: found }: FoundPayTable): (PayMeaning | null)[] {
  const meanings = new Map(columns.map(({ heading, meaning }) => [heading, meaning]))
  const learned = headings.map((heading) => meanings.get(plainHeading(heading)) ?? null)
  // A new element, and what decides how much of a row counts.
  const isTaken = (own: PayMeaning): boolean => own === 'element' || ((own === 'sign' || own === 'month') && !learned.includes(own))
  return learned.map((meaning, index) => {
    const own = found[index]
    return meaning ?? (own && isTaken(own) ? own : null)
  })
}

/** What is found of a file by itself: its table, and the provider that it is of. */
export function firstChoices(cells: Cells, open: Open): Choices {
  const found = findPayTable(cells)
  const provider = found ? providerOf(found.headings, open.providers) : undefined
  return {
    provider: provider?.name ?? (found?.headings.includes('EmployeeNumber') ? 'Template' : 'Payroll provider'),
    headingRow: found?.headingRow ?? 1,
    columns: found ? (provider ? columnsAs(provider, found) : [...found.columns]) : (cells[0] ?? []).map(() => null),
    monthIsMeant: false,
    mapping: { code: new Map(), location: new Map() },
    confirmed: '',
  }
}

/** What the columns hold when their headings stand in a row that somebody has chosen. */
export function columnsFrom(cells: Cells, headingRow: number): (PayMeaning | null)[] {
  return detectPayColumns(cells, headingRow).columns
}

/** Whether a section may be called as a location is. */
function placeFinder({ provider, mapping }: Pick<Choices, 'provider' | 'mapping'>, open: Open): (text: string) => boolean {
  const known = new Set([...mapping.location.keys(), ...(learnedOf(provider, open)?.texts.location ?? []).map((one) => one.text)])
  const find = suggester(open.locations)
  return (text) => known.has(mappingText(text)) || typeof (find(text, '') ?? '') === 'object'
}

export function learnedOf(provider: string, open: Open): Provider | undefined {
  return open.providers.find((one) => one.name.toLowerCase() === provider.trim().toLowerCase())
}

/** A file as it reads with what somebody has chosen. */
export interface Reading {
  table: FoundPayTable
  read: PayrollContents
}

/** @returns null where the columns say too little */
export function readRows(
  cells: Cells,
  choices: Pick<Choices, 'provider' | 'headingRow' | 'columns' | 'mapping'>,
  open: Open,
): Reading | null {
  const { headingRow, columns } = choices
  const layout = detectPayLayout(columns)
  if (!layout) return null
  const table = payTableAt(cells, { layout, headingRow, columns })
  return { table, read: readPayroll(cells, table, placeFinder(choices, open)) }
}

/** What the other sheets of a workbook come to that read as payrolls. */
export function otherSheetsOf(sheets: readonly Sheet[], sheet: number): OtherSheet[] {
  const isPayroll = (cells: Cells): boolean => {
    const table = findPayTable(cells)
    return table !== null && detectPayLayout(table.columns) !== null
  }
  return otherTables(sheets, sheet, (cells) => Number(isPayroll(cells))).map(({ name, cells }) => {
    const { rows } = readPayroll(cells, must(findPayTable(cells)), () => false)
    return { name, cells: rows.length, value: rows.reduce((sum, row) => sum + row.value, 0) }
  })
}

const becauseOf = { code: 'same code', name: 'same name', element: 'the one code of this element' } as const

/**
 * What the codes and locations of a file are mapped to: what somebody chose, else what was learned, else what is called the same.
 * @param place the location that the file is for, where it is for one: titles that call it need no mapping
 */
export function mapTexts(
  { read, table }: Reading,
  { provider, mapping }: Pick<Choices, 'provider' | 'mapping'>,
  open: Open,
): Record<PayTextKind, MappedText[]> {
  const learned = learnedOf(provider, open)
  const findCode = createCodeSuggester(open.codes)
  const hasNames = read.rows.some((row) => row.codeName)
  const findPlace = suggester(open.locations.filter((one) => !one.isArchived))
  const of = (kind: PayTextKind): MappedText[] => {
    const known = new Map(learned?.texts[kind].map(({ text, id }) => [text, id]))
    return groupPayTexts(read.rows, kind).map((group): MappedText => {
      const key = mappingText(group.text)
      const shown = { text: group.text, name: group.name, rows: group.rows, sum: group.value }
      const chosen = mapping[kind].get(key)
      if (chosen !== undefined) return { ...shown, id: chosen, because: null }
      const id = known.get(key)
      if (id !== undefined) return { ...shown, id, because: 'as learned' }
      const found = kind === 'code' ? findCode(group.text, group.name, hasNames) : findPlace(placeText(group.text), '')
      return found === null || found === 'conflict'
        ? { ...shown, id: undefined, because: null }
        : { ...shown, id: found.id, because: becauseOf[found.by] }
    })
  }
  return { code: of('code'), location: table.columns.includes('location') || read.rows.some((row) => row.location) ? of('location') : [] }
}

/** The rows of a file and where they go, and the proof that all of its money is accounted for. */
export function prove(
  cells: Cells,
  {
    reading: { read },
    texts,
    locationId,
  }: { reading: Reading; texts: Record<PayTextKind, readonly MappedText[]>; locationId: LocationId | null },
): { proof: PayProof; balance: Balance } {
  const ids = (kind: PayTextKind): Map<string, number | null> =>
    new Map(texts[kind].flatMap(({ text, id }) => (id === undefined ? [] : [[mappingText(text), id]])))
  const { proof } = mapPay(read.rows, { code: ids('code'), location: ids('location') }, locationId)
  const { imported, leftOut, unmapped } = proof
  const rows = { imported: imported.value, leftOut: leftOut.value, unmapped: unmapped.value }
  return { proof, balance: balanceOf(moneyOf(cells, read.table), rows) }
}

/**
 * A file as the server takes it, which reads as it did here: titles, sections and totals as they stand, of an employee's rows the columns that are
 * used; names stay on the page.
 */
export function rowsToSend(rows: readonly string[], { headingRow, columns }: Choices): string[] {
  const number = columns.indexOf('employeeNumber')
  return rows.map((row, index) => {
    const cells = row.split('\t')
    if (index < headingRow || !cells[number]?.trim()) return row
    return cells
      .map((cell, column) => (columns[column] ? cell : ''))
      .join('\t')
      .replace(/\t+$/, '')
  })
}

/** The texts of a file with what they are mapped to, as the server takes them. */
export function mappingToSend(texts: Record<PayTextKind, readonly MappedText[]>) {
  const of = (kind: PayTextKind): { text: string; id: number | null }[] =>
    texts[kind].flatMap(({ text, id }) => (id === undefined ? [] : [{ text, id }]))
  return recordOf(payTextKinds, of)
}
