import type { AuditFinding } from './verify.ts'

/** The maximum number of checks if each finds something different, as in a broken log to which people keep writing. */
const maxChecks = 5

const findingKey = ({ budgetId, version, problem }: AuditFinding): string => `${budgetId} ${version} ${problem}`

/**
 * Repeats a check and returns only what two consecutive checks both found, to avoid false alarms of tampering.
 * @param check runs the check once
 * @returns confirmed findings; if every check found something different, those of the last
 */
export async function confirmFindings(check: () => Promise<AuditFinding[]>): Promise<AuditFinding[]> {
  let previous = await check()
  for (let checks = 1; previous.length && checks < maxChecks; checks++) {
    const known = new Set(previous.map(findingKey))
    const current = await check()
    const confirmed = current.filter((finding) => known.has(findingKey(finding)))
    if (confirmed.length || !current.length) return confirmed
    previous = current
  }
  return previous
}
