import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayList } from '../../../domain/values/format.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import scrollStyles from '../../ui/layout/scroll.module.css'
import type { TableColumn } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from './PastePreview.module.css'
import { isPastedRowValid, type PastedRow, previewPaste as readPasted } from './paste.ts'
import {
  type EntryChoices,
  getCellText,
  type LoadedSheet,
  listColumnChoices,
  parseYearField,
  type SheetField,
  type SheetLine,
} from './sheetModel.ts'

const mostShown = 200
const labels: Record<string, string> = {
  description: 'Description',
  identifier: 'Identifier',
  budgetCodeId: 'Budget code',
  costCentreId: 'Cost centre',
  fundCodes: 'Fund codes',
  analysisTags: 'Analysis tags',
  profileTemplateId: 'Profile',
}

/** A block copied from a spreadsheet, with the rows and columns of the sheet into which it is pasted. */
export interface PastedBlock {
  block: string[][]
  rows: readonly SheetLine[]
  columns: readonly SheetField[]
}

/** Says how many rows would be saved, and what prevents the other rows from being saved. */
function PasteSummary({ touched, good }: { touched: readonly PastedRow[]; good: readonly PastedRow[] }) {
  const bad = touched.length - good.length
  const added = good.filter((row) => row.isNew).length
  const changed = good.length - added
  const parts = [
    changed > 0 && `${displayCount(changed, 'entry changes', 'entries change')}`,
    added > 0 && `${displayCount(added, 'new entry is added', 'new entries are added')}`,
  ].filter((part) => part !== false)
  return (
    <p style={{ marginTop: 0 }} role="status">
      {touched.length === 0 && 'Nothing would change: the sheet already has these values.'}
      {parts.length > 0 && `${displayList(parts)}. `}
      {bad > 0 && (
        <b className={textStyles.up}>
          {displayCount(bad, 'row')} cannot be pasted as {bad === 1 ? 'it is' : 'they are'}: correct the marked cells
          {good.length > 0 && `, or leave ${bad === 1 ? 'it' : 'them'} out`}.
        </b>
      )}
    </p>
  )
}

/** A pasted cell with an error, as a field to correct: a select where the sheet expects a record. */
function CorrectedCell({
  label,
  text,
  problem,
  list,
  onType,
}: {
  label: string
  text: string
  problem: string | null
  list: ReturnType<typeof listColumnChoices>
  onType: (text: string) => void
}) {
  const shared = { 'aria-label': label, size: 'xs', error: problem } as const
  if (!list) return <TextInput {...shared} value={text} onChange={(event) => onType(event.currentTarget.value)} />
  const offered = list.filter((one) => one.isOffered)
  return (
    <Choice
      {...shared}
      data={offered.map(({ code, description }) => ({ value: code, label: `${code} ${description}`.trim() }))}
      value={offered.find(({ code }) => code === text)?.code ?? null}
      placeholder={text}
      onChange={(code) => onType(code ?? '')}
      clearable
      isWide
    />
  )
}

