import { balanceOf } from '../calculation/nonStaffing/balances.ts'
import { compareValues } from '../lists/lists.ts'
import { openingBalanceType } from '../lookups/lookupIds.ts'
import type { LineSum, ReportFacts } from './facts.ts'

/** Codes that are reported together, or one that maps to nothing. */
export interface MappedLine {
  /** What it is reported under; null: it maps to nothing. */
  code: string | null
  label: string
  lines: LineSum[]
}

/**
 * The lines of a return or a ledger, each with what is posted to the codes that map to it, in the order of their codes; codes that map to
 * nothing follow one by one, so that none is dropped.
 */
export function mappedLines(facts: ReportFacts, lines: readonly LineSum[]): MappedLine[] {
  const byCode = new Map<number | null, LineSum[]>()
  for (const line of lines) {
    const own = byCode.get(line.codeId)
    if (own) own.push(line)
    else byCode.set(line.codeId, [line])
  }
  const mapped = new Map<string, MappedLine>()
  const without: MappedLine[] = []
  for (const [codeId, own] of byCode) {
    const code = codeId === null ? undefined : facts.codes.get(codeId)
    const to = code?.scheme
    if (!to) {
      const label = code ? `${code.code} ${code.description}` : codeId === null ? 'Apprenticeship levy' : 'Unknown code'
      without.push({ code: null, label: `Not mapped: ${label}`, lines: own })
      continue
    }
    const found = mapped.get(to.code)
    if (found) found.lines.push(...own)
    else mapped.set(to.code, { code: to.code, label: `${to.code} ${to.description}`.trim(), lines: [...own] })
  }
  return [...[...mapped.values()].sort((a, b) => compareValues(a.code, b.code)), ...without.sort((a, b) => compareValues(a.label, b.label))]
}

/** Whether what is posted to a code moves the capital balance. */
export function isCapital(facts: ReportFacts, codeId: number | null): boolean {
  const code = codeId === null ? undefined : facts.codes.get(codeId)
  return code !== undefined && balanceOf(code.facts) === openingBalanceType.capital
}

/** What is said of codes that map to nothing; the levy is on no code, and no code can be given another for it. */
export function mappingChecks(lines: readonly MappedLine[], { line, ask }: { line: string; ask: string }): string[] {
  const without = lines.filter((one) => one.code === null)
  const levy = without.filter((one) => one.lines.some(({ codeId }) => codeId === null))
  const count = without.length - levy.length
  return [
    ...(count ? [`Check: ${count} of the rows above ${count === 1 ? 'maps' : 'map'} to no ${line}. ${ask}`] : []),
    ...(levy.length
      ? [`Check: the apprenticeship levy stands on no budget code and on no ${line}. Add its row by hand where it belongs.`]
      : []),
  ]
}
