import type { LessonYear } from '../../budget/items/pupilNumbers.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { displayCount, displayList, displayWholePounds } from '../../values/format.ts'
import { type Cell, noCell } from '../columns.ts'
import type { LineSum, ReportFacts, StaffFacts } from '../facts.ts'
import { fewest, peoplePaid } from '../fewPeople.ts'
import { figuresOf } from '../glance.ts'
import { isCapital } from '../mapped.ts'
import { type ColumnType, codesIn, type Place, placeText, type Report, type ReportRow } from '../report.ts'
import { addSums, type Ledger, ledgerOf, sumsOf } from '../statement.ts'
import { besideComparators, type ComparatorSet, fewestComparators, isCompared } from './comparators.ts'
import { classSize, contactRatio, costOfLesson, perPupil, ratioOf, shareIn } from './measures.ts'

/** A group of the benchmarking service, with the budget codes whose money it is. */
export interface MeasuredGroup {
  name: string
  codeIds: ReadonlySet<number>
}

/** What measures are made of: the money and the staff of the same budgets and years. */
export interface MeasureFacts {
  money: ReportFacts
  staff: StaffFacts
  groups: readonly MeasuredGroup[]
  /** Codes of supply teachers, on a contract or from an agency; none: nobody has said which they are. */
  supplyCodeIds: ReadonlySet<number>
  /** The timetable of each year, of one school; null: they are of several, whose weeks differ. */
  lessons: readonly LessonYear[] | null
  /** Without it nothing is said of one or two teachers: what one person costs is for those who may see staff. */
  isNamed: boolean
  /** Schools that the organisation has chosen to lay its own beside; null: none are. Left out where several schools are measured as one. */
  comparators?: ComparatorSet | null
}

/** An amount that is whole; null where a part of it could not be calculated. Whole pennies. */
const whole = ({ value, missing }: Cell): number | null => (missing ? null : value)

/** A figure of each year, or why there is none. */
type Measured = (number | null)[]

/** Pay and full-time equivalents of some contracts in a year; null where one of them is not known. */
function staffed({ contracts }: StaffFacts, year: number, isOwn: (contract: StaffFacts['contracts'][number]) => boolean) {
  const own = contracts.filter(isOwn).map(({ years }) => assertDefined(years[year]))
  const add = (values: (number | null)[]): number | null =>
    values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)
  return {
    cost: add(own.flatMap(({ basic, allowances, leave, ni, pension }) => [basic, allowances, leave, ni, pension])),
    // Each has six decimals; their sum does too.
    fte: add(own.map(({ fte }) => (fte === null ? null : Math.round(fte * 1_000_000)))),
  }
}

/** The full-time equivalents of all teachers in a year; null where one of them is not known. */
export function teacherFte(staff: StaffFacts, year: number): number | null {
  const { fte } = staffed(staff, year, ({ isTeacher }) => isTeacher)
  return fte === null ? null : fte / 1_000_000
}

/**
 * The measures of the regulator's rules by year (rules.md §20). Percentages have one decimal, ratios two. A measure of which a part is missing is
 * empty, never 0; nothing is called good or bad. The in-year balance and the reserve are those without capital.
 */
