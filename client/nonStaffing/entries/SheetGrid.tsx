import {
  CellApiModule,
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomEditorModule,
  type GridApi,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
} from 'ag-grid-community'
import { AgGridProvider, AgGridReact } from 'ag-grid-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayFigure, displayMoney, displayWholePounds } from '../../../domain/values/format.ts'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { usePrinting } from '../../ui/table/usePrinting.ts'
import { gridTheme } from './gridTheme.ts'
import { parseCopiedBlock } from './paste.ts'
import classes from './sheet.module.css'
import { calculateYearWidth, createSheetColumns, getSheetRowClass } from './sheetColumns.tsx'
import {
  createEmptyLine,
  type EntryChoices,
  getCellText,
  getSheetField,
  isEmptyLine,
  type LoadedSheet,
  parseCellText,
  type SheetField,
  type SheetLine,
  type SheetRowChanges,
} from './sheetModel.ts'
import type { SheetTotals } from './sumSheet.ts'

const modules = [
  ClientSideRowModelModule,
  ClientSideRowModelApiModule,
  CustomEditorModule,
  CellApiModule,
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
]

/** Columns that cannot be edited. */
const readOnlyColumns = new Set(['side', 'status', 'open'])

/** Staff costs are not in this sheet, so its balance excludes them. */
const balanceName = 'Balance without staff'

/** The rows and columns from the focused cell onwards. */
export interface SheetFromFocus {
  row: SheetLine
  /** The rows from the focused row downwards, in display order. */
  below: SheetLine[]
  /** The editable columns from the focused column rightwards. */
  fields: SheetField[]
}

