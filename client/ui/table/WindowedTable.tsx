import { type DataTableProps, TableView } from './DataTable.tsx'
import { useRowWindow } from './useRowWindow.ts'

const withoutFrame = { current: null }

/** A DataTable that renders only the visible rows of a long table. It loads with the pages that have long tables. */
export function WindowedTable<T>(props: DataTableProps<T>) {
  const { rows, windowed } = props
  const drawn = useRowWindow(windowed?.frame ?? withoutFrame, rows.length, windowed?.rowHeight ?? null)
  return <TableView table={props} drawn={drawn} />
}