/** Previews what a pasted block would change, with a row for each entry, rows with errors first. */
export function PastePreview({
  pasted,
  sheet,
  choices,
  onApply,
  onClose,
}: {
  pasted: PastedBlock
  sheet: LoadedSheet
  choices: EntryChoices
  /** @returns the problems that the server found, by row id */
  onApply: (rows: PastedRow[]) => Promise<Map<string, string>>
  onClose: () => void
}) {
  const { rows, columns } = pasted
  const [block, setBlock] = useState(pasted.block)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  // A row that the server refused stays editable, even after the first key has cleared the error.
  const [wereRefused, setWereRefused] = useState<ReadonlySet<string>>(new Set())
  const read = readPasted(block, { rows, columns, choices, sheet })
  // Keep the original order and the same editable fields, so that the rows do not move while the user corrects them.
  const [found] = useState(read)
  const order = found
    .map((_row, index) => index)
    .sort((a, b) => Number(isPastedRowValid(assertDefined(found[a]))) - Number(isPastedRowValid(assertDefined(found[b]))))
  const hadProblem = (index: number, field: SheetField): boolean =>
    assertDefined(rows[index]).kind !== 'linked' &&
    (wereRefused.has(assertDefined(rows[index]).id) ||
      Boolean(assertDefined(found[index]).cells.find((cell) => cell.field === field)?.problem))
  const changedRows = read.filter((row) => row.cells.length)
  const clean = changedRows.filter(isPastedRowValid)
  // Rows that the server refused are left out as long as other rows remain. If the server was not reached, all rows can be sent again.
  const accepted = clean.filter((row) => !refused.has(row.row.id))
  const rowsToSave = accepted.length ? accepted : clean
  const type = (index: number, at: number, text: string): void => {
    setBlock((before) => before.map((cells, line) => (line === index ? cells.map((cell, column) => (column === at ? text : cell)) : cells)))
    setRefused((before) => new Map([...before].filter(([id]) => id !== assertDefined(rows[index]).id)))
  }
  const apply = async (): Promise<void> => {
    setBusy(true)
    const problems = await onApply(rowsToSave)
    setBusy(false)
    if (!problems.size) return onClose()
    setRefused(problems)
    setWereRefused((before) => new Set([...before, ...problems.keys()]))
  }
  const headOf = (field: SheetField): string => labels[field] ?? assertDefined(sheet.yearNames[parseYearField(field)])
  const cellOf = (index: number, at: number) => {
    const field = assertDefined(columns[at])
    const { row, cells } = assertDefined(read[index])
    const cell = cells.find((one) => one.field === field)
    const label = `${headOf(field)}, pasted row ${index + 1}`
    if (hadProblem(index, field))
      return (
        <CorrectedCell
          label={label}
          text={block[index]?.[at] ?? ''}
          problem={cell?.problem ?? null}
          // Fund shares and tags have several values in one cell, so the user edits them as text.
          list={field === 'fundCodes' || field === 'analysisTags' ? null : listColumnChoices(choices, field)}
          onType={(text) => type(index, at, text)}
        />
      )
    if (!cell) return <span className={textStyles.dim}>{getCellText(row, field, choices)}</span>
    return (
      <>
        {cell.after}
        {cell.problem && <span className={`${textStyles.up} ${textStyles.line}`}>{cell.problem}</span>}
        {!cell.problem && cell.before && <span className={`${classes.before} ${textStyles.line}`}>was {cell.before}</span>}
      </>
    )
  }
  return (
    <Dialog onClose={onClose} title="Paste" size="min(1180px, 94vw)">
      <PasteSummary touched={changedRows} good={rowsToSave} />
      <div className={scrollStyles.scroll} style={{ maxHeight: 'min(460px, 50vh)', overflow: 'auto' }}>
        <DataTable
          className={classes.paste}
          columns={[
            {
              id: 'row',
              label: 'Row',
              cell: (index) => {
                const one = assertDefined(read[index])
                const rowProblem = refused.get(one.row.id) ?? (one.lacks ? `This new entry still needs ${one.lacks}.` : null)
                return (
                  <>
                    {index + 1}
                    <span className={classes.before}> {one.isNew ? 'new' : one.row.description}</span>
                    {rowProblem && <span className={`${textStyles.up} ${textStyles.line}`}>{rowProblem}</span>}
                  </>
                )
              },
            },
            ...columns.map(
              (field, at): TableColumn<number> => ({
                id: field,
                label: headOf(field),
                isFigure: parseYearField(field) >= 0,
                cell: (index) => cellOf(index, at),
              }),
            ),
          ]}
          rows={order
            .filter((index) => assertDefined(read[index]).cells.length || assertDefined(found[index]).cells.length)
            .slice(0, mostShown)}
          keyOf={(index) => assertDefined(read[index]).row.id}
        />
        {changedRows.length > mostShown && (
          <p className={textStyles.dim}>And {displayCount(changedRows.length - mostShown, 'row')} more.</p>
        )}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={() => void apply()}
          loading={busy}
          disabled={!rowsToSave.length}
          data-autofocus={rowsToSave.length === changedRows.length || undefined}
        >
          {rowsToSave.length === changedRows.length ? 'Paste' : `Paste the ${displayCount(rowsToSave.length, 'valid row')}`}
        </Button>
      </Group>
    </Dialog>
  )
}
