import type { Figure } from '../../calculation/inputs.ts'
import { yearName } from '../../calendar.ts'
import type { FieldChange, NameOf } from '../describe.ts'
import { contractChanges } from '../describeContract.ts'
import { yearsOf } from '../items/budgetEntry.ts'
import { itemChanges } from '../items/describeItems.ts'
import type { StoredItem } from '../items/item.ts'
import type { Picture } from './picture.ts'

/** One year of two pictures side by side, whole pennies; null where that picture has no figure. */
export interface Pair {
  a: Figure
  b: Figure
}

export interface ComparedCode {
  /** Empty for the levy. */
  budgetCodeId: number | null
  years: Pair[]
}

/** A contract or entry in two pictures. */
export interface ComparedThing {
  root: string
  kind: 'contract' | 'entry'
  name: string
  staffId: number | null
  budgetCodeId: number | null
  what: 'added' | 'removed' | 'changed' | 'recosted' | 'same'
  changes: FieldChange[]
  years: Pair[]
}

export interface Comparison {
  /** The years that either has, by their names. */
  years: string[]
  codes: ComparedCode[]
  things: ComparedThing[]
}

/** Two budgets, or two moments of one, side by side by code, contract and entry; years are matched by the calendar. */
export function compare(a: Picture, b: Picture, nameOf: NameOf): Comparison {
  const first = Math.min(a.head.firstYear, b.head.firstYear)
  const end = Math.max(a.head.firstYear + a.head.numberOfYears, b.head.firstYear + b.head.numberOfYears)
  const calendar = Array.from({ length: end - first }, (_unused, index) => first + index)
  const indexIn = ({ head }: Picture, year: number): number | null => {
    const index = year - head.firstYear
    return index >= 0 && index < head.numberOfYears ? index : null
  }
  const pair = (figure: (picture: Picture, year: number) => Figure) =>
    calendar.map((year): Pair => {
      const of = (picture: Picture): Figure => {
        const index = indexIn(picture, year)
        return index === null ? null : figure(picture, index)
      }
      return { a: of(a), b: of(b) }
    })
  const sums = new Map([a, b].map((picture) => [picture, codeSums(picture)]))
  const codes = [...new Set([a, b].flatMap((picture) => [...sums.get(picture)!.keys()].map(codeOfKey)))]
  return {
    years: calendar.map((year) => yearName(year, 0)),
    codes: codes.map((budgetCodeId) => ({
      budgetCodeId,
      years: pair((picture, year) => sums.get(picture)!.get(keyOf(budgetCodeId, year)) ?? 0),
    })),
    things: [...contractPairs(a, b, nameOf, pair), ...entryPairs(a, b, nameOf, pair)],
  }
}

const keyOf = (code: number | null, year: number): string => `${code ?? ''} ${year}`
const codeOfKey = (key: string): number | null => (key.startsWith(' ') ? null : Number(key.split(' ')[0]))

function codeSums({ lines }: Picture): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { budgetCodeId, year, total } of lines) sums.set(keyOf(budgetCodeId, year), (sums.get(keyOf(budgetCodeId, year)) ?? 0) + total)
  return sums
}

type MakePair = (figure: (picture: Picture, year: number) => Figure) => Pair[]
const differ = (years: readonly Pair[]): boolean => years.some((year) => year.a !== null && year.b !== null && year.a !== year.b)

function contractPairs(a: Picture, b: Picture, nameOf: NameOf, pair: MakePair): ComparedThing[] {
  return [...new Set([...a.contracts.keys(), ...b.contracts.keys()])].map((root) => {
    const [was, is] = [a.contracts.get(root), b.contracts.get(root)]
    const years = pair((picture, year) => {
      const own = picture.contracts.get(root)
      return own ? own.years[year]! : 0
    })
    const changes = was && is ? contractChanges(was.contract, is.contract, nameOf) : []
    const { contractName: name, staffId } = (is ?? was)!.contract
    const what = !was ? 'added' : !is ? 'removed' : changes.length ? 'changed' : differ(years) ? 'recosted' : 'same'
    return { root, kind: 'contract', name, staffId, budgetCodeId: null, what, changes, years }
  })
}

function entriesOf(picture: Picture): Map<string, StoredItem<'entry'>> {
  return new Map(
    [...picture.state.items].flatMap(([id, stored]) =>
      stored.kind === 'entry' ? [[picture.state.origins.get(id) ?? id, stored] as const] : [],
    ),
  )
}

function entryPairs(a: Picture, b: Picture, nameOf: NameOf, pair: MakePair): ComparedThing[] {
  const entries = new Map([a, b].map((picture) => [picture, entriesOf(picture)]))
  const [before, after] = [entries.get(a)!, entries.get(b)!]
  return [...new Set([...before.keys(), ...after.keys()])].map((root) => {
    const [was, is] = [before.get(root), after.get(root)]
    const years = pair((picture, year) => {
      const own = entries.get(picture)!.get(root)
      return own ? yearsOf(own.item, picture.head.numberOfYears)[year]!.amount : 0
    })
    // Amounts of years that do not stand side by side are no change.
    const changes = was && is ? itemChanges(was, is, b.head, nameOf).filter(({ field }) => !/\d{4}\/\d\d/.test(field)) : []
    const { description: name, budgetCodeId } = (is ?? was)!.item
    const what = !was ? 'added' : !is ? 'removed' : changes.length || differ(years) ? 'changed' : 'same'
    return { root, kind: 'entry', name, staffId: null, budgetCodeId, what, changes, years }
  })
}
