import { engineVersion } from '../../calculation/engine.ts'
import { type CalculatorRow, calculatorRowKind, isCalculating, restoreExactAmounts } from '../../calculation/nonStaffing/calculator.ts'
import { type EntryYear, maxBudgetYears, toWholeWeights } from '../../calculation/nonStaffing/entries.ts'
import type { EntryBasis } from '../../calculation/nonStaffing/entryLines.ts'
import { split } from '../../calculation/split.ts'
import { doSharesAddUp } from '../../resources/shares.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { formatBudgetYear } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { displayMoney, toPennies, toPounds } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { conflict, type FieldProblem, invalid, notFound } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import { type BudgetEntry, type BudgetEntryInput, calculateEntryYears, periodNames } from './budgetEntry.ts'
import { createItemDeletedEvent, createItemSavedEvent, type StoredItem } from './item.ts'

/** The records that an item may refer to at its location. The caller reads them, so that decisions stay pure. */
export interface CodingFacts {
  budgetCodes: ReadonlyMap<number, { code: string; isIncome: boolean; rates: number[] | null }>
  costCentres: ReadonlySet<number>
  fundCodes: ReadonlySet<number>
  analysisTags: ReadonlySet<number>
  /** Monthly weights by profile template. */
  profiles: ReadonlyMap<number, number[]>
  costCentresMandatory: boolean
}

type StoredEntry = StoredItem<'entry'>
type Coding = Pick<BudgetEntryInput, 'budgetCodeId' | 'costCentreId' | 'fundCodes'>

export const linkedSentence = 'This entry comes from a calculation. Change it there, or delete it here to remove it from the budget.'

export function listYearNames({ firstYear, numberOfYears }: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>): string[] {
  return Array.from({ length: numberOfYears }, (_unused, year) => formatBudgetYear(firstYear, year))
}

/** Finds problems with the coding of an item. References in `before` stay allowed. */
export function findCodingProblems(input: Coding, facts: CodingFacts, before?: Coding): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (field: string, message: string): void => void problems.push({ field, message })
  if (!facts.budgetCodes.has(input.budgetCodeId) && input.budgetCodeId !== before?.budgetCodeId)
    add('budgetCodeId', 'Budget code was not found.')
  if (input.costCentreId === null && facts.costCentresMandatory) add('costCentreId', 'Cost centre is required by your organisation.')
  if (input.costCentreId !== null && !facts.costCentres.has(input.costCentreId) && input.costCentreId !== before?.costCentreId)
    add('costCentreId', 'Cost centre was not found.')
  const earlierFundCodes = new Set(before?.fundCodes.map((share) => share.fundCodeId))
  if (input.fundCodes.some(({ fundCodeId }) => !facts.fundCodes.has(fundCodeId) && !earlierFundCodes.has(fundCodeId)))
    add('fundCodes', 'Fund code was not found.')
  if (new Set(input.fundCodes.map((share) => share.fundCodeId)).size < input.fundCodes.length)
    add('fundCodes', 'A fund code can have one share only.')
  if (!doSharesAddUp(input.fundCodes)) add('fundCodes', 'The fund code shares must add up to 100.')
  return problems
}

/** Finds problems with the period rows of a calculation: it may have at most one, with at least one weight above zero. */
export function findPeriodProblems(rows: readonly CalculatorRow[]): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [index, row] of rows.entries())
    if (row.kind === calculatorRowKind.period && row.periods.every((weight) => weight === 0))
      problems.push({ field: `rows.${index}.periods`, message: 'A period row needs twelve weights, at least one above zero.' })
  if (rows.filter((row) => row.kind === calculatorRowKind.period).length > 1)
    problems.push({ field: 'rows', message: 'One period row spreads the whole calculation. Remove the others.' })
  return problems
}

