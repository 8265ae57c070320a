import { eq } from 'drizzle-orm'
import { type BudgetHead, type StaffContract, staffElementNames } from '../../domain/budget/budget.ts'
import { ageLimits, agesReached } from '../../domain/calculation/ages.ts'
import type { FrozenBudget, SharedInputs } from '../../domain/calculation/frozen.ts'
import type { AppliedLeave, CalculationInputs, PayArea, PayPoint } from '../../domain/calculation/inputs.ts'
import type { TermCoding } from '../../domain/calculation/posting.ts'
import { resources } from '../../domain/resources/all.ts'
import type { RecordOf } from '../../domain/resources/resource.ts'
import { staffMembers } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { leavesByStaff } from './leaveStore.ts'
import { staffByIds } from './staffStore.ts'
import { rowsOf } from './tables.ts'

/** The pay area of a location's `payScaleRegion` (lookups: 1 Main, 2 Inner London, 3 Outer London, 4 London fringe). */
const areas: Record<number, PayArea> = { 1: 'main', 2: 'inner', 3: 'outer', 4: 'fringe' }

function dec(value: number | null): string {
  return String(value ?? 0)
}

/** Everything shared that the calculation of some budgets reads, as it stands now. */
export async function sharedInputs(tx: OrganisationTx, heads: readonly BudgetHead[]): Promise<SharedInputs> {
  const tables = [
    ...new Set(heads.flatMap((head) => staffElementNames.flatMap((name) => head.elements[name].map((row) => row.adminTableId)))),
  ]
  const sets = [...new Set(heads.map((head) => head.staffAssumptionsId))]
  const [adminTables, points, bands, leaveTypes, types, pensions, inflations, allowances, ruleSets, rules, terms] = await Promise.all([
    rowsOf(tx, resources.adminTable, 'id', tables),
    rowsOf(tx, resources.payScalePoint, 'adminTableId', tables),
    rowsOf(tx, resources.nationalInsurance, 'adminTableId', tables),
    rowsOf(tx, resources.extendedLeaveType, 'adminTableId', tables),
    rowsOf(tx, resources.contractType),
    rowsOf(tx, resources.staffErPensionRate, 'staffAssumptionsId', sets),
    rowsOf(tx, resources.staffInflationRate, 'staffAssumptionsId', sets),
    rowsOf(tx, resources.allowance),
    rowsOf(tx, resources.extendedLeaveRuleSet),
    rowsOf(tx, resources.extendedLeaveRule),
    rowsOf(tx, resources.serviceTerm),
  ])
  const shared: SharedInputs = {
    tables: { payScales: {}, nationalInsurance: {}, extendedLeave: {} },
    contractTypes: {},
    assumptions: {},
    allowances: {},
    leaveRulesets: {},
    serviceTerms: codings(terms),
    labels: {},
  }
  for (const table of adminTables) {
    shared.labels[`table:${table.id}`] = table.name
    if (table.type === 3) shared.tables.nationalInsurance[table.id] = []
    else if (table.type === 4) shared.tables.extendedLeave[table.id] = []
  }
  for (const point of points) {
    // A custom table's own points and the national points of one admin table are told apart by whose they are.
    const key = point.organisationId === null ? String(point.adminTableId) : `${point.adminTableId}:own`
    const kept: PayPoint = {
      scale: point.scale,
      point: point.point,
      increment: point.increment,
      mainRate: dec(point.mainRate),
      innerRate: dec(point.innerRate),
      outerRate: dec(point.outerRate),
      fringeRate: dec(point.fringeRate),
    }
    ;(shared.tables.payScales[key] ??= { points: [] }).points.push(kept)
    shared.labels[`table:${key}`] = shared.labels[`table:${point.adminTableId}`]!
  }
  for (const row of bands)
    shared.tables.nationalInsurance[row.adminTableId]!.push({
      name: row.name,
      bandStart: dec(row.bandStart),
      bandEnd: row.bandEnd === null ? null : dec(row.bandEnd),
      rate: dec(row.rate),
      rebate: dec(row.rebate),
      base: dec(row.base),
      minAge: row.minAge,
      maxAge: row.maxAge,
      apprentice: row.apprentice,
      pension: row.pension,
    })
  for (const type of leaveTypes) shared.tables.extendedLeave[type.adminTableId]!.push({ name: type.name, rate: dec(type.rate) })
  for (const type of types) {
    shared.labels[`type:${type.id}`] = type.name
    shared.contractTypes[type.id] = {
      calculationType: type.calculationType as 1 | 2 | 3,
      payScaleTypes: type.payScaleTypes,
      fullTimeHours: dec(type.fullTimeHours ?? 37),
      fullTimeWeeks: dec(type.fullTimeWeeks ?? 52.143),
      incrementMonth: type.incrementMonth,
    }
  }
  const rates = (set: number, type: number) => {
    const ofSet = (shared.assumptions[set] ??= {})
    return (ofSet[type] ??= { erPension: [], inflation: [] })
  }
  for (const row of pensions)
    rates(row.staffAssumptionsId, row.contractTypeId).erPension.push({ effectiveDate: row.effectiveDate, rate: dec(row.rate) })
  for (const row of inflations)
    rates(row.staffAssumptionsId, row.contractTypeId).inflation.push({ effectiveDate: row.effectiveDate, rate: dec(row.rate) })
  for (const allowance of allowances) {
    shared.labels[`allowance:${allowance.id}`] = allowance.name
    shared.allowances[allowance.id] = {
      proRate: allowance.proRate,
      erPension: allowance.erPension,
      inflationSetting: allowance.inflationSetting === 1 ? 'staff' : 'none',
      rates: allowance.rates.map((rate) => ({ effectiveDate: String(rate.effectiveDate), value: String(rate.value) })),
    }
  }
  for (const set of ruleSets) shared.leaveRulesets[set.id] = []
  for (const rule of rules)
    shared.leaveRulesets[rule.extendedLeaveRulesetId]?.push({
      periodName: rule.periodName,
      firstWeek: rule.firstWeek,
      lastWeek: rule.lastWeek,
      payPercentage: dec(rule.payPercentage),
      useAWE: rule.useAWE,
      payInclusive: rule.payInclusive,
      payRecoveryPercentage: dec(rule.payRecoveryPercentage),
      extendedLeaveRatePercentage: dec(rule.extendedLeaveRatePercentage),
      extendedLeaveRateRecoveryPercentage: dec(rule.extendedLeaveRateRecoveryPercentage),
      erPensionCalculation: rule.erPensionCalculation as 0 | 1 | 2,
    })
  return shared
}

