import fc from 'fast-check'
import type { CodeFacts } from '../../../domain/calculation/nonStaffing/balances.ts'
import type { LineSum, OpeningPosition, ReportCode, ReportFacts, ReportSpread, ReportUnit } from '../../../domain/reports/facts.ts'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

export const codeFacts = (isIncome: boolean, category: number | null, cfrCode: string | null = null): CodeFacts => ({
  isIncome,
  category,
  cfrCode,
})

/** The budget codes of a small trust: income, teachers, books, capital and one that carries balances. */
export const trustCodes: ReportCode[] = [
  { id: 1, code: 'I01', description: 'Grant', facts: codeFacts(true, 2), scheme: { code: 'CI', description: 'Income', order: 1 } },
  { id: 2, code: 'I02', description: 'Lettings', facts: codeFacts(true, null, 'I16'), scheme: null },
  { id: 3, code: 'E01', description: 'Teachers', facts: codeFacts(false, 1), scheme: { code: 'CE', description: 'Staff', order: 2 } },
  { id: 4, code: 'E10', description: 'Books', facts: codeFacts(false, 2), scheme: { code: 'CB', description: 'Learning', order: 3 } },
  { id: 5, code: 'C01', description: 'Roof', facts: codeFacts(false, 3), scheme: null },
  { id: 6, code: 'B01', description: 'Brought forward', facts: codeFacts(true, 4), scheme: null },
]
export const trustCentres = new Map([
  [1, { code: 'ENG', description: 'English' }],
  [2, { code: 'MAT', description: 'Maths' }],
])
export const trustYears = ['2026/27', '2027/28']
export const trustSchools = [
  { id: toLocationId(11), name: 'Northgate' },
  { id: toLocationId(12), name: 'Southgate' },
  { id: toLocationId(13), name: 'Trust office' },
]

/** A line of a budget as stored: twelve months, null where one could not be calculated. */
export interface BudgetLine {
  place: number
  year: number
  codeId: number | null
  centreId: number | null
  isStaff: boolean
  transfer: LineSum['transfer']
  months: (number | null)[]
}

/** The lines of all schools of a trust, and their opening balances. */
export interface TrustMoney {
  lines: BudgetLine[]
  openings: { place: number; type: number; value: number }[]
}

const amounts = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: -90_000, max: 900_000 }) }, { weight: 1, arbitrary: fc.constant(null) })
const months = fc.array(amounts, { minLength: 12, maxLength: 12 })
const plainLine: fc.Arbitrary<BudgetLine> = fc.record({
  place: fc.nat(2),
  year: fc.nat(1),
  codeId: fc.constantFrom(1, 2, 3, 4, 5, 6),
  centreId: fc.constantFrom(null, 1, 2),
  isStaff: fc.boolean(),
  transfer: fc.constant(null),
  months,
})
/** A top slice posts a charge at a school and a receipt at the trust; a pool moves money from one school to another. */
export const anyTransfer: fc.Arbitrary<BudgetLine[]> = fc
  .record({
    year: fc.nat(1),
    months: fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 12, maxLength: 12 }),
    isPool: fc.boolean(),
  })
  .map(({ year, months, isPool }) => {
    const side = { year, centreId: null, isStaff: false, transfer: isPool ? ('gagPool' as const) : ('topSlice' as const) }
    return isPool
      ? [
          { ...side, place: 0, codeId: 1, months: months.map((one) => -one || 0) },
          { ...side, place: 1, codeId: 1, months },
        ]
      : [
          { ...side, place: 0, codeId: 4, months },
          { ...side, place: 2, codeId: 1, months },
        ]
  })
const levies: fc.Arbitrary<BudgetLine[]> = fc.array(
  fc
    .record({ place: fc.nat(2), year: fc.nat(1), months })
    .map((one) => ({ ...one, codeId: null, centreId: null, isStaff: true, transfer: null })),
  { maxLength: 3 },
)
const openingBalances = fc.array(
  fc.record({ place: fc.nat(2), type: fc.constantFrom(1, 2, 3), value: fc.integer({ min: -500_000, max: 500_000 }) }),
  { maxLength: 6 },
)

