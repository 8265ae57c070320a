import { describe, expect, it } from 'vitest'
import { screens } from '../../client/screens.ts'
import { freeName, isSaidIn, type ListLook, listNames } from '../../domain/listViews.ts'

const look = (search: string, more: Partial<ListLook> = {}): ListLook => ({
  search,
  filters: [],
  sort: null,
  sortDirection: 'asc',
  hiddenColumns: [],
  ...more,
})

describe('views of lists', () => {
  it('may be kept of every list that is made from a declaration, and of no screen that is not there', () => {
    const declared = screens.filter(({ resource }) => resource).map(({ path }) => path)
    expect(declared.length).toBeGreaterThan(40)
    expect([...listNames.filter((name) => name.startsWith('/'))].sort()).toEqual(declared.sort())
  })
  it('get the first name that is free where theirs is taken', () => {
    expect(freeName('Mine', [])).toBe('Mine')
    expect(freeName('Mine', [{ name: 'mine' }, { name: 'MINE (2)' }])).toBe('Mine (3)')
    expect(freeName('x'.repeat(50), [{ name: 'x'.repeat(50) }])).toHaveLength(49)
  })
  it.each([
    ['in what is searched for', { name: 'Mine', look: look("o'brien maths") }],
    ['in its name', { name: 'Pay of O’Brien', look: look('') }],
    ['in a filter', { name: 'Mine', look: look('', { filters: [{ filter: 'surname', filterType: 'text', value: "O'Brien" }] }) }],
    [
      'among the values of a filter',
      { name: 'Mine', look: look('', { filters: [{ filter: 's', filterType: 'set', values: ['A', 'O’BRIEN'] }] }) },
    ],
  ])('name somebody %s', (_where, view) => {
    expect(isSaidIn(view, ['Q-77', "O'Brien"])).toBe(true)
  })
  it('name nobody by a part of another word, by a number, or by the name of a column', () => {
    const view = {
      name: 'Mine',
      look: look('brienne', { filters: [{ filter: 'Brien', filterType: 'set', values: [77] }] }),
    }
    expect(isSaidIn(view, ['Brien', '77', ''])).toBe(false)
  })
})
