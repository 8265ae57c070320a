import { describe, expect, it } from 'vitest'
import { meetsFilter } from '../../../domain/lists/lists.ts'
import { communicationState } from '../../../domain/lookups/lookupIds.ts'
import { getCommunicationState } from '../../../domain/resources/entities/shown.ts'
import {
  buildExportFileName,
  dayInLondon,
  displayDateTime,
  formatLondonTime,
  parseDayInLondon,
  parseMomentInLondon,
} from '../../../domain/values/format.ts'

/** 00:30 on 3 June in London is still 2 June in UTC. */
const summerNight = '2026-06-02T23:30:00.000Z'

describe('a day', () => {
  it.each([
    [summerNight, '2026-06-03T00:30:00'],
    ['2026-06-02T22:59:59.999Z', '2026-06-02T23:59:59'],
    ['2026-12-31T23:30:00Z', '2026-12-31T23:30:00'],
    ['2026-03-29T00:59:59Z', '2026-03-29T00:59:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29T02:00:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T01:59:59'],
    ['2026-10-25T01:00:00Z', '2026-10-25T01:00:00'],
    ['2026-08-31T23:00:00Z', '2026-09-01T00:00:00'],
  ])('is the one in London: %s is %s', (moment, clock) => {
    expect(formatLondonTime(moment)).toBe(clock)
    expect(formatLondonTime(new Date(moment))).toBe(clock)
    expect(dayInLondon(moment)).toBe(clock.slice(0, 10))
  })
  it('agrees with the clocks of the United Kingdom in every hour of fifty years', () => {
    const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'medium' })
    for (let momentMs = Date.UTC(1990, 0, 1); momentMs < Date.UTC(2040, 0, 1); momentMs += 11 * 3_600_000) {
      const moment = new Date(momentMs)
      expect(formatLondonTime(moment)).toBe(london.format(moment).replace(' ', 'T'))
    }
  })
  it.each([
    ['2026-06-03', '2026-06-02T23:00:00.000Z'],
    ['2026-06-03T09:15', '2026-06-03T08:15:00.000Z'],
    ['2026-12-03 09:15:30', '2026-12-03T09:15:30.000Z'],
    ['2026-06-03T09:15:00Z', '2026-06-03T09:15:00.000Z'],
    ['2026-06-03T09:15:00+02:00', '2026-06-03T07:15:00.000Z'],
    ['2026-03-29T01:30', '2026-03-29T01:30:00.000Z'],
  ])('and a time that are typed without a zone are in London: %s is %s', (typed, moment) => {
    expect(parseMomentInLondon(typed).toISOString()).toBe(moment)
  })
  it('given as a time in a filter is the one in London, and a date that does not exist is refused', () => {
    expect(['2026-06-03', summerNight, '2026-06-03T00:00:00', '2026-02-30', 'June'].map(parseDayInLondon)).toEqual([
      '2026-06-03',
      '2026-06-03',
      '2026-06-03',
      null,
      null,
    ])
    const from = { filter: 'created', filterType: 'date', dateFrom: '2026-06-03' } as const
    expect([summerNight, '2026-06-02T22:30:00Z', '2026-06-03', null].map((value) => meetsFilter(value, from))).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

it('is given in an exported file’s name with the hour in London', () => {
  expect(buildExportFileName('Budget codes', new Date(summerNight))).toBe('Budget codes 2026-06-03 00-30-00.csv')
  expect(buildExportFileName('Budget codes', new Date('2026-01-05T09:07:01Z'))).toBe('Budget codes 2026-01-05 09-07-01.csv')
})

it('starts at midnight, which is shown as 00:00', () => {
  expect(displayDateTime('2026-06-02T23:00:00Z')).toBe('03 Jun 2026, 00:00')
})

it('on which a message ends lasts until midnight in London', () => {
  const stateAt = (now: string) => getCommunicationState({ enabled: true, active: null, expires: '2026-06-02' }, now)
  expect(stateAt('2026-06-02T22:59:00.000Z')).toBe(communicationState.showing)
  expect(stateAt(summerNight)).toBe(communicationState.expired)
})
