import { describe, expect, it } from 'vitest'
import { allRows, behaviourRows } from './rows.ts'

describe('the contract tables', () => {
  it('no row that the product has differs from its table', () => {
    expect(
      allRows()
        .filter((row) => row.state === 'differs')
        .map((row) => `${row.table} ${row.row}: ${row.how}`),
    ).toEqual([])
  })
  it('every behaviour that a test names is one of the table', () => {
    expect(behaviourRows().filter((row) => row.state === 'exists').length).toBeGreaterThan(20)
  })
})
