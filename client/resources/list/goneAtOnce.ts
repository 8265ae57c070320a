import type { ListEditState } from '../../../domain/lists/lists.ts'
import { type OptimisticTarget, updateOptimistically } from '../../shell/calls/updateOptimistically.ts'
import { isSelected, selectedCount } from './listState.ts'

/**
 * A page of a list once what is selected is gone. Where nothing of it would be left but others follow, it stays as it is: an empty page would
 * say that there are none.
 */
export function withoutSelected<Row, Page extends { rows: Row[]; total: number }>(
  page: Page & { rows: Row[] },
  state: ListEditState,
  idOf: (row: Row) => number | string,
): Page {
  const rows = page.rows.filter((row) => !isSelected(state, idOf(row)))
  const total = page.total - selectedCount(state, page.total)
  return rows.length || !total ? { ...page, rows, total } : page
}

/**
 * Deletes what is selected of a list: it is gone from the page before the server has answered, and stands there again where it refuses.
 * @throws what deleting throws
 */
export function goneAtOnce<Asked, Row, Page extends { rows: Row[]; total: number }, Done>(
  list: OptimisticTarget<Asked, Page & { rows: Row[] }> & { state: ListEditState },
  idOf: (row: Row) => number | string,
  run: () => Promise<Done>,
): Promise<Done> {
  return updateOptimistically(list, (page) => withoutSelected(page, list.state, idOf), run)
}
