import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  calculateRetryDelayMs,
  disableAfterMs,
  hasFailedTooLong,
  maximumTries,
  parseRetryAfter,
} from '../../../domain/integrations/webhooks.ts'

const hourMs = 3_600_000

describe('the next attempt to deliver a message', () => {
  it('comes soon at first, then less and less often, ten times over three days', () => {
    const waits = Array.from({ length: maximumTries - 1 }, (_none, index) => calculateRetryDelayMs(index + 1, 0)!)
    expect(waits[0]).toBe(5000)
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    const whole = waits.reduce((sum, wait) => sum + wait, 0)
    expect(whole).toBeGreaterThan(3 * 24 * hourMs)
    expect(whole).toBeLessThan(4 * 24 * hourMs)
    expect(calculateRetryDelayMs(maximumTries, 0)).toBeNull()
  })
  it('is spread by at most a tenth, and never earlier than the receiver asked for, up to a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maximumTries - 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(),
        (tries, chance, asked) => {
          const [least, wait] = [calculateRetryDelayMs(tries, 0)!, calculateRetryDelayMs(tries, chance, asked)!]
          expect(wait).toBeGreaterThanOrEqual(Math.max(least, Math.min(asked, 24 * hourMs)))
          expect(wait).toBeLessThanOrEqual(Math.max(least * 1.1, 24 * hourMs) + 1)
        },
      ),
    )
  })
  it('follows a receiver’s wish in seconds or as a date, and nothing else', () => {
    const now = Date.parse('2026-11-23T09:00:00Z')
    expect(parseRetryAfter('120', now)).toBe(120_000)
    expect(parseRetryAfter('Mon, 23 Nov 2026 09:05:00 GMT', now)).toBe(300_000)
    for (const odd of [undefined, '', '-5', 'soon', 'Mon, 23 Nov 2020 09:05:00 GMT', '1e99'])
      expect([odd, parseRetryAfter(odd, now)]).toEqual([odd, 0])
  })
  it('does not come once nothing was accepted for three days', () => {
    expect(hasFailedTooLong(0, disableAfterMs - 1)).toBe(false)
    expect(hasFailedTooLong(0, disableAfterMs)).toBe(true)
  })
})
