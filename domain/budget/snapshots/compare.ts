import type { Figure } from '../../calculation/inputs.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { formatBudgetYear } from '../../values/calendar.ts'
import type { StaffId } from '../../values/ids.ts'
import { describeContractChanges } from '../describeContract.ts'
import type { FieldChange, RecordNamer } from '../fieldChange.ts'
import { calculateEntryYears } from '../items/budgetEntry.ts'
import { describeItemChanges } from '../items/describeItems.ts'
import type { StoredItem } from '../items/item.ts'
import { isSharedSource, sharedSourceNames } from '../sharedSources.ts'
import type { BudgetSnapshot, SnapshotSource } from './snapshot.ts'

/**
 * The sums of one year in two snapshots, in whole pennies, without the figures that could not be calculated. A sum is null if the snapshot
 * has no figure. `missing` counts the figures left out; it is 0 for a snapshot that does not cover the year.
 */
export interface YearPair {
  a: Figure
  b: Figure
  missing: { a: number; b: number }
}

/** A sum of one year of one snapshot, and how many figures could not be calculated. */
interface PartialSum {
  total: number
  missing: number
}

const zeroSum: PartialSum = { total: 0, missing: 0 }
const sumOfFigure = (amount: Figure): PartialSum => (amount === null ? { total: 0, missing: 1 } : { total: amount, missing: 0 })

export interface ComparedCode {
  /** Null for the levy. */
  budgetCodeId: number | null
  years: YearPair[]
}

/**
 * A contract, entry, pool or top slice line, levy or Employment Allowance in two snapshots. All compared items together add up to the sums
 * by budget code.
 */
export interface ComparedItem {
  root: string
  kind: SnapshotSource
  name: string
  staffId: StaffId | null
  budgetCodeId: number | null
  what: 'added' | 'removed' | 'changed' | 'recosted' | 'same'
  changes: FieldChange[]
  years: YearPair[]
}

export interface BudgetComparison {
  /** Names of the years that either snapshot covers. */
  years: string[]
  codes: ComparedCode[]
  things: ComparedItem[]
}

/** Compares two budgets, or two versions of a budget, by budget code, contract and entry. Years are matched by calendar year. */
export function compareSnapshots(a: BudgetSnapshot, b: BudgetSnapshot, nameOf: RecordNamer): BudgetComparison {
  const first = Math.min(a.head.firstYear, b.head.firstYear)
  const end = Math.max(a.head.firstYear + a.head.numberOfYears, b.head.firstYear + b.head.numberOfYears)
  const calendar = Array.from({ length: end - first }, (_unused, index) => first + index)
  const indexIn = ({ head }: BudgetSnapshot, year: number): number | null => {
    const index = year - head.firstYear
    return index >= 0 && index < head.numberOfYears ? index : null
  }
  const pair = (sum: (snapshot: BudgetSnapshot, year: number) => PartialSum) =>
    calendar.map((year): YearPair => {
      const figureOf = (snapshot: BudgetSnapshot): { amount: Figure; missing: number } => {
        const index = indexIn(snapshot, year)
        if (index === null) return { amount: null, missing: 0 }
        const { total, missing } = sum(snapshot, index)
        return { amount: missing > 0 && total === 0 ? null : total, missing }
      }
      const [left, right] = [figureOf(a), figureOf(b)]
      return { a: left.amount, b: right.amount, missing: { a: left.missing, b: right.missing } }
    })
  const sums = new Map([a, b].map((snapshot) => [snapshot, codeSums(snapshot)]))
  const codes = [...new Set([a, b].flatMap((snapshot) => [...assertDefined(sums.get(snapshot)).keys()].map(codeOfKey)))]
  return {
    years: calendar.map((year) => formatBudgetYear(year, 0)),
    codes: codes.map((budgetCodeId) => ({
      budgetCodeId,
      years: pair((snapshot, year) => assertDefined(sums.get(snapshot)).get(keyOf(budgetCodeId, year)) ?? zeroSum),
    })),
    things: [...pairContracts(a, b, { nameOf, pair }), ...pairEntries(a, b, { nameOf, pair }), ...pairOtherLines(a, b, pair)],
  }
}

const keyOf = (code: number | null, year: number): string => `${code ?? ''} ${year}`
const codeOfKey = (key: string): number | null => (key.startsWith(' ') ? null : Number(key.split(' ')[0]))

const add = (a: PartialSum, b: PartialSum): PartialSum => ({ total: a.total + b.total, missing: a.missing + b.missing })

function codeSums({ lines }: BudgetSnapshot): Map<string, PartialSum> {
  const sums = new Map<string, PartialSum>()
  for (const line of lines) {
    const key = keyOf(line.budgetCodeId, line.year)
    sums.set(key, add(sums.get(key) ?? zeroSum, line))
  }
  return sums
}

