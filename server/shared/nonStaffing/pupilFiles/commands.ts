import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { importPupilCounts } from '../../../../domain/budget/items/decideItems.ts'
import type { ReportedCount } from '../../../../domain/budget/items/pupilNumbers.ts'
import { findOctoberYear, type MergedCounts, parseOctoberYear, parseYearGroup } from '../../../../domain/budget/items/reportedPupils.ts'
import { createRefusedImportError, createWholeFileError } from '../../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../../domain/files/texts.ts'
import { versionType } from '../../../../domain/lookups/lookupIds.ts'
import { getLookupName, lookups } from '../../../../domain/lookups/lookups.ts'
import { toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { addDecimals } from '../../../../domain/values/decimals.ts'
import { displayCount, displayNumber } from '../../../../domain/values/format.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { maximumImportRows } from '../../../../domain/words/notices.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { groupRowsByLocation, type LocationRows } from '../../../resources/import/places.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { listUnfilledBudgets } from '../../../streams/budget/jobs.ts'
import { lockBudgets } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'
import { markTransfersOutdated } from '../../groupMoney/transfers/commands.ts'
import { createEntryId } from '../entries/commands.ts'
import { readBudgetIdsAtLocations } from './queries.ts'

/** Pupil counts of locations from a management information system (MIS). */
export interface PupilCountFile {
  /** The day of the counts in rows that give no October. */
  day: string
  rows: readonly Record<string, string>[]
  /** The location of rows that name no location; null if each row must name one. */
  locationId: LocationId | null
}

/** The effect of the counts on one budget: what was written, and what was not. */
interface BudgetOutcome {
  place: string
  budget: string
  written: number
  kept: MergedCounts['kept']
  strange: number[]
}

/** The outcome of importing a file. */
export interface PupilImportResult {
  budgetOutcomes: BudgetOutcome[]
  /** Locations in the file without a budget that accepts counts. */
  locationsWithoutBudget: string[]
  /** The budgets that changed. */
  budgets: { budgetId: BudgetId; version: number }[]
  required: RecalculationRequired[]
}

const columns = ['Location', 'YearGroup', 'October', 'Pupils'] as const
const wordOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z]/g, '')

/**
 * The rows with Bursar's spelling of the headings, whatever the other system's upper case and spaces.
 * @throws DomainError if a heading is missing
 */
function ownHeadings(rows: PupilCountFile['rows']): Record<string, string>[] {
  const found = new Map([...new Set(rows.flatMap(Object.keys))].map((heading) => [wordOf(heading), heading]))
  const missing = columns.filter((column) => (column === 'YearGroup' || column === 'Pupils') && !found.has(wordOf(column)))
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[found.get(wordOf(column)) ?? ''] ?? ''])))
}

/**
 * The counts of a location. Year groups that are separate in the file but one in Bursar are added up; a repeated year group is an error.
 */
function readLocationCounts({ rows }: LocationRows, day: string, errors: CellProblem[]): ReportedCount[] {
  const counts = new Map<string, ReportedCount & { words: Set<string> }>()
  for (const { row, values } of rows) {
    const { YearGroup: word = '', October: when = '', Pupils: typed = '' } = values
    const refuse = (column: string, value: string, message: string): void => void errors.push({ row, column, value, message })
    const yearGroup = parseYearGroup(word, lookups.pupilYearGroups)
    const october = when.trim() ? parseOctoberYear(when) : findOctoberYear(day)
    const count = /^\d{1,8}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed) : null
    if (yearGroup === null)
      refuse('YearGroup', word, 'This is not a year group. Enter Nursery, Reception, Year 1 to Year 13 or High needs places.')
    if (october === null) refuse('October', when, 'Enter the year of the October count, such as 2026.')
    if (count === null) refuse('Pupils', typed, 'Pupils must be 0 or more, with at most two decimals.')
    if (yearGroup === null || october === null || count === null) continue
    const key = `${october} ${yearGroup}`
    const [before, typedWord] = [counts.get(key), word.trim().toLowerCase()]
    if (before?.words.has(typedWord))
      refuse('YearGroup', word, `${getLookupName('pupilYearGroups', yearGroup)} in October ${october} appears twice. Remove one.`)
    const words = (before?.words ?? new Set<string>()).add(typedWord)
    counts.set(key, { yearGroup, october, count: addDecimals([before?.count ?? 0, count]), words })
  }
  return [...counts.values()].map(({ words: _words, ...one }) => one)
}

/**
 * Whether a budget accepts imported counts: it is neither submitted, approved, locked nor a What If budget, and its first year is not over.
 */
function acceptsCounts({ locked, approval, versionType: type, firstYear, startMonth }: BudgetHead, day: string): boolean {
  const isDecided = locked || approval?.state === 'submitted' || approval?.state === 'approved'
  const today = toMonthIndex({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) })
  return !isDecided && type !== versionType.whatIf && today < toMonthIndex({ year: firstYear + 1, month: startMonth })
}

