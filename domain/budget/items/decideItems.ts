import { engineVersion } from '../../calculation/engine.ts'
import { calculateRows, type RowsCalculation, restoreExactAmounts } from '../../calculation/nonStaffing/calculator.ts'
import { type FundingCalculation, restoreExactNumbers } from '../../calculation/nonStaffing/funding.ts'
import { type PupilRow, rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import { getLookupName } from '../../lookups/lookups.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { toPennies } from '../../values/format.ts'
import { conflict, DomainError, invalid, notFound } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetEntry, EntrySource } from './budgetEntry.ts'
import { type CalculatedYear, type CodingFacts, findCodingProblems, findPeriodProblems, toEntryYears } from './decideEntry.ts'
import type { FundingPrediction, FundingPredictionInput } from './fundingPrediction.ts'
import type { IeCalculation, IncomeExpenditureCalculationInput } from './ieCalculation.ts'
import { createItemDeletedEvent, createItemSavedEvent, type ItemByKind, type ItemKind, type StoredItem } from './item.ts'
import type { OpeningBalance, OpeningBalanceInput } from './openingBalance.ts'
import type { LessonYear, PupilNumbers, PupilNumbersInput, ReportedCount } from './pupilNumbers.ts'
import { type MergedCounts, markUndoneCounts, mergeReportedCounts } from './reportedPupils.ts'

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function createDuplicateError(field: string, label: string): DomainError {
  const message = `${label} is already used.`
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field, message }] })
}

function saveUnlessSame<K extends ItemKind>(
  before: StoredItem<K> | undefined,
  { kind, id, item }: { kind: K; id: string; item: ItemByKind[K] },
): BudgetEvent[] {
  return before && canonicalJson(before.item) === canonicalJson(item) ? [] : [createItemSavedEvent(kind, { id, item })]
}

/** Saves a calculation. Incomplete rows may be saved; only processing them is refused. */
export function saveCalculation(
  head: BudgetHead,
  {
    all,
    id,
    input: { id: given, version: _version, ...input },
    facts,
  }: { all: readonly StoredItem<'calculation'>[]; id: string; input: IncomeExpenditureCalculationInput; facts: CodingFacts },
): BudgetEvent[] {
  refuseLocked(head)
  const before = all.find((one) => one.id === id)
  if (given && !before) throw notFound('Income and expenditure calculation')
  const problems = findCodingProblems(input, facts, before?.item)
  problems.push(...findPeriodProblems(input.rows))
  if (problems.length) throw invalid(problems)
  if (all.some((one) => one.id !== id && sameText(one.item.name, input.name))) throw createDuplicateError('name', 'Name')
  const rows = restoreExactAmounts(input.rows, before?.item.rows ?? [])
  return saveUnlessSame(before, { kind: 'calculation', id, item: { id, ...input, rows } satisfies IeCalculation })
}

function linkedEntry(
  { id, before }: { id: string; before: BudgetEntry | undefined },
  {
    source,
    coding,
    years,
    weights,
  }: {
    source: EntrySource
    coding: { description: string; budgetCodeId: number; costCentreId: number | null; fundCodes: BudgetEntry['fundCodes'] }
    years: readonly CalculatedYear[]
    weights: number[] | null
  },
): BudgetEntry {
  return {
    id,
    identifier: before?.identifier ?? null,
    analysisTags: before?.analysisTags ?? [],
    sealedNotes: before?.sealedNotes ?? null,
    profileTemplateId: null,
    rows: [],
    ...coding,
    ...toEntryYears(years),
    source,
    basis: { rates: null, weights, engine: engineVersion },
  }
}

export function findLinkedEntry(entries: readonly StoredItem<'entry'>[], { kind, id }: EntrySource): StoredItem<'entry'> | undefined {
  return entries.find((entry) => entry.item.source?.kind === kind && entry.item.source.id === id)
}

const notCalculatedSentence =
  'The calculation cannot be added to the budget while a figure is not calculated. Complete the marked rows first.'

/**
 * Writes the total of a calculation to the budget as one entry. Processing it again replaces that entry (rules.md §11).
 * @param years how many years to write; the rest are 0
 */
export function processCalculation(
  head: BudgetHead,
  {
    stored: { id, item },
    entries,
    newId,
    years,
  }: { stored: StoredItem<'calculation'>; entries: readonly StoredItem<'entry'>[]; newId: string; years: number },
): BudgetEvent[] {
  refuseLocked(head)
  const { total, weights } = calculateRows(item.rows, head.numberOfYears)
  const source: EntrySource = { kind: 'calculation', id }
  const before = findLinkedEntry(entries, source)
  const given = knownYears(total.slice(0, years))
  const { name: description, budgetCodeId, costCentreId, fundCodes } = item
  const coding = { description, budgetCodeId, costCentreId, fundCodes }
  const entry = linkedEntry({ id: before?.id ?? newId, before: before?.item }, { source, coding, years: given, weights })
  return saveUnlessSame(before, { kind: 'entry', id: entry.id, item: entry })
}

