import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listDifferingFields, mergeChanges } from '../../../domain/changes/merge.ts'

const start = { name: 'Cover', amount: 100 as number | null, notes: null as string | null }

describe('two users’ changes of one item, merged', () => {
  it('what I typed and what another user saved in other fields are both kept', () => {
    const merged = mergeChanges({ start, mine: { ...start, amount: 120 }, theirs: { ...start, name: 'Supply cover' } })
    expect(merged).toEqual({ values: { name: 'Supply cover', amount: 120, notes: null }, changed: ['name'], conflicts: [] })
  })
  it('if both changed the same field, my value is kept and the field is named', () => {
    const merged = mergeChanges({ start, mine: { ...start, amount: 120 }, theirs: { ...start, amount: 90 } })
    expect(merged.values.amount).toBe(120)
    expect(merged.conflicts).toEqual(['amount'])
  })
  it('if both typed the same, there is no conflict', () => {
    const merged = mergeChanges({ start, mine: { ...start, amount: 90 }, theirs: { ...start, amount: 90 } })
    expect(merged).toEqual({ values: { ...start, amount: 90 }, changed: ['amount'], conflicts: [] })
  })
  it('a cleared text equals a missing one', () => {
    expect(listDifferingFields(start, { ...start, notes: '' })).toEqual([])
  })
  it('values that the declaration treats as equal are no change', () => {
    const isSame = (_name: string, a: unknown, b: unknown): boolean =>
      String([...(a as number[])].sort()) === String([...(b as number[])].sort())
    expect(listDifferingFields({ tags: [1, 2] }, { tags: [2, 1] }, isSame)).toEqual([])
  })
})

describe('lists', () => {
  const months = { shapes: { months: 'places' } } as const
  it('two months typed by two users are both kept', () => {
    const merged = mergeChanges({ start: { months: [1, 2, 3] }, mine: { months: [9, 2, 3] }, theirs: { months: [1, 2, 8] } }, months)
    expect(merged).toEqual({ values: { months: [9, 2, 8] }, changed: ['months'], conflicts: [] })
  })
  it('the same month typed by both is named', () => {
    const merged = mergeChanges({ start: { months: [1] }, mine: { months: [2] }, theirs: { months: [3] } }, months)
    expect([merged.values.months, merged.conflicts]).toEqual([[2], ['months']])
  })
  it('a count typed for a later year is kept beside one typed for an earlier year', () => {
    const merged = mergeChanges<{ months: (number | null)[] }>(
      { start: { months: [] }, mine: { months: [null, 30] }, theirs: { months: [29] } },
      months,
    )
    expect(merged).toEqual({ values: { months: [29, 30] }, changed: ['months'], conflicts: [] })
  })

  interface Row {
    date: string
    fte: number
    point: number
  }
  const rows = { shapes: { salary: { rowsBy: 'date' } } } as const
  const april: Row = { date: '2026-04-01', fte: 1, point: 3 }
  const september: Row = { date: '2026-09-01', fte: 1, point: 4 }
  const january: Row = { date: '2027-01-01', fte: 0.5, point: 4 }
  const merge = (mine: Row[], theirs: Row[], from = [april, september]) =>
    mergeChanges({ start: { salary: from }, mine: { salary: mine }, theirs: { salary: theirs } }, rows)

  it('one salary row changed by me and another changed by them are both kept', () => {
    const merged = merge([{ ...april, fte: 0.6 }, september], [april, { ...september, point: 5 }])
    expect(merged.values.salary).toEqual([
      { ...april, fte: 0.6 },
      { ...september, point: 5 },
    ])
    expect(merged.conflicts).toEqual([])
  })
  it('two fields of one salary row are merged like any two fields', () => {
    const merged = merge([{ ...april, fte: 0.6 }, september], [{ ...april, point: 9 }, september])
    expect(merged.values.salary[0]).toEqual({ ...april, fte: 0.6, point: 9 })
    expect(merged.conflicts).toEqual([])
  })
  it('a row that I added stays in its place, beside one that they added', () => {
    const merged = merge([april, { ...april, date: '2026-06-01' }, september], [april, september, january])
    expect(merged.values.salary.map((row) => row.date)).toEqual(['2026-04-01', '2026-06-01', '2026-09-01', '2027-01-01'])
    expect(merged.conflicts).toEqual([])
  })
  it('a row that one removed and the other left unchanged is removed', () => {
    expect(merge([april], [april, september, january]).values.salary).toEqual([april, january])
    expect(merge([{ ...april, fte: 0.6 }, september], [april]).values.salary).toEqual([{ ...april, fte: 0.6 }])
  })
  it('a row that they removed while I changed it stays, and is named', () => {
    const merged = merge([april, { ...september, fte: 0.2 }], [april])
    expect(merged.values.salary).toEqual([april, { ...september, fte: 0.2 }])
    expect(merged.conflicts).toEqual(['salary'])
  })
  it('a row that I removed while they changed it is named', () => {
    const merged = merge([april], [april, { ...september, point: 5 }])
    expect([merged.values.salary, merged.conflicts]).toEqual([[april], ['salary']])
  })
  it('rows that cannot be told apart are one value: mine is kept and named', () => {
    const mine = [april, { ...april, fte: 0.2 }]
    const merged = merge(mine, [april, { ...september, point: 5 }])
    expect([merged.values.salary, merged.conflicts]).toEqual([mine, ['salary']])
  })
})

describe('whatever two people do', () => {
  const values = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.constantFrom('', 'x', 'y'), d: fc.array(fc.nat(2), { maxLength: 3 }) })
  it('nothing typed is lost, and what I left unchanged has their value', () => {
    fc.assert(
      fc.property(values, values, values, (began, mine, theirs) => {
        const merged = mergeChanges({ start: began, mine, theirs })
        const typed = listDifferingFields(began, mine)
        for (const name of Object.keys(began) as (keyof typeof began)[])
          expect(merged.values[name]).toEqual(typed.includes(name) ? mine[name] : theirs[name])
        expect(merged.conflicts).toEqual(
          typed.filter((name) => merged.changed.includes(name) && listDifferingFields(mine, theirs).includes(name)),
        )
      }),
    )
  })
  it('every element of a list that only one of them typed is kept', () => {
    const list = fc.array(fc.option(fc.nat(9)), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(list, list, list, (began, mine, theirs) => {
        const { values } = mergeChanges(
          { start: { list: began }, mine: { list: mine }, theirs: { list: theirs } },
          { shapes: { list: 'places' } },
        )
        for (const [place, was] of began.entries()) expect(values.list[place]).toBe(mine[place] === was ? theirs[place] : mine[place])
      }),
    )
  })
})
