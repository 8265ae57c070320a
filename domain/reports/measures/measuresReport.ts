import type { LessonYear } from '../../budget/items/pupilNumbers.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { displayCount, displayList, displayWholePounds } from '../../values/format.ts'
import { type CellFigure, zeroCell } from '../columns.ts'
import type { LineSum, ReportFacts, StaffFacts } from '../facts.ts'
import { countPeoplePaid, minimumPeopleShown } from '../fewPeople.ts'
import { calculateYearsAtAGlance } from '../glance.ts'
import { isCapitalCode } from '../mapped.ts'
import { type ColumnType, formatCodeIds, formatLineFilter, type LineFilter, type Report, type ReportRow } from '../report.ts'
import { addRowSums, buildReportLedger, type ReportLedger, sumLines } from '../statement.ts'
import { type ComparatorSet, comparedMeasures, compareWithComparators, findComparedMeasure, minimumComparators } from './comparators.ts'
import {
  calculateClassSize,
  calculateContactRatio,
  calculateLessonCost,
  calculateShare,
  dividePerPupil,
  divideToDecimals,
} from './measures.ts'

export interface BenchmarkGroup {
  name: string
  codeIds: ReadonlySet<number>
}

/** The facts that measures are calculated from: money and staff of the same budgets and years. */
export interface MeasureFacts {
  money: ReportFacts
  staff: StaffFacts
  groups: readonly BenchmarkGroup[]
  /** Codes of supply teachers, employed or from agencies; empty if the organisation has not chosen any. */
  supplyCodeIds: ReadonlySet<number>
  /** Timetables by year for one school; null for several schools, because their weeks differ. */
  lessons: readonly LessonYear[] | null
  /** Whether the reader may see individual pay. If not, measures of one or two teachers are hidden. */
  isNamed: boolean
  /** The comparators that the organisation has chosen; null if it has chosen none. Absent in a report on several schools. */
  comparators?: ComparatorSet | null
}

/** The value in whole pennies if it is complete; null if a part could not be calculated. */
const completeValue = ({ value, missing }: CellFigure): number | null => (missing ? null : value)

type Measured = (number | null)[]

/** Cost and FTE of some contracts in a year; null if any of them is unknown. */
function sumStaff({ contracts }: StaffFacts, year: number, isOwn: (contract: StaffFacts['contracts'][number]) => boolean) {
  const own = contracts.filter(isOwn).map(({ years }) => assertDefined(years[year]))
  const add = (values: (number | null)[]): number | null =>
    values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)
  return {
    cost: add(own.flatMap(({ basic, allowances, leave, ni, pension }) => [basic, allowances, leave, ni, pension])),
    // The FTE has six decimals. Adding millionths as whole numbers keeps the sum exact.
    fte: add(own.map(({ fte }) => (fte === null ? null : Math.round(fte * 1_000_000)))),
  }
}

/** Adds the FTE of all teachers in a year; null if the FTE of any teacher is unknown. */
export function sumTeacherFte(staff: StaffFacts, year: number): number | null {
  const { fte } = sumStaff(staff, year, ({ isTeacher }) => isTeacher)
  return fte === null ? null : fte / 1_000_000
}

/**
 * Builds the regulator's measures by year (rules.md §20). Percentages have one decimal, ratios two. A measure with a missing part is empty,
 * never 0. The report does not judge any measure. In-year balance and reserve exclude capital.
 */
