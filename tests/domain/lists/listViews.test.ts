import { describe, expect, it } from 'vitest'
import { screens } from '../../../client/screens.ts'
import { findUnusedViewName, type ListViewSettings, listNames, searchesForPerson } from '../../../domain/lists/listViews.ts'

const look = (search: string, more: Partial<ListViewSettings> = {}): ListViewSettings => ({
  search,
  filters: [],
  sort: null,
  sortDirection: 'asc',
  hiddenColumns: [],
  ...more,
})

describe('views of lists', () => {
  it('can be saved for every list of a declared resource, and for no other screen', () => {
    const declared = screens.filter(({ resource }) => resource).map(({ path }) => path)
    expect(declared.length).toBeGreaterThan(40)
    expect([...listNames.filter((name) => name.startsWith('/'))].sort()).toEqual(declared.sort())
  })
  it('get the next free name if theirs is taken', () => {
    expect(findUnusedViewName('Mine', [])).toBe('Mine')
    expect(findUnusedViewName('Mine', [{ name: 'mine' }, { name: 'MINE (2)' }])).toBe('Mine (3)')
    expect(findUnusedViewName('x'.repeat(50), [{ name: 'x'.repeat(50) }])).toHaveLength(49)
  })
  const person = { surname: "O'Brien", marks: ['Q-77', ''] }
  const filter = (name: string, more: object) => look('', { filters: [{ filter: name, filterType: 'text', ...more }] })
  it.each([
    ['by surname in the search', { name: 'Mine', look: look("o'brien maths") }],
    ['by surname in a filter of people', { name: 'Mine', look: filter('surname', { value: "O'Brien" }) }],
    ['by surname among the values of one', { name: 'Mine', look: filter('employee', { filterType: 'set', values: ['A', 'O’BRIEN'] }) }],
    ['by number in its name', { name: 'Pay of Q-77', look: look('') }],
    ['by number in any filter', { name: 'Mine', look: filter('reference', { value: 'q-77' }) }],
  ])('are recognised as searching for somebody %s', (_where, view) => {
    expect(searchesForPerson(view, person)).toBe(true)
  })
  it.each([
    ['by a part of another word', { name: 'Mine', look: look('brienne') }],
    ['by a number of something else', { name: 'Mine', look: filter('surname', { filterType: 'set', values: [77] }) }],
    ['by a post that is called as they are', { name: 'O’Brien', look: filter('position', { value: "O'Brien" }) }],
  ])('are not recognised as searching for somebody %s', (_where, view) => {
    expect(searchesForPerson(view, person)).toBe(false)
  })
})
