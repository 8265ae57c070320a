import { lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { requireList, requireNumbers, requireRecords } from '../values/unknownValues.ts'
import { escapeFormula, formatCell, parseCell, parseYesNo, type ReferenceFinder, type ReferenceNamer } from './cells.ts'
import type { Field } from './fields.ts'
import type { AnyResource } from './resource.ts'
import type { RecordValues } from './schema.ts'

/** One column of the import template and the export. */
export interface FileColumn {
  heading: string
  required: boolean
  /** The field that the column fills. `part` is the field of a row within it, `bit` the item of a flags field. */
  field: string
  part?: string
  bit?: number
  /** For a rates field, the index of the rate, from 0. */
  index?: number
  /** Headings used by other systems for this column. They replace the general list of such headings. */
  called?: readonly string[]
  /** Whether a heading of another system means this column. */
  isCalled?: (heading: string) => boolean
  /** Whether a cell looks like a value of this column. This recognises a column without a heading. */
  isLike?: (cell: string) => boolean
}

type HiddenTest = (field: Field) => boolean
const nothingHidden: HiddenTest = () => false

/**
 * Lists the columns of a resource in the order of its fields, without fields that are hidden, such as codes of a scheme that is not in use
 * (behaviour B-108).
 */
export function listColumns(resource: AnyResource, hidden: HiddenTest = nothingHidden): FileColumn[] {
  const required = new Set(resource.importRequired)
  return Object.entries(resource.fields).flatMap(([name, field]): FileColumn[] => {
    if (hidden(field)) return []
    if (field.kind === 'flags')
      return field.columns.map((heading, index) => ({
        heading,
        required: required.has(heading),
        field: name,
        bit: assertDefined(lookups[field.lookup][index]).id,
      }))
    if (field.kind === 'rates')
      return field.columns.map((heading, index) => ({ heading, required: required.has(heading), field: name, index }))
    if (field.kind === 'rows')
      return Object.entries(field.of).map(([part, { column, label }]) => ({
        heading: column ?? label,
        required: required.has(column ?? ''),
        field: name,
        part,
      }))
    const { column: heading, called, isCalled, isLike } = field
    const bySystems = { ...(called && { called }), ...(isCalled && { isCalled }), ...(isLike && { isLike }) }
    return heading ? [{ heading, required: required.has(heading), field: name, ...bySystems }] : []
  })
}

/** Returns the name of a column for selection lists: the field's label, or its heading split into words. */
export function nameColumn(resource: AnyResource, column: FileColumn): string {
  const field = assertDefined(resource.fields[column.field])
  if (isWhole(column)) return field.label
  if (column.part !== undefined && field.kind === 'rows') return field.of[column.part]?.label ?? column.heading
  return column.heading
}

/** A field that one cell can hold. */
export type CellField = Exclude<Field, { kind: 'rows' }>

/** Returns the field that a cell of a column fills: for a field with rows, the field of a row. */
export function getColumnField(resource: AnyResource, column: FileColumn): CellField {
  const whole = assertDefined(resource.fields[column.field])
  return whole.kind === 'rows' ? assertDefined(whole.of[assertDefined(column.part)]) : whole
}

const figures: Partial<Record<Field['kind'], 'number' | 'percent'>> = {
  integer: 'number',
  decimal: 'number',
  money: 'number',
  percent: 'percent',
  rates: 'percent',
}

/** Finds the columns that hold numbers or percentages, by heading. */
export function findNumberColumns(resource: AnyResource): Record<string, 'number' | 'percent'> {
  return Object.fromEntries(
    listColumns(resource).flatMap((column) => {
      const kind = figures[getColumnField(resource, column).kind]
      return kind ? [[column.heading, kind] as const] : []
    }),
  )
}

/** Lists the values allowed in a column of choices or of yes and no; empty for any other column. */
export function listAllowedValues(resource: AnyResource, column: FileColumn): string[] {
  const field = getColumnField(resource, column)
  if (column.bit !== undefined || field.kind === 'flag') return ['Yes', 'No']
  return field.kind === 'choice' ? lookups[field.lookup].map((item) => item.name) : []
}

/** Whether a column contains its whole field. */
function isWhole({ part, bit, index }: FileColumn): boolean {
  return part === undefined && bit === undefined && index === undefined
}

export function normaliseColumnHeading(heading: string): string {
  return heading.toLowerCase().replace(/[\s_]/g, '')
}

/** Matches the headings of a file to columns, ignoring case and spaces (behaviour B-137). */
export function matchColumns(
  columns: readonly FileColumn[],
  headings: readonly string[],
  labels: Record<string, string> = {},
): { matched: Map<string, FileColumn>; missing: string[]; ignored: string[] } {
  const wanted = new Map(columns.flatMap((column) => [[normaliseColumnHeading(column.heading), column] as const]))
  for (const column of columns)
    if (labels[column.field] && isWhole(column) && !wanted.has(normaliseColumnHeading(assertDefined(labels[column.field]))))
      wanted.set(normaliseColumnHeading(assertDefined(labels[column.field])), column)
  const matched = new Map<string, FileColumn>()
  for (const heading of headings) {
    const column = wanted.get(normaliseColumnHeading(heading))
    if (column && ![...matched.values()].includes(column)) matched.set(heading, column)
  }
  const found = new Set([...matched.values()])
  return {
    matched,
    missing: columns.filter((column) => column.required && !found.has(column)).map((column) => column.heading),
    ignored: headings.filter((heading) => !matched.has(heading)),
  }
}

export interface CellProblem {
  column: string
  value: string
  message: string
}

/**
 * Reads the values of one row of a file; a `rows` field gets one row. Only fields with a column in the file are set.
 * @returns `cells`: the original text by heading
 */
export function parseImportRow(
  resource: AnyResource,
  { matched, row, find }: { matched: ReadonlyMap<string, FileColumn>; row: Record<string, string>; find: ReferenceFinder },
): { values: RecordValues; cells: Record<string, string>; problems: CellProblem[] } {
  const values: RecordValues = {}
  const cells: Record<string, string> = {}
  const problems: CellProblem[] = []
  for (const [heading, column] of matched) {
    const cell = row[heading] ?? ''
    cells[column.heading] = cell
    const field = assertDefined(resource.fields[column.field])
    const parsed =
      field.kind === 'flags'
        ? cell.trim() === ''
          ? { value: false }
          : parseYesNo(column.heading, cell.trim())
        : field.kind === 'rates'
          ? parseCell({ kind: 'percent', label: column.heading }, cell, find)
          : field.kind === 'rows'
            ? parseCell(assertDefined(field.of[assertDefined(column.part)]), cell, find)
            : parseCell(field, cell, find)
    if ('message' in parsed) problems.push({ column: column.heading, value: cell, message: parsed.message })
    else if (column.bit !== undefined) values[column.field] = Number(values[column.field] ?? 0) | (parsed.value ? column.bit : 0)
    else if (column.index !== undefined) {
      const list = [...requireList(values[column.field])]
      list[column.index] = parsed.value
      values[column.field] = list
    } else if (column.part) {
      const [row = {}] = requireRecords(values[column.field])
      row[column.part] = parsed.value
      values[column.field] = [row]
    } else values[column.field] = parsed.value
  }
  return { values, cells, problems }
}

/** Writes a record as rows of a file: one row, or one for each row of its `rows` field. */
export function buildFileRows(
  resource: AnyResource,
  { columns, record, name }: { columns: readonly FileColumn[]; record: RecordValues; name: ReferenceNamer },
): string[][] {
  const rowField = columns.find((column) => column.part)?.field
  const lines = rowField ? requireRecords(record[rowField]) : []
  return (lines.length ? lines : [{}]).map((line: Record<string, unknown>) =>
    columns.map((column) => {
      const field = assertDefined(resource.fields[column.field])
      if (column.bit !== undefined) return Number(record[column.field]) & column.bit ? 'Yes' : 'No'
      if (column.index !== undefined) return String(requireNumbers(record[column.field])[column.index] ?? '')
      if (column.part && field.kind === 'rows')
        return escapeFormula(formatCell(assertDefined(field.of[column.part]), line[column.part], name))
      return escapeFormula(formatCell(field, record[column.field], name))
    }),
  )
}
