import { type PupilRow, rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import { lastYearGroup as groups } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { BudgetHead } from '../budget.ts'
import type { PupilNumbers, ReportedCount } from './pupilNumbers.ts'

/** The pupil numbers of a budget after another system's counts were merged into them. */
export interface MergedCounts {
  rows: PupilRow[]
  /** The latest reported value of each count that the budget has a row for. */
  said: ReportedCount[]
  written: number
  /** Counts that were not imported, because a user entered another value (`typed`) or undid the import. `here` is the current value. */
  kept: (ReportedCount & { typed: number | null; here: number | null })[]
  /** Year groups that the budget lacks or has more than once. */
  strange: number[]
}

const keyOf = ({ october, yearGroup }: ReportedCount): string => `${october} ${yearGroup}`
const inOrder = (a: ReportedCount, b: ReportedCount): number => a.october - b.october || a.yearGroup - b.yearGroup

const blank = (yearGroup: number): PupilRow => ({
  kind: yearGroup === groups.highNeedsPlaces ? 'HighNeeds' : 'Phase',
  phase: null,
  yearGroup,
  description: null,
  before: null,
  years: [],
})

/** The count entered in a column; column 0 is the October before the budget. */
const typedIn = (row: PupilRow, column: number): number | null => (column === 0 ? row.before : (row.years[column - 1] ?? null))

function withCount(row: PupilRow, column: number, count: number): PupilRow {
  if (column === 0) return { ...row, before: count }
  const years = Array.from({ length: Math.max(row.years.length, column) }, (_unused, year) => row.years[year] ?? null)
  years[column - 1] = count
  return { ...row, years }
}

/** The count entered for a year group and an October; null if it is blank or the year group has no row. */
function typedFor(rows: readonly PupilRow[], { yearGroup, october }: ReportedCount, firstYear: number): number | null {
  const row = rows.find((one) => one.yearGroup === yearGroup)
  return row ? typedIn(row, october - firstYear + 1) : null
}

/**
 * Updates the marks on the reported counts after pupil numbers changed. A count is marked when a user clears the imported value or undoes
 * its import; the mark is removed when a user enters a value.
 */
export function markUndoneCounts(
  reported: readonly ReportedCount[],
  { before, after }: { before: readonly PupilRow[]; after: readonly PupilRow[] },
  { firstYear }: Pick<BudgetHead, 'firstYear'>,
): ReportedCount[] {
  return reported.map((earlier) => {
    const { isTakenBack: _mark, ...count } = earlier
    if (typedFor(after, earlier, firstYear) !== null) return count
    return typedFor(before, earlier, firstYear) === earlier.count ? { ...count, isTakenBack: true } : earlier
  })
}

/**
 * Merges the counts of another system into pupil numbers. A count is written where no value was entered, or where the entered value equals
 * the last reported one. Values that a user changed or undid are not overwritten. A budget without pupil numbers gets the reported year
 * groups. Otherwise no group is added, because a group with unknown years makes totals unknown (rules.md §13).
 */
export function mergeReportedCounts(
  numbers: Pick<PupilNumbers, 'rows' | 'said'> | undefined,
  reported: readonly ReportedCount[],
  { firstYear, numberOfYears }: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>,
): MergedCounts {
  const columnOf = ({ october }: ReportedCount): number => october - firstYear + 1
  const isIn = (one: ReportedCount): boolean => columnOf(one) >= 0 && columnOf(one) <= numberOfYears
  // Earliest October first, because later counts roll up from it.
  const inBudget = reported.filter(isIn).sort(inOrder)
  const earlierRows = numbers?.rows ?? []
  const before = new Map((numbers?.said ?? []).filter(isIn).map((one) => [keyOf(one), one]))
  const isTakenBack = (one: ReportedCount): boolean => Boolean(before.get(keyOf(one))?.isTakenBack)
  const wanted = inBudget.filter((one) => !isTakenBack(one)).map(({ yearGroup }) => yearGroup)
  const rows = earlierRows.some(({ kind }) => kind === 'Phase' || kind === 'HighNeeds')
    ? [...earlierRows]
    : [...earlierRows, ...[...new Set(wanted)].sort((a, b) => a - b).map(blank)]
  const last = new Map(before)
  const strange = new Set<number>()
  const keptCounts: MergedCounts['kept'] = []
  let written = 0
  for (const one of inBudget) {
    const [index, ...others] = rows.flatMap((row, at) => (row.yearGroup === one.yearGroup ? [at] : []))
    if (index === undefined && isTakenBack(one)) {
      last.set(keyOf(one), { ...one, isTakenBack: true })
      keptCounts.push({ ...one, typed: null, here: null })
      continue
    }
    if (index === undefined || others.length) {
      strange.add(one.yearGroup)
      continue
    }
    last.set(keyOf(one), isTakenBack(one) ? { ...one, isTakenBack: true } : one)
    const [row, column] = [assertDefined(rows[index]), columnOf(one)]
    const typed = typedIn(row, column)
    const known = rollUpPupilCounts(rows, numberOfYears).find((counted) => counted.index === index)?.counts[column]?.count
    if (known === one.count) continue
    if (typed === null ? isTakenBack(one) : typed !== before.get(keyOf(one))?.count) {
      keptCounts.push({ ...one, typed, here: known ?? null })
      continue
    }
    rows[index] = withCount(row, column, one.count)
    written++
  }
  return { rows, said: [...last.values()].sort(inOrder), written, kept: keptCounts, strange: [...strange] }
}

/** Finds the year group that another system means: by its name in Bursar or by its school census code (N2, R, 7); null if neither fits. */
export function parseYearGroup(word: string, names: readonly { id: number; name: string }[]): number | null {
  const text = word.trim().toLowerCase()
  const named = names.find(({ name }) => name.toLowerCase() === text)
  if (named) return named.id
  if (/^[en][12]?$/.test(text)) return groups.nursery
  if (/^y?r$/.test(text)) return groups.nursery + 1
  const [, year] = /^(?:y|yr|year)?\s*0?(\d{1,2})$/.exec(text) ?? []
  const id = Number(year) + groups.nursery + 1
  return Number(year) >= 1 && id <= groups.year13 ? id : null
}

/** The October of the school year that contains a day. School years begin in September. @param day `2026-11-24` */
export function findOctoberYear(day: string): number {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return month >= 9 ? year : year - 1
}

/** Words around the year in texts such as `Autumn census 2026` and `October 2026 (forecast)`. */
const octoberWords =
  /\boct(?:ober)?(?=[\d\s'’.-]|$)|\b(?:autumn|census|term|count|day|academic|school|year|ay|fy|in|of|at|as|the|pupils?|numbers?|nor|number on roll|roll|places|forecast|actual|estimated?|projected)\b/g

/**
 * Reads an October from text: `2026`, `Oct 26`, `Autumn census 2026`, the school year `2026/27`, or a day of its school year such as
 * `2026-10-01`; null for any other text.
 */
export function parseOctoberYear(word: string): number | null {
  const text = word.trim().toLowerCase()
  if (/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/.test(text)) return findOctoberYear(text)
  const said = text
    .replace(octoberWords, ' ')
    .replace(/[()'’.,]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [, first, second] = /^(20\d\d|\d\d) ?[/-] ?(20\d\d|\d\d)$/.exec(said) ?? []
  if (first && second) return Number(second.slice(-2)) === (Number(first.slice(-2)) + 1) % 100 ? Number(first.padStart(4, '20')) : null
  // Two digits are a year only after a month; alone they may be any number.
  const [, year] = /^-? ?(20\d\d|\d\d)$/.exec(said) ?? []
  if (year) return year.length === 4 || /\b(?:oct(?:ober)?|autumn|census)[ '’.-]*\d\d$/.test(text) ? Number(year.padStart(4, '20')) : null
  const [, day, month, of] = /^(?:(\d{1,2})(?:st|nd|rd|th)? ?[/.-] ?)?(\d{1,2}) ?[/.-] ?(20\d\d)$/.exec(said) ?? []
  if (of && Number(month) >= 1 && Number(month) <= 12 && Number(day ?? 1) <= 31) return findOctoberYear(`${of}-${month?.padStart(2, '0')}`)
  const [, date, dated] = /^(\d{1,2})(?:st|nd|rd|th)? (20\d\d)$/.exec(said) ?? []
  return /\boct/.test(text) && Number(date) <= 31 ? Number(dated) : null
}
