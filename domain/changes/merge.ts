import { canonicalJson } from '../values/canonicalJson.ts'
import { keysOf } from '../values/keysOf.ts'
import { isRecord } from '../values/unknownValues.ts'

/**
 * How a field that is a list is merged. Without a shape a list is one value: `places` says that the third element of one is the third of the
 * other, as with the months of a year; `rowsBy` that its rows are told apart by one of their fields.
 */
export type ListShape = 'places' | { rowsBy: string; within?: ListShapes }
export type ListShapes = Readonly<Record<string, ListShape>>
type SameValue = (name: string, a: unknown, b: unknown) => boolean

/** What is typed and what somebody else saved, put together. */
export interface MergeResult<Values> {
  /** All that I typed, and theirs wherever I typed nothing. */
  values: Values
  /** The fields that they changed. */
  changed: (keyof Values & string)[]
  /** The fields that both changed, each in another way: mine stand in `values`. */
  conflicts: (keyof Values & string)[]
}

/** Whether two values are the same to a person: an empty text, null and nothing are. */
export function isSameValue(_name: string, a: unknown, b: unknown): boolean {
  const emptyToNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value)
  return a === b || canonicalJson(emptyToNull(a)) === canonicalJson(emptyToNull(b))
}

/** The fields in which two values differ. */
export function differingFields<Values extends object>(
  before: Values,
  after: Values,
  isSame: SameValue = isSameValue,
): (keyof Values & string)[] {
  return [...new Set([...keysOf(before), ...keysOf(after)])].filter((name) => !isSame(name, before[name], after[name]))
}

/**
 * Puts together what two people made of the same values, field by field: what one of them left alone is as the other has it, and nothing
 * that was typed is lost.
 * @param start what both began with
 * @param mine what is typed here
 * @param theirs what somebody else saved
 */
export function mergeChanges<Values extends object>(
  { start, mine, theirs }: Record<'start' | 'mine' | 'theirs', Values>,
  { shapes = {}, isSame = isSameValue }: { shapes?: ListShapes; isSame?: SameValue } = {},
): MergeResult<Values> {
  const values = { ...theirs }
  const changed = differingFields(start, theirs, isSame)
  const conflicts: (keyof Values & string)[] = []
  for (const name of differingFields(start, mine, isSame)) {
    const one = mergeValue(name, { three: { start: start[name], mine: mine[name], theirs: theirs[name] }, shape: shapes[name], isSame })
    // Put together from values of this field, or from parts of them.
    values[name] = one.value as Values[typeof name]
    if (one.isConflict) conflicts.push(name)
  }
  return { values, changed, conflicts }
}

/** Where two values differ, as paths of names, places and keys: what two people changed apart from each other has no path in common. */
export function changedPaths<Values extends object>(before: Values, after: Values, shapes: ListShapes = {}): string[] {
  return differingFields(before, after).flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    const shape = shapes[name]
    if (!shape || !Array.isArray(was) || !Array.isArray(is)) return [name]
    const byPlace = (list: readonly unknown[]): Map<string, unknown> => new Map(list.map((one, place) => [String(place), one]))
    const [old, own] = shape === 'places' ? [byPlace(was), byPlace(is)] : [byKey(was, shape.rowsBy), byKey(is, shape.rowsBy)]
    if (!old || !own) return [name]
    return [...new Set([...old.keys(), ...own.keys()])].flatMap((key) => {
      const [one, other] = [old.get(key), own.get(key)]
      if (isSameValue('', one, other)) return []
      const within = shape === 'places' ? undefined : shape.within
      return isRecord(one) && isRecord(other)
        ? changedPaths(one, other, within).map((path) => `${name}.${key}.${path}`)
        : [`${name}.${key}`]
    })
  })
}

/** Whether two lists of paths name the same thing, or one a part of what the other names. */
export function haveCommonPath(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)))
}

interface Three {
  start: unknown
  mine: unknown
  theirs: unknown
}
interface MergedValue {
  value: unknown
  isConflict: boolean
}

function mergeValue(
  name: string,
  { three: { start, mine, theirs }, shape, isSame }: { three: Three; shape: ListShape | undefined; isSame: SameValue },
): MergedValue {
  if (isSame(name, start, mine)) return { value: theirs, isConflict: false }
  if (isSame(name, start, theirs) || isSame(name, mine, theirs)) return { value: mine, isConflict: false }
  if (Array.isArray(start) && Array.isArray(mine) && Array.isArray(theirs)) {
    if (shape === 'places') return mergePlaces({ start, mine, theirs })
    if (shape) {
      const rows = mergeRows({ start, mine, theirs }, shape)
      if (rows) return rows
    }
  }
  return { value: mine, isConflict: true }
}

interface Lists {
  start: readonly unknown[]
  mine: readonly unknown[]
  theirs: readonly unknown[]
}

function mergePlaces({ start, mine, theirs }: Lists): MergedValue {
  const merged = Array.from({ length: Math.max(mine.length, theirs.length) }, (_unused, place) =>
    mergeElement({ start: start[place] ?? null, mine: mine[place] ?? null, theirs: theirs[place] ?? null }, undefined),
  )
  return { value: merged.map(({ value }) => value), isConflict: merged.some(({ isConflict }) => isConflict) }
}

function mergeElement({ start, mine, theirs }: Three, within: ListShapes | undefined): MergedValue {
  if (!isRecord(start) || !isRecord(mine) || !isRecord(theirs))
    return mergeValue('', { three: { start, mine, theirs }, shape: undefined, isSame: isSameValue })
  const { values, conflicts } = mergeChanges({ start, mine, theirs }, { shapes: within })
  return { value: values, isConflict: conflicts.length > 0 }
}

/** The rows of a list by what tells them apart; null where two rows are not told apart. */
function byKey(rows: readonly unknown[], key: string): Map<string, Record<string, unknown>> | null {
  const found = new Map<string, Record<string, unknown>>()
  for (const row of rows) {
    if (!isRecord(row)) return null
    found.set(canonicalJson(row[key]), row)
  }
  return found.size === rows.length ? found : null
}

/** @returns null when rows cannot be told apart: then the list is one value */
function mergeRows({ start, mine, theirs }: Lists, { rowsBy, within }: { rowsBy: string; within?: ListShapes }): MergedValue | null {
  const [was, own, other] = [byKey(start, rowsBy), byKey(mine, rowsBy), byKey(theirs, rowsBy)]
  if (!was || !own || !other) return null
  let isConflict = false
  const rows: [string, unknown][] = []
  for (const [key, row] of other) {
    const before = was.get(key)
    const typed = own.get(key)
    if (typed) {
      const one = mergeElement({ start: before ?? null, mine: typed, theirs: row }, within)
      isConflict ||= one.isConflict
      rows.push([key, one.value])
    } else if (!before) rows.push([key, row])
    else if (!isSameValue('', before, row)) isConflict = true
  }
  let last: string | null = null
  for (const [key, row] of own) {
    const before = was.get(key)
    if (!other.has(key) && !(before && isSameValue('', before, row))) {
      // What they took out and I changed stays, and is said.
      if (before) isConflict = true
      rows.splice(rows.findIndex(([one]) => one === last) + 1, 0, [key, row])
    }
    if (rows.some(([one]) => one === key)) last = key
  }
  return { value: rows.map(([, row]) => row), isConflict }
}
