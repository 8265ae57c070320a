import { describe, expect, it } from 'vitest'
import { allRows, behaviourRows, strangeNumbers } from './rows.ts'

describe('the contract tables', () => {
  it('every row that the product implements agrees with its table', () => {
    expect(
      allRows()
        .filter((row) => row.state === 'differs')
        .map((row) => `${row.table} ${row.row}: ${row.how}`),
    ).toEqual([])
  })
  it('no row of any table is missing in the product', () => {
    const rows = allRows()
    expect(
      Object.fromEntries(
        [...new Set(rows.map(({ table }) => table))].map((table) => [table, rows.filter((row) => row.table === table).length]),
      ),
    ).toMatchObject({
      routes: 208,
      calls: 642,
      entities: 64,
      lookups: 58,
      notices: 29,
    })
    expect(rows.filter((row) => row.state === 'missing').map((row) => `${row.table} ${row.row}`)).toEqual([])
  })
  it('every behaviour in the table has a test with its number, and every number in a title is in the table', () => {
    const behaviours = behaviourRows()
    expect(behaviours).toHaveLength(289)
    expect(behaviours.filter((row) => row.state === 'missing').map((row) => row.row)).toEqual([])
    expect(strangeNumbers()).toEqual([])
  })
})