/** Creates or changes a budget entry (rules.md §10). @throws DomainError naming each invalid field; 409 if it is locked or linked */
export function saveBudgetEntry(
  head: BudgetHead,
  {
    id,
    before,
    input,
    sealedNotes,
    facts,
  }: { id: string; before: StoredEntry | undefined; input: BudgetEntryInput; sealedNotes: string | null; facts: CodingFacts },
): BudgetEvent[] {
  refuseLocked(head)
  if (input.id && !before) throw notFound('Budget entry')
  if (before?.item.source) throw conflict('linked', linkedSentence)
  const old = before?.item
  const problems = findCodingProblems(input, facts, old)
  const add = (field: string, message: string): void => void problems.push({ field, message })
  if (input.analysisTags.some((tag) => !facts.analysisTags.has(tag) && !old?.analysisTags.includes(tag)))
    add('analysisTags', 'Analysis tag was not found.')
  problems.push(...findPeriodProblems(input.rows))
  const weights = input.profileTemplateId === null ? null : facts.profiles.get(input.profileTemplateId)
  if (weights === undefined) add('profileTemplateId', 'Profile template was not found.')
  const names = listYearNames(head)
  const firstYear = input.budgetYearName ? names.indexOf(input.budgetYearName) : (old?.firstYear ?? 0)
  if (firstYear < 0) add('budgetYearName', yearChoiceSentence(head))
  for (const { yearName: name } of input.years ?? []) if (!names.includes(name)) add('years', yearChoiceSentence(head))
  const years = readTypedYears(head, { old, input, firstYear, weights: weights ?? null }, add)
  if (problems.length) throw invalid(problems)
  const entry: BudgetEntry = {
    id,
    identifier: input.identifier,
    description: input.description,
    budgetCodeId: input.budgetCodeId,
    costCentreId: input.costCentreId,
    analysisTags: input.analysisTags,
    fundCodes: input.fundCodes,
    sealedNotes,
    firstYear,
    years,
    profileTemplateId: input.profileTemplateId,
    rows: restoreExactAmounts(input.rows, old?.rows ?? []),
    source: null,
    basis: { rates: facts.budgetCodes.get(input.budgetCodeId)?.rates ?? null, weights: weights ?? null, engine: engineVersion },
  }
  return old && canonicalJson(old) === canonicalJson(entry) ? [] : [createItemSavedEvent('entry', { id, item: entry })]
}

function yearChoiceSentence(head: BudgetHead): string {
  const names = listYearNames(head)
  return names.length === 1 ? `The year must be ${names[0]}.` : `The year must be one from ${names[0]} to ${names.at(-1)}.`
}

const untyped = (): EntryYear => ({ amount: null, periods: null, rate: null })

/**
 * Reads the years that the user entered: the first with its amount or twelve periods, and later years that differ from the calculated ones.
 */
function readTypedYears(
  head: BudgetHead,
  {
    old,
    input,
    firstYear,
    weights,
  }: { old: BudgetEntry | undefined; input: BudgetEntryInput; firstYear: number; weights: number[] | null },
  add: (field: string, message: string) => void,
): EntryYear[] {
  const years = Array.from({ length: maxBudgetYears }, untyped)
  if (isCalculating(input.rows) || firstYear < 0) return years
  years[firstYear] = keepWeightsIfUnchanged(readFirstYear(old, { input, weights, add }), { old, input, year: firstYear })
  if (!input.years) {
    for (let year = firstYear + 1; year < maxBudgetYears; year++) years[year] = old?.years[year] ?? untyped()
    return years
  }
  const names = listYearNames(head)
  for (const [index, { yearName: name, amount, rate, periods }] of input.years.entries()) {
    const year = names.indexOf(name)
    if (year < 0) continue
    if (year <= firstYear) {
      const isNothing = (amount ?? null) === null && (rate ?? null) === null && !periods
      if (!isNothing) add(`years.${index}`, year < firstYear ? beforeStartSentence(names, firstYear, name) : firstYearSentence(name))
      continue
    }
    const typed = periods?.map((one) => toPennies(one ?? 0)) ?? null
    const sum = typed?.reduce((all, one) => all + one, 0)
    if (typed && sum !== undefined) checkPeriodSum({ amount: amount ?? null, sum, field: `years.${index}`, add })
    const next = {
      amount: sum ?? (amount === null || amount === undefined ? null : toPennies(amount)),
      periods: typed,
      rate: rate ?? null,
    }
    years[year] = keepWeightsIfUnchanged(next, { old, input, year })
  }
  return years
}

/**
 * Keeps the monthly weights of a year that did not change. They come from months that were entered before the budget was rolled forward.
 */
function keepWeightsIfUnchanged(
  next: EntryYear,
  { old, input, year }: { old: BudgetEntry | undefined; input: BudgetEntryInput; year: number },
): EntryYear {
  const was = old?.years[year]
  const isSame =
    was?.weights && next.amount === was.amount && !next.periods && assertDefined(old).profileTemplateId === input.profileTemplateId
  return isSame && !arePeriodsChanged(assertDefined(old), input, year) ? { ...next, weights: assertDefined(was.weights) } : next
}

