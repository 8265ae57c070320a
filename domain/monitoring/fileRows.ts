import { toPenniesBelow } from '../files/cells.ts'
import { describeUnreadColumn } from '../files/proof.ts'
import { createWholeFileError } from '../files/refusals.ts'
import type { CellProblem } from '../files/texts.ts'
import type { ReferenceFinder } from '../resources/cells.ts'
import { listColumns, matchColumns, parseImportRow } from '../resources/columns.ts'
import { displayNumber } from '../values/format.ts'
import type { LocationId } from '../values/ids.ts'
import { numberOrNull, textOrNull } from '../values/unknownValues.ts'
import { maximumImportRows } from '../words/notices.ts'
import { actualFile } from './actualFile.ts'
import { type ActualLine, type CalendarMonth, formatMonth } from './monitoring.ts'

/** The records that the rows of a file of actuals and commitments are checked against. */
export interface ActualsFileContext {
  locations: readonly { id: LocationId; name: string; budgetCodeFilter: string | null }[]
  /** Locations with a budget that covers the month. */
  locationsWithBudget: ReadonlySet<LocationId>
  find: ReferenceFinder
  /** The locations that may use a record, by field and id of the record. An empty list means all locations. */
  locationsByRecord: ReadonlyMap<string, readonly number[]>
}

/** The largest amount of one line, in pounds. */
const maximumPounds = 10_000_000_000

const offeredColumns = [
  ['BudgetCode', 'budgetCode'],
  ['CostCentre', 'costCentre'],
  ['FundCode', 'fundCode'],
] as const

/**
 * Reads a file of actuals and commitments.
 * @returns the lines by location, and the problems. A single problem prevents the import.
 * @throws DomainError for a file that is too long, or that lacks a required column
 */
export function readActualsFile(
  rows: readonly Record<string, string>[],
  month: CalendarMonth,
  { locations, locationsWithBudget, find, locationsByRecord }: ActualsFileContext,
): { lines: Map<LocationId, ActualLine[]>; problems: CellProblem[] } {
  if (rows.length > maximumImportRows)
    throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows. Split it into smaller files.`)
  const { matched, missing } = matchColumns(listColumns(actualFile), [...new Set(rows.flatMap(Object.keys))], {})
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  const unread = describeUnreadColumn(rows, new Set(matched.keys()))
  if (unread) throw createWholeFileError(unread)
  const byFilter = new Map(
    locations.flatMap(({ budgetCodeFilter, ...location }) => (budgetCodeFilter ? [[budgetCodeFilter.toLowerCase(), location]] : [])),
  )
  const problems: CellProblem[] = []
  const lines = new Map<LocationId, ActualLine[]>()
  rows.forEach((cells, index) => {
    const row = index + 1
    const { values, problems: ofRow } = parseImportRow(actualFile, { matched, row: cells, find })
    const add = (column: string, value: string, message: string): void => void problems.push({ row, column, value, message })
    const cell = (column: string): string => {
      const heading = [...matched].find(([, one]) => one.heading === column)?.[0]
      return heading === undefined ? '' : (cells[heading] ?? '')
    }
    for (const problem of ofRow) problems.push({ row, ...problem, message: addAdvice(problem.message) })
    const isBad = (column: string): boolean => ofRow.some((problem) => problem.column === column)
    for (const { heading, field } of listColumns(actualFile))
      if (actualFile.importRequired?.includes(heading) && !isBad(heading) && (values[field] === null || values[field] === undefined))
        add(heading, cell(heading), `${heading} is required. Fill it in.`)
    const filter = String(values.budgetCodeFilter ?? '').trim()
    const location = byFilter.get(filter.toLowerCase())
    if (filter && !location)
      add('BudgetCodeFilter', filter, 'No location has this budget code filter. Correct it, or add it to a location first.')
    if (location && !locationsWithBudget.has(location.id))
      add(
        'BudgetCodeFilter',
        filter,
        `${formatMonth(month)} is not covered by any budget for ${location.name}. Add a budget for that year, or choose another month.`,
      )
    const value = toPenniesBelow(maximumPounds, values.value)
    if (typeof values.value === 'number' && value === null)
      add('Value', cell('Value'), 'Value must be pounds with at most two decimal places, and less than £10 billion.')
    const description = textOrNull(values.description)
    if (description && description.length > 200) add('Description', description, 'Description can have at most 200 characters. Shorten it.')
    for (const [column, key] of offeredColumns) {
      const id = numberOrNull(values[key])
      const at = id ? locationsByRecord.get(`${key} ${id}`) : undefined
      if (location && at?.length && !at.includes(location.id))
        add(column, cell(column), `This code is not used at ${location.name}. Choose one that is.`)
    }
    const [type, budgetCodeId, costCentreId] = [values.type, values.budgetCode, values.costCentre].map(numberOrNull)
    // A missing value has already been reported as a problem.
    if (!location || value === null || type == null || budgetCodeId == null || costCentreId == null) return
    const locationLines = lines.get(location.id) ?? []
    locationLines.push({
      type,
      budgetCodeId,
      costCentreId,
      fundCodeId: numberOrNull(values.fundCode),
      analysisTagId: numberOrNull(values.analysisTag),
      description: description?.trim() || null,
      value,
    })
    lines.set(location.id, locationLines)
  })
  return { lines, problems }
}

function addAdvice(message: string): string {
  if (message.endsWith('was not found.')) return `${message} Correct it, or add it first.`
  if (message.endsWith('is not one of the choices.')) return `${message} Enter Actual or Commitment.`
  return message.endsWith('must be a number.') ? `${message} Enter pounds, such as 1234.50.` : message
}
