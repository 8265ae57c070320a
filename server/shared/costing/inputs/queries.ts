import { and, eq } from 'drizzle-orm'
import { type BudgetHead, type StaffContract, staffCostTableKinds } from '../../../../domain/budget/budget.ts'
import { findRuleSet } from '../../../../domain/budget/leaveRules.ts'
import type { AppliedLeave, CalculationInputs, PayArea, PayPoint } from '../../../../domain/calculation/inputs.ts'
import { calculateAgesReached, listAgeLimits, restoreAgesReached } from '../../../../domain/calculation/staffing/ages.ts'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../../../domain/calculation/staffing/frozen.ts'
import type { TermCoding } from '../../../../domain/calculation/staffing/posting.ts'
import { adminTableType, inflationSetting, payScaleRegion } from '../../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { RecordOf } from '../../../../domain/resources/resource.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId, StaffId } from '../../../../domain/values/ids.ts'
import { calculationInputs } from '../../../../drizzle/costTables.ts'
import { staffMembers } from '../../../../drizzle/schema.ts'
import { type Cache, createCache } from '../../../core/cache.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { type DataVersion, readDataVersion } from '../../../core/database/dataVersion.ts'
import { readThroughCache } from '../../../core/database/readOnce.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { sha256 } from '../../../core/stream/hash.ts'
import { loadStaffByIds, type StaffMember } from '../../../streams/budget/people.ts'
import { loadContractHolders } from '../../../streams/budget/queries.ts'
import { readRetainedAges } from '../../staff/queries.ts'
import { type LeavesByStaff, readLeavesByStaff } from '../leave/queries.ts'

/** The pay area of a location's `payScaleRegion`. */
const areas: Record<number, PayArea> = {
  [payScaleRegion.main]: 'main',
  [payScaleRegion.innerLondon]: 'inner',
  [payScaleRegion.outerLondon]: 'outer',
  [payScaleRegion.londonFringe]: 'fringe',
}

function parseDecimal(value: number | null): string {
  return String(value ?? 0)
}

/**
 * The current shared inputs for calculating some budgets. The result is cached and frozen, because consecutive saves use the same.
 * @param known the version of the reference data, if the transaction has already read it
 */
export async function readSharedInputs(
  { tx, organisationId }: Call<'organisationId'>,
  heads: readonly BudgetHead[],
  known?: DataVersion,
): Promise<SharedInputs> {
  const tables = inOrder(heads.flatMap((head) => staffCostTableKinds.flatMap((name) => head.elements[name].map((row) => row.adminTableId))))
  const sets = inOrder(heads.map((head) => head.staffAssumptionsId))
  const version = known ?? (await readDataVersion(tx, organisationId, 'reference'))
  return readThroughCache(version, `inputs ${JSON.stringify([tables, sets])}`, async () => {
    const shared = await loadSharedInputs(tx, tables, sets)
    return version.isForAll ? deepFreeze(shared) : shared
  })
}

const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === 'object') deepFreeze(part)
  return Object.freeze(value)
}