function codings(terms: readonly RecordOf<typeof resources.serviceTerm>[]): Record<string, TermCoding> {
  return Object.fromEntries(
    terms.map((term) => [
      term.id,
      {
        basic: { budgetCodeId: term.basicBudgetCodeId, costCentreId: term.basicCostCentreId },
        ni: { budgetCodeId: term.niBudgetCodeId, costCentreId: term.niCostCentreId },
        pension: { budgetCodeId: term.pensionBudgetCodeId, costCentreId: term.pensionCostCentreId },
      },
    ]),
  )
}

/** What is particular to one budget: its years, tables and the ages of its people. */
export async function frozenBudget(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  contracts: readonly StaffContract[],
  shared: SharedInputs,
): Promise<FrozenBudget> {
  const [location] = await rowsOf(tx, resources.location, 'id', [head.locationId])
  const budget: CalculationInputs['budget'] = {
    firstYear: head.firstYear,
    years: head.numberOfYears,
    startMonth: head.startMonth,
    payArea: areas[location!.payScaleRegion] ?? 'main',
  }
  const { elements } = head
  const own = (kind: 'customTeacherPayScales' | 'customSupportPayScales') =>
    elements[kind].map((row) => ({ effectiveDate: row.effectiveDate, table: `${row.adminTableId}:own` }))
  const named = (kind: keyof BudgetHead['elements']) =>
    elements[kind].map((row) => ({ effectiveDate: row.effectiveDate, table: String(row.adminTableId) }))
  const staff = await staffByIds(tx, organisationId, [
    ...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId]))),
  ])
  const limits = ageLimits(shared.tables.nationalInsurance)
  const leaves = await appliedLeaves(tx, organisationId, [...staff.keys()])
  return {
    budget,
    budgetElements: {
      teacherPayScales: named('teacherPayScales'),
      supportPayScales: named('supportPayScales'),
      customTeacherPayScales: own('customTeacherPayScales'),
      customSupportPayScales: own('customSupportPayScales'),
      nationalInsurance: named('nationalInsurance'),
      extendedLeave: named('extendedLeaveRates'),
    },
    staffAssumptionsId: head.staffAssumptionsId,
    people: Object.fromEntries(
      [...staff].map(([id, member]) => [id, { ages: agesReached(member.dateOfBirth, limits, budget), leaves: leaves.get(id) ?? [] }]),
    ),
  }
}

/** The extended leave of some people as the engine reads it: the type of leave is that of its rule set (calculation.md §8). */
async function appliedLeaves(
  tx: OrganisationTx,
  organisationId: number,
  staffIds: readonly number[],
): Promise<Map<number, AppliedLeave[]>> {
  const rows = await leavesByStaff(tx, organisationId, staffIds)
  if (!rows.size) return new Map()
  const types = new Map((await rowsOf(tx, resources.extendedLeaveType)).map((type) => [type.id, type.name]))
  const ofSet = new Map((await rowsOf(tx, resources.extendedLeaveRuleSet)).map((set) => [set.id, types.get(set.extendedLeaveTypeId) ?? '']))
  return new Map(
    [...rows].map(([staffId, leaves]) => [
      staffId,
      leaves.map(({ extendedLeaveRulesetId: set, startDate, endDate }) => ({
        ruleset: String(set),
        type: ofSet.get(set) ?? '',
        startDate,
        endDate,
      })),
    ]),
  )
}

/** The subject whose key seals what belongs to a contract, by staff member. */
export async function subjectOf(tx: OrganisationTx, staffId: number): Promise<string | undefined> {
  const [row] = await tx.select({ subject: staffMembers.subject }).from(staffMembers).where(eq(staffMembers.id, staffId))
  return row?.subject
}
