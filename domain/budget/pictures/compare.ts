import type { Figure } from '../../calculation/inputs.ts'
import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import { yearName } from '../../values/calendar.ts'
import type { StaffId } from '../../values/ids.ts'
import { contractChanges } from '../describeContract.ts'
import type { FieldChange, NameOf } from '../fieldChange.ts'
import { yearsOf } from '../items/budgetEntry.ts'
import { itemChanges } from '../items/describeItems.ts'
import type { StoredItem } from '../items/item.ts'
import { isShared, sharedNames } from '../sharedSources.ts'
import type { Picture, PictureSource } from './picture.ts'

/**
 * One year of two pictures side by side, whole pennies over what could be calculated: null where that picture has no figure. `missing` counts
 * what each is without because it could not be calculated; a picture that does not have the year is without nothing.
 */
export interface Pair {
  a: Figure
  b: Figure
  missing: { a: number; b: number }
}

/** What something comes to in one year of one picture, and how much of it could not be calculated. */
interface Sum {
  total: number
  missing: number
}

const nothing: Sum = { total: 0, missing: 0 }
const sumOf = (amount: Figure): Sum => (amount === null ? { total: 0, missing: 1 } : { total: amount, missing: 0 })

export interface ComparedCode {
  /** Empty for the levy. */
  budgetCodeId: number | null
  years: Pair[]
}

/** A contract, an entry, a side of a pool or top slice, the levy or the Employment Allowance in two pictures: together they are the sums by code. */
export interface ComparedThing {
  root: string
  kind: PictureSource
  name: string
  staffId: StaffId | null
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
  const pair = (sum: (picture: Picture, year: number) => Sum) =>
    calendar.map((year): Pair => {
      const of = (picture: Picture): { amount: Figure; missing: number } => {
        const index = indexIn(picture, year)
        if (index === null) return { amount: null, missing: 0 }
        const { total, missing } = sum(picture, index)
        return { amount: missing > 0 && total === 0 ? null : total, missing }
      }
      const [left, right] = [of(a), of(b)]
      return { a: left.amount, b: right.amount, missing: { a: left.missing, b: right.missing } }
    })
  const sums = new Map([a, b].map((picture) => [picture, codeSums(picture)]))
  const codes = [...new Set([a, b].flatMap((picture) => [...assertDefined(sums.get(picture)).keys()].map(codeOfKey)))]
  return {
    years: calendar.map((year) => yearName(year, 0)),
    codes: codes.map((budgetCodeId) => ({
      budgetCodeId,
      years: pair((picture, year) => assertDefined(sums.get(picture)).get(keyOf(budgetCodeId, year)) ?? nothing),
    })),
    things: [...contractPairs(a, b, { nameOf, pair }), ...entryPairs(a, b, { nameOf, pair }), ...otherPairs(a, b, pair)],
  }
}

const keyOf = (code: number | null, year: number): string => `${code ?? ''} ${year}`
const codeOfKey = (key: string): number | null => (key.startsWith(' ') ? null : Number(key.split(' ')[0]))

const add = (a: Sum, b: Sum): Sum => ({ total: a.total + b.total, missing: a.missing + b.missing })

function codeSums({ lines }: Picture): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const line of lines) {
    const key = keyOf(line.budgetCodeId, line.year)
    sums.set(key, add(sums.get(key) ?? nothing, line))
  }
  return sums
}

type MakePair = (sum: (picture: Picture, year: number) => Sum) => Pair[]
/** What is calculated on one side only differs; a year that one side does not have does not. */
const differ = (years: readonly Pair[]): boolean =>
  years.some(({ a, b, missing }) => missing.a !== missing.b || (a !== null && b !== null && a !== b))

function contractPairs(a: Picture, b: Picture, { nameOf, pair }: { nameOf: NameOf; pair: MakePair }): ComparedThing[] {
  return [...new Set([...a.contracts.keys(), ...b.contracts.keys()])].map((root) => {
    const [was, is] = [a.contracts.get(root), b.contracts.get(root)]
    const years = pair((picture, year) => {
      const own = picture.contracts.get(root)
      return own ? sumOf(elementAt(own.years, year)) : nothing
    })
    const changes = was && is ? contractChanges(was.contract, is.contract, nameOf) : []
    const { contractName: name, staffId } = assertDefined(is ?? was).contract
    const what = !was ? 'added' : !is ? 'removed' : changes.length ? 'changed' : differ(years) ? 'recosted' : 'same'
    return { root, kind: 'contract', name, staffId, budgetCodeId: null, what, changes, years }
  })
}

/** Pairs the lines of two budgets that come from neither contracts nor entries: pools, top slices, the levy and the Employment Allowance. */
function otherPairs(a: Picture, b: Picture, pair: MakePair): ComparedThing[] {
  const keyed = ({ lines }: Picture) =>
    lines.flatMap((line) =>
      line.source === 'transfer' || isShared(line.source)
        ? [{ ...line, source: line.source, key: `${line.root} ${line.budgetCodeId ?? ''}` }]
        : [],
    )
  const own = new Map([a, b].map((picture) => [picture, keyed(picture)]))
  const all = new Map([a, b].flatMap((picture) => assertDefined(own.get(picture)).map((line) => [line.key, line] as const)))
  return [...all].map(([root, { source: kind, budgetCodeId, root: of }]) => {
    const has = (picture: Picture): boolean => assertDefined(own.get(picture)).some((line) => line.key === root)
    const years = pair((picture, year) =>
      assertDefined(own.get(picture)).reduce((sum, line) => (line.key === root && line.year === year ? add(sum, line) : sum), nothing),
    )
    const name = isShared(kind) ? sharedNames[kind] : of.startsWith('gagPool') ? 'GAG pool' : 'Top slice'
    const what = !has(a) ? 'added' : !has(b) ? 'removed' : differ(years) ? 'recosted' : 'same'
    return { root, kind, name, staffId: null, budgetCodeId, what, changes: [], years }
  })
}

function entriesOf(picture: Picture): Map<string, StoredItem<'entry'>> {
  return new Map(
    [...picture.state.items].flatMap(([id, stored]) =>
      stored.kind === 'entry' ? [[picture.state.origins.get(id) ?? id, stored] as const] : [],
    ),
  )
}

function entryPairs(a: Picture, b: Picture, { nameOf, pair }: { nameOf: NameOf; pair: MakePair }): ComparedThing[] {
  const entries = new Map([a, b].map((picture) => [picture, entriesOf(picture)]))
  const [before, after] = [assertDefined(entries.get(a)), assertDefined(entries.get(b))]
  return [...new Set([...before.keys(), ...after.keys()])].map((root) => {
    const [was, is] = [before.get(root), after.get(root)]
    const years = pair((picture, year) => {
      const own = assertDefined(entries.get(picture)).get(root)
      return own ? sumOf(assertDefined(yearsOf(own.item, picture.head.numberOfYears)[year]).amount) : nothing
    })
    // Amounts of years that do not stand side by side are no change.
    const changes = was && is ? itemChanges(was, { after: is, head: b.head, nameOf }).filter(({ field }) => !/\d{4}\/\d\d/.test(field)) : []
    const { description: name, budgetCodeId } = assertDefined(is ?? was).item
    const what = !was ? 'added' : !is ? 'removed' : changes.length || differ(years) ? 'changed' : 'same'
    return { root, kind: 'entry', name, staffId: null, budgetCodeId, what, changes, years }
  })
}
