import clsx from 'clsx'
import {
  type CSSProperties,
  type FocusEvent,
  Fragment,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useMemo,
  useRef,
} from 'react'
import { requireItemAt } from '../../../domain/values/assertDefined.ts'
import type { TableColumn } from './columns.ts'
import classes from './DataTable.module.css'
import { moveFocusByKey, useSingleTabStop } from './keys.ts'
import type { RowWindow } from './useRowWindow.ts'

const looks = { total: classes.total, sub: classes.sub, section: classes.section, group: classes.group }

/** The style of a row: a sum, a part of the row above, or a heading of the rows below. */
export type RowStyle = keyof typeof looks

export interface DataTableProps<T> {
  columns: readonly TableColumn<T>[]
  rows: readonly T[]
  /** The React key of a row; its index by default. */
  keyOf?: (row: T) => string | number
  /** The table's name for screen readers. */
  label?: string | undefined
  /** Whether the cells are smaller, for tables with many columns. */
  isTight?: boolean
  /** Whether long texts wrap. */
  isWrapped?: boolean
  isHeadless?: boolean
  /** Whether the headings stay visible while the rows scroll. */
  isHeadSticky?: boolean
  /** Whether the first column stays visible while the other columns scroll. */
  isFirstPinned?: boolean
  className?: string | undefined
  style?: CSSProperties | undefined
  /** Pixels; a narrower table scrolls sideways. */
  minWidth?: number | undefined
  /** Pixels; the rows of a higher table scroll. */
  maxHeight?: number
  look?: (row: T) => RowStyle | undefined
  rowProps?: (row: T, index: number) => HTMLAttributes<HTMLTableRowElement> & Record<`data-${string}`, unknown>
  /** One wide cell in place of the cells from column `spanFrom` on; undefined for a row with all its cells. */
  spanOf?: (row: T) => ReactNode
  spanFrom?: number
  /** Further `<tr>` elements below a row. Each row is then a row group of its own. */
  below?: (row: T, index: number) => ReactNode
  /** Rows of the table footer. */
  foot?: readonly T[]
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** For a WindowedTable: the element that scrolls, and the height of each row in pixels; undefined renders all rows. */
  windowed?: { frame: RefObject<HTMLElement | null>; rowHeight: number } | undefined
  /** Makes the table one tab stop. Arrow keys move between its `data-stop` elements, by row or by cell. */
  arrowKeyStops?: 'rows' | 'cells'
  onKeyDown?: (event: KeyboardEvent) => void
  onFocus?: (event: FocusEvent) => void
  onDoubleClick?: (event: MouseEvent) => void
}

const noRows: readonly never[] = []

/** A read-only table whose rows are named by their first cell: a sheet of figures, a report, a short list. */
export function DataTable<T>(props: DataTableProps<T>) {
  return <TableView table={props} />
}

/**
 * Renders a table.
 * @param drawn the rows to render; all rows by default
 */