export function measuresReport(
  title: string,
  { money, staff, groups, supplyCodeIds, lessons, isNamed, comparators }: MeasureFacts,
): Report {
  const ledger = ledgerOf(money)
  const { sides } = ledger
  const figures = figuresOf(ledger)
  const [staffCosts, expenditure] = [
    sumsOf(ledger, sides.staff),
    addSums([sumsOf(ledger, sides.staff), sumsOf(ledger, sides.other)], ledger),
  ]
  const spentOn = (codeIds: ReadonlySet<number>): readonly Cell[] => {
    const own = (lines: readonly LineSum[]): LineSum[] => lines.filter(({ codeId }) => codeId !== null && codeIds.has(codeId))
    return sumsOf(ledger, [...own(sides.staff), ...own(sides.other)])
  }
  const each = (measure: (year: number) => number | null): Measured => money.units.map((_unit, year) => measure(year))
  const cell = (cells: readonly Cell[], year: number): number | null => whole(cells[year] ?? noCell)
  const income = each((year) => whole(assertDefined(figures[year]).income))
  const spent = each((year) => cell(expenditure, year))
  const paid = each((year) => cell(staffCosts, year))
  const pupils = each((year) => assertDefined(money.units[year]).pupils)
  const teachers = money.units.map((_unit, year) => staffed(staff, year, ({ isTeacher }) => isTeacher))
  const adults = money.units.map((_unit, year) => staffed(staff, year, () => true))
  const teaching = staff.contracts.filter(({ isTeacher }) => isTeacher)
  const tellsTeachers = money.units.map((_unit, year) => isNamed || peoplePaid(teaching, year) >= fewest)
  const costs = teachers.map(({ cost }, year) => (tellsTeachers[year] ? cost : null))
  /** What is not told is not lacking. */
  const costParts = [teachers.map(({ cost }, year) => (tellsTeachers[year] ? cost : 0))]
  const supply = supplyCodeIds.size ? spentOn(supplyCodeIds) : null
  const at = (values: Measured, year: number): number | null => values[year] ?? null
  const fteOf = (all: typeof teachers, year: number): number | null => {
    const { fte } = assertDefined(all[year])
    return fte === null ? null : fte / 1_000_000
  }
  const reserve = each((year) => whole(assertDefined(figures[year]).reserve))
  const inYear = each((year) => whole(assertDefined(figures[year]).inYear))
  const ofCodes = (codeIds: ReadonlySet<number>): Place | null => placeOf([...codeIds])
  const revenueCodes = codesIn(
    Object.values(sides)
      .flat()
      .filter(({ codeId }) => !isCapital(money, codeId)),
  )
  const heading = (label: string): ReportRow => ({
    kind: 'SectionHeader',
    label,
    level: 0,
    values: money.units.map(() => null),
    drill: null,
    missing: 0,
  })
  /** @param place which lines are shared or divided; null: they are no lines of the budget */
  const rowOf =
    (place: Place | null) =>
    (label: string, type: ColumnType, measure: (year: number) => number | null, ...parts: Measured[]): ReportRow => ({
      kind: 'Data',
      label,
      level: 1,
      values: each(measure),
      drill: place && placeText(place),
      // It is empty because a part of it could not be calculated, not because nobody has said it.
      missing: parts.filter((part) => part.includes(null)).length,
      type,
    })
  const row = rowOf(null)
  const left = withoutGroup({ ledger, groups }, (codeIds, amounts) =>
    rowOf(placeOf(codeIds))('Without a benchmarking group', 'money', (year) => perPupil(at(amounts, year), at(pupils, year)), amounts),
  )
  const ofStaff = rowOf({ side: 'staff' })
  const report: Report = {
    title,
    columns: money.units.map(({ year }) => ({ key: placeText({ year }), title: year, type: 'percent' })),
    rows: [
      heading('Staff'),
      ofStaff('Staff, % of income', 'percent', (year) => shareIn(at(paid, year), at(income, year)), paid, income),
      ofStaff('Staff, % of expenditure', 'percent', (year) => shareIn(at(paid, year), at(spent, year)), paid, spent),
      row('Teachers, % of expenditure', 'percent', (year) => shareIn(at(costs, year), at(spent, year)), ...costParts, spent),
      rowOf(ofCodes(supplyCodeIds))(
        'Supply teachers, % of expenditure',
        'percent',
        (year) => (supply ? shareIn(cell(supply, year), at(spent, year)) : null),
        ...(supply ? [each((year) => cell(supply, year)), spent] : []),
      ),
      row('Cost of a teacher (FTE 1), £', 'money', (year) => ratioOf(at(costs, year), fteOf(teachers, year), 0), ...costParts),
      row('Pupils for each teacher (FTE)', 'ratio', (year) => ratioOf(at(pupils, year), fteOf(teachers, year), 2)),
      row('Pupils for each adult (FTE)', 'ratio', (year) => ratioOf(at(pupils, year), fteOf(adults, year), 2)),
      heading('Per pupil, £'),
      rowOf({ side: 'income' })('Income', 'money', (year) => perPupil(at(income, year), at(pupils, year)), income),
      ...groups.map(({ name, codeIds }) => {
        const own = spentOn(codeIds)
        const amounts = each((year) => cell(own, year))
        return rowOf(ofCodes(codeIds))(
          name,
          'money',
          (year) => (codeIds.size ? perPupil(at(amounts, year), at(pupils, year)) : null),
          amounts,
        )
      }),
      ...left.rows,
      heading('Balances'),
      rowOf(revenueCodes ? { side: 'inYear', code: revenueCodes } : null)(
        'In-year balance, % of income',
        'percent',
        (year) => shareIn(at(inYear, year), at(income, year)),
        inYear,
        income,
      ),
      row(
        'Reserve at the end of the year, % of income',
        'percent',
        (year) => shareIn(at(reserve, year), at(income, year)),
        reserve,
        income,
      ),
      ...(lessons
        ? [
            heading('Lessons and classes'),
            row('Contact ratio', 'ratio', (year) => contactRatio(lessons[year], fteOf(teachers, year))),
            row('Average class size', 'ratio', (year) => classSize(lessons[year], at(pupils, year))),
            row('Cost of a lesson, £', 'money', (year) => costOfLesson(lessons[year], at(costs, year)), ...costParts),
          ]
        : []),
      ...left.words.map(
        (label): ReportRow => ({ kind: 'Empty', label, level: 0, values: money.units.map(() => null), drill: null, missing: 0 }),
      ),
    ],
    notCalculated: money.notCalculated,
    bases: money.units.map(() => ({ income: null, pupils: null })),
  }
  return comparators === undefined ? report : withComparators(report, comparators)
}

