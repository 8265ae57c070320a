import { canonicalJson } from '../values/canonicalJson.ts'
import { keysOf } from '../values/keysOf.ts'
import { isRecord } from '../values/unknownValues.ts'

/**
 * How the elements of two versions of a list are matched when the lists are merged. `places` matches them by index, as for the months of a
 * year; `rowsBy` matches rows by one of their fields. A list without a shape is merged as a single value.
 */
export type ListShape = 'places' | { rowsBy: string; within?: ListShapes }
export type ListShapes = Readonly<Record<string, ListShape>>
type SameValue = (name: string, a: unknown, b: unknown) => boolean

/** The result of merging a user's unsaved input with changes that another user has saved. */
export interface MergeResult<Values> {
  /** The user's changed values, and the other user's values in all other fields. */
  values: Values
  /** The fields that the other user changed. */
  changed: (keyof Values & string)[]
  /** The fields that both users changed, to different values; `values` has the user's own. */
  conflicts: (keyof Values & string)[]
}

/** Whether two values look the same to a user. Empty text, null and undefined look the same. */
export function looksSame(a: unknown, b: unknown): boolean {
  const emptyToNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value)
  return a === b || canonicalJson(emptyToNull(a)) === canonicalJson(emptyToNull(b))
}

/** The comparison of a field for which the caller provides none. */
export const isSameAsShown: SameValue = (_name, a, b) => looksSame(a, b)

export function listDifferingFields<Values extends object>(
  before: Values,
  after: Values,
  isSame: SameValue = isSameAsShown,
): (keyof Values & string)[] {
  return [...new Set([...keysOf(before), ...keysOf(after)])].filter((name) => !isSame(name, before[name], after[name]))
}

/**
 * Merges two edits of the same values field by field. If only one user changed a field, the result has the changed value; no input is lost.
 * @param start the values that both users started from
 * @param mine the user's unsaved input
 * @param theirs the other user's saved values
 */
export function mergeChanges<Values extends object>(
  { start, mine, theirs }: Record<'start' | 'mine' | 'theirs', Values>,
  { shapes = {}, isSame = isSameAsShown }: { shapes?: ListShapes; isSame?: SameValue } = {},
): MergeResult<Values> {
  const values = { ...theirs }
  const changed = listDifferingFields(start, theirs, isSame)
  const conflicts: (keyof Values & string)[] = []
  for (const name of listDifferingFields(start, mine, isSame)) {
    const one = mergeValue(name, { three: { start: start[name], mine: mine[name], theirs: theirs[name] }, shape: shapes[name], isSame })
    // The merged value was made from values of this field, so it has the field's type.
    values[name] = one.value as Values[typeof name]
    if (one.isConflict) conflicts.push(name)
  }
  return { values, changed, conflicts }
}

/** The paths at which two values differ, such as `rows.key.field`. Independent changes have no path in common. */
export function listChangedPaths<Values extends object>(before: Values, after: Values, shapes: ListShapes = {}): string[] {
  return listDifferingFields(before, after).flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    const shape = shapes[name]
    if (!shape || !Array.isArray(was) || !Array.isArray(is)) return [name]
    const byPlace = (list: readonly unknown[]): Map<string, unknown> => new Map(list.map((one, index) => [String(index), one]))
    const [old, mine] = shape === 'places' ? [byPlace(was), byPlace(is)] : [byKey(was, shape.rowsBy), byKey(is, shape.rowsBy)]
    if (!old || !mine) return [name]
    return [...new Set([...old.keys(), ...mine.keys()])].flatMap((key) => {
      const [one, other] = [old.get(key), mine.get(key)]
      if (looksSame(one, other)) return []
      const within = shape === 'places' ? undefined : shape.within
      return isRecord(one) && isRecord(other)
        ? listChangedPaths(one, other, within).map((path) => `${name}.${key}.${path}`)
        : [`${name}.${key}`]
    })
  })
}

/** Whether a path in one list equals, contains or lies within a path in the other. */
export function haveCommonPath(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)))
}

interface ThreeVersions {
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
  { three: { start, mine, theirs }, shape, isSame }: { three: ThreeVersions; shape: ListShape | undefined; isSame: SameValue },
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

interface ListVersions {
  start: readonly unknown[]
  mine: readonly unknown[]
  theirs: readonly unknown[]
}

function mergePlaces({ start, mine, theirs }: ListVersions): MergedValue {
  const merged = Array.from({ length: Math.max(mine.length, theirs.length) }, (_unused, index) =>
    mergeElement({ start: start[index] ?? null, mine: mine[index] ?? null, theirs: theirs[index] ?? null }, undefined),
  )
  return { value: merged.map(({ value }) => value), isConflict: merged.some(({ isConflict }) => isConflict) }
}

function mergeElement({ start, mine, theirs }: ThreeVersions, within: ListShapes | undefined): MergedValue {
  if (!isRecord(start) || !isRecord(mine) || !isRecord(theirs))
    return mergeValue('', { three: { start, mine, theirs }, shape: undefined, isSame: isSameAsShown })
  const { values, conflicts } = mergeChanges({ start, mine, theirs }, { shapes: within })
  return { value: values, isConflict: conflicts.length > 0 }
}

/** Rows by key; null if the key is not unique. */
function byKey(rows: readonly unknown[], key: string): Map<string, Record<string, unknown>> | null {
  const found = new Map<string, Record<string, unknown>>()
  for (const row of rows) {
    if (!isRecord(row)) return null
    found.set(canonicalJson(row[key]), row)
  }
  return found.size === rows.length ? found : null
}

/**
 * Merges two lists row by row.
 * @returns null if the key is missing or repeated; the caller then treats the whole list as one value
 */
function mergeRows({ start, mine, theirs }: ListVersions, { rowsBy, within }: { rowsBy: string; within?: ListShapes }): MergedValue | null {
  const [was, mineByKey, other] = [byKey(start, rowsBy), byKey(mine, rowsBy), byKey(theirs, rowsBy)]
  if (!was || !mineByKey || !other) return null
  let isConflict = false
  const rows: [string, unknown][] = []
  for (const [key, row] of other) {
    const before = was.get(key)
    const typed = mineByKey.get(key)
    if (typed) {
      const one = mergeElement({ start: before ?? null, mine: typed, theirs: row }, within)
      isConflict ||= one.isConflict
      rows.push([key, one.value])
    } else if (!before) rows.push([key, row])
    else if (!looksSame(before, row)) isConflict = true
  }
  let last: string | null = null
  for (const [key, row] of mineByKey) {
    const before = was.get(key)
    if (!other.has(key) && !(before && looksSame(before, row))) {
      // The other user removed this row and this user changed it: the row stays, as a conflict.
      if (before) isConflict = true
      rows.splice(rows.findIndex(([one]) => one === last) + 1, 0, [key, row])
    }
    if (rows.some(([one]) => one === key)) last = key
  }
  return { value: rows.map(([, row]) => row), isConflict }
}
