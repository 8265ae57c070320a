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

/** Which codes and, where they are told, cost centres stand together. */
export interface ToldTogether {
  codes: ReadonlySet<number | null>
  /** Null where no centre is told. */
  centres: ReadonlySet<number | null> | null
  /** Whether rows are what codes map to. Then all of a code stands there, also what a ledger says was paid. */
  isMapped: boolean
}

/**
 * What a report is made of as it is told where nobody is named: the pay that would be of one or two people stands under one code. By cost centre
 * all pay of a centre does, as few people of a code may be in one.
 */
export function mergeFewInReport(facts: ReportFacts, { codes, centres, isMapped }: ToldTogether): ReportFacts {
  const isOfFew = (row: Pick<LineSum, 'codeId' | 'isStaff'>): boolean =>
    row.codeId !== null && (row.isStaff || isMapped) && codes.has(row.codeId)
  const told = <Row extends Pick<LineSum, 'codeId' | 'isStaff'>>(rows: readonly Row[]): Row[] =>
    rows.map((row) => (isOfFew(row) || (centres && row.isStaff && row.codeId !== null) ? { ...row, codeId: ofFew } : row))
  const inCentres = (rows: readonly LineSum[]): LineSum[] =>
    told(rows.map((row) => (row.isStaff && centres && (centres.has(row.centreId) || isOfFew(row)) ? { ...row, centreId: ofFew } : row)))
  const code = isMapped ? { ...codeOfFew, scheme: { code: '', description: codeOfFew.description, order: 0 } } : codeOfFew
  return {
    ...facts,
    codes: new Map([...facts.codes, [ofFew, code]]),
    centres: centres ? new Map([...facts.centres, [ofFew, { code: '', description: 'Cost centres of few people' }]]) : facts.centres,
    lines: inCentres(facts.lines),
    ...(facts.wholeLines && { wholeLines: inCentres(facts.wholeLines) }),
    carried: facts.carried && { ...facts.carried, before: told(facts.carried.before) },
  }
}
