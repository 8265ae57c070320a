import { engineVersion } from '../../calculation/engine.ts'
import { type CalculatorRow, isCalculating, rowKind, withExactAmounts } from '../../calculation/nonStaffing/calculator.ts'
import { type EntryYear, mostYears, wholeWeights } from '../../calculation/nonStaffing/entries.ts'
import { split } from '../../calculation/split.ts'
import { sharesAddUp } from '../../resources/shares.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { yearName } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { displayMoney, toPennies, toPounds } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { conflict, type FieldProblem, invalid, notFound } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import { type BudgetEntry, type BudgetEntryInput, periodNames, yearsOf } from './budgetEntry.ts'
import { deleted, type StoredItem, saved } from './item.ts'

/** What an item may name at its location, found before the decision: decisions do no look-ups. */
export interface CodingFacts {
  budgetCodes: ReadonlyMap<number, { code: string; isIncome: boolean; rates: number[] | null }>
  costCentres: ReadonlySet<number>
  fundCodes: ReadonlySet<number>
  analysisTags: ReadonlySet<number>
  /** Weights of the profile templates. */
  profiles: ReadonlyMap<number, number[]>
  costCentresMandatory: boolean
}

type Stored = StoredItem<'entry'>
type Coding = Pick<BudgetEntryInput, 'budgetCodeId' | 'costCentreId' | 'fundCodes'>

export const linkedSentence = 'This entry is made by a calculation. Change it there, or delete it here to take it out of the budget.'

/** The names of a budget's years. */
export function yearNames({ firstYear, numberOfYears }: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>): string[] {
  return Array.from({ length: numberOfYears }, (_unused, year) => yearName(firstYear, year))
}

/** What is wrong with the coding of an item; what it already had it may keep. */
export function codingProblems(input: Coding, facts: CodingFacts, before?: Coding): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (field: string, message: string): void => void problems.push({ field, message })
  if (!facts.budgetCodes.has(input.budgetCodeId) && input.budgetCodeId !== before?.budgetCodeId)
    add('budgetCodeId', 'Budget code was not found.')
  if (input.costCentreId === null && facts.costCentresMandatory) add('costCentreId', 'Cost centre is required by your organisation.')
  if (input.costCentreId !== null && !facts.costCentres.has(input.costCentreId) && input.costCentreId !== before?.costCentreId)
    add('costCentreId', 'Cost centre was not found.')
  const had = new Set(before?.fundCodes.map((share) => share.fundCodeId))
  if (input.fundCodes.some(({ fundCodeId }) => !facts.fundCodes.has(fundCodeId) && !had.has(fundCodeId)))
    add('fundCodes', 'Fund code was not found.')
  if (new Set(input.fundCodes.map((share) => share.fundCodeId)).size < input.fundCodes.length)
    add('fundCodes', 'A fund code can have one share only.')
  if (!sharesAddUp(input.fundCodes)) add('fundCodes', 'The fund code shares must add up to 100.')
  return problems
}

/** What is wrong with the period rows of a calculation: one of them spreads the whole, and twelve zeros spread nothing. */
export function periodProblems(rows: readonly CalculatorRow[]): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [index, row] of rows.entries())
    if (row.kind === rowKind.period && row.periods.every((weight) => weight === 0))
      problems.push({ field: `rows.${index}.periods`, message: 'A period row needs twelve weights, at least one above zero.' })
  if (rows.filter((row) => row.kind === rowKind.period).length > 1)
    problems.push({ field: 'rows', message: 'One period row spreads the whole calculation. Remove the others.' })
  return problems
}

