import { engineVersion } from '../../calculation/engine.ts'
import { type Calculation, calculate, withExactAmounts } from '../../calculation/nonStaffing/calculator.ts'
import { type FundingCalculation, withExactNumbers } from '../../calculation/nonStaffing/funding.ts'
import { type PupilRow, rollUp } from '../../calculation/nonStaffing/pupils.ts'
import { lookupName } from '../../lookups/lookups.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { toPennies } from '../../values/format.ts'
import { conflict, DomainError, invalid, notFound } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetEntry, EntrySource } from './budgetEntry.ts'
import { type CodingFacts, codingProblems, type GivenYear, givenYears, periodProblems } from './decideEntry.ts'
import type { FundingPrediction, FundingPredictionInput } from './fundingPrediction.ts'
import type { IeCalculation, IeCalculationInput } from './ieCalculation.ts'
import { deleted, type ItemKind, type ItemOf, type StoredItem, saved } from './item.ts'
import type { OpeningBalance, OpeningBalanceInput } from './openingBalance.ts'
import type { LessonYear, PupilNumbers, PupilNumbersInput, SaidCount } from './pupilNumbers.ts'
import { type MetCounts, meetCounts, saidAfter } from './saidPupils.ts'

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function duplicate(field: string, label: string): DomainError {
  const message = `${label} is already used.`
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field, message }] })
}

function unlessSame<K extends ItemKind>(
  before: StoredItem<K> | undefined,
  { kind, id, item }: { kind: K; id: string; item: ItemOf[K] },
): BudgetEvent[] {
  return before && canonicalJson(before.item) === canonicalJson(item) ? [] : [saved(kind, { id, item })]
}

/** Saves a calculation. Rows that cannot be worked out yet may stand: processing it is refused, nothing that is typed is lost. */
export function saveCalculation(
  head: BudgetHead,
  {
    all,
    id,
    input: { id: given, version: _version, ...input },
    facts,
  }: { all: readonly StoredItem<'calculation'>[]; id: string; input: IeCalculationInput; facts: CodingFacts },
): BudgetEvent[] {
  refuseLocked(head)
  const before = all.find((one) => one.id === id)
  if (given && !before) throw notFound('Income and expenditure calculation')
  const problems = codingProblems(input, facts, before?.item)
  problems.push(...periodProblems(input.rows))
  if (problems.length) throw invalid(problems)
  if (all.some((one) => one.id !== id && sameText(one.item.name, input.name))) throw duplicate('name', 'Name')
  const rows = withExactAmounts(input.rows, before?.item.rows ?? [])
  return unlessSame(before, { kind: 'calculation', id, item: { id, ...input, rows } satisfies IeCalculation })
}

/** An entry that is made by a calculation or a prediction, as it would stand now. */
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
    years: readonly GivenYear[]
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
    ...givenYears(years),
    source,
    basis: { rates: null, weights, engine: engineVersion },
  }
}

/** The entry that some source made. */
export function entryOf(entries: readonly StoredItem<'entry'>[], { kind, id }: EntrySource): StoredItem<'entry'> | undefined {
  return entries.find((entry) => entry.item.source?.kind === kind && entry.item.source.id === id)
}

const notWhole = 'It cannot be put into the budget while a figure is not calculated. Complete the marked rows first.'

/**
 * Writes a calculation's total to the budget as one entry; again replaces that entry (rules.md §11).
 * @param years how many years are written; the rest are nothing
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
  const { total, weights } = calculate(item.rows, head.numberOfYears)
  const source: EntrySource = { kind: 'calculation', id }
  const before = entryOf(entries, source)
  const given = knownYears(total.slice(0, years))
  const { name: description, budgetCodeId, costCentreId, fundCodes } = item
  const coding = { description, budgetCodeId, costCentreId, fundCodes }
  const entry = linkedEntry({ id: before?.id ?? newId, before: before?.item }, { source, coding, years: given, weights })
  return unlessSame(before, { kind: 'entry', id: entry.id, item: entry })
}

function knownYears(total: Calculation['total']): GivenYear[] {
  return total.map((amount, year) => {
    if (amount === null) throw conflict('notCalculated', notWhole)
    return { year, amount, periods: null }
  })
}

/** Saves a prediction that was created from a version and a budget code. @throws DomainError 409 for a second one of both */
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
    const message = 'There is already a prediction of this version for this budget code. Open that one, or choose another code.'
    throw new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'budgetCodeId', message }] })
  }
  return unlessSame(before, { kind: 'prediction', id: prediction.id, item: prediction })
}

/** What a prediction's input changes of the stored one. */
export function changedPrediction(before: FundingPrediction, input: FundingPredictionInput): FundingPrediction {
  const { name, versionId, budgetCodeId } = input
  const rows = withExactNumbers(input.rows, before.rows)
  return { id: before.id, name: name ?? before.name, versionId: versionId ?? before.versionId, budgetCodeId, rows }
}

