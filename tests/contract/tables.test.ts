import { describe, expect, it } from 'vitest'
import { allRows, behaviourRows, strangeNumbers } from './rows.ts'

describe('the contract tables', () => {
  it('no row that the product has differs from its table', () => {
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
  it('every behaviour of the table has a test that carries its number, and every number is one of the table', () => {
    const behaviours = behaviourRows()
    expect(behaviours).toHaveLength(289)
    expect(behaviours.filter((row) => row.state === 'missing').map((row) => row.row)).toEqual([])
    expect(strangeNumbers()).toEqual([])
  })
})
