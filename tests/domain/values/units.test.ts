import { describe, expect, it } from 'vitest'
import { displayMoney, toPennies, toPounds } from '../../../domain/values/format.ts'
import type { InPounds, Months, Pennies, Percent, Pounds } from '../../../domain/values/units.ts'

/*
 * Here the compiler does the testing, because the type check covers tests too: if it accepted one of these lines, `@ts-expect-error` would
 * report that there is no error.
 */
describe('an amount in pennies', () => {
  const [pounds, percent, months]: [Pounds, Percent, Months] = [12.5, 2.5, 3]

  it('is not accepted as pounds, a percentage or a number of months', () => {
    // @ts-expect-error
    expect(displayMoney(pounds)).not.toBe('£12.50')
    // @ts-expect-error
    expect(displayMoney(percent)).not.toBe('£2.50')
    // @ts-expect-error
    expect(displayMoney(months)).toBe('£0.03')
  })
  it('is converted from pounds and back, and neither is possible twice', () => {
    expect(displayMoney(toPennies(pounds))).toBe('£12.50')
    expect(toPounds(toPennies(pounds))).toBe(12.5)
    // @ts-expect-error
    expect(toPennies(toPennies(pounds))).toBe(125_000)
    // @ts-expect-error
    expect(toPounds(toPounds(1250))).not.toBe(12.5)
  })
  it('is usable as a plain number, so that amounts are added directly', () => {
    const amounts: Pennies[] = [1250, 99]
    const sum: Pennies = amounts.reduce((all, one) => all + one, 0)
    expect(displayMoney(sum)).toBe('£13.49')
  })
  it('is shown in pounds, and other values beside it are unchanged', () => {
    const kept: { pennies: Pennies; share: Percent; year: number }[] = [{ pennies: 1250, share: percent, year: 2026 }]
    const shown: InPounds<typeof kept> = kept.map(({ pennies, ...rest }) => ({ ...rest, pennies: toPounds(pennies) }))
    expect(shown).toEqual([{ pennies: 12.5, share: 2.5, year: 2026 }])
    // @ts-expect-error
    const wrong: InPounds<typeof kept> = kept
    expect(wrong).toBe(kept)
  })
})
