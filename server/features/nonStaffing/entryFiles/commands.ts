import { type BudgetEntryInput, calculateEntryYears, periodNames } from '../../../../domain/budget/items/budgetEntry.ts'
import { type EntryChanges, linkedSentence, listYearNames } from '../../../../domain/budget/items/decideEntry.ts'
import { entryFile, hasPeriods } from '../../../../domain/budget/items/entryFile.ts'
import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import { createRefusedImportError, createWholeFileError } from '../../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../../domain/files/texts.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../../domain/resources/columns.ts'
import type { Field } from '../../../../domain/resources/fields.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { displayNumber, toPennies } from '../../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { isOneOf } from '../../../../domain/values/keysOf.ts'
import { numberOrNull, requireNumber, textOrNull } from '../../../../domain/values/unknownValues.ts'
import { maximumImportRows } from '../../../../domain/words/notices.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import { type ImportProgressReporter, ignoreProgress } from '../../../resources/import/commands.ts'
import { createImportNames, type ImportNames } from '../../../resources/import/names.ts'
import { decideEntryChanges, type EntryChange } from '../../../shared/nonStaffing/entries/commands.ts'
import { saveFormReminder } from '../../../shared/reminders/commands.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

type Values = Record<string, unknown>
type StoredEntry = StoredItem<'entry'>
interface Line {
  /** 1 is the first row under the heading. */
  row: number
  values: Values
  /** The texts of the file, by column. */
  cells: Record<string, string>
}

/**
 * Imports budget entries, all or none. Each line is one year of an entry. Lines with the same identifier, or otherwise the same description
 * and coding, form one entry. Existing entries are changed, others created (behaviour B-141).
 * @throws DomainError with row, column, value and message for each invalid cell and broken rule; 409 for a locked budget
 */
export async function runImportEntries(
  call: Call & { scope: RowScope & { organisationId: OrganisationId }; budgetId: BudgetId; actor: Actor },
  rows: readonly Record<string, string>[],
  progress: ImportProgressReporter = ignoreProgress,
): Promise<{ imported: number; created: number; updated: number }> {
  const { tx, scope, budgetId, actor } = call
  const { organisationId } = scope
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const errors: CellProblem[] = []
  await progress('checking', 0, rows.length)
  const names = await createImportNames(tx, entryFile, scope)
  const lines = readLines(row, { rows, names, errors })
  const groups = groupLinesByEntry(row, lines, await loadItems({ tx, organisationId, budgetId }, 'entry'))
  const changes: EntryChange[] = []
  const linesOf: Line[][] = []
  for (const { before, lines: linesOfEntry } of groups) {
    if (linesOfEntry.some((line) => errors.some((error) => error.row === line.row))) continue
    if (before?.item.source) {
      errors.push(...findLinkedProblems(row, before, linesOfEntry))
      continue
    }
    changes.push({ id: before?.id ?? null, changes: buildEntryChanges(row, before, linesOfEntry) })
    linesOf.push(linesOfEntry)
  }
  const { events, ids, problems } = await decideEntryChanges(tx, row, changes)
  for (const { field, message } of problems) {
    const [index, ...path] = field.split('.')
    errors.push(locateProblem(path.join('.'), message, assertDefined(linesOf[Number(index)])))
  }
  if (errors.length)
    throw createRefusedImportError(
      errors.sort((a, b) => a.row - b.row),
      rows.length,
    )
  await progress('saving', 0, events.length)
  await commitEvents(call, row, { events })
  await keepReminders({ tx, organisationId, actor }, ids, linesOf)
  const saved = new Set(events.flatMap((event) => ('id' in event.data ? [event.data.id] : [])))
  const created = changes.filter((change) => change.id === null).length
  return { imported: rows.length, created, updated: saved.size - created }
}

