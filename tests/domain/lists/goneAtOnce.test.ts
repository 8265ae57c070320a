import { describe, expect, it } from 'vitest'
import { removeSelected } from '../../../client/resources/list/deleteOptimistically.ts'

const page = { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 30 }
const without = (selectAll: boolean, toggledNodes: number[]) => removeSelected(page, { selectAll, toggledNodes }, (row) => row.id)

describe('a page of a list after its selected rows are deleted', () => {
  it('shows the other rows, and subtracts those selected on other pages too', () => {
    expect(without(false, [2, 17])).toEqual({ rows: [{ id: 1 }, { id: 3 }], total: 28 })
    expect(without(true, [1, 3, 17])).toEqual({ rows: [{ id: 1 }, { id: 3 }], total: 3 })
  })
  it('is empty once the whole list is deleted', () => {
    expect(without(true, [])).toEqual({ rows: [], total: 0 })
  })
  it('stays if further rows follow on the next page', () => {
    expect(without(false, [1, 2, 3])).toBe(page)
    expect(without(true, [17])).toBe(page)
  })
})
