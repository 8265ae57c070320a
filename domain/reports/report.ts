import { assertDefined } from '../values/assertDefined.ts'
import type { ReturnKey } from './returns/returnReasons.ts'

/**
 * Cell types of a column: whole pennies, a number, a ratio with two decimals, a percentage such as `78.4`, text, or a date such as
 * `2026-09-01`.
 */
export const columnTypes = ['money', 'number', 'ratio', 'percent', 'text', 'date'] as const
export type ColumnType = (typeof columnTypes)[number]

export interface ReportColumn {
  /** The line filter of the column as `formatLineFilter` writes it, or a text that says how the column is calculated from others. */
  key: string
  title: string
  type: ColumnType
  /** The text of cells without a figure. */
  without?: string
}

/** Ids from the list `reportRowKinds`. */
export type ReportRowKind = 'Data' | 'Description' | 'Empty' | 'SectionHeader' | 'SectionFooter' | 'Total'

/** A row with a value for each column; a value is null if the cell is empty or its figure could not be calculated. */
export interface ReportRow {
  kind: ReportRowKind
  label: string
  values: (number | string | null)[]
  /** The line filter of the row, as `formatLineFilter` writes it; null if it is not a sum of lines. */
  drill: string | null
  /** The depth of the row. A row is collapsed together with the nearest row above it that has a lower level. */
  level: number
  /** The number of monthly figures that could not be calculated and are left out. */
  missing: number
  /** The type of its figures, if it differs from the columns. */
  type?: ColumnType
  /**
   * For a total that does not simply add up its section, the rows that it adds: all `Data` rows above it, or the nearest rows above it with
   * these labels. Footers and descriptions always add up the rows of their section.
   */
  adds?: 'data' | readonly { label: string; less?: true }[]
  /** For a changed line of the return: the key of its reason, and the version shown; the version is 0 if there is no reason yet. */
  reason?: { line: string; version: number }
}

/** A report as a value. Screens, CSV, workbooks and the API all show this value (rules.md §19). */
export interface Report {
  title: string
  columns: ReportColumn[]
  rows: ReportRow[]
  /** How many contracts, entries, transfers and levies have a figure that could not be calculated. */
  notCalculated: number
  /** For each money column, the amount of income and the number of pupils to divide by; null if unknown or not meaningful. */
  bases: { income: number | null; pupils: number | null }[]
  /** For a return compared with the last one: the key of its reasons, and whether the reader may write them. */
  reasons?: ReturnKey & { mayWrite: boolean }
}

/** The type of a cell. Text columns contain text, whatever the type of the row. */
export const getCellType = (row: Pick<ReportRow, 'type'>, column: Pick<ReportColumn, 'type'>): ColumnType =>
  column.type === 'text' ? column.type : (row.type ?? column.type)

/** Returns the text of a cell without a figure: not calculated, or not known. Null if the cell is empty on purpose. */
export function describeEmptyCell({ columns, bases }: Pick<Report, 'columns' | 'bases'>, row: ReportRow, index: number): string | null {
  const { key, type, without } = assertDefined(columns[index])
  if (row.values[index] !== null || row.kind === 'SectionHeader' || row.kind === 'Empty') return null
  if (without) return without
  // A cell next to a figure needs no text of its own.
  if (type === 'text' || key === 'median') return null
  if (row.type) return row.missing > 0 ? 'not calculated' : 'not known'
  if (type === 'number') return row.missing > 0 ? 'not calculated' : 'not known'
  if (type !== 'money') return null
  const [, perPupilOf] = /^pupil (.*)$/s.exec(key) ?? []
  if (perPupilOf !== undefined && bases[columns.findIndex((one) => one.key === perPupilOf)]?.pupils === null) return 'not known'
  return row.missing > 0 ? 'not calculated' : null
}

/** A filter that selects the lines behind a row, a column or a cell of a report. */
export interface LineFilter {
  /** `debit`: expenditure less income, as in a ledger. */
  side?: 'income' | 'staff' | 'other' | 'expenditure' | 'inYear' | 'debit'
  /** Ids of budget codes, such as `12,15`; `levy` for the levy, which has no code. */
  code?: string
  /** Id of a cost centre; `none` for lines without one. */
  centre?: string
  /**
   * Payments between locations. `gagPool` or `topSlice`: only payments of that kind. `any`: only payments of either kind. `with` or
   * `without`: all lines, including or excluding payments.
   */
  transfer?: 'gagPool' | 'topSlice' | 'any' | 'with' | 'without'
  year?: string
  /** Month of the budget year, 1 to 12, or a range such as `1-7`. */
  month?: string
  location?: string
  budget?: string
  contract?: string
  component?: 'ni' | 'pension'
  /** `outturn`: actuals for months that have them, and the forecast for the other months. Absent: the budget. */
  basis?: 'outturn'
}

const filterNames = ['side', 'code', 'centre', 'transfer', 'year', 'month', 'location', 'budget', 'contract', 'component', 'basis'] as const

/** Formats the budget codes of lines for a filter; undefined if there are no lines. */
export function formatCodeIds(lines: readonly { codeId: number | null }[]): string | undefined {
  const ids = [...new Set(lines.map(({ codeId }) => codeId))].sort((a, b) => (a ?? 0) - (b ?? 0))
  return ids.length ? ids.map((id) => (id === null ? 'levy' : String(id))).join(',') : undefined
}

/** Formats a filter as text, such as `side=income&code=12`. */
export function formatLineFilter(filter: LineFilter): string {
  // This function runs for tens of thousands of rows, so it must be fast.
  let text = ''
  for (const name of filterNames) {
    const value = filter[name]
    if (value !== undefined) text += `${text && '&'}${name}=${value}`
  }
  return text
}

/** Parses the output of `formatLineFilter`; undefined for any other text. */
export function parseLineFilter(text: string): LineFilter | undefined {
  const filter: Record<string, string> = {}
  for (const part of text ? text.split('&') : []) {
    const [name, value] = part.split(/=(.*)/s)
    if (!filterNames.some((one) => one === name) || !value) return undefined
    filter[assertDefined(name)] = value
  }
  const { side, transfer, code, centre, month, location, year, budget, contract, component, basis } = filter
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
  return isWhole ? filter : undefined
}

/** The filters that columns for part of a year add. The return divides a year into its first seven and last five months. */
const filterByColumnPart: Record<string, string> = {
  ni: '&component=ni',
  pension: '&component=pension',
  first: '&month=1-7',
  last: '&month=8-12',
}

/**
 * Returns the line filter of a cell; null if the cell is not a sum of lines, or is the difference of two columns. A share or a figure per
 * pupil has the filter of the amount that it is calculated from, and a rounded figure has that of the exact figure. The pay of a contract
 * is one line, whatever its components.
 */
export function getCellLineFilter(row: Pick<ReportRow, 'drill'>, column: Pick<ReportColumn, 'key'>): LineFilter | null {
  if (row.drill === null) return null
  const key = column.key.replace(/^(share|pupil) /, '')
  const [, part, year] = /^(ni|pension|total|first|last|thousands) (.*)$/.exec(key) ?? []
  const [rowFilter, at] = [parseLineFilter(row.drill), parseLineFilter(part ? `year=${year}${filterByColumnPart[part] ?? ''}` : key)]
  return rowFilter && at ? { ...at, ...rowFilter } : null
}