function readLines(
  budget: BudgetRow,
  { rows, names, errors }: { rows: readonly Record<string, string>[]; names: ImportNames; errors: CellProblem[] },
): Line[] {
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows) throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows.`)
  const { matched, missing } = matchColumns(listColumns(entryFile), [...new Set(rows.flatMap(Object.keys))], {})
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  const years = listYearNames(budget.head)
  return rows.map((typed, index) => {
    const row = index + 1
    // A column that only other rows have does not change this row's entry.
    const own = new Map([...matched].filter(([heading]) => heading in typed))
    const { values, cells, problems } = parseImportRow(entryFile, { matched: own, row: typed, find: names.find })
    for (const problem of problems) errors.push({ row, ...problem })
    const year = values.budgetYearName
    if (typeof year === 'string' && !years.includes(year))
      errors.push({
        row,
        column: 'BudgetYearName',
        value: year,
        message: `${year} is not a year of this budget. Its years are ${years.join(', ')}.`,
      })
    if (values.fundCodes === null) values.fundCodes = []
    if (values.analysisTags === null) values.analysisTags = []
    return { row, values, cells }
  })
}

const keyOf = (values: { identifier?: unknown; description?: unknown; budgetCodeId?: unknown; costCentreId?: unknown }): string =>
  values.identifier
    ? `identifier ${String(values.identifier).toLowerCase()}`
    : [
        String(values.description ?? '')
          .trim()
          .toLowerCase(),
        values.budgetCodeId,
        values.costCentreId ?? '',
      ].join('\n')

/**
 * Groups the lines of a file by entry. If a file has several lines for the same year of the same-named entry, the second one belongs to the
 * second entry with that name, which is created if it does not exist, and so on.
 */
function groupLinesByEntry(
  { head }: BudgetRow,
  lines: readonly Line[],
  entries: readonly StoredEntry[],
): { before: StoredEntry | undefined; lines: Line[] }[] {
  const standing = new Map<string, StoredEntry[]>()
  for (const entry of entries) standing.set(keyOf(entry.item), [...(standing.get(keyOf(entry.item)) ?? []), entry])
  const groups = new Map<string, { before: StoredEntry | undefined; lines: Line[] }>()
  const seen = new Map<string, number>()
  for (const line of lines) {
    const key = keyOf(line.values)
    const ofYear = `${key}\n${line.values.budgetYearName}`
    const nth = seen.get(ofYear) ?? 0
    seen.set(ofYear, nth + 1)
    const group = groups.get(`${key}\n#${nth}`) ?? { before: standing.get(key)?.[nth], lines: [] }
    group.lines.push(line)
    groups.set(`${key}\n#${nth}`, group)
  }
  const years = listYearNames(head)
  const order = (line: Line): number => years.indexOf(String(line.values.budgetYearName))
  for (const group of groups.values()) group.lines.sort((a, b) => order(a) - order(b))
  return [...groups.values()]
}

/**
 * The changes that the lines of a file make to an entry. The earliest line becomes the entry's first year, unless the entry exists and
 * starts earlier.
 */
function buildEntryChanges({ head }: BudgetRow, before: StoredEntry | undefined, lines: readonly Line[]): EntryChanges {
  const names = listYearNames(head)
  const isLater = (line: Line): boolean => Boolean(before && names.indexOf(String(line.values.budgetYearName)) > before.item.firstYear)
  const first = lines.find((line) => !isLater(line))
  const rest = lines.filter((line) => line !== first)
  const { budgetYearName, rate: _rate, amount, reminderDate: _date, reminderText: _text, ...values } = assertDefined(lines[0]).values
  const entryValues = withoutPeriods(values)
  const years = rest.map(({ values: later }) => ({
    yearName: String(later.budgetYearName),
    amount: hasPeriods(later) ? null : numberOrNull(later.amount),
    rate: numberOrNull(later.rate),
    periods: hasPeriods(later) ? periodNames.map((name) => numberOrNull(later[name]) ?? 0) : null,
  }))
  const changes = { ...entryValues, ...(years.length || !before ? { years } : {}) }
  if (!first) return changes
  const typed: Partial<BudgetEntryInput> = hasPeriods(first.values)
    ? Object.fromEntries(periodNames.map((name) => [name, first.values[name] ?? null]))
    : amount === undefined || amount === null
      ? {}
      : { amount: requireNumber(amount) }
  return { ...changes, ...typed, budgetYearName: String(budgetYearName) }
}

function withoutPeriods(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isOneOf(periodNames, name)))
}

/** Problems of lines that change the amount of an entry that a calculation created. A file may contain such entries unchanged. */
function findLinkedProblems({ head }: BudgetRow, { item }: StoredEntry, lines: readonly Line[]): CellProblem[] {
  const worked = calculateEntryYears(item, head.numberOfYears)
  const names = listYearNames(head)
  return lines.flatMap((line) => {
    const { amount, budgetYearName } = line.values
    const is = worked[names.indexOf(String(budgetYearName))]?.amount ?? null
    return amount === null || amount === undefined || toPennies(requireNumber(amount)) === is
      ? []
      : [locateProblem('amount', linkedSentence, [line])]
  })
}

/** Builds the problem of a field: its row and cell in the file are those of the first of the lines. */
function locateProblem(field: string, message: string, lines: readonly Line[]): CellProblem {
  const name = assertDefined(field.split('.')[0])
  const line = assertDefined(lines[0])
  const fields: Record<string, Field> = entryFile.fields
  const column = fields[name]?.column ?? null
  return { row: line.row, column, value: (column && line.cells[column]) || null, message }
}

async function keepReminders(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  ids: readonly string[],
  lines: readonly Line[][],
): Promise<void> {
  if (actor.userId === null) return
  for (const [index, id] of ids.entries()) {
    const { reminderDate, reminderText } = assertDefined(assertDefined(lines[index])[0]).values
    if (reminderDate || reminderText)
      await saveFormReminder(
        tx,
        { organisationId, userId: actor.userId, source: `entry:${id}`, actor },
        { when: textOrNull(reminderDate) || null, description: textOrNull(reminderText) || null },
      )
  }
}
