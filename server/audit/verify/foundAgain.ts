import type { Finding } from './verify.ts'

/** How often something is looked at that is wrong each time in another way, as in a broken log that people go on writing to. */
const mostLooks = 5

const keyOf = ({ budgetId, version, problem }: Finding): string => `${budgetId} ${version} ${problem}`

/**
 * Looks until a look finds nothing, or what the look before found: an alarm of tampering wakes people, so nothing is reported that was seen once.
 * @param look finds what does not hold at the moment
 * @returns what was found twice; where each of several looks found something else, what the last one found
 */
export async function foundAgain(look: () => Promise<Finding[]>): Promise<Finding[]> {
  let before = await look()
  for (let looks = 1; before.length && looks < mostLooks; looks++) {
    const known = new Set(before.map(keyOf))
    const now = await look()
    const again = now.filter((finding) => known.has(keyOf(finding)))
    if (again.length || !now.length) return again
    before = now
  }
  return before
}
