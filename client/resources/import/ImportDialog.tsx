import { Alert, Button, Group, Stepper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { readAmount } from '../../../domain/files/cells.ts'
import { splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { getColumnField, listAllowedValues, listColumns, nameColumn } from '../../../domain/resources/columns.ts'
import type { Field } from '../../../domain/resources/fields.ts'
import { listColumnChoicesToRemember, listMissingColumns } from '../../../domain/resources/importFile.ts'
import { type ConvertedRow, type FileRow, findImportLayout, type ImportLayout } from '../../../domain/resources/importLayout.ts'
import { fillMaximumPoints, listScalesWithoutMaximum } from '../../../domain/resources/maximumPoints.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { ImportTemplate, TemplateChoice } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { api, toPublicError, trpc } from '../../shell/api.ts'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { notifySuccess } from '../../shell/notify.tsx'
import { useSelection } from '../../shell/selection.ts'
import { useUnfinishedImports } from '../../shell/unfinishedImports.ts'
import { confirmDiscard, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { FileDropArea, FileReadingProgress } from '../sheets/FileDrop.tsx'
import { describeReadError } from '../sheets/readBestSheet.ts'
import type { ChangeReference } from '../useResourceUndo.ts'
import { ColumnsStep, MissingColumnsAlert } from './ColumnsStep.tsx'
import { CorrectionTable, describeFileRow, type FileRowProblem } from './CorrectionTable.tsx'
import { RowsLeftOutEarlier } from './EarlierLeftOut.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import {
  buildImportRows,
  type ColumnsWithSameValue,
  changeSheet,
  createDefaultFills,
  findSourceColumn,
  type ImportFile,
  type ImportHeadings,
  type MissingColumnFills,
  readImportFile,
  requireImportable,
  suggestFills,
} from './importFile.ts'
import { describeRowsLeftOut, LeftOutRows } from './LeftOutRows.tsx'
import { MaximumPoints } from './MaximumPoints.tsx'
import { type CellProblem, downloadProblems, readCellProblems } from './ProblemTable.tsx'

/** Finds rows whose values differ from those that the screen fixes. They would not appear on this screen after the import. */
function findRowsOutsideScreen(
  resource: AnyResource,
  { fixed, headings, rows }: { fixed: Record<string, number>; headings: Readonly<Record<string, string>>; rows: readonly FileRow[] },
): CellProblem[] {
  return Object.entries(fixed).flatMap(([name, requiredId]) => {
    const field = assertDefined(resource.fields[name])
    const heading = headings[name] ?? name
    const word = field.kind === 'choice' ? (lookups[field.lookup].find((item) => item.id === requiredId)?.name ?? '') : ''
    return rows.flatMap((row, index) => {
      const cell = (row.cells[heading] ?? '').trim()
      const fits = cell === '' || cell === String(requiredId) || cell.toLowerCase() === word.toLowerCase()
      return fits ? [] : [{ row: index + 1, column: heading, value: cell, message: `${field.label} must be ${word} on this screen.` }]
    })
  })
}

/** Loads the columns that users chose for the headings of earlier files. If they cannot be loaded, the import continues without them. */
async function loadLearnedHeadings(entity: string): Promise<Map<string, string | null>> {
  const earlier = await api.importColumns.chosen.query({ entity }).catch(() => null)
  return new Map(earlier?.columns.map(({ heading, column }) => [heading, column]))
}

/** Lists the choices of columns to remember after an import. */
function headingsToRemember({ sheets, sheet, table }: ImportFile, known: ImportHeadings): { heading: string; column: string | null }[] {
  const headings = (splitRowsIntoCells(sheets[sheet]?.rows ?? [])[table.headingRow - 1] ?? []).map((cell) => cell.trim())
  return listColumnChoicesToRemember(headings, table.columns, known).slice(0, 200)
}

/** Returns the headings of the file, by the import column that they fill. */
function nameHeadings({ sheets, sheet, table }: ImportFile): Record<string, string> {
  const headings = splitRowsIntoCells(sheets[sheet]?.rows ?? [])[table.headingRow - 1] ?? []
  return Object.fromEntries(table.columns.flatMap((column, at) => (column === null ? [] : [[column, headings[at] ?? '']])))
}

/** The result of an import. */
interface Imported {
  imported: number
  created: number
  updated: number
  /** Number of people created along with the records. */
  people?: number
  /** Number of contracts that get no increments because they have no maximum scale point. */
  withoutMaximum?: number
  change?: ChangeReference
}

function importedWords({ imported, created, updated, people, withoutMaximum }: Imported): string {
  const rows = `${displayCount(imported, 'row')} imported: ${created} new, ${updated} changed, ${imported - created - updated} unchanged.`
  const added = people ? ` ${displayCount(people, 'person', 'people')} added to Staff.` : ''
  const endless = withoutMaximum
    ? ` ${displayCount(withoutMaximum, 'contract has', 'contracts have')} no maximum scale point and so ${withoutMaximum === 1 ? 'gets' : 'get'} no increments: Checks lists ${withoutMaximum === 1 ? 'it' : 'them'}.`
    : ''
  return rows + added + endless
}

const readPennies = (cell: string | undefined): Pennies => {
  const read = readAmount(cell ?? '')
  return 'value' in read ? (read.value ?? 0) : 0
}

/** In a server message, replaces the row numbers, which count the rows sent, by those of the spreadsheet. */
function toFileRowNumbers(message: string, sent: readonly FileRow[]): string {
  return message.replace(/\bin row (\d+)\b/g, (words, row: string) => `in row ${sent[Number(row) - 1]?.number ?? words.slice(7)}`)
}

/** The server calls of an import. */
export interface ImportCalls {
  /** Imports rows. Returns the result or, if the rows must be reviewed first, a sentence with the next step. */
  import(input: {
    rows: Record<string, string>[]
    progressKey: string
    ownOnly?: boolean
    /** The rows that the user left out, by their numbers in the file. */
    leftOut?: { fileName: string; rows: number[] }
  }): Promise<Imported | string>
  template: { query(): Promise<ImportTemplate> }
}

/**
 * The import of any declared entity. The user chooses a file, maps its columns, imports it, corrects errors, and sees the result (behaviour
 * B-134).
 */
export function ImportDialog({
  resource,
  calls,
  ownOnly,
  fixed = {},
  sameAs = {},
  usual = {},
  layouts = [],
  asksMaximum = false,
  isHidden,
  options,
  onChosen,
  onClose,
  onDone,
  undo,
}: {
  resource: AnyResource
  calls: ImportCalls
  /** Whether the rows belong to the organisation and not to the location of the user who imports them. */
  ownOnly?: boolean
  /** Values that the screen fixes for every row. */
  fixed?: Record<string, number>
  /** Pairs of columns that usually hold the same value, so that a file may have only one of them. */
  sameAs?: ColumnsWithSameValue
  /** Suggested values for columns that a file lacks. */
  usual?: MissingColumnFills
  /** Other layouts that files may have. */
  layouts?: readonly ImportLayout[]
  /** Whether to ask for the maximum points of pay scales that the file does not have. */
  asksMaximum?: boolean
  isHidden: (field: Field) => boolean
  /** Further options shown before the import. */
  options?: ReactNode
  /** Called with the name of the chosen file. */
  onChosen?: (fileName: string) => void
  onClose: () => void
  /** Runs after an import. */
  onDone?: () => void
  /** Creates the function that undoes an import, if it can be undone. */
  undo?: (change: ChangeReference | undefined) => (() => void) | undefined
}) {
  const term = useTerm()(resource.key)
  const [progressKey, setProgressKey] = useState(() => crypto.randomUUID())
  const [step, setStep] = useState(0)
  const [isReading, setReading] = useState(false)
  const [file, setFile] = useState<ImportFile | null>(null)
  const [fills, setFills] = useState<MissingColumnFills>({})
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const [maximums, setMaximums] = useState<Readonly<Record<string, string>>>({})
  /** Whether the user has changed how the file is read. */
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [problems, setProblems] = useState<FileRowProblem[]>([])
  const [result, setResult] = useState<Imported | string | null>(null)
  const importColumns = listColumns(resource, isHidden)
  const columns = [...importColumns, ...layouts.flatMap((one) => one.columns)]
  const layout = file ? findImportLayout(layouts, file.table.columns) : undefined
  const labels = Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
  const ownNames = Object.fromEntries(importColumns.map((column) => [column.heading, nameColumn(resource, column)]))
  // The layout with five years of months is offered only if the file has some of its columns.
  const offeredLayouts = layouts.filter((one) => one === layout || one.columns.length <= 20)
  const names: Readonly<Record<string, string>> = Object.assign({}, ownNames, ...offeredLayouts.map((one) => one.names))
  const values = Object.fromEntries(importColumns.map((column) => [column.heading, listAllowedValues(resource, column)]))
  // Fetch the allowed values only when the user may choose from them.
  const opened = useId()
  const template = useQuery({
    queryKey: ['choices', opened],
    queryFn: () => calls.template.query(),
    enabled: problems.length > 0 || file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const allowedValues = useMemo(
    (): Readonly<Record<string, readonly TemplateChoice[]>> =>
      Object.fromEntries((template.data?.columns ?? []).map(({ heading, choices }) => [heading, choices])),
    [template.data],
  )
  const { organisationId } = useSelection()
  // Headings are remembered for the whole organisation, so a user limited to some locations does not save them.
  const { locationIds } = useCoreData()
  const unfinished = useUnfinishedImports()
  const [learned, setLearned] = useState<ReadonlyMap<string, string | null>>(new Map())
  const keep = trpc.importColumns.keep.useMutation({ onError: console.warn })
  const known = { columns, labels, learned, layouts }
  const readAll = useMemo(
    () =>
      file ? buildImportRows(splitRowsIntoCells(assertDefined(file.sheets[file.sheet]).rows), { table: file.table, fills, typed }) : [],
    [file, fills, typed],
  )
  const read = useMemo(() => readAll.filter(({ number }) => !leftOut.has(number)), [readAll, leftOut])
  const rowsLeftOut = readAll.filter(({ number }) => leftOut.has(number))
  const points = allowedValues.ScalePoint ?? []
  const scales = asksMaximum ? listScalesWithoutMaximum(read, points) : []
  const rows = scales.length ? fillMaximumPoints(read, points, maximums) : read
  const hasWork = step === 1 && (isChanged || typed.size > 0 || leftOut.size > 0)
  useUnsavedChanges(hasWork)
  const leave = async (after: () => void): Promise<void> => {
    if (!hasWork || (await confirmDiscard())) after()
  }
  const needed = (one: ImportFile): string[] => {
    const replaced = findImportLayout(layouts, one.table.columns)?.inPlaceOf ?? []
    return listMissingColumns(columns, one.table.columns).filter((column) => !replaced.includes(column))
  }
  const suggested = (one: ImportFile): MissingColumnFills => suggestFills(columns, { file: one, values, sameAs })
  const missing = file ? needed(file).filter((column) => !fills[column]?.trim()) : []
  const toLines = (some: readonly FileRow[]): ConvertedRow[] =>
    layout ? layout.convertRows(some) : some.map((row) => ({ ...row, standsIn: {} }))
  const sent = toLines(rows)
  const fieldOf = new Map(importColumns.map((column) => [column.heading, getColumnField(resource, column)]))
  const moneyColumns = [...fieldOf].flatMap(([heading, { kind }]) => (kind === 'money' ? [heading] : []))
  const sumLeftOut = moneyColumns.length
    ? toLines(rowsLeftOut).reduce((sum, { cells }) => moneyColumns.reduce((total, heading) => total + readPennies(cells[heading]), sum), 0)
    : null
  const ownValues = new Set([...fieldOf].flatMap(([heading, { kind }]) => (kind === 'text' || kind === 'longText' ? [heading] : [])))
  const leaveOut = (numbers: readonly number[]): void => setLeftOut(new Set([...leftOut, ...numbers]))
  const include = (numbers: readonly number[]): void => setLeftOut(new Set([...leftOut].filter((number) => !numbers.includes(number))))
  const change = (one: () => ImportFile): void => {
    setChanged(true)
    setProblem(null)
    try {
      setFile(one())
    } catch (error) {
      setProblem(describeReadError(error))
    }
  }
  const choose = async (chosen: File): Promise<void> => {
    setProblem(null)
    setReading(true)
    try {
      const before = organisationId === null ? new Map() : await loadLearnedHeadings(resource.name)
      setLearned(before)
      const found = await readImportFile(chosen, { ...known, learned: before })
      onChosen?.(chosen.name)
      setFile(found)
      setProblems([])
      setTyped(new Map())
      setLeftOut(new Set())
      setMaximums({})
      setChanged(false)
      setFills({ ...suggested(found), ...createDefaultFills(resource, needed(found)), ...usual })
      setStep(1)
    } catch (error) {
      setProblem(describeReadError(error))
    }
    setReading(false)
  }
  const refuse = (message: string, found: readonly CellProblem[]): void => {
    const broken = new Set(found.map(({ row }) => sent[row - 1]?.number)).size
    const reason =
      sent.length > rows.length && broken
        ? `${broken} of ${displayCount(rows.length, 'row')} ${broken === 1 ? 'has a problem' : 'have problems'}. Nothing was imported.`
        : message
    setProblem(reason)
    unfinished.record({ what: toMidSentence(term.plural), fileName: file?.name ?? '', said: reason })
    const headingOf = (column: string | null): string | null =>
      column === null || column in names ? column : (columns.find(({ heading }) => names[heading] === column)?.heading ?? column)
    // A cell that fills two columns is corrected in its own column.
    const isFromOtherColumn = ({ row, column, value }: CellProblem): boolean => {
      const from = file && column !== null ? findSourceColumn(column, fills, file) : null
      return from !== null && found.some((one) => one.row === row && one.column === from && one.value === value)
    }
    const placed = found
      .filter((one) => !isFromOtherColumn(one))
      .map((one): FileRowProblem => {
        const line = sent[one.row - 1]
        const column = headingOf(one.column)
        return {
          ...one,
          message: toFileRowNumbers(one.message, sent),
          column: column === null ? null : (line?.standsIn[column] ?? column),
          of: rows.find((row) => row.number === line?.number) ?? null,
        }
      })
    // A file row that became several rows of the import has the same problem in each of them. Show it once.
    const of = (one: FileRowProblem): string => JSON.stringify([one.of?.number ?? one.row, one.column, one.message])
    const first = new Map<string, FileRowProblem>()
    for (const one of placed) if (!first.has(of(one))) first.set(of(one), one)
    setProblems([...first.values()])
    setStep(1)
  }
  const run = async (): Promise<void> => {
    setStep(2)
    setProblem(null)
    const headings = Object.fromEntries(importColumns.map((column) => [column.field, column.heading]))
    const rowsOutside = findRowsOutsideScreen(resource, { fixed, headings, rows: sent })
    if (rowsOutside.length) return refuse('Some rows belong to another screen. Nothing was imported.', rowsOutside)
    try {
      const imported = await calls.import({
        rows: sent.map((row) => row.cells),
        ownOnly,
        progressKey,
        ...(leftOut.size && { leftOut: { fileName: (file?.name ?? '').slice(0, 200), rows: rowsLeftOut.map(({ number }) => number) } }),
      })
      setResult(typeof imported === 'string' ? imported : { ...imported, imported: Math.min(imported.imported, rows.length) })
      const chosen = file && organisationId !== null ? headingsToRemember(file, known) : []
      // The file is already imported, so a failure to save its headings is ignored.
      if (chosen.length && locationIds === null) keep.mutate({ entity: resource.name, columns: chosen })
      if (typeof imported !== 'string') notifySuccess(notices.imported(term.plural), undo?.(imported.change))
      unfinished.remove()
      setStep(3)
      onDone?.()
    } catch (error) {
      setProgressKey(crypto.randomUUID())
      refuse(toPublicError(error).message, readCellProblems(error))
    }
  }
  const back = (): void => {
    setStep(0)
    setFile(null)
    setProblems([])
    setProblem(null)
  }
  return (
    <Dialog
      onClose={() => void leave(onClose)}
      size={980}
      title={`Import ${toMidSentence(term.plural)}`}
      closeOnClickOutside={step === 0 || step === 3}
      closeOnEscape={step !== 2}
    >
      <Stepper active={step} size="xs" mb="md" allowNextStepsSelect={false}>
        <Stepper.Step label="Choose a file" />
        <Stepper.Step label="Check" />
        <Stepper.Step label="Import" />
      </Stepper>
      {problem && (
        <Alert color="red" mb="md" role="alert">
          {problem}
        </Alert>
      )}
      {step === 0 &&
        (isReading ? (
          <FileReadingProgress />
        ) : (
          <FileDropArea
            what="an Excel or CSV file"
            hint={`It can have its own titles, totals and headings. Required: ${columns
              .filter((column) => column.required)
              .map((column) => names[column.heading])
              .join(', ')}.`}
            template={() => calls.template.query()}
            onFile={(chosen) => void choose(chosen)}
          />
        ))}
      {step === 0 && organisationId !== null && <RowsLeftOutEarlier entity={resource.name} />}
      {step === 1 && file && (
        <>
          <LeftOutRows
            rows={rowsLeftOut.map((row) => ({ number: row.number, name: describeFileRow(row) }))}
            sum={sumLeftOut}
            onTakeBack={include}
          />
          {problems.length > 0 ? (
            <CorrectionTable
              problems={problems.filter(({ of }) => !of || !leftOut.has(of.number))}
              names={names}
              headings={nameHeadings(file)}
              offered={allowedValues}
              ownValues={ownValues}
              typed={typed}
              onTyped={setTyped}
              onLeaveOut={leaveOut}
            />
          ) : (
            <ColumnsStep
              file={file}
              missing={[...new Set([...needed(file), ...Object.keys(suggested(file))])]}
              names={names}
              values={values}
              offered={allowedValues}
              fills={fills}
              onSheet={(sheet) => {
                setLeftOut(new Set())
                change(() => changeSheet({ ...file, sheet }, known))
              }}
              onFile={(chosen) => change(() => requireImportable(chosen))}
              onFills={(filled) => {
                setChanged(true)
                setFills(filled)
              }}
            />
          )}
          <MissingColumnsAlert names={missing.map((column) => assertDefined(names[column]))} />
          <MaximumPoints
            scales={scales}
            chosen={maximums}
            onChange={(chosen) => {
              setChanged(true)
              setMaximums(chosen)
            }}
          />
          {options}
          <Group justify="flex-end" mt="md">
            {problems.length > 0 && (
              <>
                <Button
                  variant="default"
                  onClick={() =>
                    downloadProblems(
                      problems.map((one) => ({ ...one, row: one.of?.number ?? one.row })),
                      term.plural,
                    )
                  }
                  mr="auto"
                >
                  Download the problems
                </Button>
                <Button variant="default" onClick={() => setProblems([])}>
                  Columns
                </Button>
              </>
            )}
            <Button variant="default" onClick={() => void leave(back)}>
              Choose another file
            </Button>
            <Button onClick={() => void run()} disabled={missing.length > 0 || !rows.length}>
              {problems.length > 0 ? 'Import again' : `Import ${displayCount(rows.length, 'row')}`}
            </Button>
          </Group>
        </>
      )}
      {step === 2 && <ImportProgress progressKey={progressKey} rows={rows.length} />}
      {step === 3 && result && (
        <>
          <Text role="status">
            {typeof result === 'string' ? result : importedWords(result)}
            {describeRowsLeftOut(
              rowsLeftOut.map(({ number }) => number),
              sumLeftOut,
            )}
          </Text>
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}
