import { assertDefined } from '../values/assertDefined.ts'
import type { Percent } from '../values/units.ts'
import { requireNumber, requireRecords } from '../values/unknownValues.ts'
/** A fund code, with the percentage of a cost that it pays. */
export interface FundShare {
  fundCodeId: number
  percentage: Percent
}

/** Checks that a value of unknown type is a list of fund codes with their shares. @throws TypeError if it is not */
export function requireShares(value: unknown): FundShare[] {
  return requireRecords(value).map(({ fundCodeId, percentage }) => ({
    fundCodeId: requireNumber(fundCodeId),
    percentage: requireNumber(percentage),
  }))
}

/** Whether shares add up to 100, compared exactly in ten-thousandths of a per cent. An empty list is valid. */
export function doSharesAddUp(shares: readonly { percentage: Percent }[]): boolean {
  return !shares.length || shares.reduce((sum, share) => sum + Math.round(share.percentage * 10_000), 0) === 1_000_000
}

/** Formats fund codes with their shares for a cell: `GEN 60; PPG 40`. */
export function formatShareCell(funds: readonly FundShare[], code: (id: number) => string): string {
  return funds.map(({ fundCodeId, percentage }) => `${code(fundCodeId)} ${percentage}`).join('; ')
}

/** The maximum length of a cell that is parsed, in characters. */
const maximumFundsLength = 1000

const separator = /[\s:=]/

/** Splits `PPG 40` or `PPG: 40 %` at the last separator. The time is linear in the length, so that hostile input cannot slow it down. */
function splitShare(part: string): { code: string; share: string } | undefined {
  const text = part.endsWith('%') ? part.slice(0, -1).trimEnd() : part
  let at = text.length
  while (at > 0 && !separator.test(assertDefined(text[at - 1]))) at--
  let end = at
  while (end > 0 && separator.test(assertDefined(text[end - 1]))) end--
  const share = text.slice(at)
  return end > 0 && /^\d+(\.\d+)?$/.test(share) ? { code: text.slice(0, end), share } : undefined
}

/**
 * Parses fund codes with their shares from a cell; a single code without a share gets 100.
 * @returns undefined for an unknown code or an invalid share
 */
export function parseShareCell(cell: string, find: (code: string) => number | undefined): FundShare[] | undefined {
  if (cell.length > maximumFundsLength) return undefined
  const shares = cell
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
  const funds = shares.map((part) => {
    const whole = shares.length === 1 ? find(part) : undefined
    if (whole !== undefined) return { fundCodeId: whole, percentage: 100 }
    const read = splitShare(part)
    const fundCodeId = read && find(read.code)
    return fundCodeId === undefined ? undefined : { fundCodeId, percentage: Number(assertDefined(read).share) }
  })
  return funds.every((fund) => fund !== undefined) ? funds : undefined
}