/**
 * Puts the result of a prediction into the budget as one entry on its code; entries of other predictions on that code, versions of the same
 * money, go (rules.md §12; choice).
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
  const before = entryOf(entries, source)
  const coding = { description: item.name, budgetCodeId: item.budgetCodeId, costCentreId: null, fundCodes: before?.item.fundCodes ?? [] }
  const entry = linkedEntry(
    { id: before?.id ?? newId, before: before?.item },
    { source, coding, years: knownYears(worked.total), weights: null },
  )
  const rivals = predictions.filter((one) => one.id !== id && one.item.budgetCodeId === item.budgetCodeId)
  const gone = rivals.flatMap((rival) => entryOf(entries, { kind: 'prediction', id: rival.id }) ?? [])
  return [...gone.map((one) => deleted('entry', one.id)), ...unlessSame(before, { kind: 'entry', id: entry.id, item: entry })]
}

/** Saves the pupil numbers as a whole; a year group can stand once. Totals are worked out and not kept. */
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
        { field: `rows.${index}.yearGroup`, message: `${lookupName('pupilYearGroups', yearGroup)} stands twice. Remove one.` },
      ])
    seen.add(yearGroup)
  }
  const typed = rows.map((row) => withoutRolled(row, before?.item.rows ?? [], head.numberOfYears))
  const said = saidAfter(before?.item.said ?? [], { before: before?.item.rows ?? [], after: typedRows(typed) }, head)
  return keepPupils(before, id, { rows: typed, lessons: lessons ?? before?.item.lessons, said })
}

/** Takes what another system counts into the pupil numbers: what somebody typed otherwise or took back stays, and what is said beside it is kept. */
export function takeSaidPupils(
  head: BudgetHead,
  { before, id, said }: { before: StoredItem<'pupils'> | undefined; id: string; said: readonly SaidCount[] },
): { events: BudgetEvent[]; met: MetCounts } {
  refuseLocked(head)
  const met = meetCounts(before?.item, said, head)
  const { rows } = met
  return { events: rows.length || before ? keepPupils(before, id, { rows, lessons: before?.item.lessons, said: met.said }) : [], met }
}

function keepPupils(
  before: StoredItem<'pupils'> | undefined,
  id: string,
  { rows, lessons, said }: Pick<PupilNumbers, 'rows' | 'lessons' | 'said'>,
): BudgetEvent[] {
  const stood = before?.item
  const kept = typedRows(rows)
  const taught = typedLessons(lessons ?? [])
  const isSame =
    stood && canonicalJson([typedRows(stood.rows), stood.lessons ?? [], stood.said ?? []]) === canonicalJson([kept, taught, said ?? []])
  return isSame
    ? []
    : [saved('pupils', { id, item: { id, rows: kept, ...(taught.length && { lessons: taught }), ...(said?.length && { said }) } })]
}

/** Timetables without years that nobody typed at the end. */
function typedLessons(years: readonly LessonYear[]): LessonYear[] {
  const last = years.findLastIndex(({ week, taught, weeks }) => week !== null || taught !== null || weeks !== null)
  return years.slice(0, last + 1).map(({ week, taught, weeks }) => ({ week, taught, weeks }))
}

/** Rows without what screens are sent beside what was typed: totals, the phase of a year group, and years that nobody typed at the end. */
function typedRows(rows: readonly PupilRow[]): PupilRow[] {
  return rows
    .filter((row) => row.kind !== 'Total')
    .map((row) => ({
      ...row,
      phase: row.yearGroup === null ? row.phase : null,
      years: row.years.slice(0, row.years.findLastIndex((count) => count !== null) + 1),
    }))
}

/** A count that was rolled up and comes back as it was sent out is not typed by that. */
function withoutRolled(row: PupilRow, stored: readonly PupilRow[], years: number): PupilRow {
  const isSame = (other: PupilRow): boolean =>
    other.kind === row.kind && other.yearGroup === row.yearGroup && (row.yearGroup !== null || other.phase === row.phase)
  const index = stored.findIndex(isSame)
  const counts = rollUp(stored, years).find((one) => one.index === index)?.counts
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
  if (all.some((one) => one.id !== id && isSame(one))) throw duplicate('description', 'Description')
  return unlessSame(before, { kind: 'balance', id, item: { id, ...input, value: toPennies(value ?? 0) } satisfies OpeningBalance })
}

/** Deletes calculations or predictions with the entries they made. */
export function deleteWithEntries(
  head: BudgetHead,
  sources: readonly StoredItem<'calculation' | 'prediction'>[],
  entries: readonly StoredItem<'entry'>[],
): BudgetEvent[] {
  refuseLocked(head)
  return sources.flatMap(({ kind, id }) => {
    const entry = entryOf(entries, { kind, id })
    return [deleted(kind, id), ...(entry ? [deleted('entry', entry.id)] : [])]
  })
}
