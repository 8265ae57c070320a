import { describe, expect, it } from 'vitest'
import { calculateTotpCode, calculateTotpStep, findTotpStep, generateTotpKey, toBase32 } from '../../../server/auth/totp.ts'

const key = Buffer.from('12345678901234567890')

describe('the codes of an authenticator app', () => {
  it('are the examples in RFC 6238', () => {
    const examples: [number, string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ]
    for (const [seconds, code] of examples) expect(calculateTotpCode(key, calculateTotpStep(new Date(seconds * 1000)))).toBe(code)
  })
  it('are valid for half a minute, and half a minute before and after it for clocks that differ', () => {
    const now = new Date('2026-11-25T09:00:10Z')
    const at = (seconds: number): string => calculateTotpCode(key, calculateTotpStep(new Date(now.getTime() + seconds * 1000)))
    for (const seconds of [-30, 0, 30])
      expect(findTotpStep(key, { code: at(seconds), now, after: null })).toBe(calculateTotpStep(now) + seconds / 30)
    for (const seconds of [-60, 60]) expect(findTotpStep(key, { code: at(seconds), now, after: null })).toBeNull()
  })
  it('are not accepted again once one of the same or a later half minute was', () => {
    const now = new Date('2026-11-25T09:00:10Z')
    expect(findTotpStep(key, { code: calculateTotpCode(key, calculateTotpStep(now)), now, after: calculateTotpStep(now) - 1 })).toBe(
      calculateTotpStep(now),
    )
    expect(findTotpStep(key, { code: calculateTotpCode(key, calculateTotpStep(now)), now, after: calculateTotpStep(now) })).toBeNull()
  })
  it('are exactly six digits', () => {
    for (const typed of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(findTotpStep(key, { code: typed, now: new Date(), after: null })).toBeNull()
  })
  it('use keys of 160 bits, written as in RFC 4648', () => {
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    expect(toBase32(generateTotpKey())).toMatch(/^[A-Z2-7]{32}$/)
  })
})