function knownYears(total: RowsCalculation['total']): CalculatedYear[] {
  return total.map((amount, year) => {
    if (amount === null) throw conflict('notCalculated', notCalculatedSentence)
    return { year, amount, periods: null }
  })
}

/** Saves a prediction. @throws DomainError 409 if another prediction has the same funding table and budget code */
export function savePrediction(
  head: BudgetHead,
  { all, prediction, facts }: { all: readonly StoredItem<'prediction'>[]; prediction: FundingPrediction; facts: CodingFacts },
): BudgetEvent[] {
  refuseLocked(head)
  const before = all.find((one) => one.id === prediction.id)
  const code = facts.budgetCodes.get(prediction.budgetCodeId)
  if (!code && before?.item.budgetCodeId !== prediction.budgetCodeId)
    throw invalid([{ field: 'budgetCodeId', message: 'Budget code was not found.' }])
  if (code && !code.isIncome) throw invalid([{ field: 'budgetCodeId', message: 'Choose an income code: funding is income.' }])
  const isSame = ({ id, item }: StoredItem<'prediction'>): boolean =>
    id !== prediction.id && item.versionId === prediction.versionId && item.budgetCodeId === prediction.budgetCodeId
  if (all.some(isSame)) {
    const message = 'There is already a prediction with these rates for this budget code. Open that one, or choose another code.'
    throw new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'budgetCodeId', message }] })
  }
  return saveUnlessSame(before, { kind: 'prediction', id: prediction.id, item: prediction })
}

export function applyPredictionInput(before: FundingPrediction, input: FundingPredictionInput): FundingPrediction {
  const { name, versionId, budgetCodeId } = input
  const rows = restoreExactNumbers(input.rows, before.rows)
  return { id: before.id, name: name ?? before.name, versionId: versionId ?? before.versionId, budgetCodeId, rows }
}

/**
 * Writes the result of a prediction to the budget as one entry (rules.md §12). Our choice: entries of other predictions on the same budget
 * code are removed, because they predict the same money.
 */
export function processPrediction(
  head: BudgetHead,
  {
    stored: { id, item },
    worked,
    predictions,
    entries,
    newId,
  }: {
    stored: StoredItem<'prediction'>
    worked: FundingCalculation
    predictions: readonly StoredItem<'prediction'>[]
    entries: readonly StoredItem<'entry'>[]
    newId: string
  },
): BudgetEvent[] {
  refuseLocked(head)
  const source: EntrySource = { kind: 'prediction', id }
  const before = findLinkedEntry(entries, source)
  const coding = { description: item.name, budgetCodeId: item.budgetCodeId, costCentreId: null, fundCodes: before?.item.fundCodes ?? [] }
  const entry = linkedEntry(
    { id: before?.id ?? newId, before: before?.item },
    { source, coding, years: knownYears(worked.total), weights: null },
  )
  const rivals = predictions.filter((one) => one.id !== id && one.item.budgetCodeId === item.budgetCodeId)
  const gone = rivals.flatMap((rival) => findLinkedEntry(entries, { kind: 'prediction', id: rival.id }) ?? [])
  return [
    ...gone.map((one) => createItemDeletedEvent('entry', one.id)),
    ...saveUnlessSame(before, { kind: 'entry', id: entry.id, item: entry }),
  ]
}

/** Saves all pupil numbers. Each year group may occur once. Totals are calculated, not stored. */
export function savePupils(
  head: BudgetHead,
  {
    before,
    id,
    input: { rows, lessons },
  }: { before: StoredItem<'pupils'> | undefined; id: string; input: Pick<PupilNumbersInput, 'rows' | 'lessons'> },
): BudgetEvent[] {
  refuseLocked(head)
  const seen = new Set<number>()
  for (const [index, { kind, yearGroup, phase }] of rows.entries()) {
    if (kind === 'Phase' && yearGroup === null && phase === null)
      throw invalid([{ field: `rows.${index}.yearGroup`, message: 'Choose a year group or a phase.' }])
    if (kind !== 'Phase' || yearGroup === null) continue
    if (seen.has(yearGroup))
      throw invalid([
        { field: `rows.${index}.yearGroup`, message: `${getLookupName('pupilYearGroups', yearGroup)} appears twice. Remove one.` },
      ])
    seen.add(yearGroup)
  }
  const typed = rows.map((row) => removeRolledUpCounts(row, before?.item.rows ?? [], head.numberOfYears))
  const reported = markUndoneCounts(before?.item.said ?? [], { before: before?.item.rows ?? [], after: stripUntypedPupilRows(typed) }, head)
  return savePupilsUnlessSame(before, id, { rows: typed, lessons: lessons ?? before?.item.lessons, said: reported })
}

