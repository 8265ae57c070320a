import { type CodeId, sumCodeFigures } from './figures.ts'
import type { MonitoredCode } from './rows.ts'

/**
 * Merges codes that would reveal the pay of one or two people into one code without notes, for readers without staffing permissions.
 * @param hiddenCodes codes that must not be shown on their own
 */
export function mergeCodesOfFewPeople(codes: readonly MonitoredCode[], hiddenCodes: ReadonlySet<CodeId>): MonitoredCode[] {
  const few = codes.filter(({ codeId }) => codeId !== null && hiddenCodes.has(codeId))
  if (!few.length) return [...codes]
  const sum = (pick: (one: MonitoredCode) => number): number => few.reduce((total, one) => total + pick(one), 0)
  const together: MonitoredCode = {
    codeId: null,
    code: null,
    description: 'Budget codes with few people',
    isIncome: false,
    isStaff: true,
    scheme: null,
    figures: sumCodeFigures(few.map(({ figures }) => figures)),
    adjustment: sum(({ adjustment }) => adjustment),
    note: null,
    action: null,
    missing: sum(({ missing }) => missing),
  }
  return [...codes.filter((one) => !few.includes(one)), together]
}
