import { assertDefined } from '../values/assertDefined.ts'
import type { ReasonsOf } from './returns/returnReasons.ts'

/** What the cells of a column are: whole pennies, a plain number, a ratio with two decimals, a percentage such as `78.4`, words, or a date as `2026-09-01`. */
export const columnTypes = ['money', 'number', 'ratio', 'percent', 'text', 'date'] as const
export type ColumnType = (typeof columnTypes)[number]

export interface ReportColumn {
  /** Which part of the lines the column is of, as `placeText` writes it; or what it is worked out from others by. */
  key: string
  title: string
  type: ColumnType
  /** What stands in it where it has no figure, in words. */
  without?: string
}

/** By the list `reportRowKinds`. */
export type ReportRowKind = 'Data' | 'Description' | 'Empty' | 'SectionHeader' | 'SectionFooter' | 'Total'

/** A row with a value for each column; null: nothing stands there, or in a row of figures it could not be calculated. */
export interface ReportRow {
  kind: ReportRowKind
  label: string
  values: (number | string | null)[]
  /** Which lines the row is of, as `placeText` writes it; null: it is not a sum of lines. */
  drill: string | null
  /** How deep it stands: a row is folded away with the nearest row above that is less deep. */
  level: number
  /** Monthly figures that could not be calculated and are in no sum of the row. */
  missing: number
  /** What the figures of the row are, where that is other than what its columns say. */
  type?: ColumnType
  /**
   * What a total is the sum of: all rows of the kind Data above it, or the nearest rows above of these labels. Footers and descriptions need
   * none: they are the sums of their own rows.
   */
  adds?: 'data' | readonly { label: string; less?: true }[]
  /** Of a line of the return that has moved: what its reason is kept under, and which version of it is shown; 0: none is kept. */
  reason?: { line: string; version: number }
}

/** A report as a value: screen, CSV, workbook and API are made of it (rules.md §19). */
export interface Report {
  title: string
  columns: ReportColumn[]
  rows: ReportRow[]
  /** Items of which some figure could not be calculated: contracts, entries, transfers and levies. */
  notCalculated: number
  /** Of each column of money, what shares and figures per pupil are worked out with; null where it is not known or has no meaning. */
  bases: { income: number | null; pupils: number | null }[]
  /** Of a return beside the last one: whose reasons stand in the column `reason`, and whether the reader may write them. */
  reasons?: ReasonsOf & { mayWrite: boolean }
}

/** What the cell of a row in a column is: words stay words, whatever the figures of the row are. */
export const typeOfCell = (row: Pick<ReportRow, 'type'>, column: Pick<ReportColumn, 'type'>): ColumnType =>
  column.type === 'text' ? column.type : (row.type ?? column.type)

/**
 * What stands in a cell of figures that has none, in words: an amount that could not be calculated, a count that nobody typed, or what is
 * worked out with one; null where nothing belongs.
 */
export function wordsOfCell({ columns, bases }: Pick<Report, 'columns' | 'bases'>, row: ReportRow, index: number): string | null {
  const { key, type, without } = assertDefined(columns[index])
  if (row.values[index] !== null || row.kind === 'SectionHeader' || row.kind === 'Empty') return null
  if (without) return without
  // What stands beside a figure says itself why it is not there.
  if (type === 'text' || key === 'median') return null
  if (row.type) return row.missing > 0 ? 'not calculated' : 'not known'
  if (type === 'number') return row.missing > 0 ? 'not calculated' : 'not known'
  if (type !== 'money') return null
  const [, perPupilOf] = /^pupil (.*)$/s.exec(key) ?? []
  if (perPupilOf !== undefined && bases[columns.findIndex((one) => one.key === perPupilOf)]?.pupils === null) return 'not known'
  return row.missing > 0 ? 'not calculated' : null
}