/** The grid of the sheet: typing, arrow keys and Enter, copy and paste, fill down, and a footer with totals of the visible rows. */
export function SheetGrid({
  rows,
  choices,
  sheet,
  totals,
  mayEdit,
  onChange,
  onPaste,
  onOpen,
  onUndo,
  onSelect,
}: {
  rows: SheetLine[]
  choices: EntryChoices
  sheet: LoadedSheet
  totals: SheetTotals
  mayEdit: boolean
  onChange: (row: SheetLine, changes: SheetRowChanges) => void
  onPaste: (block: string[][], at: SheetFromFocus) => void
  onOpen: (row: SheetLine) => void
  onUndo: () => void
  onSelect: (rows: SheetLine[]) => void
}) {
  const grid = useRef<GridApi<SheetLine> | null>(null)
  const opening = useRef(onOpen)
  opening.current = onOpen
  const width = calculateYearWidth([...totals.income, ...totals.expenditure, ...totals.balance])
  const columns = useMemo(
    () => createSheetColumns(choices, { sheet, width, mayEdit, onOpen: (row) => opening.current(row) }).map(withTotals),
    [choices, sheet, width, mayEdit],
  )
  const pinned = useMemo(
    () =>
      (['income', 'expenditure', 'balance'] as const).map((side): SheetLine => {
        const description = { income: 'Income', expenditure: 'Expenditure', balance: balanceName }[side]
        return { ...createEmptyLine(description, 0), description, amounts: totals[side] }
      }),
    [totals],
  )
  const { frame, height } = useHeightBelow()
  const isPrinting = usePrinting()
  const findFocus = (): SheetFromFocus | null => {
    const cell = grid.current?.getFocusedCell()
    if (!cell || cell.rowPinned || !grid.current) return null
    const shown = grid.current.getAllDisplayedColumns().map((column) => column.getColId())
    const fields = shown
      .slice(shown.indexOf(cell.column.getColId()))
      .filter((id) => !readOnlyColumns.has(id))
      .map(getSheetField)
    const below: SheetLine[] = []
    for (let index = cell.rowIndex; index < grid.current.getDisplayedRowCount(); index++)
      below.push(assertDefined(assertDefined(grid.current.getDisplayedRowAtIndex(index)).data))
    return below[0] ? { row: below[0], below, fields } : null
  }
  const isTyping = (target: EventTarget): boolean => target instanceof HTMLInputElement
  const copy = (event: ClipboardEvent): void => {
    const at = findFocus()
    if (!at || isTyping(event.target) || window.getSelection()?.toString()) return
    const chosen = grid.current?.getSelectedRows() ?? []
    const lines = chosen.length > 1 ? chosen : [at.row]
    const fields =
      chosen.length > 1
        ? assertDefined(grid.current)
            .getAllDisplayedColumns()
            .map((column) => column.getColId())
            .filter((id) => !readOnlyColumns.has(id) && !id.startsWith('ag-Grid'))
            .map(getSheetField)
        : at.fields.slice(0, 1)
    event.clipboardData.setData(
      'text/plain',
      lines.map((row) => fields.map((field) => getCellText(row, field, choices)).join('\t')).join('\n'),
    )
    event.preventDefault()
  }
  const paste = (event: ClipboardEvent): void => {
    const at = findFocus()
    if (!at || !mayEdit || isTyping(event.target)) return
    const text = event.clipboardData.getData('text/plain')
    if (!text) return
    event.preventDefault()
    onPaste(parseCopiedBlock(text), at)
  }
  /** Copies a cell into the selected rows. Without a selection, it copies the cell above into the focused row. */
  const fillDown = (): void => {
    const at = findFocus()
    const field = at?.fields[0]
    const cell = grid.current?.getFocusedCell()
    if (!at || !field || !cell || !grid.current) return
    const chosen = grid.current.getSelectedRows()
    const above = grid.current.getDisplayedRowAtIndex(cell.rowIndex - 1)?.data
    const source = chosen.length ? at.row : above
    if (!source) return
    const text = getCellText(source, field, choices)
    onPaste(
      (chosen.length ? chosen.filter((row) => row.id !== source.id) : [at.row]).map(() => [text]),
      { row: at.row, below: chosen.length ? chosen.filter((row) => row.id !== source.id) : [at.row], fields: [field] },
    )
  }
  const press = (event: KeyboardEvent): void => {
    if (isTyping(event.target)) return
    const key = event.key.toLowerCase()
    const isControl = event.ctrlKey || event.metaKey
    if (isControl && key === 'd' && mayEdit) {
      event.preventDefault()
      fillDown()
    } else if (isControl && key === 'z' && mayEdit) {
      event.preventDefault()
      // Stop here; otherwise the page would also undo a deletion made in another list.
      event.stopPropagation()
      onUndo()
    } else if (event.altKey && event.key === 'Enter') {
      const at = findFocus()
      if (at?.row.kind === 'entry') {
        event.preventDefault()
        onOpen(at.row)
      }
    }
  }
  return (
    <Card
      className={classes.sheet}
      aria-label="Budget entries"
      ref={frame}
      style={{ height }}
      onCopy={copy}
      onPaste={paste}
      onKeyDown={press}
    >
      <AgGridProvider modules={modules}>
        <AgGridReact<SheetLine>
          theme={gridTheme}
          rowData={rows}
          columnDefs={columns}
          defaultColDef={{
            sortable: true,
            resizable: true,
            cellDataType: false,
            minWidth: 80,
            // Otherwise Alt and Enter would move the focus down first and open the entry below.
            suppressKeyboardEvent: ({ event }) => event.altKey && event.key === 'Enter',
          }}
          getRowId={({ data }) => data.id}
          rowHeight={32}
          readOnlyEdit
          onCellEditRequest={({ data, newValue, colDef }) => {
            const field = getSheetField(colDef.field)
            if (String(newValue ?? '') === getCellText(data, field, choices)) return
            const read = parseCellText(String(newValue ?? ''), { field, choices, sheet, row: data })
            if ('changes' in read) onChange(data, read.changes)
          }}
          invalidEditValueMode="block"
          // Tab leaves the sheet. Only while a cell is being edited does it move to the next cell.
          tabToNextCell={({ editing, nextCellPosition }) => editing && (nextCellPosition ?? false)}
          tabToNextHeader={() => false}
          enterNavigatesVertically
          enterNavigatesVerticallyAfterEdit
          stopEditingWhenCellsLoseFocus
          pinnedBottomRowData={pinned}
          rowSelection={
            mayEdit
              ? {
                  mode: 'multiRow',
                  checkboxes: ({ data }) => data?.kind === 'entry',
                  headerCheckbox: true,
                  isRowSelectable: ({ data }) => data?.kind === 'entry',
                }
              : undefined
          }
          selectionColumnDef={{ pinned: 'left', width: 42, minWidth: 42, maxWidth: 42 }}
          onSelectionChanged={({ api }) => onSelect(api.getSelectedRows())}
          getRowClass={({ data, node }) => (node.rowPinned ? classes.sum : data && getSheetRowClass({ data }))}
          onGridReady={({ api }) => {
            grid.current = api
          }}
          ensureDomOrder
          suppressDragLeaveHidesColumns
        />
      </AgGridProvider>
      {isPrinting && <PrintedSheet grid={grid.current} rows={rows} totals={pinned} choices={choices} yearNames={sheet.yearNames} />}
    </Card>
  )
}

