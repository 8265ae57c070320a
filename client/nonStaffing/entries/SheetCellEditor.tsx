import { Popover } from '@mantine/core'
import { type CustomCellEditorProps, useGridCellEditor } from 'ag-grid-react'
import { useEffect, useId, useRef, useState } from 'react'
import classes from './sheet.module.css'
import {
  type EntryChoices,
  getCellText,
  getSheetField,
  type LoadedSheet,
  listColumnChoices,
  parseCellText,
  type SheetLine,
} from './sheetModel.ts'

/**
 * A cell editor for text and codes, with suggestions from its column. The key that starts the edit becomes the first letter. Text that
 * cannot be parsed stays in the cell, with a message that says what to type.
 */
export function SheetCellEditor({
  value,
  onValueChange,
  eventKey,
  data,
  colDef,
  choices,
  sheet,
}: CustomCellEditorProps<SheetLine, string> & { choices: EntryChoices; sheet: LoadedSheet }) {
  const [isRefused, setRefused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const field = getSheetField(colDef.field)
  const options = listColumnChoices(choices, field)?.filter((one) => one.isOffered)
  const start = useRef(eventKey && eventKey.length === 1 ? eventKey : eventKey === 'Backspace' || eventKey === 'Delete' ? '' : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when editing begins
  useEffect(() => {
    const typed = start.current
    if (typed !== null) onValueChange(typed)
    else onValueChange(getCellText(data, field, choices))
    input.current?.focus()
    if (typed === null) input.current?.select()
  }, [])
  const text = value ?? ''
  const read = text === getCellText(data, field, choices) ? null : parseCellText(text, { field, choices, sheet, row: data })
  const problem = read && 'problem' in read ? read.problem : null
  useGridCellEditor({ getValidationErrors: () => (problem === null ? null : [problem]) })
  return (
    <>
      <Popover opened={isRefused && problem !== null} withRoles={false} position="bottom-start" withArrow shadow="md" returnFocus={false}>
        <Popover.Target>
          <input
            ref={input}
            className={classes.cellInput}
            aria-label={String(colDef.headerName)}
            aria-invalid={isRefused && problem !== null}
            value={text}
            onChange={(event) => {
              setRefused(false)
              onValueChange(event.currentTarget.value)
            }}
            onKeyDown={(event) => (event.key === 'Enter' || event.key === 'Tab') && setRefused(true)}
            onBlur={() => setRefused(true)}
            list={options ? list : undefined}
            autoComplete="off"
          />
        </Popover.Target>
        <Popover.Dropdown role="alert" className={classes.cellProblem}>
          {problem}
        </Popover.Dropdown>
      </Popover>
      {options && (
        <datalist id={list}>
          {options.map((one) => (
            <option key={one.id} value={one.code}>
              {one.description}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