async function loadSharedInputs(tx: OrganisationTx, tables: readonly number[], sets: readonly number[]): Promise<SharedInputs> {
  const [adminTables, points, bands, leaveTypes, types, pensions, inflations, allowances, ruleSets, rules, terms] = await Promise.all([
    readResourceRecords(tx, resources.adminTable, { column: 'id', ids: tables }),
    readResourceRecords(tx, resources.payScalePoint, { column: 'adminTableId', ids: tables }),
    readResourceRecords(tx, resources.nationalInsurance, { column: 'adminTableId', ids: tables }),
    readResourceRecords(tx, resources.extendedLeaveType, { column: 'adminTableId', ids: tables }),
    readResourceRecords(tx, resources.contractType),
    readResourceRecords(tx, resources.staffErPensionRate, { column: 'staffAssumptionsId', ids: sets }),
    readResourceRecords(tx, resources.staffInflationRate, { column: 'staffAssumptionsId', ids: sets }),
    readResourceRecords(tx, resources.allowance),
    readResourceRecords(tx, resources.extendedLeaveRuleSet),
    readResourceRecords(tx, resources.extendedLeaveRule),
    readResourceRecords(tx, resources.serviceTerm),
  ])
  const shared: SharedInputs = {
    tables: { payScales: {}, nationalInsurance: {}, extendedLeave: {} },
    contractTypes: {},
    assumptions: {},
    allowances: {},
    leaveRulesets: {},
    serviceTerms: mapCodesOfServiceTerms(terms),
    labels: {},
  }
  for (const table of adminTables) {
    shared.labels[`table:${table.id}`] = table.name
    if (table.type === adminTableType.nationalInsurance) shared.tables.nationalInsurance[table.id] = []
    else if (table.type === adminTableType.extendedLeave) shared.tables.extendedLeave[table.id] = []
  }
  const placesOf = new Set(points.map((one) => `${one.adminTableId} ${one.organisationId} ${one.scale} ${one.increment}`))
  const has = ({ adminTableId, organisationId, scale }: (typeof points)[number], increment: number): boolean =>
    placesOf.has(`${adminTableId} ${organisationId} ${scale} ${increment}`)
  for (const point of points) {
    // A custom table has its own points beside the national points of its admin table, so the key also distinguishes the owner.
    const key = point.organisationId === null ? String(point.adminTableId) : `${point.adminTableId}:own`
    const payPoint: PayPoint = {
      scale: point.scale,
      point: point.point,
      increment: point.increment,
      mainRate: parseDecimal(point.mainRate),
      innerRate: point.innerRate === null ? null : parseDecimal(point.innerRate),
      outerRate: point.outerRate === null ? null : parseDecimal(point.outerRate),
      fringeRate: point.fringeRate === null ? null : parseDecimal(point.fringeRate),
    }
    const table = (shared.tables.payScales[key] ??= { points: [] })
    table.points.push(payPoint)
    // A point replaces another only if the table no longer has that one.
    if (point.replacesIncrement !== null && !has(point, point.replacesIncrement))
      table.moves = [
        ...(table.moves ?? []),
        { scale: point.scale, increment: point.replacesIncrement, toScale: point.scale, toIncrement: point.increment },
      ]
    shared.labels[`table:${key}`] = assertDefined(shared.labels[`table:${point.adminTableId}`])
  }
  for (const row of bands)
    assertDefined(shared.tables.nationalInsurance[row.adminTableId]).push({
      name: row.name,
      bandStart: parseDecimal(row.bandStart),
      bandEnd: row.bandEnd === null ? null : parseDecimal(row.bandEnd),
      rate: parseDecimal(row.rate),
      rebate: parseDecimal(row.rebate),
      base: parseDecimal(row.base),
      minAge: row.minAge,
      maxAge: row.maxAge,
      apprentice: row.apprentice,
      pension: row.pension,
    })
  for (const { adminTableId, name, rate, earningsFloor } of leaveTypes)
    assertDefined(shared.tables.extendedLeave[adminTableId]).push({
      name,
      rate: parseDecimal(rate),
      ...(earningsFloor !== null && { earningsFloor: parseDecimal(earningsFloor) }),
    })
  for (const type of types) {
    shared.labels[`type:${type.id}`] = type.name
    shared.contractTypes[type.id] = {
      // The lookup has only these values.
      calculationType: type.calculationType as 1 | 2 | 3,
      payScaleTypes: type.payScaleTypes,
      fullTimeHours: parseDecimal(type.fullTimeHours ?? 37),
      fullTimeWeeks: parseDecimal(type.fullTimeWeeks ?? 52.143),
      incrementMonth: type.incrementMonth,
    }
  }
  const rates = (set: number, type: number) => {
    const ofSet = (shared.assumptions[set] ??= {})
    return (ofSet[type] ??= { erPension: [], inflation: [] })
  }
  for (const row of pensions)
    rates(row.staffAssumptionsId, row.contractTypeId).erPension.push({ effectiveDate: row.effectiveDate, rate: parseDecimal(row.rate) })
  for (const row of inflations)
    rates(row.staffAssumptionsId, row.contractTypeId).inflation.push({
      effectiveDate: row.effectiveDate,
      rate: parseDecimal(row.rate),
      ...(row.inTable !== null && { inTable: parseDecimal(row.inTable) }),
      ...(row.liftedTo !== null && { liftedTo: parseDecimal(row.liftedTo) }),
    })
  for (const allowance of allowances) {
    shared.labels[`allowance:${allowance.id}`] = allowance.name
    shared.allowances[allowance.id] = {
      proRate: allowance.proRate,
      erPension: allowance.erPension,
      inflationSetting: allowance.inflationSetting === inflationSetting.staffInflation ? 'staff' : 'none',
      rates: allowance.rates.map((rate) => ({ effectiveDate: String(rate.effectiveDate), value: String(rate.value) })),
    }
  }
  for (const set of ruleSets) shared.leaveRulesets[set.id] = []
  for (const rule of rules)
    shared.leaveRulesets[rule.extendedLeaveRulesetId]?.push({
      periodName: rule.periodName,
      firstWeek: rule.firstWeek,
      lastWeek: rule.lastWeek,
      payPercentage: parseDecimal(rule.payPercentage),
      useAWE: rule.useAWE,
      payInclusive: rule.payInclusive,
      payRecoveryPercentage: parseDecimal(rule.payRecoveryPercentage),
      extendedLeaveRatePercentage: parseDecimal(rule.extendedLeaveRatePercentage),
      extendedLeaveRateRecoveryPercentage: parseDecimal(rule.extendedLeaveRateRecoveryPercentage),
      ...(rule.rateCapPercentage !== null && { rateCapPercentage: parseDecimal(rule.rateCapPercentage) }),
      // The lookup has only these values.
      erPensionCalculation: rule.erPensionCalculation as 0 | 1 | 2,
    })
  return shared
}

