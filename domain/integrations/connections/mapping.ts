import { type Column, columnsOf } from '../../resources/columns.ts'
import { columnsFor } from '../../resources/importFile.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { isRecord } from '../../values/unknownValues.ts'
import type { FieldProblem } from '../../words/errors.ts'
import type { ConnectionKind } from './connection.ts'

/** What a column of ours is read from: a field of theirs, or, where that is empty, the same text in every row. */
export interface MappedColumn {
  column: string
  /** A dotted path in a record, as `amount.net`; of a file a heading. */
  field: string
  text: string
}

/** Where what comes in stands in what another system writes. */
export interface FieldMapping {
  /** Where the list of records stands in an answer, as `data.items`; empty: the answer is the list. Files have none. */
  records: string
  /** None: their fields are called as our columns. */
  columns: MappedColumn[]
}

/** A list of records that was found in an answer or a file. */
export interface FoundList {
  records: string
  /** What its records have, as dotted paths. */
  fields: string[]
  /** The first of them, each value as text by its path. */
  rows: Record<string, string>[]
}

/** The longest path or heading. */
export const longestField = 200
/** The most that is told of an answer. */
const most = { lists: 20, fields: 200, rows: 3, looked: 50, depth: 5, letters: 100 } as const

type Rec = Readonly<Record<string, unknown>>
const isEmpty = (one: unknown): boolean => one === undefined || one === null

/** The columns that a connection takes, and which of them it cannot do without. */
export function columnsOfKind({ record, required }: ConnectionKind): Column[] {
  return record ? columnsOf(record).map((column) => ({ ...column, required: required?.includes(column.heading) ?? false })) : []
}

/** What stands at a dotted path; undefined where it leads to nothing. A name may have dots in itself. */
function valueAt(value: unknown, path: string): unknown {
  if (!path) return value
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return Reflect.get(value, path)
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(value, name)) return valueAt(Reflect.get(value, name), path.slice(dot + 1))
  }
  return undefined
}

/** What was read: rows by our columns beside the records they are of, or what is wrong, in a sentence. */
export type ReadRows = { rows: Record<string, string>[]; records: readonly Rec[] } | { problem: string }

/**
 * The rows of an answer in JSON by our columns.
 * @param answer as it was parsed @param from who answered, for sentences
 */
export function rowsOfAnswer(answer: unknown, mapping: FieldMapping | null, from: string): ReadRows {
  const path = mapping?.records ?? ''
  const list = valueAt(answer, path)
  const noList = { problem: `${from} answered, but not with a list of records${path ? ` at ${path}` : ''}.` }
  if (!Array.isArray(list) || !list.every(isRecord)) return noList
  if (mapping?.columns.length) return mappedRows(list, mapping, from)
  if (list.some((one) => Object.values(one).some((value) => typeof value === 'object' && value !== null))) return noList
  const asText = (value: unknown): string => (isEmpty(value) ? '' : String(value))
  return { rows: list.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, asText(value)]))), records: list }
}

/** Records or the rows of a file by our columns; what no column is read from is left out. */
export function mappedRows(records: readonly Rec[], mapping: FieldMapping, from: string): ReadRows {
  const rows: Record<string, string>[] = records.map(() => ({}))
  for (const { column, field, text } of mapping.columns) {
    const values = records.map((record) => (field ? valueAt(record, field) : text))
    if (records.length && values.every((value) => value === undefined))
      return { problem: `${from} has no ${field}, of which ${column} is read. Say which of its fields holds it.` }
    const held = values.findIndex((value) => typeof value === 'object' && value !== null)
    if (held >= 0) return { problem: `Row ${held + 1}: ${field}, of which ${column} is read, is no single value. Choose a field in it.` }
    for (const [at, value] of values.entries()) assertDefined(rows[at])[column] = isEmpty(value) ? '' : String(value)
  }
  return { rows, records }
}

/** What speaks against a mapping, a sentence at the column it is about. */
export function mappingProblems(kind: ConnectionKind, { columns }: FieldMapping): FieldProblem[] {
  if (!columns.length) return []
  const own = columnsOfKind(kind)
  const said = new Map(columns.map((one) => [one.column, one]))
  const strange = columns.find(({ column }) => !own.some(({ heading }) => heading === column))
  if (strange) return [{ field: 'mapping', message: `${strange.column} is no column of this connection.` }]
  if (said.size < columns.length) return [{ field: 'mapping', message: 'A column stands twice. Say once what it is read from.' }]
  const isOpen = ({ heading }: Column): boolean => !said.get(heading)?.field && !said.get(heading)?.text
  return own
    .filter((column) => column.required && isOpen(column))
    .map(({ heading }) => ({ field: `columns.${heading}`, message: `${heading} is required: say which field holds it.` }))
}

/** The values of a record by their paths; lists in it are passed over. */
function leavesOf(value: unknown, { path, depth, into }: { path: string; depth: number; into: Map<string, string> }): void {
  if (Array.isArray(value) || into.size >= most.fields) return
  if (!isRecord(value)) {
    if (path && path.length <= longestField) into.set(path, isEmpty(value) ? '' : String(value).slice(0, most.letters))
    return
  }
  if (depth > 0)
    for (const [name, held] of Object.entries(value)) leavesOf(held, { path: path ? `${path}.${name}` : name, depth: depth - 1, into })
}

/** The values of a record as text, by their dotted paths. */
export function leavesOfRecord(record: object): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  leavesOf(record, { path: '', depth: most.depth, into: leaves })
  return leaves
}

/** What is told of a list of records: its fields, and the first rows. */
export function foundList(records: string, list: readonly Rec[]): FoundList {
  const looked = list.slice(0, most.looked).map(leavesOfRecord)
  const fields = [...new Set(looked.flatMap((leaves) => [...leaves.keys()]))].slice(0, most.fields)
  return { records, fields, rows: looked.slice(0, most.rows).map((leaves) => Object.fromEntries(leaves)) }
}

/** The lists of records that stand in an answer, the longest first. */
export function listsIn(answer: unknown): FoundList[] {
  const found: { records: string; list: readonly Rec[] }[] = []
  const look = (value: unknown, path: string, depth: number): void => {
    if (found.length >= most.lists || path.length > longestField) return
    if (Array.isArray(value)) {
      if (value.length && value.every(isRecord)) found.push({ records: path, list: value })
    } else if (isRecord(value) && depth > 0)
      for (const [name, held] of Object.entries(value)) look(held, path ? `${path}.${name}` : name, depth - 1)
  }
  look(answer, '', most.depth)
  return found.sort((a, b) => b.list.length - a.list.length).map(({ records, list }) => foundList(records, list))
}

/**
 * What columns are read from by what fields are called, as an import of a file would meet them.
 * @param learned what was chosen for headings of files that were imported by hand
 */
export function suggestedColumns(
  kind: ConnectionKind,
  fields: readonly string[],
  learned: ReadonlyMap<string, string | null> = new Map(),
): MappedColumn[] {
  const labels = Object.fromEntries(Object.entries(kind.record?.fields ?? {}).map(([name, { label }]) => [name, label]))
  const words = fields.map((field) => field.slice(field.lastIndexOf('.') + 1))
  const found = columnsFor(words, { columns: columnsOfKind(kind), labels, learned })
  return found.flatMap((column, at) => (column ? [{ column, field: assertDefined(fields[at]), text: '' }] : []))
}