/** Saves a budget entry, new or changed (rules.md §10). @throws DomainError naming each field that is wrong; 409 when locked or linked */
export function saveBudgetEntry(
  head: BudgetHead,
  {
    id,
    before,
    input,
    sealedNotes,
    facts,
  }: { id: string; before: Stored | undefined; input: BudgetEntryInput; sealedNotes: string | null; facts: CodingFacts },
): BudgetEvent[] {
  refuseLocked(head)
  if (input.id && !before) throw notFound('Budget entry')
  if (before?.item.source) throw conflict('linked', linkedSentence)
  const old = before?.item
  const problems = codingProblems(input, facts, old)
  const add = (field: string, message: string): void => void problems.push({ field, message })
  if (input.analysisTags.some((tag) => !facts.analysisTags.has(tag) && !old?.analysisTags.includes(tag)))
    add('analysisTags', 'Analysis tags was not found.')
  problems.push(...periodProblems(input.rows))
  const weights = input.profileTemplateId === null ? null : facts.profiles.get(input.profileTemplateId)
  if (weights === undefined) add('profileTemplateId', 'Profile template was not found.')
  const names = yearNames(head)
  const firstYear = input.budgetYearName ? names.indexOf(input.budgetYearName) : (old?.firstYear ?? 0)
  if (firstYear < 0) add('budgetYearName', notAYear(head))
  for (const { yearName: name } of input.years ?? []) if (!names.includes(name)) add('years', notAYear(head))
  const years = typedYears(head, { old, input, firstYear, weights: weights ?? null }, add)
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
    rows: withExactAmounts(input.rows, old?.rows ?? []),
    source: null,
    basis: { rates: facts.budgetCodes.get(input.budgetCodeId)?.rates ?? null, weights: weights ?? null, engine: engineVersion },
  }
  return old && canonicalJson(old) === canonicalJson(entry) ? [] : [saved('entry', { id, item: entry })]
}

function notAYear(head: BudgetHead): string {
  const names = yearNames(head)
  return names.length === 1 ? `The year must be ${names[0]}.` : `The year must be one from ${names[0]} to ${names.at(-1)}.`
}

const untyped = (): EntryYear => ({ amount: null, periods: null, rate: null })

/** The typed years of an entry: the first with its amount or twelve periods, later ones that do not follow from it. */
function typedYears(
  head: BudgetHead,
  {
    old,
    input,
    firstYear,
    weights,
  }: { old: BudgetEntry | undefined; input: BudgetEntryInput; firstYear: number; weights: number[] | null },
  add: (field: string, message: string) => void,
): EntryYear[] {
  const years = Array.from({ length: mostYears }, untyped)
  if (isCalculating(input.rows) || firstYear < 0) return years
  years[firstYear] = withWeights(firstTyped(old, { input, weights, add }), { old, input, year: firstYear })
  if (!input.years) {
    for (let year = firstYear + 1; year < mostYears; year++) years[year] = old?.years[year] ?? untyped()
    return years
  }
  const names = yearNames(head)
  for (const [index, { yearName: name, amount, rate, periods }] of input.years.entries()) {
    const year = names.indexOf(name)
    if (year < 0) continue
    if (year <= firstYear) {
      const isNothing = (amount ?? null) === null && (rate ?? null) === null && !periods
      if (!isNothing) add(`years.${index}`, year < firstYear ? before(names, firstYear, name) : ofFirst(name))
      continue
    }
    const typed = periods?.map((one) => toPennies(one ?? 0)) ?? null
    const sum = typed?.reduce((all, one) => all + one, 0)
    if (typed && sum !== undefined) checkPeriods({ amount: amount ?? null, sum, field: `years.${index}`, add })
    const next = {
      amount: sum ?? (amount === null || amount === undefined ? null : toPennies(amount)),
      periods: typed,
      rate: rate ?? null,
    }
    years[year] = withWeights(next, { old, input, year })
  }
  return years
}

/** A typed year that is still what it was is spread as it was: by the periods that were typed before the budget was rolled forward. */
function withWeights(
  next: EntryYear,
  { old, input, year }: { old: BudgetEntry | undefined; input: BudgetEntryInput; year: number },
): EntryYear {
  const was = old?.years[year]
  const isSame =
    was?.weights && next.amount === was.amount && !next.periods && assertDefined(old).profileTemplateId === input.profileTemplateId
  return isSame && !isRespread(assertDefined(old), input, year) ? { ...next, weights: assertDefined(was.weights) } : next
}