function mapCodesOfServiceTerms(terms: readonly RecordOf<typeof resources.serviceTerm>[]): Record<string, TermCoding> {
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

/** Input data of a budget that the call has read already. */
export interface LoadedInputs {
  version: DataVersion
  /** All people who have one of the contracts. */
  staff: ReadonlyMap<StaffId, StaffMember>
  leaves: LeavesByStaff
}

/** The inputs of many budgets apart from the shared set; their people and leave are read together. */
export async function readInputsOfBudgets(
  call: Call<'organisationId'>,
  rows: readonly Pick<BudgetRow, 'id' | 'head'>[],
  { shared, version }: { shared: SharedInputs; version: DataVersion },
): Promise<Record<string, FrozenBudget>> {
  const { tx, organisationId } = call
  const holders = await loadContractHolders(
    tx,
    organisationId,
    rows.map((row) => row.id),
  )
  const people = [...new Set([...holders.values()].flat())]
  const [staff, leaves] = await Promise.all([loadStaffByIds(tx, organisationId, people), readLeavesByStaff(tx, organisationId, people)])
  const frozen: Record<string, FrozenBudget> = {}
  for (const { id, head } of rows) {
    const staffIds = holders.get(id) ?? []
    const held = staffIds.map((staffId) => ({ staffId }))
    const ofOwn = new Map(staffIds.flatMap((one) => (leaves.has(one) ? [[one, assertDefined(leaves.get(one))] as const] : [])))
    frozen[id] = await readBudgetInputs(call, head, { contracts: held, shared, known: { version, staff, leaves: ofOwn } })
  }
  return frozen
}

/** The inputs of one budget apart from the shared set: its years, tables and the ages of its people. */
export async function readBudgetInputs(
  { tx, organisationId }: Call<'organisationId'>,
  head: BudgetHead,
  { contracts, shared, known }: { contracts: readonly Pick<StaffContract, 'staffId'>[]; shared: SharedInputs; known?: LoadedInputs },
): Promise<FrozenBudget> {
  const readAreas = async () =>
    new Map((await readResourceRecords(tx, resources.location)).map((one) => [one.id, areas[one.payScaleRegion] ?? 'main']))
  const payAreas = await (known ? readThroughCache(known.version, 'pay areas', readAreas) : readAreas())
  const payArea = assertDefined(payAreas.get(head.locationId))
  const budget: CalculationInputs['budget'] = {
    firstYear: head.firstYear,
    years: head.numberOfYears,
    startMonth: head.startMonth,
    payArea,
  }
  const { elements } = head
  const customScales = (kind: 'customTeacherPayScales' | 'customSupportPayScales') =>
    elements[kind].map((row) => ({ effectiveDate: row.effectiveDate, table: `${row.adminTableId}:own` }))
  const named = (kind: keyof BudgetHead['elements']) =>
    elements[kind].map((row) => ({ effectiveDate: row.effectiveDate, table: String(row.adminTableId) }))
  const holders = [...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId])))]
  const staff = known
    ? new Map(holders.flatMap((id) => (known.staff.has(id) ? [[id, assertDefined(known.staff.get(id))] as const] : [])))
    : await loadStaffByIds(tx, organisationId, holders)
  const limits = listAgeLimits(shared.tables.nationalInsurance)
  const erased = await readRetainedAges(
    tx,
    [...staff.values()].filter((member) => member.erased).map((member) => member.id),
  )
  const leaves = await readAppliedLeaves(
    tx,
    known?.leaves ?? (await readLeavesByStaff(tx, organisationId, [...staff.keys()])),
    known?.version,
  )
  return {
    budget,
    budgetElements: {
      teacherPayScales: named('teacherPayScales'),
      supportPayScales: named('supportPayScales'),
      customTeacherPayScales: customScales('customTeacherPayScales'),
      customSupportPayScales: customScales('customSupportPayScales'),
      nationalInsurance: named('nationalInsurance'),
      extendedLeave: named('extendedLeaveRates'),
    },
    staffAssumptionsId: head.staffAssumptionsId,
    people: Object.fromEntries(
      [...staff].map(([id, member]) => {
        const ages = member.erased
          ? restoreAgesReached(erased.get(id) ?? null, limits, budget)
          : calculateAgesReached(member.dateOfBirth, limits, budget)
        const leavesOfEmployee = (leaves.get(id) ?? []).map((leave) => {
          const storedEarnings = head.leaveEarnings?.find(
            ({ staffId, type, startDate }) => staffId === id && type === leave.type && startDate === leave.startDate,
          )
          return storedEarnings ? { ...leave, weekly: storedEarnings.weekly } : leave
        })
        return [id, { ages, leaves: leavesOfEmployee }]
      }),
    ),
  }
}

