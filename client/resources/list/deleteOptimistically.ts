import type { RowSelectionState } from '../../../domain/lists/lists.ts'
import { type OptimisticQuery, updateOptimistically } from '../../shell/calls/updateOptimistically.ts'
import { countSelected, isSelected } from './listState.ts'

/**
 * Returns a page of a list without the selected rows. If this would empty a page that is followed by others, the page stays as it is,
 * because an empty page would look like an empty list.
 */
export function removeSelected<Row, Page extends { rows: Row[]; total: number }>(
  page: Page & { rows: Row[] },
  state: RowSelectionState,
  idOf: (row: Row) => number | string,
): Page {
  const rows = page.rows.filter((row) => !isSelected(state, idOf(row)))
  const total = page.total - countSelected(state, page.total)
  return rows.length || !total ? { ...page, rows, total } : page
}

/**
 * Deletes the selected rows of a list. They disappear before the server replies, and return if the server refuses.
 * @throws the error that `run` throws
 */
export function deleteOptimistically<Asked, Row, Page extends { rows: Row[]; total: number }, Done>(
  list: OptimisticQuery<Asked, Page & { rows: Row[] }> & { state: RowSelectionState },
  idOf: (row: Row) => number | string,
  run: () => Promise<Done>,
): Promise<Done> {
  return updateOptimistically(list, (page) => removeSelected(page, list.state, idOf), run)
}
