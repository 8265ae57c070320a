import { type PupilRow, rollUp } from '../../calculation/nonStaffing/pupils.ts'
import { yearGroup as groups } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { BudgetHead } from '../budget.ts'
import type { PupilNumbers, SaidCount } from './pupilNumbers.ts'

/** What another system counts, laid beside the pupil numbers of a budget. */
export interface MetCounts {
  rows: PupilRow[]
  /** What it said last of each count that the budget has a place for. */
  said: SaidCount[]
  /** Counts that are other than they were. */
  written: number
  /** Counts that are left as they stand: `typed` otherwise by somebody, or taken back, where `here` is what they come to by themselves. */
  kept: (SaidCount & { typed: number | null; here: number | null })[]
  /** Year groups that the budget does not have, or has more than once. */
  strange: number[]
}

const keyOf = ({ october, yearGroup }: SaidCount): string => `${october} ${yearGroup}`
const inOrder = (a: SaidCount, b: SaidCount): number => a.october - b.october || a.yearGroup - b.yearGroup

const blank = (yearGroup: number): PupilRow => ({
  kind: yearGroup === groups.highNeedsPlaces ? 'HighNeeds' : 'Phase',
  phase: null,
  yearGroup,
  description: null,
  before: null,
  years: [],
})

/** What is typed in a column, the October before the budget first. */
const typedIn = (row: PupilRow, column: number): number | null => (column === 0 ? row.before : (row.years[column - 1] ?? null))

function withCount(row: PupilRow, column: number, count: number): PupilRow {
  if (column === 0) return { ...row, before: count }
  const years = Array.from({ length: Math.max(row.years.length, column) }, (_unused, year) => row.years[year] ?? null)
  years[column - 1] = count
  return { ...row, years }
}

/** What is typed for a count among rows; null also where its year group has none. */
function typedFor(rows: readonly PupilRow[], { yearGroup, october }: SaidCount, firstYear: number): number | null {
  const row = rows.find((one) => one.yearGroup === yearGroup)
  return row ? typedIn(row, october - firstYear + 1) : null
}

/**
 * What another system said, when pupil numbers come to stand otherwise. A count that stood as it was said and is typed no more was taken back,
 * by undoing or by emptying it, and stays so until somebody types one there.
 */
export function saidAfter(
  said: readonly SaidCount[],
  { before, after }: { before: readonly PupilRow[]; after: readonly PupilRow[] },
  { firstYear }: Pick<BudgetHead, 'firstYear'>,
): SaidCount[] {
  return said.map((one) => {
    const { isTakenBack: _mark, ...count } = one
    if (typedFor(after, one, firstYear) !== null) return count
    return typedFor(before, one, firstYear) === one.count ? { ...count, isTakenBack: true } : one
  })
}

/**
 * Lays what another system counts into pupil numbers. A count is written where nobody typed one, and where what stands is what the system said
 * before; what somebody typed otherwise, or took back, stays. A budget without pupil numbers gets the year groups that are said; to one that has some none is
 * added, for a total with a group of which some years are not known is not known either (rules.md §13).
 */
export function meetCounts(
  numbers: Pick<PupilNumbers, 'rows' | 'said'> | undefined,
  said: readonly SaidCount[],
  { firstYear, numberOfYears }: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>,
): MetCounts {
  const columnOf = ({ october }: SaidCount): number => october - firstYear + 1
  const isIn = (one: SaidCount): boolean => columnOf(one) >= 0 && columnOf(one) <= numberOfYears
  // A count rolls up from the October before, so that one is written first.
  const own = said.filter(isIn).sort(inOrder)
  const stood = numbers?.rows ?? []
  const before = new Map((numbers?.said ?? []).filter(isIn).map((one) => [keyOf(one), one]))
  const isBack = (one: SaidCount): boolean => Boolean(before.get(keyOf(one))?.isTakenBack)
  const wanted = own.filter((one) => !isBack(one)).map(({ yearGroup }) => yearGroup)
  const rows = stood.some(({ kind }) => kind === 'Phase' || kind === 'HighNeeds')
    ? [...stood]
    : [...stood, ...[...new Set(wanted)].sort((a, b) => a - b).map(blank)]
  const last = new Map(before)
  const strange = new Set<number>()
  const kept: MetCounts['kept'] = []
  let written = 0
  for (const one of own) {
    const [index, ...others] = rows.flatMap((row, at) => (row.yearGroup === one.yearGroup ? [at] : []))
    if (index === undefined && isBack(one)) {
      last.set(keyOf(one), { ...one, isTakenBack: true })
      kept.push({ ...one, typed: null, here: null })
      continue
    }
    if (index === undefined || others.length) {
      strange.add(one.yearGroup)
      continue
    }
    last.set(keyOf(one), isBack(one) ? { ...one, isTakenBack: true } : one)
    const [row, column] = [assertDefined(rows[index]), columnOf(one)]
    const typed = typedIn(row, column)
    const known = rollUp(rows, numberOfYears).find((counted) => counted.index === index)?.counts[column]?.count
    if (known === one.count) continue
    if (typed === null ? isBack(one) : typed !== before.get(keyOf(one))?.count) {
      kept.push({ ...one, typed, here: known ?? null })
      continue
    }
    rows[index] = withCount(row, column, one.count)
    written++
  }
  return { rows, said: [...last.values()].sort(inOrder), written, kept, strange: [...strange] }
}

/** The year group that a word of another system means: its name here, or a code of the school census (N2, R, 7); null for any other. */
export function yearGroupOf(word: string, names: readonly { id: number; name: string }[]): number | null {
  const said = word.trim().toLowerCase()
  const named = names.find(({ name }) => name.toLowerCase() === said)
  if (named) return named.id
  if (/^[en][12]?$/.test(said)) return groups.nursery
  if (/^y?r$/.test(said)) return groups.nursery + 1
  const [, year] = /^(?:y|yr|year)?\s*0?(\d{1,2})$/.exec(said) ?? []
  const id = Number(year) + groups.nursery + 1
  return Number(year) >= 1 && id <= groups.year13 ? id : null
}

/** The October whose classes sit on a day: from September that of the same year. @param day `2026-11-24` */
export function octoberOn(day: string): number {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return month >= 9 ? year : year - 1
}

/** The October that a word means: `2026`, or a day of its school year as `2026-10-01`; null for any other. */
export function octoberOf(word: string): number | null {
  const said = word.trim()
  if (/^20\d\d$/.test(said)) return Number(said)
  return /^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/.test(said) ? octoberOn(said) : null
}