/** People's extended leave in the engine's format: each with the rule set that applies at its start, and the set's type (rules.md §8). */
async function readAppliedLeaves(tx: OrganisationTx, rows: LeavesByStaff, version?: DataVersion): Promise<Map<StaffId, AppliedLeave[]>> {
  if (!rows.size) return new Map()
  const setsWithTypes = async () => {
    const types = new Map((await readResourceRecords(tx, resources.extendedLeaveType)).map((type) => [type.id, type.name]))
    const sets = await readResourceRecords(tx, resources.extendedLeaveRuleSet)
    return new Map(sets.map((set) => [set.id, { ...set, type: types.get(set.extendedLeaveTypeId) ?? '' }]))
  }
  const ofSet = await (version ? readThroughCache(version, 'leave rule sets', setsWithTypes) : setsWithTypes())
  return new Map(
    [...rows].map(([staffId, leaves]) => [
      staffId,
      leaves.map(({ extendedLeaveRulesetId, startDate, endDate }) => {
        const set = findRuleSet({ ruleSetId: extendedLeaveRulesetId, startDate }, ofSet)
        return { ruleset: String(set), type: ofSet.get(set)?.type ?? '', startDate, endDate }
      }),
    ]),
  )
}

/** The subject under which a staff member's personal data is encrypted in the vault. */
export async function findStaffVaultSubject(tx: OrganisationTx, staffId: StaffId): Promise<string | undefined> {
  const [row] = await tx.select({ subject: staffMembers.subject }).from(staffMembers).where(eq(staffMembers.id, staffId))
  return row?.subject
}