type MakePair = (sum: (snapshot: BudgetSnapshot, year: number) => PartialSum) => YearPair[]
/** A figure that only one of the snapshots could calculate is a difference; a year that only one snapshot covers is not. */
const yearsDiffer = (years: readonly YearPair[]): boolean =>
  years.some(({ a, b, missing }) => missing.a !== missing.b || (a !== null && b !== null && a !== b))

function pairContracts(a: BudgetSnapshot, b: BudgetSnapshot, { nameOf, pair }: { nameOf: RecordNamer; pair: MakePair }): ComparedItem[] {
  return [...new Set([...a.contracts.keys(), ...b.contracts.keys()])].map((root) => {
    const [was, is] = [a.contracts.get(root), b.contracts.get(root)]
    const years = pair((snapshot, year) => {
      const contract = snapshot.contracts.get(root)
      return contract ? sumOfFigure(requireItemAt(contract.years, year)) : zeroSum
    })
    const changes = was && is ? describeContractChanges(was.contract, is.contract, nameOf) : []
    const { contractName: name, staffId } = assertDefined(is ?? was).contract
    const what = !was ? 'added' : !is ? 'removed' : changes.length ? 'changed' : yearsDiffer(years) ? 'recosted' : 'same'
    return { root, kind: 'contract', name, staffId, budgetCodeId: null, what, changes, years }
  })
}

/** Pairs the lines that come from neither contracts nor entries: pools, top slices, the levy and the Employment Allowance. */
function pairOtherLines(a: BudgetSnapshot, b: BudgetSnapshot, pair: MakePair): ComparedItem[] {
  const keyed = ({ lines }: BudgetSnapshot) =>
    lines.flatMap((line) =>
      line.source === 'transfer' || isSharedSource(line.source)
        ? [{ ...line, source: line.source, key: `${line.root} ${line.budgetCodeId ?? ''}` }]
        : [],
    )
  const linesOf = new Map([a, b].map((snapshot) => [snapshot, keyed(snapshot)]))
  const all = new Map([a, b].flatMap((snapshot) => assertDefined(linesOf.get(snapshot)).map((line) => [line.key, line] as const)))
  return [...all].map(([root, { source: kind, budgetCodeId, root: of }]) => {
    const has = (snapshot: BudgetSnapshot): boolean => assertDefined(linesOf.get(snapshot)).some((line) => line.key === root)
    const years = pair((snapshot, year) =>
      assertDefined(linesOf.get(snapshot)).reduce((sum, line) => (line.key === root && line.year === year ? add(sum, line) : sum), zeroSum),
    )
    const name = isSharedSource(kind) ? sharedSourceNames[kind] : of.startsWith('gagPool') ? 'GAG pool' : 'Top slice'
    const what = !has(a) ? 'added' : !has(b) ? 'removed' : yearsDiffer(years) ? 'recosted' : 'same'
    return { root, kind, name, staffId: null, budgetCodeId, what, changes: [], years }
  })
}

function listEntriesById(snapshot: BudgetSnapshot): Map<string, StoredItem<'entry'>> {
  return new Map(
    [...snapshot.state.items].flatMap(([id, stored]) =>
      stored.kind === 'entry' ? [[snapshot.state.origins.get(id) ?? id, stored] as const] : [],
    ),
  )
}

function pairEntries(a: BudgetSnapshot, b: BudgetSnapshot, { nameOf, pair }: { nameOf: RecordNamer; pair: MakePair }): ComparedItem[] {
  const entries = new Map([a, b].map((snapshot) => [snapshot, listEntriesById(snapshot)]))
  const [before, after] = [assertDefined(entries.get(a)), assertDefined(entries.get(b))]
  return [...new Set([...before.keys(), ...after.keys()])].map((root) => {
    const [was, is] = [before.get(root), after.get(root)]
    const years = pair((snapshot, year) => {
      const entry = assertDefined(entries.get(snapshot)).get(root)
      return entry ? sumOfFigure(assertDefined(calculateEntryYears(entry.item, snapshot.head.numberOfYears)[year]).amount) : zeroSum
    })
    const changes =
      was && is ? describeItemChanges(was, { after: is, head: b.head, nameOf }).filter(({ field }) => !/\d{4}\/\d\d/.test(field)) : []
    const { description: name, budgetCodeId } = assertDefined(is ?? was).item
    const what = !was ? 'added' : !is ? 'removed' : changes.length || yearsDiffer(years) ? 'changed' : 'same'
    return { root, kind: 'entry', name, staffId: null, budgetCodeId, what, changes, years }
  })
}
