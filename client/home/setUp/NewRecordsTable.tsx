import { Alert, Button, TextInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { type FileColumn, listColumns, nameColumn } from '../../../domain/resources/columns.ts'
import { matchImportColumns } from '../../../domain/resources/importFile.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { ImportTemplate } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { type Term, toMidSentence } from '../../../domain/words/terms.ts'
import { type CellProblem, readCellProblems } from '../../resources/import/ProblemTable.tsx'
import { toPublicError } from '../../shell/api.ts'
import { clearUnsavedChanges, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import classes from './TypedRows.module.css'

/** A row that the user edits: text by column heading, with a stable React key. */
interface TypedRow {
  key: number
  cells: Readonly<Record<string, string>>
}

/** Number of empty rows at the start. */
const initialRowCount = 3

/** Widths of the wider and narrower columns; the others share the rest. */
const widths: Readonly<Record<string, string>> = {
  Name: '32%',
  LocalAuthority: '24%',
  Central: '12%',
  Email: '25%',
  UserGroups: '22%',
  Locations: '22%',
}

const isFilled = ({ cells }: TypedRow): boolean => Object.values(cells).some((text) => text.trim())

let lastKey = 0
const newRow = (cells: TypedRow['cells'] = {}): TypedRow => ({ key: ++lastKey, cells })

/** Parses cells copied from a spreadsheet; null for a single cell, which is pasted as text. */
function parsePastedCells(text: string): string[][] | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  return lines.length > 1 || text.includes('\t') ? lines.map((line) => line.split('\t').map((cell) => cell.trim())) : null
}

/**
 * A table for new records. The user types rows, or pastes them from a spreadsheet with or without its headings. The import of the entity
 * saves all rows or none, and reports each problem at its cell.
 */
export function NewRecordsTable({
  resource,
  headings,
  template,
  placeholders = {},
  term,
  check,
  save,
  children,
}: {
  resource: AnyResource
  /** Headings of the columns to show. */
  headings: readonly string[]
  /** The values that each column accepts; undefined while loading. */
  template: ImportTemplate | undefined
  placeholders?: Readonly<Record<string, string>>
  term: Term
  /** Checks a row in the browser before it is sent. */
  check?: (cells: Record<string, string>) => { column: string; message: string } | null
  save: (rows: Record<string, string>[]) => Promise<unknown>
  children?: ReactNode
}) {
  const [rows, setRows] = useState(() => Array.from({ length: initialRowCount }, () => newRow()))
  const [problems, setProblems] = useState<readonly CellProblem[]>([])
  const [general, setGeneral] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const columns = headings.map((heading) => assertDefined(listColumns(resource).find((column) => column.heading === heading)))
  const filled = rows.filter(isFilled)
  useUnsavedChanges(filled.length > 0)
  /** Replaces rows, and always keeps one empty row at the end. */
  const change = (next: readonly TypedRow[]): void => {
    const last = next.at(-1)
    setRows(!last || isFilled(last) ? [...next, newRow()] : [...next])
  }
  const type = (at: number, heading: string, text: string): void => {
    setProblems(problems.filter(({ row, column }) => row !== at + 1 || column !== heading))
    change(rows.map((row, index) => (index === at ? { ...row, cells: { ...row.cells, [heading]: text } } : row)))
  }
  const remove = (at: number): void => {
    setProblems(problems.flatMap((one) => (one.row === at + 1 ? [] : [{ ...one, row: one.row > at + 1 ? one.row - 1 : one.row }])))
    change(rows.filter((_row, index) => index !== at))
  }
  const paste = (event: ClipboardEvent): void => {
    const cellKey = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined
    const lines = parsePastedCells(event.clipboardData.getData('text/plain'))
    if (!cellKey || !lines) return
    event.preventDefault()
    event.stopPropagation()
    const [at, from] = cellKey.split(' ').map(Number)
    const labels = Object.fromEntries(columns.map((column) => [column.field, nameColumn(resource, column)]))
    const headingMatch = matchImportColumns(assertDefined(lines[0]), { columns, labels })
    const isHeaded = headingMatch.filter((heading) => heading !== null).length > 1
    const into = isHeaded ? headingMatch : assertDefined(lines[0]).map((_cell, index) => headings[assertDefined(from) + index] ?? null)
    const next = [...rows]
    for (const [index, line] of (isHeaded ? lines.slice(1) : lines).entries()) {
      const row = next[assertDefined(at) + index] ?? newRow()
      const cells = Object.fromEntries(line.flatMap((text, column) => (into[column] ? [[into[column], text]] : [])))
      next[assertDefined(at) + index] = { ...row, cells: { ...row.cells, ...cells } }
    }
    setProblems([])
    change(next)
  }
  const send = async (): Promise<void> => {
    if (busy || !filled.length) return
    const typed = filled.map(({ cells }) => Object.fromEntries(headings.map((heading) => [heading, (cells[heading] ?? '').trim()])))
    const found = typed.flatMap((cells, index) => {
      const wrong = check?.(cells)
      return wrong ? [{ ...wrong, row: index + 1, value: cells[wrong.column] ?? null }] : []
    })
    setGeneral(null)
    if (found.length) {
      setRows([...filled, newRow()])
      return setProblems(found)
    }
    setBusy(true)
    try {
      await save(typed)
      clearUnsavedChanges()
      setRows(Array.from({ length: initialRowCount }, () => newRow()))
      setProblems([])
    } catch (error) {
      // Remove empty rows, so that the row numbers in the problems match the table.
      setRows([...filled, newRow()])
      setProblems(readCellProblems(error))
      setGeneral(toPublicError(error).message)
    } finally {
      setBusy(false)
    }
  }
  const elsewhere = problems.filter(({ column }) => column === null || !headings.includes(column))
  return (
    <Card style={{ overflow: 'visible' }} aria-label={`Add ${toMidSentence(term.plural)}`}>
      <CardHead>
        Add {toMidSentence(term.plural)}
        <CardNote>Type them, or copy rows from a spreadsheet and paste them into the first cell.</CardNote>
      </CardHead>
      {children && <CardBody>{children}</CardBody>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        onPasteCapture={paste}
      >
        <FieldTable
          className={classes.rows}
          minWidth={760}
          headings={[
            { label: '', name: 'Row', style: { width: 36 } },
            ...columns.map((column) => ({
              label: (
                <>
                  {nameColumn(resource, column)}
                  {isNeeded(resource, column) && !placeholders[column.heading] && <span aria-hidden> *</span>}
                </>
              ),
              style: { minWidth: 150, width: widths[column.heading] },
            })),
            { label: '', name: 'Remove', style: { width: 44 } },
          ]}
        >
          {rows.map((row, at) => (
            <tr key={row.key}>
              <td className={classes.number}>{at + 1}</td>
              {columns.map((column, index) => (
                <td key={column.heading} data-cell={`${at} ${index}`}>
                  <Cell
                    label={`${nameColumn(resource, column)} of row ${at + 1}`}
                    template={template}
                    heading={column.heading}
                    placeholder={placeholders[column.heading]}
                    value={row.cells[column.heading] ?? ''}
                    error={problems.find((one) => one.row === at + 1 && one.column === column.heading)?.message}
                    onChange={(text) => type(at, column.heading, text)}
                  />
                </td>
              ))}
              <td>{isFilled(row) && <RemoveButton mt={4} label={`Remove row ${at + 1}`} onRemove={() => remove(at)} />}</td>
            </tr>
          ))}
        </FieldTable>
        {general && (
          <Alert color="red" role="alert" m="sm">
            {general}
            {elsewhere.map(({ row, message }) => (
              <div key={`${row} ${message}`}>{row > 0 ? `Row ${row}: ${message}` : message}</div>
            ))}
          </Alert>
        )}
        <div className={cardStyles.foot}>
          <Button type="submit" loading={busy} disabled={!filled.length}>
            {`Add ${filled.length ? displayCount(filled.length, toMidSentence(term.singular), toMidSentence(term.plural)) : toMidSentence(term.plural)}`}
          </Button>
          {filled.length > 0 && <span>{displayCount(filled.length, 'row')}, saved together or not at all</span>}
        </div>
      </form>
    </Card>
  )
}

function isNeeded(resource: AnyResource, { field }: FileColumn): boolean {
  return Boolean(resource.fields[field]?.required)
}

/** A cell that the user edits: one choice, several choices, or text. */
function Cell({
  label,
  template,
  heading,
  placeholder,
  value,
  error,
  onChange,
}: {
  label: string
  template: ImportTemplate | undefined
  heading: string
  placeholder: string | undefined
  value: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const column = template?.columns.find((one) => one.heading === heading)
  const choices = column?.choices ?? []
  const common = { 'aria-label': label, error, size: 'sm' as const }
  const splitWords = (text: string): string[] =>
    text
      .split(';')
      .map((word) => word.trim())
      .filter(Boolean)
  const words = splitWords(value)
  if (column?.isSeveral && choices.length)
    return (
      <MultiChoice
        {...common}
        placeholder={placeholder}
        // Pasted words that match nothing are shown too, with their problem.
        data={[...new Set([...choices.map((choice) => choice.value), ...words])]}
        value={words}
        onChange={(list) => onChange(list.join('; '))}
        onUnmatched={(text) => onChange([...new Set([...words, ...splitWords(text)])].join('; '))}
      />
    )
  if (choices.length)
    return <SuggestionField {...common} placeholder={placeholder} suggestions={choices} takesFirst value={value} onChange={onChange} />
  return <TextInput {...common} placeholder={placeholder} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
}
