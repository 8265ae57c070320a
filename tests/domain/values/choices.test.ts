import { describe, expect, it } from 'vitest'
import { filterChoices, groupChoices, sortMatches } from '../../../client/ui/fields/choices.ts'

const points = groupChoices(['SCP2', 'SCP20', 'SCP3', 'SCP30', 'UPS3', 'Leadership 3'])
const offered = (search: string): string[] => filterChoices(points, search).flatMap(({ items }) => items.map(({ label }) => label))

describe('the options for typed text', () => {
  it('are all of them in their order while nothing is typed', () => {
    expect(offered(' ')).toEqual(['SCP2', 'SCP20', 'SCP3', 'SCP30', 'UPS3', 'Leadership 3'])
  })
  it('begin with an exactly equal label, ignoring case and spaces', () => {
    expect(offered('scp3')).toEqual(['SCP3', 'SCP30'])
    expect(offered(' leadership   3 ')).toEqual(['Leadership 3'])
  })
  it('have words that begin with it before words that contain it', () => {
    expect(offered('3')).toEqual(['Leadership 3', 'SCP3', 'SCP30', 'UPS3'])
  })
  it('have a code before a longer code with the same beginning', () => {
    const codes = groupChoices(['43001 Copying', '4300 Paper', '4300A Toner'])
    expect(filterChoices(codes, '4300')[0]?.items.map(({ label }) => label)).toEqual(['4300 Paper', '43001 Copying', '4300A Toner'])
  })
  it('keep headings, the one with the best match first, and none without a match', () => {
    const grouped = groupChoices([
      { group: 'Income', items: ['Music lessons', 'Catering'] },
      { group: 'Expenditure', items: ['Music', 'Paper'] },
    ])
    expect(filterChoices(grouped, 'music')).toEqual([
      { group: 'Expenditure', items: [{ value: 'Music', label: 'Music' }] },
      { group: 'Income', items: [{ value: 'Music lessons', label: 'Music lessons' }] },
    ])
  })
  it('include matches other than by name, after those by name', () => {
    expect(sortMatches(['by description', 'Paper 2', 'Paper'], 'paper', (name) => name)).toEqual(['Paper', 'Paper 2', 'by description'])
  })
  it('are none if nothing matches', () => {
    expect(offered('QTS')).toEqual([])
  })
})