/** The current inputs of one budget, for some of its contracts. */
export async function readCurrentInputs(
  call: Call<'organisationId'>,
  head: BudgetHead,
  { contracts, known }: { contracts: readonly Pick<StaffContract, 'staffId'>[]; known?: LoadedInputs },
): Promise<{ shared: SharedInputs; frozen: FrozenBudget }> {
  const shared = await readSharedInputs(call, [head], known?.version)
  return { shared, frozen: await readBudgetInputs(call, head, { contracts, shared, known }) }
}

/** The last roots and shared sets that were read. All budgets of a run need the same, and a hash always stands for the same content. */
const roots = createCache<string, FrozenInputs>(4)
const sharedSets = createCache<string, SharedInputs>(2)

/**
 * The stored inputs of one budget, by the SHA-256 of their root.
 * @throws Error if they are missing or do not match their hash
 */
export async function readStoredInputs(
  call: Call<'organisationId' | 'budgetId'>,
  sha: string,
): Promise<{ frozen: FrozenBudget; shared: SharedInputs }> {
  const { tx, organisationId } = call
  const parts = await readInputParts(call, sha)
  const shared = await readCachedBody(sharedSets, tx, { organisationId, sha: parts.shared })
  const { own } = parts
  return { frozen: typeof own === 'string' ? JSON.parse(await readBody(tx, organisationId, own)) : own, shared }
}

/** The SHA-256 of the shared set, and of the budget's own part. Earlier versions stored that part in the root itself. */
async function readInputParts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  sha: string,
): Promise<{ shared: string; own: string | FrozenBudget }> {
  const { shared, budgets } = await readCachedBody(roots, tx, { organisationId, sha })
  const budgetInputs = budgets[budgetId]
  if (budgetInputs === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} are not of budget ${budgetId}`)
  return { shared, own: budgetInputs }
}

/** Whether two roots of stored inputs give a budget the same inputs. */
export async function haveSameInputs(call: Call<'organisationId' | 'budgetId'>, one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const [first, second] = [await readInputParts(call, one), await readInputParts(call, other)]
  return first.shared === second.shared && typeof first.own === 'string' && first.own === second.own
}

/**
 * Reads inputs through a cache. Returns the value just read rather than reading the cache again, because another call may have evicted it.
 */
async function readCachedBody<Kept>(
  cache: Cache<string, Kept>,
  tx: OrganisationTx,
  { organisationId, sha }: { organisationId: OrganisationId; sha: string },
): Promise<Kept> {
  const key = `${organisationId} ${sha}`
  const read: Kept = cache.get(key) ?? JSON.parse(await readBody(tx, organisationId, sha))
  cache.put(key, read)
  return read
}

async function readBody(tx: OrganisationTx, organisationId: OrganisationId, sha: string): Promise<string> {
  const [row] = await tx
    .select()
    .from(calculationInputs)
    .where(and(eq(calculationInputs.organisationId, organisationId), eq(calculationInputs.sha256, sha)))
  if (!row) throw new Error(`The inputs ${sha.slice(0, 12)} are missing`)
  if (sha256(row.body) !== sha) throw new Error(`The inputs ${sha.slice(0, 12)} do not match their hash`)
  return row.body
}