/** Whether the user changed the twelve periods of the first year. */
function arePeriodsChanged(old: BudgetEntry, input: BudgetEntryInput, year: number): boolean {
  const given = periodNames.map((name) => input[name] ?? null)
  if (year !== old.firstYear || given.every((one) => one === null)) return false
  return (
    JSON.stringify(given.map((one) => toPennies(one ?? 0))) !==
    JSON.stringify(assertDefined(calculateEntryYears(old, year + 1)[year]).periods)
  )
}

function beforeStartSentence(names: readonly string[], firstYear: number, name: string): string {
  return `The entry starts in ${names[firstYear]}: remove the amount for ${name}, or start the entry in that year.`
}

function firstYearSentence(name: string): string {
  return `${name} is the entry’s first year: enter its amount as the entry’s amount. Increases are for later years.`
}

/** Compares the sum of twelve entered periods, in whole pennies, with the amount in pounds, if there is one. */
function checkPeriodSum({
  amount,
  sum,
  field,
  add,
}: {
  amount: number | null
  sum: number
  field: string
  add: (field: string, message: string) => void
}): void {
  if (amount !== null && toPennies(amount) !== sum)
    add(
      field,
      `The twelve periods add up to ${displayMoney(sum)}, but the amount is ${displayMoney(toPennies(amount))}. Change one of them.`,
    )
}

/**
 * Reads the first year. An amount is spread by the template or equally; an entered period changes the amount (behaviour B-174). Values that
 * the screen returns unchanged do not count as entered.
 */
function readFirstYear(
  old: BudgetEntry | undefined,
  { input, weights, add }: { input: BudgetEntryInput; weights: number[] | null; add: (field: string, message: string) => void },
): EntryYear {
  const given = periodNames.map((name) => input[name] ?? null)
  const periods = given.every((one) => one === null) ? null : given.map((one) => toPennies(one ?? 0))
  const amount = input.amount === null ? null : toPennies(input.amount)
  const spreadOf = (pennies: Pennies): string =>
    JSON.stringify(split(pennies, weights ? toWholeWeights(weights) : Array<number>(12).fill(1)))
  if (amount === null && !periods) {
    add('amount', 'Amount is required.')
    return { amount: null, periods: null, rate: null }
  }
  if (!periods) return { amount, periods: null, rate: null }
  const sum = periods.reduce((all, one) => all + one, 0)
  const was = old && !isCalculating(old.rows) ? calculateEntryYears(old, old.firstYear + 1)[old.firstYear] : undefined
  const samePeriods = was && JSON.stringify(was.periods) === JSON.stringify(periods)
  if (amount !== null && amount !== sum) {
    if (was && samePeriods) return { amount, periods: null, rate: null }
    if (!was || was.amount !== amount) checkPeriodSum({ amount: toPounds(amount), sum, field: 'amount', add })
  }
  if (JSON.stringify(periods) === spreadOf(sum) || (samePeriods && !old?.years[old.firstYear]?.periods))
    return { amount: sum, periods: null, rate: null }
  return { amount: sum, periods, rate: null }
}

export interface CalculatedEntryInput {
  description: string
  budgetCodeId: number
  years: { yearName: string; amount: number; periods?: number[] | null }[]
}

/**
 * Writes the years of a calculation to the budget as an entry. It replaces the entry with the same description and budget code, if there is
 * one (behaviour B-172).
 * @returns the events, and the id of the entry
 */
export function writeCalculatedEntry(
  head: BudgetHead,
  {
    entries,
    newId,
    input: { description, budgetCodeId, years },
    facts,
  }: { entries: readonly StoredEntry[]; newId: string; input: CalculatedEntryInput; facts: CodingFacts },
): { id: string; events: BudgetEvent[] } {
  refuseLocked(head)
  const before = entries.find(
    ({ item }) => !item.source && item.budgetCodeId === budgetCodeId && item.description.toLowerCase() === description.toLowerCase(),
  )
  const names = listYearNames(head)
  const coding = { budgetCodeId, costCentreId: before?.item.costCentreId ?? null, fundCodes: before?.item.fundCodes ?? [] }
  const problems = findCodingProblems(coding, facts, before?.item)
  const given = years.map(({ yearName: name, amount, periods }, index) => {
    const year = names.indexOf(name)
    if (year < 0) problems.push({ field: `years.${index}.yearName`, message: `${name} is not a year of this budget.` })
    const pennies = periods?.map(toPennies) ?? null
    if (pennies && pennies.reduce((sum, one) => sum + one, 0) !== toPennies(amount))
      problems.push({ field: `years.${index}.periods`, message: `The twelve periods of ${name} do not add up to its amount.` })
    return { year, amount: toPennies(amount), periods: pennies }
  })
  if (new Set(given.map((one) => one.year)).size < given.length) problems.push({ field: 'years', message: 'A year appears twice.' })
  if (problems.length) throw invalid(problems)
  const id = before?.id ?? newId
  const entry: BudgetEntry = {
    id,
    identifier: before?.item.identifier ?? null,
    description,
    ...coding,
    analysisTags: before?.item.analysisTags ?? [],
    sealedNotes: before?.item.sealedNotes ?? null,
    ...toEntryYears(given),
    profileTemplateId: null,
    rows: [],
    source: null,
    basis: { rates: facts.budgetCodes.get(budgetCodeId)?.rates ?? null, weights: null, engine: engineVersion },
  }
  return {
    id,
    events: before && canonicalJson(before.item) === canonicalJson(entry) ? [] : [createItemSavedEvent('entry', { id, item: entry })],
  }
}

