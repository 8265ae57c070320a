import { describe, expect, it } from 'vitest'
import { base32, codeAt, findStep, newKey, stepAt } from '../../../server/auth/totp.ts'

const key = Buffer.from('12345678901234567890')

describe('the codes of an authenticator app', () => {
  it('are those that RFC 6238 gives as examples', () => {
    const examples: [number, string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ]
    for (const [seconds, code] of examples) expect(codeAt(key, stepAt(new Date(seconds * 1000)))).toBe(code)
  })
  it('are good for half a minute, and half a minute before and after it for clocks that differ', () => {
    const now = new Date('2026-11-25T09:00:10Z')
    const at = (seconds: number): string => codeAt(key, stepAt(new Date(now.getTime() + seconds * 1000)))
    for (const seconds of [-30, 0, 30]) expect(findStep(key, { code: at(seconds), now, after: null })).toBe(stepAt(now) + seconds / 30)
    for (const seconds of [-60, 60]) expect(findStep(key, { code: at(seconds), now, after: null })).toBeNull()
  })
  it('are not taken again once one of the same or a later half minute was', () => {
    const now = new Date('2026-11-25T09:00:10Z')
    expect(findStep(key, { code: codeAt(key, stepAt(now)), now, after: stepAt(now) - 1 })).toBe(stepAt(now))
    expect(findStep(key, { code: codeAt(key, stepAt(now)), now, after: stepAt(now) })).toBeNull()
  })
  it('are six digits and nothing else', () => {
    for (const typed of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(findStep(key, { code: typed, now: new Date(), after: null })).toBeNull()
  })
  it('come of keys of 160 bits, written as RFC 4648 says', () => {
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    expect(base32(newKey())).toMatch(/^[A-Z2-7]{32}$/)
  })
})
