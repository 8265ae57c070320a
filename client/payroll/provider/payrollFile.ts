import { type Cells, normaliseHeading } from '../../../domain/files/headings.ts'
import { balanceFileMoney, type FileBalance, type OtherSheet, sumFileMoney } from '../../../domain/files/proof.ts'
import { listOtherTables, type Sheet } from '../../../domain/files/sheets.ts'
import { createMappingSuggester, extractSchoolName, normaliseMappingText } from '../../../domain/files/texts.ts'
import { createCodeSuggester } from '../../../domain/payroll/provider/codes.ts'
import {
  buildPayrollTable,
  type DetectedPayrollTable,
  detectPayColumns,
  detectPayLayout,
  findPayrollTable,
  type PayMeaning,
} from '../../../domain/payroll/provider/columns.ts'
import {
  groupPayTexts,
  mapPayrollRows,
  type PayMapping,
  type PayProof,
  type PayrollContents,
  type PayTextKind,
  payTextKinds,
  readPayroll,
} from '../../../domain/payroll/provider/rows.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { recordFromKeys } from '../../../domain/values/keysOf.ts'
import type { MappedText } from '../../resources/import/MappingTable.tsx'
import type { RouterOutputs } from '../../shell/api.ts'

export type ProviderSetup = RouterOutputs['payroll']['providers']['open']
type Provider = ProviderSetup['providers'][number]

/** How a file is read: detected values at first, then the user's choices. */
export interface PayrollFileChoices {
  provider: string
  headingRow: number
  columns: (PayMeaning | null)[]
  isMonthConfirmed: boolean
  /** The record for each text, by kind and then by the text as normalised for saved mappings. */
  mapping: PayMapping
  /** The money that the user has agreed to leave out, as the screen listed it when the user agreed. */
  confirmed: string
  /** The rows that the user left out, by their numbers in the spreadsheet. */
  leftOut: ReadonlySet<number>
}

/** Finds the provider whose fixed columns are all in the file; if there are several, the provider with the most headings in common. */
function findKnownProvider(headings: readonly string[], providers: readonly Provider[]): Provider | undefined {
  const fileHeadings = new Set(headings.map(normaliseHeading))
  // Pay elements vary from month to month, so only the other columns identify a provider.
  const hasFixedColumns = ({ columns }: Provider): boolean =>
    columns.every(({ heading, meaning }) => meaning === 'element' || fileHeadings.has(heading))
  const shared = ({ columns }: Provider): number => columns.filter(({ heading }) => fileHeadings.has(heading)).length
  return providers.filter((one) => hasFixedColumns(one) && shared(one) > 1).sort((a, b) => shared(b) - shared(a) || b.id - a.id)[0]
}

/** Returns the meaning of each column: as learned for the provider, otherwise as detected. */
function mergeColumns({ columns }: Provider, { headings, columns: found }: DetectedPayrollTable): (PayMeaning | null)[] {
  const meanings = new Map(columns.map(({ heading, meaning }) => [heading, meaning]))
  const learned = headings.map((heading) => meanings.get(normaliseHeading(heading)) ?? null)
  // Use the detected meaning for a new pay element, and for a sign or month column that was not learned.
  const usesDetected = (meaning: PayMeaning): boolean =>
    meaning === 'element' || ((meaning === 'sign' || meaning === 'month') && !learned.includes(meaning))
  return learned.map((meaning, index) => {
    const detected = found[index]
    return meaning ?? (detected && usesDetected(detected) ? detected : null)
  })
}

/** Detects as much as possible in a file: its table and its provider. */
export function detectPayrollChoices(cells: Cells, open: ProviderSetup): PayrollFileChoices {
  const found = findPayrollTable(cells)
  const provider = found ? findKnownProvider(found.headings, open.providers) : undefined
  return {
    provider: provider?.name ?? (found?.headings.includes('EmployeeNumber') ? 'Template' : 'Payroll provider'),
    headingRow: found?.headingRow ?? 1,
    columns: found ? (provider ? mergeColumns(provider, found) : [...found.columns]) : (cells[0] ?? []).map(() => null),
    isMonthConfirmed: false,
    mapping: { code: new Map(), location: new Map() },
    confirmed: '',
    leftOut: new Set(),
  }
}

/** Detects the meanings of the columns when the user has chosen another heading row. */
export function detectPayrollColumns(cells: Cells, headingRow: number): (PayMeaning | null)[] {
  return detectPayColumns(cells, headingRow).columns
}

/** Returns a function that tests whether the title of a section names a location. */
function createLocationTest(
  { provider, mapping }: Pick<PayrollFileChoices, 'provider' | 'mapping'>,
  open: ProviderSetup,
): (text: string) => boolean {
  const known = new Set([...mapping.location.keys(), ...(findProvider(provider, open)?.texts.location ?? []).map((one) => one.text)])
  const find = createMappingSuggester(open.locations)
  return (text) => known.has(normaliseMappingText(text)) || typeof (find(text, '') ?? '') === 'object'
}