/** Costs by budget code, the levy without one. */
const placeOf = (codeIds: readonly (number | null)[]): Place | null => {
  const code = codesIn(codeIds.map((codeId) => ({ codeId })))
  return code ? { side: 'expenditure', code } : null
}

/** What is in none of the groups: a row of it, and in words how much it is. */
function withoutGroup(
  { ledger, groups }: { ledger: Ledger; groups: readonly MeasuredGroup[] },
  rowOf: (codeIds: readonly (number | null)[], amounts: Measured) => ReportRow,
): { rows: ReportRow[]; words: string[] } {
  const { sides, facts } = ledger
  const grouped = new Set(groups.flatMap(({ codeIds }) => [...codeIds]))
  const lines = [...sides.staff, ...sides.other].filter(({ codeId }) => codeId === null || !grouped.has(codeId))
  const sums = sumsOf(ledger, lines)
  if (!sums.some(({ value, missing }) => value || missing)) return { rows: [], words: [] }
  const amounts = facts.units.map((_unit, year) => whole(sums[year] ?? noCell))
  const ids = [...new Set(lines.map(({ codeId }) => codeId))]
  const named = ids.filter((id) => id !== null)
  const of = [
    ...(named.length ? [displayCount(named.length, 'budget code')] : []),
    ...(named.length < ids.length ? ['the apprenticeship levy'] : []),
  ]
  const told = amounts.flatMap((amount, year) =>
    amount === null ? [] : [`${displayWholePounds(amount)} in ${assertDefined(facts.units[year]).year}`],
  )
  return {
    rows: [rowOf(ids, amounts)],
    words: [`Left out of the groups: ${displayList(of)} without a benchmarking group${told.length ? `, ${displayList(told)}` : ''}.`],
  }
}

/** Lays the first year of each measure beside the comparators that have it; words, never good or bad (rules.md §20). */
function withComparators(report: Report, set: ComparatorSet | null): Report {
  const note = (label: string): ReportRow => ({
    kind: 'Empty',
    label,
    level: 0,
    values: report.columns.map(() => null),
    drill: null,
    missing: 0,
  })
  const [first] = report.columns
  if (!set || !first)
    return {
      ...report,
      rows: [...report.rows, note('Not laid beside comparators: none are chosen. They are under Comparators in the console.')],
    }
  const besideOf = (row: ReportRow): ReportRow['values'] => {
    const [own] = row.values
    if (row.kind !== 'Data' || !isCompared(row.label)) return [null, null]
    const { band, median, count } = besideComparators(row.label, typeof own === 'number' ? own : null, set.schools)
    if (count < fewestComparators) return [count ? `${displayCount(count, 'comparator')}: too few` : 'no comparator', null]
    return [band ? `${band}, of ${count}` : displayCount(count, 'comparator'), median]
  }
  const of = [displayCount(set.schools.length, 'school'), ...(set.year ? [set.year] : []), set.source].join(', ')
  return {
    ...report,
    columns: [
      ...report.columns,
      { key: 'comparators', title: `${first.title} among comparators`, type: 'text' },
      { key: 'median', title: 'Median of comparators', type: 'percent' },
    ],
    rows: [
      ...report.rows.map((row) => ({ ...row, values: [...row.values, ...besideOf(row)] })),
      { ...note(`Comparators: ${set.name} (${of}). A place is said where at least ${fewestComparators} of them have the measure.`) },
    ].map((row) => (row.values.length > report.columns.length ? row : { ...row, values: [...row.values, null, null] })),
    bases: [...report.bases, { income: null, pupils: null }, { income: null, pupils: null }],
  }
}