/** Whether the twelve periods of the first year come back otherwise than they were sent out. */
function isRespread(old: BudgetEntry, input: BudgetEntryInput, year: number): boolean {
  const given = periodNames.map((name) => input[name] ?? null)
  if (year !== old.firstYear || given.every((one) => one === null)) return false
  return JSON.stringify(given.map((one) => toPennies(one ?? 0))) !== JSON.stringify(assertDefined(yearsOf(old, year + 1)[year]).periods)
}

function before(names: readonly string[], firstYear: number, name: string): string {
  return `The entry begins in ${names[firstYear]}: take the amount of ${name} out, or let the entry begin in that year.`
}

function ofFirst(name: string): string {
  return `${name} is the first year of the entry: type its amount as the amount of the entry, and a rise for a later year.`
}

/** Checks the sum of twelve typed periods, whole pennies, against the amount in pounds where one is given. */
export function checkPeriods({
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
    add(field, `The twelve periods add up to ${displayMoney(sum)}, the amount is ${displayMoney(toPennies(amount))}. Change one of them.`)
}

/**
 * The first year: typing an amount spreads it by the template or equally, typing a period changes the amount (behaviour B-174). What comes
 * back as it was sent out counts as not typed.
 */
function firstTyped(
  old: BudgetEntry | undefined,
  { input, weights, add }: { input: BudgetEntryInput; weights: number[] | null; add: (field: string, message: string) => void },
): EntryYear {
  const given = periodNames.map((name) => input[name] ?? null)
  const periods = given.every((one) => one === null) ? null : given.map((one) => toPennies(one ?? 0))
  const amount = input.amount === null ? null : toPennies(input.amount)
  const spreadOf = (pennies: Pennies): string => JSON.stringify(split(pennies, weights ? wholeWeights(weights) : Array<number>(12).fill(1)))
  if (amount === null && !periods) {
    add('amount', 'Amount is required.')
    return { amount: null, periods: null, rate: null }
  }
  if (!periods) return { amount, periods: null, rate: null }
  const sum = periods.reduce((all, one) => all + one, 0)
  const was = old && !isCalculating(old.rows) ? yearsOf(old, old.firstYear + 1)[old.firstYear] : undefined
  const samePeriods = was && JSON.stringify(was.periods) === JSON.stringify(periods)
  if (amount !== null && amount !== sum) {
    if (was && samePeriods) return { amount, periods: null, rate: null }
    if (!was || was.amount !== amount) checkPeriods({ amount: toPounds(amount), sum, field: 'amount', add })
  }
  if (JSON.stringify(periods) === spreadOf(sum) || (samePeriods && !old?.years[old.firstYear]?.periods))
    return { amount: sum, periods: null, rate: null }
  return { amount: sum, periods, rate: null }
}

/** A stored entry as input, with nothing in it that is only worked out, so that a part of it can be changed and saved. */
export function entryInput(head: BudgetHead, { id, version, item }: Stored, notes: string | null): BudgetEntryInput {
  const first = assertDefined(item.years[item.firstYear])
  const names = yearNames(head)
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

/** An entry with some of its fields changed: a typed amount takes the place of periods and the other way round; years are changed one by one. */
export function changedEntry(base: BudgetEntryInput, changes: EntryChanges): BudgetEntryInput {
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

/** Amounts of years as they are worked out elsewhere; years that are not named are nothing. Whole pennies. */
export interface GivenYear {
  year: number
  amount: Pennies
  periods: number[] | null
}

/** The typed years of an entry whose amounts are worked out elsewhere. */
export function givenYears(given: readonly GivenYear[]): { firstYear: number; years: EntryYear[] } {
  const years = Array.from({ length: mostYears }, (): EntryYear => ({ amount: 0, periods: null, rate: null }))
  for (const { year, amount, periods } of given) years[year] = { amount, periods, rate: null }
  return { firstYear: 0, years }
}

export function deleteItems(head: BudgetHead, items: readonly StoredItem[]): BudgetEvent[] {
  refuseLocked(head)
  return items.map(({ kind, id }) => deleted(kind, id))
}
