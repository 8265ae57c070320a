import { describe, expect, it } from 'vitest'
import { labelContract } from '../../../domain/budget/budget.ts'
import { type FilterItem, isFiltered } from '../../../domain/lists/lists.ts'
import { allPermissions } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { listChangedFields } from '../../../domain/resources/schema.ts'
import {
  buildExportFileName,
  displayAxisPounds,
  displayDate,
  displayDateTime,
  displayFigure,
  displayMoney,
  displaySignedPounds,
  formatRelativeDay,
  formatRelativeTime,
  greetingForHour,
  toPennies,
  toPounds,
} from '../../../domain/values/format.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (seconds: number): string => formatRelativeTime(new Date(now.getTime() - seconds * 1000), now)
const [hour, day] = [3600, 86_400]

describe('texts for users show', () => {
  it('B-283 dates as DD MMM, YYYY and times as DD MMM YYYY, HH:mm, in London', () => {
    expect(displayDate('2026-03-05')).toBe('05 Mar, 2026')
    expect(displayDateTime('2026-07-05T08:07:00Z')).toBe('05 Jul 2026, 09:07')
    expect(displayDateTime('2026-01-05T08:07:00Z')).toBe('05 Jan 2026, 08:07')
  })
  it('B-284 amounts with a pound sign and two decimals', () => {
    expect([displayMoney(0), displayMoney(5), displayMoney(-123_456_789), displayFigure(1_234_50)]).toEqual([
      '£0.00',
      '£0.05',
      '−£1,234,567.89',
      '1,234.50',
    ])
  })
  it('how long ago a day was: today from midnight to midnight in London, in summer too', () => {
    const justAfterMidnight = new Date('2026-06-01T23:30:00Z')
    expect(formatRelativeDay('2026-06-02', justAfterMidnight)).toBe('Today')
    expect(formatRelativeDay('2026-06-01', justAfterMidnight)).toBe('Yesterday')
    expect(formatRelativeDay('2026-06-03', justAfterMidnight)).toBe('03 Jun, 2026')
  })
  it('B-285 a greeting by the time of day', () => {
    expect([0, 11, 12, 17, 18, 23].map(greetingForHour)).toEqual([
      'Good morning',
      'Good morning',
      'Good afternoon',
      'Good afternoon',
      'Good evening',
      'Good evening',
    ])
  })
  it('B-286 B-287 how long ago something was, at the limits of each unit', () => {
    expect([
      ago(59),
      ago(60),
      ago(hour - 1),
      ago(hour),
      ago(day - 1),
      ago(day),
      ago(2 * day - 1),
      ago(2 * day),
      ago(7 * day - 1),
      ago(7 * day),
      ago(31 * day - 1),
      ago(31 * day),
    ]).toEqual([
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '23 hours ago',
      'Yesterday',
      'Yesterday',
      '2 days ago',
      '6 days ago',
      '1 week ago',
      '4 weeks ago',
      '20 Oct, 2026',
    ])
  })
  it('an exported file’s name as the plural and the time', () => {
    expect(buildExportFileName('Budget codes', new Date('2026-03-31T08:05:00Z'))).toBe('Budget codes 2026-03-31 09-05-00.csv')
  })
})

describe('a change in whole pounds', () => {
  it.each([
    [123_456, '+£1,235'],
    [-123_456, '−£1,235'],
    [50, '+£1'],
    [49, '£0'],
    [-49, '£0'],
    [0, '£0'],
  ])('of %i pennies is written %s', (pennies, words) => {
    expect(displaySignedPounds(pennies)).toBe(words)
  })
})

describe('amounts in JSON', () => {
  it('are converted to pennies and back without rounding errors', () => {
    for (const pennies of [0, 1, 29, 58, 100, 114_035, -7, 99_999_999]) expect(toPennies(toPounds(pennies))).toBe(pennies)
    expect(() => toPennies('1.005')).toThrow(RangeError)
  })
})

describe('a list', () => {
  const item = (isStatic: boolean): FilterItem => ({ filter: 'code', filterType: 'text', value: 'x', static: isStatic })
  it('B-087 B-088 B-089 counts as filtered by a search or the user’s own filter, not by spaces or the screen’s filters', () => {
    expect(isFiltered('art', [])).toBe(true)
    expect(isFiltered('', [item(false)])).toBe(true)
    expect(isFiltered('', [item(true)])).toBe(false)
    expect(isFiltered('   ', [])).toBe(false)
  })
})

describe('an edited copy', () => {
  it('B-057 B-058 differs only if a value does: restored, left empty or in another order counts as the same', () => {
    const saved = { code: 'A', description: 'x', locations: [1, 2], altDescription: null }
    const changed = (values: object): string[] => listChangedFields(resources.costCentre, saved, { ...saved, ...values })
    expect(changed({})).toEqual([])
    expect(changed({ locations: [2, 1] })).toEqual([])
    expect(changed({ altDescription: '' })).toEqual([])
    expect(changed({ description: 'y' })).toEqual(['description'])
  })
  it('differs by an empty list, however that came about', () => {
    const saved = { code: 'A', description: 'x', locations: [] }
    for (const locations of [7, true, { 0: 1 }])
      expect(listChangedFields(resources.costCentre, saved, { ...saved, locations })).toEqual(['locations'])
    expect(listChangedFields(resources.costCentre, saved, { ...saved, locations: null })).toEqual([])
  })
})

describe('permissions', () => {
  it('B-271 are named by area, feature and Read or ReadUpdate', () => {
    for (const name of allPermissions) expect(name).toMatch(/^(Budgeting|Console)[A-Z]\w+(Read|ReadUpdate)$/)
  })
})

describe('the axis of a chart', () => {
  it.each([
    [2_400_000, '£2.4m'],
    [-2_000_000, '−£2m'],
    [999_960, '£1m'],
    [999_900, '£999.9k'],
    [45_500, '£45.5k'],
    [1000, '£1k'],
    [999.4, '£999'],
    [0, '£0'],
    [-0.2, '£0'],
  ])('has %d as %s', (pounds, words) => expect(displayAxisPounds(pounds)).toBe(words))
})

it('a vacancy whose name says so is not labelled twice', () => {
  expect(['Vacancy: Year 2 teaching assistant', 'Cleaner'].map((name) => labelContract(null, name))).toEqual([
    'Vacancy: Year 2 teaching assistant',
    'Vacancy: Cleaner',
  ])
  expect(labelContract('Amara Okafor', 'Cleaner', ' · ')).toBe('Amara Okafor · Cleaner')
})
