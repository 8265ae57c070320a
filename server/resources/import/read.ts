import { createRefusedImportError, createWholeFileError } from '../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../domain/files/texts.ts'
import type { ReferenceFinder } from '../../../domain/resources/cells.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../domain/resources/columns.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { buildNewRecord, checkRecord, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayNumber } from '../../../domain/values/format.ts'
import { maximumImportRows } from '../../../domain/words/notices.ts'
import { type ImportProgressReporter, ignoreProgress } from './commands.ts'

export interface ParsedRow {
  /** 1 is the first row under the heading. */
  row: number
  values: RecordValues
}

/**
 * Reads the rows of a file by the columns of a declaration, for records that have a table of their own.
 * @throws DomainError if a required column is missing; with one error for each cell that cannot be read
 */
export function parseImportRows(resource: AnyResource, rows: readonly Record<string, string>[], find: ReferenceFinder): ParsedRow[] {
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows) throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows.`)
  const labels = Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
  const { matched, missing } = matchColumns(listColumns(resource), [...new Set(rows.flatMap(Object.keys))], labels)
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  const errors: CellProblem[] = []
  const key = assertDefined(assertDefined(resource.unique[0])[0])
  const field = assertDefined(resource.fields[key])
  const seen = new Map<string, number>()
  const read = rows.map((cells, index): ParsedRow => {
    const { values, problems } = parseImportRow(resource, { matched, row: cells, find })
    const row = index + 1
    for (const problem of problems) errors.push({ row, ...problem })
    const keyText = String(values[key] ?? '')
      .trim()
      .toLowerCase()
    const earlier = seen.get(keyText)
    if (keyText && earlier)
      errors.push({
        row,
        column: field.column ?? field.label,
        value: String(values[key]),
        message: `${field.label} is already used in row ${earlier}.`,
      })
    seen.set(keyText, row)
    return { row, values }
  })
  if (!errors.length) return read
  // Report the other problems of each row at the same time. A field that the file lacks may have a value in the existing record.
  const reportedCells = new Set(errors.map(({ row, column }) => `${row} ${column}`))
  for (const { row, values } of read)
    for (const { field: name, message } of checkRecord(resource, { ...buildNewRecord(resource), ...values }).problems) {
      const [heading, column] = [...matched].find(([, one]) => one.field === name) ?? []
      if (heading === undefined || !column || reportedCells.has(`${row} ${column.heading}`)) continue
      errors.push({ row, column: column.heading, value: assertDefined(rows[row - 1])[heading] ?? '', message })
    }
  throw createRefusedImportError(
    errors.sort((a, b) => a.row - b.row),
    rows.length,
  )
}

/**
 * Saves rows one by one, all or none, and collects the problems of all rows.
 * @throws DomainError with one error for each broken rule
 */
export async function saveImportRows(
  resource: AnyResource,
  {
    rows,
    save,
    problemsOf,
    progress = ignoreProgress,
  }: {
    rows: readonly ParsedRow[]
    save: (values: RecordValues) => Promise<'created' | 'updated' | 'same'>
    problemsOf: (error: unknown) => { field: string; message: string }[] | null
    progress?: ImportProgressReporter
  },
): Promise<{ imported: number; created: number; updated: number }> {
  const errors: CellProblem[] = []
  const counts = { created: 0, updated: 0, same: 0 }
  for (const [index, { row, values }] of rows.entries()) {
    if (index % 100 === 0) await progress('saving', index, rows.length)
    try {
      counts[await save(values)]++
    } catch (error) {
      const problems = problemsOf(error)
      if (!problems) throw error
      for (const { field, message } of problems)
        errors.push({
          row,
          column: resource.fields[field]?.column ?? null,
          value: values[field] == null ? null : String(values[field]),
          message,
        })
    }
  }
  if (errors.length) throw createRefusedImportError(errors, rows.length)
  return { imported: rows.length, created: counts.created, updated: counts.updated }
}
