import { findBalanceType } from '../calculation/nonStaffing/balances.ts'
import { compareValues } from '../lists/lists.ts'
import { openingBalanceType } from '../lookups/lookupIds.ts'
import { displayCount } from '../values/format.ts'
import type { LineSum, ReportFacts } from './facts.ts'

/** The lines of all codes that are mapped to one line of a return or ledger, or of a single code that is not mapped. */
export interface MappedLine {
  /** The code of the line of the return or ledger; null if the budget code is not mapped. */
  code: string | null
  label: string
  lines: LineSum[]
}

/**
 * Groups lines by the line of the return or ledger that their codes are mapped to, sorted by the code of that line. Each unmapped code
 * follows as a separate group, so that none is lost.
 */
export function groupMappedLines(facts: ReportFacts, lines: readonly LineSum[]): MappedLine[] {
  const byCode = new Map<number | null, LineSum[]>()
  for (const line of lines) {
    const sameCode = byCode.get(line.codeId)
    if (sameCode) sameCode.push(line)
    else byCode.set(line.codeId, [line])
  }
  const mapped = new Map<string, MappedLine>()
  const without: MappedLine[] = []
  for (const [codeId, linesOfCode] of byCode) {
    const code = codeId === null ? undefined : facts.codes.get(codeId)
    const target = code?.scheme
    if (!target) {
      const label = code ? `${code.code} ${code.description}` : codeId === null ? 'Apprenticeship levy' : 'Unknown code'
      without.push({ code: null, label: `Not mapped: ${label}`, lines: linesOfCode })
      continue
    }
    const found = mapped.get(target.code)
    if (found) found.lines.push(...linesOfCode)
    else mapped.set(target.code, { code: target.code, label: `${target.code} ${target.description}`.trim(), lines: [...linesOfCode] })
  }
  return [...[...mapped.values()].sort((a, b) => compareValues(a.code, b.code)), ...without.sort((a, b) => compareValues(a.label, b.label))]
}

export function isCapitalCode(facts: ReportFacts, codeId: number | null): boolean {
  const code = codeId === null ? undefined : facts.codes.get(codeId)
  return code !== undefined && findBalanceType(code.facts) === openingBalanceType.capital
}

/** Describes unmapped codes in one sentence. The levy has no code, so it has a sentence of its own. */
export function describeUnmappedCodes(lines: readonly MappedLine[], { line, ask }: { line: string; ask: string }): string[] {
  const without = lines.filter((one) => one.code === null)
  const levy = without.filter((one) => one.lines.some(({ codeId }) => codeId === null))
  const count = without.length - levy.length
  return [
    ...(count ? [`Check: ${displayCount(count, 'row')} above ${count === 1 ? 'has' : 'have'} no ${line}. ${ask}`] : []),
    ...(levy.length ? [`Check: the apprenticeship levy has no budget code and no ${line}. Add a row for the levy where it belongs.`] : []),
  ]
}