/** The sheet on paper: all rows in the order shown, with their totals. The grid itself renders only the rows in view. */
function PrintedSheet({
  grid,
  rows,
  totals,
  choices,
  yearNames,
}: {
  grid: GridApi<SheetLine> | null
  /** The rows to print if the grid has not sorted them yet. */
  rows: SheetLine[]
  totals: SheetLine[]
  choices: EntryChoices
  yearNames: readonly string[]
}) {
  const sorted: SheetLine[] = []
  grid?.forEachNodeAfterFilterAndSort(({ data }) => data && sorted.push(data))
  const texts = { description: 'Description', budgetCodeId: 'Budget code', costCentreId: 'Centre', fundCodes: 'Funds' } as const
  return (
    <div className={classes.printed}>
      <DataTable
        isTight
        isWrapped
        columns={[
          ...(['description', 'budgetCodeId', 'costCentreId', 'fundCodes'] as const).map((field) => ({
            id: field,
            label: texts[field],
            cell: (row: SheetLine) => (totals.includes(row) && field !== 'description' ? '' : getCellText(row, field, choices)),
          })),
          ...createFigureColumns<SheetLine>(yearNames, ({ amounts }, year) => {
            const amount = amounts[year] ?? null
            return amount === null ? 'not calculated' : displayFigure(amount)
          }),
        ]}
        rows={(sorted.length ? sorted : rows).filter((row) => !isEmptyLine(row))}
        foot={totals}
        keyOf={({ id }) => id}
      />
    </div>
  )
}

/** The height from an element to the bottom of the window. */
function useHeightBelow(): { frame: RefObject<HTMLElement | null>; height: number } {
  const frame = useRef<HTMLElement>(null)
  const [height, setHeight] = useState(420)
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = (frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      // 40 is the padding of the page below it: the page itself does not scroll.
      setHeight(Math.max(320, window.innerHeight - top - 40))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { frame, height }
}

/** Makes a column show the totals in the rows that are pinned to the footer. */
function withTotals(column: ColDef<SheetLine>): ColDef<SheetLine> {
  const year = column.colId?.startsWith('year') ? Number(column.colId.slice(4)) : -1
  const { cellRenderer, valueGetter } = column
  return {
    ...column,
    // The grid draws a cell again only if its value changes.
    valueGetter: (params) => {
      if (params.node?.rowPinned) return params.data?.amounts[year]
      return typeof valueGetter === 'function' ? valueGetter(params) : undefined
    },
    cellRendererSelector: ({ node, data }) => {
      if (!node.rowPinned || !data) return cellRenderer ? { component: cellRenderer } : undefined
      const { description: total, amounts } = data
      const amount = amounts[year] ?? null
      return {
        component: () =>
          column.colId === 'description' ? (
            <b
              title={
                total === balanceName
                  ? 'Income less expenditure on this sheet. The balance including staff is under Overview → Summary.'
                  : undefined
              }
            >
              {total}
            </b>
          ) : amount === null ? null : (
            <span className={total === balanceName && amount < 0 ? textStyles.up : undefined} title={displayMoney(amount)}>
              {displayWholePounds(amount).replace('£', '')}
            </span>
          ),
      }
    },
    cellRenderer: undefined,
  }
}