export function buildMeasuresReport(
  title: string,
  { money, staff, groups, supplyCodeIds, lessons, isNamed, comparators }: MeasureFacts,
): Report {
  const ledger = buildReportLedger(money)
  const { sides } = ledger
  const figures = calculateYearsAtAGlance(ledger)
  const [staffCosts, expenditure] = [
    sumLines(ledger, sides.staff),
    addRowSums([sumLines(ledger, sides.staff), sumLines(ledger, sides.other)], ledger),
  ]
  const spentOn = (codeIds: ReadonlySet<number>): readonly CellFigure[] => {
    const own = (lines: readonly LineSum[]): LineSum[] => lines.filter(({ codeId }) => codeId !== null && codeIds.has(codeId))
    return sumLines(ledger, [...own(sides.staff), ...own(sides.other)])
  }
  const each = (measure: (year: number) => number | null): Measured => money.units.map((_unit, year) => measure(year))
  const cell = (cells: readonly CellFigure[], year: number): number | null => completeValue(cells[year] ?? zeroCell)
  const income = each((year) => completeValue(assertDefined(figures[year]).income))
  const spent = each((year) => cell(expenditure, year))
  const paid = each((year) => cell(staffCosts, year))
  const pupils = each((year) => assertDefined(money.units[year]).pupils)
  const teachers = money.units.map((_unit, year) => sumStaff(staff, year, ({ isTeacher }) => isTeacher))
  const adults = money.units.map((_unit, year) => sumStaff(staff, year, () => true))
  const teaching = staff.contracts.filter(({ isTeacher }) => isTeacher)
  const tellsTeachers = money.units.map((_unit, year) => isNamed || countPeoplePaid(teaching, year) >= minimumPeopleShown)
  const costs = teachers.map(({ cost }, year) => (tellsTeachers[year] ? cost : null))
  /** Hidden values do not count as missing. */
  const costParts = [teachers.map(({ cost }, year) => (tellsTeachers[year] ? cost : 0))]
  const supply = supplyCodeIds.size ? spentOn(supplyCodeIds) : null
  const at = (values: Measured, year: number): number | null => values[year] ?? null
  const fteOf = (all: typeof teachers, year: number): number | null => {
    const { fte } = assertDefined(all[year])
    return fte === null ? null : fte / 1_000_000
  }
  const reserve = each((year) => completeValue(assertDefined(figures[year]).reserve))
  const inYear = each((year) => completeValue(assertDefined(figures[year]).inYear))
  const ofCodes = (codeIds: ReadonlySet<number>): LineFilter | null => costFilter([...codeIds])
  const revenueCodes = formatCodeIds(
    Object.values(sides)
      .flat()
      .filter(({ codeId }) => !isCapitalCode(money, codeId)),
  )
  const heading = (label: string): ReportRow => ({
    kind: 'SectionHeader',
    label,
    level: 0,
    values: money.units.map(() => null),
    drill: null,
    missing: 0,
  })
  /** @param filter selects the lines from which the measure is calculated; null if it is not based on lines */
  const rowOf =
    (filter: LineFilter | null) =>
    (label: string, type: ColumnType, measure: (year: number) => number | null, ...parts: Measured[]): ReportRow => ({
      kind: 'Data',
      label,
      level: 1,
      values: each(measure),
      drill: filter && formatLineFilter(filter),
      // A part that was never entered is not counted as missing.
      missing: parts.filter((part) => part.includes(null)).length,
      type,
    })
  const row = rowOf(null)
  const left = buildUngroupedRows({ ledger, groups }, (codeIds, amounts) =>
    rowOf(costFilter(codeIds))('No benchmarking group', 'money', (year) => dividePerPupil(at(amounts, year), at(pupils, year)), amounts),
  )
  const ofStaff = rowOf({ side: 'staff' })
  const report: Report = {
    title,
    columns: money.units.map(({ year }) => ({ key: formatLineFilter({ year }), title: year, type: 'percent' })),
    rows: [
      heading('Staff'),
      ofStaff(comparedMeasures.staffOfIncome.label, 'percent', (year) => calculateShare(at(paid, year), at(income, year)), paid, income),
      ofStaff(comparedMeasures.staffOfExpenditure.label, 'percent', (year) => calculateShare(at(paid, year), at(spent, year)), paid, spent),
      row(
        comparedMeasures.teachersOfExpenditure.label,
        'percent',
        (year) => calculateShare(at(costs, year), at(spent, year)),
        ...costParts,
        spent,
      ),
      rowOf(ofCodes(supplyCodeIds))(
        comparedMeasures.supplyOfExpenditure.label,
        'percent',
        (year) => (supply ? calculateShare(cell(supply, year), at(spent, year)) : null),
        ...(supply ? [each((year) => cell(supply, year)), spent] : []),
      ),
      row(comparedMeasures.teacherCost.label, 'money', (year) => divideToDecimals(at(costs, year), fteOf(teachers, year), 0), ...costParts),
      row(comparedMeasures.pupilsPerTeacher.label, 'ratio', (year) => divideToDecimals(at(pupils, year), fteOf(teachers, year), 2)),
      row(comparedMeasures.pupilsPerAdult.label, 'ratio', (year) => divideToDecimals(at(pupils, year), fteOf(adults, year), 2)),
      heading('Per pupil, £'),
      rowOf({ side: 'income' })(
        comparedMeasures.income.label,
        'money',
        (year) => dividePerPupil(at(income, year), at(pupils, year)),
        income,
      ),
      ...groups.map(({ name, codeIds }) => {
        const own = spentOn(codeIds)
        const amounts = each((year) => cell(own, year))
        return rowOf(ofCodes(codeIds))(
          name,
          'money',
          (year) => (codeIds.size ? dividePerPupil(at(amounts, year), at(pupils, year)) : null),
          amounts,
        )
      }),
      ...left.rows,
      heading('Balances'),
      rowOf(revenueCodes ? { side: 'inYear', code: revenueCodes } : null)(
        comparedMeasures.inYearOfIncome.label,
        'percent',
        (year) => calculateShare(at(inYear, year), at(income, year)),
        inYear,
        income,
      ),
      row(
        comparedMeasures.reserveOfIncome.label,
        'percent',
        (year) => calculateShare(at(reserve, year), at(income, year)),
        reserve,
        income,
      ),
      ...(lessons
        ? [
            heading('Lessons and classes'),
            row(comparedMeasures.contactRatio.label, 'ratio', (year) => calculateContactRatio(lessons[year], fteOf(teachers, year))),
            row(comparedMeasures.classSize.label, 'ratio', (year) => calculateClassSize(lessons[year], at(pupils, year))),
            row(comparedMeasures.lessonCost.label, 'money', (year) => calculateLessonCost(lessons[year], at(costs, year)), ...costParts),
          ]
        : []),
      ...left.words.map(
        (label): ReportRow => ({ kind: 'Empty', label, level: 0, values: money.units.map(() => null), drill: null, missing: 0 }),
      ),
    ],
    notCalculated: money.notCalculated,
    bases: money.units.map(() => ({ income: null, pupils: null })),
  }
  return comparators === undefined ? report : addComparatorColumns(report, comparators)
}

