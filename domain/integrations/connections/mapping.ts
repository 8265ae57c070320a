import { type FileColumn, listColumns } from '../../resources/columns.ts'
import { matchImportColumns } from '../../resources/importFile.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { isRecord } from '../../values/unknownValues.ts'
import type { FieldProblem } from '../../words/errors.ts'
import type { ConnectionKind } from './connection.ts'

/**
 * Where the value of a Bursar column comes from: a field of the other system or, if `field` is empty, a text that is the same in every row.
 */
export interface MappedColumn {
  column: string
  /** A dotted path in a record, such as `amount.net`; for a file, a heading. */
  field: string
  text: string
}

/** Where to find incoming data in the format of another system. */
export interface FieldMapping {
  /** The path of the list of records in a reply, such as `data.items`; empty if the reply is the list itself. Always empty for files. */
  records: string
  /** Empty if the fields already have the names of Bursar's columns. */
  columns: MappedColumn[]
}

export interface RecordList {
  records: string
  /** Fields of the records, as dotted paths. */
  fields: string[]
  /** The first records: each value as text, by its path. */
  rows: Record<string, string>[]
}

export const maximumFieldLength = 200
/** Limits on the part of a reply that is shown. */
const limits = { lists: 20, fields: 200, rows: 3, looked: 50, depth: 5, letters: 100 } as const

type SourceRecord = Readonly<Record<string, unknown>>
const isEmpty = (one: unknown): boolean => one === undefined || one === null

/** The columns of a connection, with the required ones marked. */
export function listConnectionColumns({ record, required }: ConnectionKind): FileColumn[] {
  return record ? listColumns(record).map((column) => ({ ...column, required: required?.includes(column.heading) ?? false })) : []
}

/** The value at a dotted path; undefined if the path does not exist. Field names may themselves contain dots. */
function readPath(value: unknown, path: string): unknown {
  if (!path) return value
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return Reflect.get(value, path)
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(value, name)) return readPath(Reflect.get(value, name), path.slice(dot + 1))
  }
  return undefined
}

/** Rows by Bursar's columns, and the records that they were made from; or a sentence that describes the problem. */
export type MappedRows = { rows: Record<string, string>[]; records: readonly SourceRecord[] } | { problem: string }

/**
 * Reads the rows of a JSON reply.
 * @param answer the parsed JSON
 * @param from name of the source, for messages
 */
export function readReplyRows(answer: unknown, mapping: FieldMapping | null, from: string): MappedRows {
  const path = mapping?.records ?? ''
  const list = readPath(answer, path)
  const noList = { problem: `${from} responded, but not with a list of records${path ? ` at ${path}` : ''}.` }
  if (!Array.isArray(list) || !list.every(isRecord)) return noList
  if (mapping?.columns.length) return mapRows(list, mapping, from)
  if (list.some((one) => Object.values(one).some((value) => typeof value === 'object' && value !== null))) return noList
  const asText = (value: unknown): string => (isEmpty(value) ? '' : String(value))
  return { rows: list.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, asText(value)]))), records: list }
}

/** Maps records or file rows to Bursar's columns; fields that no column uses are ignored. */
export function mapRows(records: readonly SourceRecord[], mapping: FieldMapping, from: string): MappedRows {
  const rows: Record<string, string>[] = records.map(() => ({}))
  for (const { column, field, text } of mapping.columns) {
    const values = records.map((record) => (field ? readPath(record, field) : text))
    if (records.length && values.every((value) => value === undefined))
      return { problem: `${from} has no ${field}, from which ${column} is read. Choose the field that holds it.` }
    const nestedRow = values.findIndex((value) => typeof value === 'object' && value !== null)
    if (nestedRow >= 0)
      return { problem: `Row ${nestedRow + 1}: ${field}, from which ${column} is read, is not a single value. Choose a field in it.` }
    for (const [at, value] of values.entries()) assertDefined(rows[at])[column] = isEmpty(value) ? '' : String(value)
  }
  return { rows, records }
}

export function findMappingProblems(kind: ConnectionKind, { columns }: FieldMapping): FieldProblem[] {
  if (!columns.length) return []
  const connectionColumns = listConnectionColumns(kind)
  const mappedByColumn = new Map(columns.map((one) => [one.column, one]))
  const unknownColumn = columns.find(({ column }) => !connectionColumns.some(({ heading }) => heading === column))
  if (unknownColumn) return [{ field: 'mapping', message: `${unknownColumn.column} is not a column of this connection.` }]
  if (mappedByColumn.size < columns.length) return [{ field: 'mapping', message: 'A column appears twice. Map it once.' }]
  const isOpen = ({ heading }: FileColumn): boolean => !mappedByColumn.get(heading)?.field && !mappedByColumn.get(heading)?.text
  return connectionColumns
    .filter((column) => column.required && isOpen(column))
    .map(({ heading }) => ({ field: `columns.${heading}`, message: `${heading} is required: choose the field that holds it.` }))
}

/** Collects the values of a record by their paths. Lists within the record are skipped. */
function collectValues(value: unknown, { path, depth, into }: { path: string; depth: number; into: Map<string, string> }): void {
  if (Array.isArray(value) || into.size >= limits.fields) return
  if (!isRecord(value)) {
    if (path && path.length <= maximumFieldLength) into.set(path, isEmpty(value) ? '' : String(value).slice(0, limits.letters))
    return
  }
  if (depth > 0)
    for (const [name, held] of Object.entries(value)) collectValues(held, { path: path ? `${path}.${name}` : name, depth: depth - 1, into })
}

/** The values of a record as text, by dotted path. */
export function flattenRecord(record: object): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  collectValues(record, { path: '', depth: limits.depth, into: leaves })
  return leaves
}

export function summariseRecordList(records: string, list: readonly SourceRecord[]): RecordList {
  const samples = list.slice(0, limits.looked).map(flattenRecord)
  const fields = [...new Set(samples.flatMap((leaves) => [...leaves.keys()]))].slice(0, limits.fields)
  return { records, fields, rows: samples.slice(0, limits.rows).map((leaves) => Object.fromEntries(leaves)) }
}

/** Finds the lists of records in a reply, the longest first. */
export function findRecordLists(answer: unknown): RecordList[] {
  const found: { records: string; list: readonly SourceRecord[] }[] = []
  const look = (value: unknown, path: string, depth: number): void => {
    if (found.length >= limits.lists || path.length > maximumFieldLength) return
    if (Array.isArray(value)) {
      if (value.length && value.every(isRecord)) found.push({ records: path, list: value })
    } else if (isRecord(value) && depth > 0)
      for (const [name, held] of Object.entries(value)) look(held, path ? `${path}.${name}` : name, depth - 1)
  }
  look(answer, '', limits.depth)
  return found.sort((a, b) => b.list.length - a.list.length).map(({ records, list }) => summariseRecordList(records, list))
}

/**
 * Suggests a field for each column by its name, as a file import does.
 * @param learned the columns that users chose for headings in earlier manual imports
 */
export function suggestColumns(
  kind: ConnectionKind,
  fields: readonly string[],
  learned: ReadonlyMap<string, string | null> = new Map(),
): MappedColumn[] {
  const labels = Object.fromEntries(Object.entries(kind.record?.fields ?? {}).map(([name, { label }]) => [name, label]))
  const words = fields.map((field) => field.slice(field.lastIndexOf('.') + 1))
  const found = matchImportColumns(words, { columns: listConnectionColumns(kind), labels, learned })
  return found.flatMap((column, at) => (column ? [{ column, field: assertDefined(fields[at]), text: '' }] : []))
}
