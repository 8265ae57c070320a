import type { CustomCellEditorProps } from 'ag-grid-react'
import { useEffect, useId, useRef } from 'react'
import { type Choices, choicesOf, type Field, type Row, textOf } from './sheetModel.ts'

/** Types into a cell: text, with the codes of the column to choose from. A key that begins the edit is its first letter. */
export function SheetCellEditor({
  value,
  onValueChange,
  eventKey,
  data,
  colDef,
  choices,
}: CustomCellEditorProps<Row, string> & { choices: Choices }) {
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const field = colDef.field as Field
  const options = choicesOf(choices, field)?.filter((one) => one.isOffered)
  const start = useRef(eventKey && eventKey.length === 1 ? eventKey : eventKey === 'Backspace' || eventKey === 'Delete' ? '' : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the edit begins
  useEffect(() => {
    const typed = start.current
    if (typed !== null) onValueChange(typed)
    else onValueChange(textOf(data, field, choices))
    input.current?.focus()
    if (typed === null) input.current?.select()
  }, [])
  return (
    <>
      <input
        ref={input}
        className="cell-input"
        aria-label={String(colDef.headerName)}
        value={value ?? ''}
        onChange={(event) => onValueChange(event.currentTarget.value)}
        list={options ? list : undefined}
        autoComplete="off"
      />
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