/** Builds the filter for costs of some budget codes. A null code stands for the levy, which has no code. */
const costFilter = (codeIds: readonly (number | null)[]): LineFilter | null => {
  const code = formatCodeIds(codeIds.map((codeId) => ({ codeId })))
  return code ? { side: 'expenditure', code } : null
}

/** Builds a row for spending on codes in no benchmarking group, and a sentence with the amounts. */
function buildUngroupedRows(
  { ledger, groups }: { ledger: ReportLedger; groups: readonly BenchmarkGroup[] },
  rowOf: (codeIds: readonly (number | null)[], amounts: Measured) => ReportRow,
): { rows: ReportRow[]; words: string[] } {
  const { sides, facts } = ledger
  const grouped = new Set(groups.flatMap(({ codeIds }) => [...codeIds]))
  const lines = [...sides.staff, ...sides.other].filter(({ codeId }) => codeId === null || !grouped.has(codeId))
  const sums = sumLines(ledger, lines)
  if (!sums.some(({ value, missing }) => value || missing)) return { rows: [], words: [] }
  const amounts = facts.units.map((_unit, year) => completeValue(sums[year] ?? zeroCell))
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

/** Adds columns with the school's position among the comparators, in neutral words, for the first year of each measure (rules.md §20). */
function addComparatorColumns(report: Report, set: ComparatorSet | null): Report {
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
      rows: [
        ...report.rows,
        note('Not compared with other schools: no comparators are chosen. Choose them under Comparators in the console.'),
      ],
    }
  const besideOf = (row: ReportRow): ReportRow['values'] => {
    const [own] = row.values
    const measure = row.kind === 'Data' ? findComparedMeasure(row.label) : undefined
    if (!measure) return [null, null]
    const { band, median, count } = compareWithComparators(measure, typeof own === 'number' ? own : null, set.schools)
    if (count < minimumComparators) return [count ? `${displayCount(count, 'comparator')}: too few` : 'no comparator', null]
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
      { ...note(`Comparators: ${set.name} (${of}). A rank is shown if at least ${minimumComparators} of them have the measure.`) },
    ].map((row) => (row.values.length > report.columns.length ? row : { ...row, values: [...row.values, null, null] })),
    bases: [...report.bases, { income: null, pupils: null }, { income: null, pupils: null }],
  }
}