export function TableView<T>({ table: props, drawn }: { table: DataTableProps<T>; drawn?: RowWindow }) {
  const { columns, rows, foot = noRows, windowed, arrowKeyStops } = props
  const frame = useRef<HTMLTableElement>(null)
  const shown = drawn?.rows ?? rows.map((_row, index) => index)
  const stopAt = useSingleTabStop(frame, arrowKeyStops ? '[data-stop]' : null)
  // Scrolling renders this component again with the same properties: rows that were rendered before are reused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new properties need new rows
  const renderedRows = useMemo(() => new Map<number, ReactElement>(), [props])
  const draw = (at: number): ReactElement => {
    const line = renderedRows.get(at) ?? (
      <Line row={at < rows.length ? requireItemAt(rows, at) : requireItemAt(foot, at - rows.length)} index={at} table={props} />
    )
    renderedRows.set(at, line)
    return line
  }
  const renderSpace = (count: number): ReactNode => count > 0 && <tr aria-hidden style={{ height: count * (windowed?.rowHeight ?? 0) }} />
  const keyAt = (index: number): string | number => props.keyOf?.(requireItemAt(rows, index)) ?? index
  const isGrouped = columns.some((column) => column.group !== undefined)
  const sheet = (
    <table
      ref={frame}
      aria-label={props.label}
      aria-rowcount={windowed ? rows.length + foot.length + 1 : undefined}
      className={clsx(
        classes.table,
        props.isTight && classes.tight,
        props.isWrapped && classes.wrapped,
        (props.isHeadSticky || props.maxHeight !== undefined) && classes.stickyHead,
        props.isFirstPinned && classes.pinned,
        windowed && classes.windowed,
        isGrouped && classes.grouped,
        props.className,
      )}
      style={props.minWidth === undefined ? props.style : { minWidth: props.minWidth }}
      onDoubleClick={props.onDoubleClick}
      onFocus={(event) => {
        props.onFocus?.(event)
        stopAt(event)
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event)
        if (arrowKeyStops && !event.defaultPrevented) moveFocusByKey(event, { kind: arrowKeyStops, rows: rows.length, show: drawn?.show })
      }}
    >
      {!props.isHeadless && (
        <thead>
          {isGrouped && (
            <tr>
              {columns.map((column, at) =>
                column.group === undefined ? (
                  <Heading key={column.id} column={column} rows={2} />
                ) : (
                  column.group !== columns[at - 1]?.group && (
                    <th key={column.id} scope="colgroup" colSpan={columns.filter((one) => one.group === column.group).length}>
                      {column.group}
                    </th>
                  )
                ),
              )}
            </tr>
          )}
          <tr data-parts={isGrouped || undefined}>
            {columns.map((column) => (!isGrouped || column.group !== undefined) && <Heading key={column.id} column={column} />)}
          </tr>
        </thead>
      )}
      {props.below && rows.length > 0 ? (
        rows.map((_row, index) => <tbody key={keyAt(index)}>{draw(index)}</tbody>)
      ) : (
        <tbody>
          {shown.map((index, at) => (
            <Fragment key={keyAt(index)}>
              {renderSpace(index - (shown[at - 1] ?? -1) - 1)}
              {draw(index)}
            </Fragment>
          ))}
          {renderSpace(rows.length - (shown.at(-1) ?? -1) - 1)}
          {!rows.length && props.empty !== undefined && (
            <tr>
              <td className={classes.empty} colSpan={columns.length}>
                {props.empty}
              </td>
            </tr>
          )}
        </tbody>
      )}
      {foot.length > 0 && (
        <tfoot>
          {foot.map((_row, at) => (
            <Fragment key={at}>{draw(rows.length + at)}</Fragment>
          ))}
        </tfoot>
      )}
    </table>
  )
  if (props.maxHeight === undefined && props.minWidth === undefined) return sheet
  // Without a stop inside, only a focus on the frame lets the keyboard scroll.
  const isScrolledByKeys = props.maxHeight !== undefined && !arrowKeyStops
  return (
    <div className={classes.scroll} style={{ maxHeight: props.maxHeight }} tabIndex={isScrolledByKeys ? 0 : undefined}>
      {sheet}
    </div>
  )
}

/** The heading of a column. @param rows how many rows of headings it takes */
function Heading<T>({ column, rows }: { column: TableColumn<T>; rows?: number }) {
  const { label, head, width, isFigure, isLabelHidden, className, headProps, group } = column
  return (
    <th
      scope="col"
      rowSpan={rows}
      data-figure={isFigure || undefined}
      aria-label={isLabelHidden || group !== undefined ? label : undefined}
      style={{ width }}
      {...headProps}
      className={clsx(className, headProps?.className)}
    >
      {!isLabelHidden && (head ?? label)}
    </th>
  )
}

/** A row and the rows below it that belong to it. */
function Line<T>({ row, index, table }: { row: T; index: number; table: DataTableProps<T> }) {
  const { columns, spanFrom = 0 } = table
  const look = table.look?.(row)
  const rowProps = table.rowProps?.(row, index)
  const span = table.spanOf?.(row)
  const named = Math.max(
    0,
    columns.findIndex(({ isRowHead }) => isRowHead),
  )
  return (
    <>
      <tr
        data-index={table.arrowKeyStops || table.windowed ? index : undefined}
        aria-rowindex={table.windowed ? index + 2 : undefined}
        {...rowProps}
        className={clsx(look && looks[look], rowProps?.className)}
      >
        {columns
          .slice(0, span === undefined ? undefined : spanFrom)
          .map(({ id, cell: content, width, isFigure, className, cellProps }, at) => {
            const further = cellProps?.(row)
            const Cell = at === named ? 'th' : 'td'
            return (
              <Cell
                key={id}
                scope={at === named ? 'row' : undefined}
                data-column={id}
                data-figure={isFigure || undefined}
                style={table.isHeadless ? { width } : undefined}
                {...further}
                className={clsx(className, further?.className)}
              >
                {content ? content(row, index) : String(Reflect.get(Object(row), id) ?? '')}
              </Cell>
            )
          })}
        {span !== undefined &&
          (look === 'section' ? (
            <th scope="rowgroup" colSpan={columns.length - spanFrom}>
              {span}
            </th>
          ) : (
            <td colSpan={columns.length - spanFrom}>{span}</td>
          ))}
      </tr>
      {table.below?.(row, index)}
    </>
  )
}
