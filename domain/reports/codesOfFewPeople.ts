import type { LineSum, ReportCode, ReportFacts } from './facts.ts'

const mergedId = -1
const mergedCode: ReportCode = {
  id: mergedId,
  code: '',
  description: 'Budget codes with few people',
  facts: { isIncome: false, category: null, cfrCode: null },
  scheme: null,
}

export interface KeysToMerge {
  codes: ReadonlySet<number | null>
  /** The cost centres to merge; null if the report is not by cost centre. */
  centres: ReadonlySet<number | null> | null
  /** Whether codes are mapped to the rows of the report. If so, all money of a code is merged, including actuals. */
  isMapped: boolean
}

/**
 * Merges the pay of codes with only one or two people into one code, for readers without staffing permissions. In a report by cost centre,
 * all pay of a cost centre is merged, because a code may have only a few people in one cost centre.
 */
export function mergeFewPeopleInReport(facts: ReportFacts, { codes, centres, isMapped }: KeysToMerge): ReportFacts {
  const isOfFew = (row: Pick<LineSum, 'codeId' | 'isStaff'>): boolean =>
    row.codeId !== null && (row.isStaff || isMapped) && codes.has(row.codeId)
  const mergeCodes = <Row extends Pick<LineSum, 'codeId' | 'isStaff'>>(rows: readonly Row[]): Row[] =>
    rows.map((row) => (isOfFew(row) || (centres && row.isStaff && row.codeId !== null) ? { ...row, codeId: mergedId } : row))
  const inCentres = (rows: readonly LineSum[]): LineSum[] =>
    mergeCodes(
      rows.map((row) => (row.isStaff && centres && (centres.has(row.centreId) || isOfFew(row)) ? { ...row, centreId: mergedId } : row)),
    )
  const code = isMapped ? { ...mergedCode, scheme: { code: '', description: mergedCode.description, order: 0 } } : mergedCode
  return {
    ...facts,
    codes: new Map([...facts.codes, [mergedId, code]]),
    centres: centres ? new Map([...facts.centres, [mergedId, { code: '', description: 'Cost centres with few people' }]]) : facts.centres,
    lines: inCentres(facts.lines),
    ...(facts.wholeLines && { wholeLines: inCentres(facts.wholeLines) }),
    carried: facts.carried && { ...facts.carried, before: mergeCodes(facts.carried.before) },
  }
}
