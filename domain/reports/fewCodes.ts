import type { LineSum, ReportCode, ReportFacts } from './facts.ts'

/** The id of no code and no centre: under it stand together those that are not told by themselves. */
const ofFew = -1
const codeOfFew: ReportCode = {
  id: ofFew,
  code: '',
  description: 'Budget codes of few people',
  facts: { isIncome: false, category: null, cfrCode: null },
  scheme: null,
}

/**
 * What a report is made of as it is told where nobody is named: the pay that would be of one or two people stands under one code. By cost centre
 * all pay of a centre does, as few people of a code may be in one.
 */
export function withFewTogether(
  facts: ReportFacts,
  { codes, centres }: { codes: ReadonlySet<number | null>; centres: ReadonlySet<number | null> | null },
): ReportFacts {
  const told = <Row extends Pick<LineSum, 'codeId' | 'isStaff'>>(rows: readonly Row[]): Row[] =>
    rows.map((row) => (row.isStaff && row.codeId !== null && (centres || codes.has(row.codeId)) ? { ...row, codeId: ofFew } : row))
  const inCentres = (rows: readonly LineSum[]): LineSum[] =>
    told(rows).map((row) => (row.isStaff && centres?.has(row.centreId) ? { ...row, centreId: ofFew } : row))
  return {
    ...facts,
    codes: new Map([...facts.codes, [ofFew, codeOfFew]]),
    centres: centres ? new Map([...facts.centres, [ofFew, { code: '', description: 'Cost centres of few people' }]]) : facts.centres,
    lines: inCentres(facts.lines),
    ...(facts.wholeLines && { wholeLines: inCentres(facts.wholeLines) }),
    carried: facts.carried && { ...facts.carried, before: told(facts.carried.before) },
  }
}