/**
 * Applies the current price rises and profile templates to entries, which otherwise keep those that they were saved with (rules.md §16).
 * Entries made by a calculation have amounts of their own and do not change.
 */
export function rebaseEntries(entries: readonly StoredEntry[], { budgetCodes, profiles }: CodingFacts): BudgetEvent[] {
  const bases = entries.flatMap(({ id, item: { source, budgetCodeId, profileTemplateId, basis } }) => {
    if (source) return []
    const code = budgetCodes.get(budgetCodeId)
    const weights = profileTemplateId === null ? null : (profiles.get(profileTemplateId) ?? basis.weights)
    const now: EntryBasis = { rates: code ? code.rates : basis.rates, weights, engine: engineVersion }
    return canonicalJson(now) === canonicalJson(basis) ? [] : [{ id, ...now }]
  })
  return bases.length ? [{ type: 'BudgetEntriesRebased', data: { bases } }] : []
}

/** Converts a stored entry to the input that would save it again, without calculated values, so that some fields can be changed. */
export function toEntryInput(head: BudgetHead, { id, version, item }: StoredEntry, notes: string | null): BudgetEntryInput {
  const first = assertDefined(item.years[item.firstYear])
  const names = listYearNames(head)
  return {
    id,
    version,
    identifier: item.identifier,
    description: item.description,
    budgetCodeId: item.budgetCodeId,
    costCentreId: item.costCentreId,
    analysisTags: item.analysisTags,
    fundCodes: item.fundCodes,
    notes,
    amount: first.amount === null ? null : toPounds(first.amount),
    ...Object.fromEntries(periodNames.map((name, index) => [name, first.periods ? toPounds(assertDefined(first.periods[index])) : null])),
    budgetYearName: names[item.firstYear] ?? null,
    profileTemplateId: item.profileTemplateId,
    rows: item.rows,
    years: item.years.flatMap(({ amount, rate, periods }, year) =>
      year > item.firstYear && names[year] && (amount !== null || rate !== null)
        ? [{ yearName: names[year], amount: amount === null ? null : toPounds(amount), rate, periods: periods?.map(toPounds) ?? null }]
        : [],
    ),
  }
}

export type EntryChanges = Partial<Omit<BudgetEntryInput, 'id' | 'version'>>

/** Applies changes to an entry. An amount replaces the periods and vice versa; years are replaced one by one. */
export function applyEntryChanges(base: BudgetEntryInput, changes: EntryChanges): BudgetEntryInput {
  const next = { ...base, ...changes }
  const typesPeriods = periodNames.some((name) => changes[name] !== undefined && changes[name] !== null)
  if (typesPeriods) {
    if (changes.amount === undefined) next.amount = null
  } else if (changes.amount !== undefined) for (const name of periodNames) next[name] = null
  if (changes.years)
    next.years = [
      ...(base.years ?? []).filter((year) => !assertDefined(changes.years).some((one) => one.yearName === year.yearName)),
      ...changes.years,
    ]
  return next
}

/** A year's amount from a calculation or prediction; whole pennies. */
export interface CalculatedYear {
  year: number
  amount: Pennies
  periods: number[] | null
}

/** The years of a linked entry. Years that are not in `calculated` are 0. */
export function toEntryYears(calculated: readonly CalculatedYear[]): { firstYear: number; years: EntryYear[] } {
  const years = Array.from({ length: maxBudgetYears }, (): EntryYear => ({ amount: 0, periods: null, rate: null }))
  for (const { year, amount, periods } of calculated) years[year] = { amount, periods, rate: null }
  return { firstYear: 0, years }
}

export function deleteItems(head: BudgetHead, items: readonly StoredItem[]): BudgetEvent[] {
  refuseLocked(head)
  return items.map(({ kind, id }) => createItemDeletedEvent(kind, id))
}