/** Part of the lines of a report: what a row and a column narrow them to. */
export interface Place {
  /** `debit`: what is spent less what comes in, as a ledger has it. */
  side?: 'income' | 'staff' | 'other' | 'expenditure' | 'inYear' | 'debit'
  /** Budget codes by their ids, `12,15`; `levy` for the levy, which has none. */
  code?: string
  /** A cost centre by its id; `none` for lines without one. */
  centre?: string
  /** What locations pay each other: that of one kind or `any` of it alone, or all lines `with` or `without` it. */
  transfer?: 'gagPool' | 'topSlice' | 'any' | 'with' | 'without'
  year?: string
  /** 1 to 12 of the budget year, or a run of them, `1-7`. */
  month?: string
  location?: string
  budget?: string
  /** One contract of the budget. */
  contract?: string
  component?: 'ni' | 'pension'
  /** Months that are in as they came, the others as they are forecast; left out: all of the budgets. */
  basis?: 'outturn'
}

const placeNames = ['side', 'code', 'centre', 'transfer', 'year', 'month', 'location', 'budget', 'contract', 'component', 'basis'] as const

/** The codes of some lines as a place names them; undefined where there are none. */
export function codesIn(lines: readonly { codeId: number | null }[]): string | undefined {
  const ids = [...new Set(lines.map(({ codeId }) => codeId))].sort((a, b) => (a ?? 0) - (b ?? 0))
  return ids.length ? ids.map((id) => (id === null ? 'levy' : String(id))).join(',') : undefined
}

/** A place as one text, `side=income&code=12`. */
export function placeText(place: Place): string {
  // Tens of thousands of rows name one.
  let text = ''
  for (const name of placeNames) {
    const value = place[name]
    if (value !== undefined) text += `${text && '&'}${name}=${value}`
  }
  return text
}

/** Reads what `placeText` wrote; undefined for anything else. */
export function readPlace(text: string): Place | undefined {
  const place: Record<string, string> = {}
  for (const part of text ? text.split('&') : []) {
    const [name, value] = part.split(/=(.*)/s)
    if (!placeNames.some((one) => one === name) || !value) return undefined
    place[assertDefined(name)] = value
  }
  const { side, transfer, code, centre, month, location, year, budget, contract, component, basis } = place
  const fits = (value: string | undefined, form: RegExp): boolean => value === undefined || form.test(value)
  const isWhole =
    fits(side, /^(income|staff|other|expenditure|inYear|debit)$/) &&
    fits(transfer, /^(gagPool|topSlice|any|with|without)$/) &&
    fits(code, /^(\d{1,9}|levy)(,(\d{1,9}|levy))*$/) &&
    fits(centre, /^(\d{1,9}|none)$/) &&
    fits(month, /^([1-9]|1[0-2])(-([1-9]|1[0-2]))?$/) &&
    fits(location, /^\d{1,9}$/) &&
    fits(year, /^\d{4}\/\d{2}$/) &&
    fits(budget, /^[0-9a-f]{24}$/) &&
    fits(contract, /^[0-9a-f]{24}$/) &&
    fits(component, /^(ni|pension)$/) &&
    fits(basis, /^outturn$/)
  return isWhole ? place : undefined
}

/** What columns that are part of a year narrow it to: the return has its first seven months, and the last five. */
const partOfYear: Record<string, string> = {
  ni: '&component=ni',
  pension: '&component=pension',
  first: '&month=1-7',
  last: '&month=8-12',
}

/**
 * Which lines a cell is of; null where it is no sum of lines, or a difference of two. Shares and figures per pupil are of the lines that they
 * share, and those of rounded figures what was rounded. What a contract is paid is one line, whatever it is paid for.
 */
export function placeOfCell(row: Pick<ReportRow, 'drill'>, column: Pick<ReportColumn, 'key'>): Place | null {
  if (row.drill === null) return null
  const key = column.key.replace(/^(share|pupil) /, '')
  const [, part, year] = /^(ni|pension|total|first|last|thousands) (.*)$/.exec(key) ?? []
  const [own, at] = [readPlace(row.drill), readPlace(part ? `year=${year}${partOfYear[part] ?? ''}` : key)]
  return own && at ? { ...at, ...own } : null
}