/** Imports the counts of another system and stores what it reported. Counts that a user overrode or undid are unchanged. */
export function importPupilCounts(
  head: BudgetHead,
  { before, id, reported }: { before: StoredItem<'pupils'> | undefined; id: string; reported: readonly ReportedCount[] },
): { events: BudgetEvent[]; met: MergedCounts } {
  refuseLocked(head)
  const met = mergeReportedCounts(before?.item, reported, head)
  const { rows } = met
  return {
    events: rows.length || before ? savePupilsUnlessSame(before, id, { rows, lessons: before?.item.lessons, said: met.said }) : [],
    met,
  }
}

function savePupilsUnlessSame(
  before: StoredItem<'pupils'> | undefined,
  id: string,
  { rows, lessons, said }: Pick<PupilNumbers, 'rows' | 'lessons' | 'said'>,
): BudgetEvent[] {
  const earlier = before?.item
  const typedRows = stripUntypedPupilRows(rows)
  const typedLessons = stripUntypedLessons(lessons ?? [])
  const isSame =
    earlier &&
    canonicalJson([stripUntypedPupilRows(earlier.rows), earlier.lessons ?? [], earlier.said ?? []]) ===
      canonicalJson([typedRows, typedLessons, said ?? []])
  return isSame
    ? []
    : [
        createItemSavedEvent('pupils', {
          id,
          item: { id, rows: typedRows, ...(typedLessons.length && { lessons: typedLessons }), ...(said?.length && { said }) },
        }),
      ]
}

function stripUntypedLessons(years: readonly LessonYear[]): LessonYear[] {
  const last = years.findLastIndex(({ week, taught, weeks }) => week !== null || taught !== null || weeks !== null)
  return years.slice(0, last + 1).map(({ week, taught, weeks }) => ({ week, taught, weeks }))
}

/** Removes what screens receive beside the entered counts: totals, the phase of each year group, and trailing years without counts. */
function stripUntypedPupilRows(rows: readonly PupilRow[]): PupilRow[] {
  return rows
    .filter((row) => row.kind !== 'Total')
    .map((row) => ({
      ...row,
      phase: row.yearGroup === null ? row.phase : null,
      years: row.years.slice(0, row.years.findLastIndex((count) => count !== null) + 1),
    }))
}

/** Removes rolled-up counts that the screen returned unchanged, because they were not entered. */
function removeRolledUpCounts(row: PupilRow, stored: readonly PupilRow[], years: number): PupilRow {
  const isSame = (other: PupilRow): boolean =>
    other.kind === row.kind && other.yearGroup === row.yearGroup && (row.yearGroup !== null || other.phase === row.phase)
  const index = stored.findIndex(isSame)
  const counts = rollUpPupilCounts(stored, years).find((one) => one.index === index)?.counts
  if (!counts) return row
  return {
    ...row,
    before: !assertDefined(counts[0]).isTyped && row.before === assertDefined(counts[0]).count ? null : row.before,
    years: row.years.map((count, year) => {
      const rolled = counts[year + 1]
      return rolled && !rolled.isTyped && rolled.count === count ? null : count
    }),
  }
}

export function saveOpeningBalance(
  head: BudgetHead,
  {
    all,
    id,
    input: { id: given, version: _version, value, ...input },
  }: { all: readonly StoredItem<'balance'>[]; id: string; input: OpeningBalanceInput },
): BudgetEvent[] {
  refuseLocked(head)
  const before = all.find((one) => one.id === id)
  if (given && !before) throw notFound('Opening balance')
  const isSame = ({ item }: StoredItem<'balance'>): boolean => item.type === input.type && sameText(item.description, input.description)
  if (all.some((one) => one.id !== id && isSame(one))) throw createDuplicateError('description', 'Description')
  return saveUnlessSame(before, { kind: 'balance', id, item: { id, ...input, value: toPennies(value ?? 0) } satisfies OpeningBalance })
}

/** Deletes calculations or predictions together with the budget entries that they created. */
export function deleteItemWithEntries(
  head: BudgetHead,
  sources: readonly StoredItem<'calculation' | 'prediction'>[],
  entries: readonly StoredItem<'entry'>[],
): BudgetEvent[] {
  refuseLocked(head)
  return sources.flatMap(({ kind, id }) => {
    const entry = findLinkedEntry(entries, { kind, id })
    return [createItemDeletedEvent(kind, id), ...(entry ? [createItemDeletedEvent('entry', entry.id)] : [])]
  })
}
