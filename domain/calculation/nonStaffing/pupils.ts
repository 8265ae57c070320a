import { fundingPhase, lastYearGroup as group } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { addDecimals } from '../../values/decimals.ts'

/** The phase of a year group in the list `pupilYearGroups`: Nursery, Reception to Year 6, 7 to 9, 10 and 11, 12 and 13. */
export function findPhase(yearGroup: number): number {
  if (yearGroup === group.nursery) return fundingPhase.earlyYears
  if (yearGroup <= group.year6) return fundingPhase.primary
  if (yearGroup <= group.year9) return fundingPhase.keyStage3
  if (yearGroup <= group.year11) return fundingPhase.keyStage4
  return yearGroup <= group.year13 ? fundingPhase.sixthForm : fundingPhase.highNeeds
}

/** A row of the pupil numbers: a year group, high-needs places, a total or a description. A null count is rolled up. */
export interface PupilRow {
  kind: 'Phase' | 'HighNeeds' | 'Total' | 'Description'
  phase: number | null
  yearGroup: number | null
  description: string | null
  /** The October count before the first year, which funds the first year. */
  before: number | null
  /** The October count of each year of the budget. */
  years: (number | null)[]
}

export interface PupilCount {
  count: number | null
  isTyped: boolean
}

/** A row with all counts: first the October before the budget, then each year. */
export interface CountedRow {
  /** The index of its row in the input. */
  index: number
  yearGroup: number | null
  phase: number
  counts: PupilCount[]
}

/**
 * Counts pupils for every row (rules.md §13). Without an entered count, a year group has the count that the year group below it had the
 * year before, and high-needs places stay the same. A count is unknown if there is no earlier count to roll up.
 */
export function rollUpPupilCounts(rows: readonly PupilRow[], years: number): CountedRow[] {
  const counting = rows
    .map((row, index) => ({ row, index, isPlaces: row.kind === 'HighNeeds' }))
    .filter(({ row, isPlaces }) => isPlaces || (row.kind === 'Phase' && (row.yearGroup !== null || row.phase !== null)))
    .sort((a, b) => (a.row.yearGroup ?? 99) - (b.row.yearGroup ?? 99))
  const counted: CountedRow[] = []
  for (const { row, index, isPlaces } of counting) {
    const typed = [row.before, ...Array.from({ length: years }, (_unused, year) => row.years[year] ?? null)]
    const below = isPlaces || row.yearGroup === null ? undefined : counted.find((one) => one.yearGroup === assertDefined(row.yearGroup) - 1)
    const counts: PupilCount[] = []
    for (const [column, count] of typed.entries()) {
      const before = isPlaces ? counts[column - 1] : below?.counts[column - 1]
      counts.push(count === null ? { count: before?.count ?? null, isTyped: false } : { count, isTyped: true })
    }
    const rowPhase = isPlaces ? fundingPhase.highNeeds : row.yearGroup === null ? assertDefined(row.phase) : findPhase(row.yearGroup)
    counted.push({ index, yearGroup: row.yearGroup, phase: rowPhase, counts })
  }
  return counted
}

/**
 * Counts the pupils of some phases in each column, the October before the budget first. A total is null if the count of any year group is
 * missing, because it would be too small (rules.md §13).
 */
export function countPupils(rows: readonly CountedRow[], phases: readonly number[] | null): (number | null)[] {
  const matchingRows = rows.filter((row) => (phases ? phases.includes(row.phase) : row.phase !== fundingPhase.highNeeds))
  const columns = matchingRows[0]?.counts.length ?? 0
  return Array.from({ length: columns }, (_unused, column) => {
    const known = matchingRows.flatMap((row) => assertDefined(row.counts[column]).count ?? [])
    return known.length === matchingRows.length ? addDecimals(known) : null
  })
}

/**
 * The pupils that fund each year: those counted in the October before it (rules.md §12). Our choice, stated on the screen: if the October
 * before the first year is not entered, the first year's own count replaces it. High-needs places are those of the year itself.
 */
export function countFundedPupils(
  rows: readonly CountedRow[],
  phases: readonly number[] | null,
): { years: (number | null)[]; stoodIn: boolean } {
  const counts = countPupils(rows, phases)
  const isPlaces = phases?.length === 1 && phases[0] === fundingPhase.highNeeds
  if (isPlaces) return { years: counts.slice(1), stoodIn: false }
  const [before, ...years] = counts
  if (before === undefined) return { years: [], stoodIn: false }
  const stoodIn = before === null && (years[0] ?? null) !== null
  return { years: [before ?? years[0] ?? null, ...years.slice(0, -1)], stoodIn }
}