export function findProvider(provider: string, open: ProviderSetup): Provider | undefined {
  return open.providers.find((one) => one.name.toLowerCase() === provider.trim().toLowerCase())
}

/** A file parsed with the current choices. */
export interface ParsedPayrollFile {
  table: DetectedPayrollTable
  read: PayrollContents
}

/**
 * Parses a file with the current choices.
 * @returns null if required columns are missing
 */
export function parsePayrollRows(
  cells: Cells,
  choices: Pick<PayrollFileChoices, 'provider' | 'headingRow' | 'columns' | 'mapping'> & Partial<Pick<PayrollFileChoices, 'leftOut'>>,
  open: ProviderSetup,
): ParsedPayrollFile | null {
  const { headingRow, columns } = choices
  const layout = detectPayLayout(columns)
  if (!layout) return null
  const table = buildPayrollTable(cells, { layout, headingRow, columns })
  return { table, read: readPayroll(cells, { ...table, leftOut: choices.leftOut }, createLocationTest(choices, open)) }
}

/** Finds the other sheets of the workbook that contain a payroll, with their totals. */
export function findOtherPayrollSheets(sheets: readonly Sheet[], sheet: number): OtherSheet[] {
  const isPayroll = (cells: Cells): boolean => {
    const table = findPayrollTable(cells)
    return table !== null && detectPayLayout(table.columns) !== null
  }
  return listOtherTables(sheets, sheet, (cells) => Number(isPayroll(cells))).map(({ name, cells }) => {
    const { rows } = readPayroll(cells, assertDefined(findPayrollTable(cells)), () => false)
    return { name, cells: rows.length, value: rows.reduce((sum, row) => sum + row.value, 0) }
  })
}

const becauseOf = { code: 'same code', name: 'same name', element: 'only code for this element' } as const

/**
 * Maps each code and location in a file to a record: the one that the user chose, otherwise the one learned earlier, otherwise a record
 * with the same name.
 */
export function mapPayrollTexts(
  { read, table }: ParsedPayrollFile,
  { provider, mapping }: Pick<PayrollFileChoices, 'provider' | 'mapping'>,
  open: ProviderSetup,
): Record<PayTextKind, MappedText[]> {
  const learned = findProvider(provider, open)
  const findCode = createCodeSuggester(open.codes)
  const hasNames = read.rows.some((row) => row.codeName)
  const findPlace = createMappingSuggester(open.locations.filter((one) => !one.isArchived))
  const of = (kind: PayTextKind): MappedText[] => {
    const known = new Map(learned?.texts[kind].map(({ text, id }) => [text, id]))
    return groupPayTexts(read.rows, kind).map((group): MappedText => {
      const key = normaliseMappingText(group.text)
      const shown = { text: group.text, name: group.name, rows: group.rows, sum: group.value }
      const chosen = mapping[kind].get(key)
      if (chosen !== undefined) return { ...shown, id: chosen, because: null }
      const id = known.get(key)
      if (id !== undefined) return { ...shown, id, because: 'as learned' }
      const found = kind === 'code' ? findCode(group.text, group.name, hasNames) : findPlace(extractSchoolName(group.text), '')
      return found === null || found === 'conflict'
        ? { ...shown, id: undefined, because: null }
        : { ...shown, id: found.id, because: becauseOf[found.by] }
    })
  }
  return { code: of('code'), location: table.columns.includes('location') || read.rows.some((row) => row.location) ? of('location') : [] }
}

/** Builds the parsed rows with their mappings, and the balance that accounts for all their money. */
export function buildPayrollImport(
  cells: Cells,
  {
    reading: { read },
    texts,
    locationId,
  }: { reading: ParsedPayrollFile; texts: Record<PayTextKind, readonly MappedText[]>; locationId: LocationId | null },
): { proof: PayProof; balance: FileBalance } {
  const ids = (kind: PayTextKind): Map<string, number | null> =>
    new Map(texts[kind].flatMap(({ text, id }) => (id === undefined ? [] : [[normaliseMappingText(text), id]])))
  const { proof } = mapPayrollRows(read.rows, { code: ids('code'), location: ids('location') }, locationId)
  const { imported, leftOut, unmapped } = proof
  const rows = { imported: imported.value, leftOut: leftOut.value, unmapped: unmapped.value }
  return { proof, balance: balanceFileMoney(sumFileMoney(cells, read.table), rows) }
}

/**
 * Reduces the rows to what is sent: titles, sections and totals unchanged, and only the used columns of employees' rows, so that names stay
 * in the browser. The server parses these rows exactly as this page does.
 */
export function preparePayrollRowsToSend(rows: readonly string[], { headingRow, columns }: PayrollFileChoices): string[] {
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

/** Builds the mappings to send with a file. */
export function preparePayrollMappingToSend(texts: Record<PayTextKind, readonly MappedText[]>) {
  const of = (kind: PayTextKind): { text: string; id: number | null }[] =>
    texts[kind].flatMap(({ text, id }) => (id === undefined ? [] : [{ text, id }]))
  return recordFromKeys(payTextKinds, of)
}
