import { addFigures, type CodeId } from './figures.ts'
import type { CodeOfRows } from './rows.ts'

/**
 * The codes of rows as they are told where nobody is named: those that would tell what one or two people are paid as one, to which nothing is noted.
 * @param notTold codes that are not told by themselves
 */
export function mergeFewCodes(codes: readonly CodeOfRows[], notTold: ReadonlySet<CodeId>): CodeOfRows[] {
  const few = codes.filter(({ codeId }) => codeId !== null && notTold.has(codeId))
  if (!few.length) return [...codes]
  const sum = (pick: (one: CodeOfRows) => number): number => few.reduce((total, one) => total + pick(one), 0)
  const together: CodeOfRows = {
    codeId: null,
    code: null,
    description: 'Budget codes of few people',
    isIncome: false,
    isStaff: true,
    scheme: null,
    figures: addFigures(few.map(({ figures }) => figures)),
    adjustment: sum(({ adjustment }) => adjustment),
    note: null,
    action: null,
    missing: sum(({ missing }) => missing),
  }
  return [...codes.filter((one) => !few.includes(one)), together]
}