/** The money of a random trust with three schools and two years. */
export const anyTrust: fc.Arbitrary<TrustMoney> = fc
  .record({
    own: fc.array(plainLine, { maxLength: 40 }),
    moved: fc.array(anyTransfer, { maxLength: 3 }),
    levy: levies,
    openings: openingBalances,
  })
  .map(({ own, moved, levy, openings }) => ({ lines: [...own, ...moved.flat(), ...levy], openings }))

/** The facts as the database would add them up for a report with these columns. */
export function buildFacts({ lines, openings }: TrustMoney, spread: ReportSpread, more: Partial<ReportFacts> = {}): ReportFacts {
  const cells =
    spread === 'years'
      ? trustYears.map((_year, index) => ({ place: null, year: index }))
      : spread === 'months'
        ? [{ place: null, year: 0 }]
        : spread === 'eachLocation'
          ? trustSchools.flatMap((_place, school) => trustYears.map((_year, year) => ({ place: school, year })))
          : trustSchools.map((_place, school) => ({ place: school, year: 0 }))
  const units = cells.map(
    ({ place, year }): ReportUnit => ({
      year: trustYears[year]!,
      location: place === null || spread === 'budgets' ? null : trustSchools[place]!,
      budget: spread === 'budgets' ? { id: String(place).padStart(24, 'a'), name: `Budget ${place}` } : null,
      pupils: 100.5,
    }),
  )
  const unitsOf = (at: { place: number; year?: number }): number[] =>
    cells.flatMap((cell, index) => ((cell.place ?? at.place) === at.place && (at.year ?? cell.year) === cell.year ? [index] : []))
  const carried: OpeningPosition = {
    openings: openings.flatMap(({ place, type, value }) => unitsOf({ place }).map((unit) => ({ unit, type, value }))),
    before: lines.flatMap(({ place, year, codeId, isStaff, transfer, months }) =>
      cells.flatMap((cell, unit) =>
        (cell.place ?? place) === place && cell.year > year
          ? [
              {
                unit,
                codeId,
                isStaff,
                transfer,
                total: months.reduce<number>((sum, one) => sum + (one ?? 0), 0),
                missing: months.filter((one) => one === null).length,
              },
            ]
          : [],
      ),
    ),
  }
  return {
    spread,
    units,
    startMonth: 9,
    lines: lines.flatMap(({ place, year, months, ...rest }) =>
      unitsOf({ place, year }).map((unit): LineSum => {
        const known = months.flatMap((one) => one ?? [])
        const total = known.length ? known.reduce((sum, one) => sum + one, 0) : null
        return { ...rest, unit, amounts: spread === 'months' ? months : [total], missing: 12 - known.length }
      }),
    ),
    carried,
    codes: new Map(trustCodes.map((code) => [code.id, code])),
    centres: trustCentres,
    byScheme: false,
    hasSeveralLocations: spread !== 'budgets',
    includeEmpty: false,
    notCalculated: 0,
    ...more,
  }
}

/** The facts with separate months, which the return in half years needs. */
export function buildMonthlyFacts(from: TrustMoney): ReportFacts {
  return {
    ...buildFacts(from, 'years'),
    lines: from.lines.map(
      ({ place: _place, year, months, ...rest }): LineSum => ({
        ...rest,
        unit: year,
        amounts: months,
        missing: months.filter((one) => one === null).length,
      }),
    ),
  }
}

/** A report on a trust’s money. @throws Error for a report on pupils, staff or measures */
export function buildMoneyReport(name: ReportName, from: TrustMoney, more: Partial<ReportFacts> = {}): Report {
  const report = reports[name]
  if (report.kind !== 'money') throw new Error(`${name} is no report of money`)
  return report.build(report.title, buildFacts(from, report.spread, more))
}