/**
 * Writes pupil counts of a MIS to the pupil numbers of working budgets. Numbers that a user has since edited or undone do not change.
 * @param today budgets whose first year ended before this day do not change
 * @throws DomainError with row, column, value and what to do; then nothing is imported
 */
export async function importPupilFile(
  call: Call<'actor'>,
  scope: RowScope & { organisationId: OrganisationId },
  { taken: { day, rows, locationId }, today }: { taken: PupilCountFile; today: string },
): Promise<PupilImportResult> {
  const { tx, actor } = call
  const { organisationId } = scope
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows) throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows.`)
  const placed = await groupRowsByLocation(tx, scope, { rows: ownHeadings(rows), locationId })
  const errors: CellProblem[] = []
  const countsByLocation = placed.map((one) => ({ location: one.location, counts: readLocationCounts(one, day, errors) }))
  if (errors.length) throw createRefusedImportError(errors, rows.length)
  const making = await listUnfilledBudgets(tx, organisationId)
  const ids = await readBudgetIdsAtLocations(
    tx,
    organisationId,
    countsByLocation.map(({ location }) => location.id),
  )
  const isOpen = ({ id, head }: BudgetRow): boolean => !making.has(id) && acceptsCounts(head, today)
  const open = (await lockBudgets(tx, organisationId, ids)).filter(isOpen)
  const taken: PupilImportResult = { budgetOutcomes: [], locationsWithoutBudget: [], budgets: [], required: [] }
  const met = new Set<number>()
  for (const budget of open) {
    const locationCounts = countsByLocation.find(({ location }) => location.id === budget.locationId)
    const { firstYear, numberOfYears } = budget.head
    if (!locationCounts?.counts.some(({ october }) => october >= firstYear - 1 && october < firstYear + numberOfYears)) continue
    met.add(locationCounts.location.id)
    const [before] = await loadItems({ tx, organisationId, budgetId: budget.id }, 'pupils')
    const { events, met: came } = importPupilCounts(budget.head, {
      before,
      id: before?.id ?? createEntryId(),
      reported: locationCounts.counts,
    })
    taken.budgetOutcomes.push({
      place: locationCounts.location.name,
      budget: budget.name,
      written: came.written,
      kept: came.kept,
      strange: came.strange,
    })
    const last = (await commitEvents(call, budget, { events })).at(-1)
    if (!last) continue
    taken.budgets.push({ budgetId: budget.id, version: last.version })
    if (came.written) taken.required.push(...(await markTransfersOutdated(tx, budget, actor.now)))
  }
  taken.locationsWithoutBudget = countsByLocation.filter(({ location }) => !met.has(location.id)).map(({ location }) => location.name)
  return taken
}

/** The most names of one kind in a sentence. */
const mostNamed = 5
const named = (words: readonly string[]): string =>
  `${words.slice(0, mostNamed).join(', ')}${words.length > mostNamed ? ` and ${words.length - mostNamed} more` : ''}`

/** Says, in sentences, which counts of a file were written, where the user's own numbers stayed, and which counts belong to no budget. */
export function describePupilImport({ budgetOutcomes, locationsWithoutBudget }: PupilImportResult): string {
  const written = budgetOutcomes.reduce((sum, one) => sum + one.written, 0)
  const budgets = budgetOutcomes.filter((one) => one.written).length
  const name = (yearGroup: number): string => getLookupName('pupilYearGroups', yearGroup) ?? ''
  const left = ({ yearGroup, october, here, count }: BudgetOutcome['kept'][number]): string =>
    `${name(yearGroup)} in October ${october} is ${here ?? 'not known'}, not ${count}`
  const byBudget = (words: string, wordsOf: (one: BudgetOutcome) => string[]): string[] => {
    const found = budgetOutcomes
      .map((one) => ({ at: `${one.place}, ${one.budget}`, words: wordsOf(one) }))
      .filter((one) => one.words.length)
    return found.length ? [`${words} ${named(found.map((one) => `${one.at}: ${named(one.words)}`))}`] : []
  }
  return [
    written ? `${displayCount(written, 'count')} into ${displayCount(budgets, 'budget')}` : 'nothing new',
    ...byBudget('Kept because someone entered the number, in', ({ kept }) => kept.filter(({ typed }) => typed !== null).map(left)),
    ...byBudget('Not added again because someone undid the import, in', ({ kept }) => kept.filter(({ typed }) => typed === null).map(left)),
    ...byBudget('No row for some year groups in', ({ strange }) => strange.map(name)),
    ...(locationsWithoutBudget.length ? [`No matching budget: ${named(locationsWithoutBudget)}`] : []),
  ].join('. ')
}
