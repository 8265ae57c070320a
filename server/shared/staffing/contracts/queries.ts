import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { labelContract, type StoredContract, toStoredFieldName } from '../../../../domain/budget/budget.ts'
import type { BulkSelection, ListRequest } from '../../../../domain/lists/lists.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import type { Field, FieldKind } from '../../../../domain/resources/fields.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, LocationId, OrganisationId, StaffId, UserId } from '../../../../domain/values/ids.ts'
import { isKeyOf, isOneOf } from '../../../../domain/values/keysOf.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { staffContracts } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { sha256 } from '../../../core/stream/hash.ts'
import { buildDocumentIdArray, buildIntegerArray, type ListColumn, type StoredColumn } from '../../../resources/listConditions.ts'
import { buildListQuery, buildLondonDayColumn, type ListSource } from '../../../resources/listPages.ts'
import { readRecalculationMark } from '../../../streams/budget/marks.ts'
import { loadStaffByIds, type StaffMember, worksAt } from '../../../streams/budget/people.ts'
import { loadContracts, loadContractsOfEmployees } from '../../../streams/budget/queries.ts'
import { loadOfferedPoints, loadPointNames } from '../../../streams/budget/scalePoints.ts'
import { formatListedName, loadStaffDirectory, type StaffDirectory } from '../../../streams/budget/staffDirectory.ts'
import { readCostSummaries, readLastFullRecalculation } from '../../costing/costs/queries.ts'
import { readCurrentInputs } from '../../costing/inputs/queries.ts'
import { readLeavesByStaff } from '../../costing/leave/queries.ts'
import { readRemindersAbout } from '../../reminders/queries.ts'
import { findStaffByNumber } from '../../staff/queries.ts'
import { decryptNotes } from './notes.ts'
import { type BudgetScope, presentContract, type ShownContract } from './rows.ts'
import { filterVisibleLabels } from './seenLabels.ts'

/** The SQL type in which a list compares each kind of field; kinds that are not listed cannot be filtered. */
const kinds: Partial<Record<FieldKind, { kind: StoredColumn['kind']; type: 'text' | 'boolean' | 'integer' | 'numeric' }>> = {
  text: { kind: 'text', type: 'text' },
  date: { kind: 'date', type: 'text' },
  flag: { kind: 'flag', type: 'boolean' },
  choice: { kind: 'number', type: 'integer' },
  reference: { kind: 'number', type: 'integer' },
  integer: { kind: 'number', type: 'integer' },
  decimal: { kind: 'number', type: 'numeric' },
  money: { kind: 'number', type: 'numeric' },
  percent: { kind: 'number', type: 'numeric' },
}

const contractColumns = getTableColumns(staffContracts)

/** A declared field as an SQL expression: its own column if it has one, otherwise its value in the JSON document. */
function declaredColumn(field: Field, name: string): StoredColumn | undefined {
  const inDocument = sql.raw(`c.contract -> '${name}'`)
  if (field.kind === 'references')
    return { value: sql`array(select value::integer from jsonb_array_elements_text(${inDocument}))`, kind: 'ids' }
  if (field.kind === 'shares')
    return { value: sql`array(select (share ->> 'fundCodeId')::integer from jsonb_array_elements(${inDocument}) share)`, kind: 'ids' }
  const isPoint = field.kind === 'point'
  const { kind, type } = (isPoint ? kinds.reference : kinds[field.kind]) ?? {}
  if (!kind || !type) return undefined
  const storedName = isPoint ? `${name}Id` : name
  if (isKeyOf(contractColumns, storedName)) return { value: sql`c.${sql.identifier(contractColumns[storedName].name)}`, kind }
  return { value: sql`(${inDocument} ${sql.raw(isPoint ? `->> 'id'` : `#>> '{}'`)})::${sql.raw(type)}`, kind }
}

const { employeeNumber: _sealed, ...listed } = staffContract.fields

/** The columns by which the database filters and sorts contracts. Employees' names are encrypted, so they are not among them. */
const columns: Record<string, StoredColumn> = {
  id: { value: sql`c.id`, kind: 'text' },
  version: { value: sql`c.version`, kind: 'number' },
  created: buildLondonDayColumn(sql`c.created`),
  savedAt: { value: sql`c.saved_at`, kind: 'moment' },
  hasExtendedLeave: {
    value: sql`exists(select from applied_extended_leave l where l.organisation_id = c.organisation_id and l.staff_id = c.staff_id)`,
    kind: 'flag',
  },
  ...Object.fromEntries(
    Object.entries(listed).flatMap(([name, field]) => {
      const column = declaredColumn(field, toStoredFieldName(name))
      return column ? [[name, column] as const] : []
    }),
  ),
}

/** Ids are hexadecimal, so they can be compared byte by byte. */
const byId = sql`c.id collate "C"`

type Selection = Pick<ListRequest, 'search' | 'filters' | 'sort' | 'sortDirection'>

/** The condition on `staff_contracts c` and the order for a search and filters. */
interface ListConditions {
  where: SQL
  /** Whether there is neither a search nor a filter. */
  isWhole: boolean
  /** Uses `holder.rank` to sort by employee. */
  order: SQL
  directory: StaffDirectory
}

async function buildListConditions(call: Call<'organisationId' | 'budgetId'>, request: Selection): Promise<ListConditions> {
  const directory = await loadStaffDirectory(call.tx, call.organisationId)
  const heldBy = (people: readonly StaffMember[]): SQL => sql`c.staff_id = any(${buildIntegerArray(people.map((member) => member.id))})`
  const sealed = (shownOf: (member: StaffMember) => string): ListColumn => ({
    kind: 'sealed',
    where: (is) => {
      const among = heldBy([...directory.people.values()].filter((member) => is(shownOf(member))))
      return is(null) ? sql`(c.staff_id is null or ${among})` : among
    },
    rank: sql`holder.rank`,
  })
  const list: ListSource = {
    from: sql`staff_contracts c`,
    where: budgetCondition(call),
    id: sql`c.id`,
    columns: { ...columns, employeeNumber: sealed((member) => member.employeeNumber), name: sealed(formatListedName) },
    search: (search) => {
      const wanted = search?.trim().toLowerCase()
      if (!wanted) return undefined
      const people = directory.findByNumberOrName(wanted)
      const named = people.length ? sql`or ${heldBy(people)}` : sql``
      // A bytewise substring search takes half the time of a pattern match. For a function, the planner also assumes that a third of the
      // rows match; for a pattern under row-level security it would assume almost none and choose a worse plan.
      return sql`(strpos(c.search collate "C", ${wanted}) > 0 ${named})`
    },
    defaultSort: 'employeeNumber',
    ties: byId,
  }
  return { ...buildListQuery(list, request), directory }
}

const budgetCondition = ({ organisationId, budgetId }: BudgetScope): SQL =>
  sql`c.organisation_id = ${organisationId} and c.budget_id = ${budgetId}`

async function readHolderIds(call: Call<'organisationId' | 'budgetId'>): Promise<readonly number[]> {
  const { tx } = call
  const [held] = await tx.execute<{ ids: number[] | null }>(
    sql`select array_agg(distinct staff_id) as ids from staff_contracts c where ${budgetCondition(call)} and staff_id is not null`,
  )
  return held?.ids ?? []
}

type Sorting = Pick<ListRequest, 'sort' | 'sortDirection'>

/**
 * Whether a list is sorted by employee. The database cannot sort by encrypted names, so the server passes it the order of the employees.
 */
const sortsByHolder = ({ sort }: Sorting): boolean => !sort || isOneOf(['employeeNumber', 'name'], sort)

/** Joins the positions of employees in the order, if a list is sorted by them. */
async function joinedRanks(call: Call<'organisationId' | 'budgetId'>, request: Sorting, { directory }: ListConditions): Promise<SQL> {
  if (!sortsByHolder(request)) return sql``
  const ranks = await directory.rankBy(request.sort || 'employeeNumber')
  const holders = await readHolderIds(call)
  return sql`left join unnest(${buildIntegerArray(holders)}, ${buildIntegerArray(holders.map((id) => ranks.get(id) ?? 0))}) as holder(staff_id, rank) on holder.staff_id = c.staff_id`
}

/** The totals of all contracts that match a search and filters. */
export interface ContractTotals {
  total: number
  /** Whole pennies of the first year, without contracts that are not calculated. */
  firstYear: Pennies
  notCalculated: number
}

/** One page of a budget's contracts, filtered, sorted, counted and totalled by the database. */
export async function readContractPage(
  call: Call<'organisationId' | 'budgetId'>,
  request: ListRequest,
): Promise<{ rows: ShownContract[]; totals: ContractTotals }> {
  const found = await buildListConditions(call, request)
  const { ids, totals } =
    found.isWhole && sortsByHolder(request) ? await readWholePage(call, request, found) : await readFilteredPage(call, request, found)
  return { rows: await readContractRows(call, ids), totals }
}

interface ContractPage {
  ids: ContractId[]
  totals: ContractTotals
}

const startOf = ({ pageNumber, pageSize }: ListRequest): number => (pageNumber - 1) * pageSize

/** A page of matching contracts, counted and totalled in the same pass that sorts them. */
async function readFilteredPage(
  call: Call<'organisationId' | 'budgetId'>,
  request: ListRequest,
  found: ListConditions,
): Promise<ContractPage> {
  const { tx } = call
  const join = await joinedRanks(call, request, found)
  const summed = (over: SQL) => sql`(count(*) ${over})::integer as total, coalesce(sum(k.first_year) ${over}, 0)::text as first_year,
    (count(*) filter (where k.contract_id is null or k.is_incomplete) ${over})::integer as not_calculated`
  const from = sql`from staff_contracts c
    left join staff_costs k on k.organisation_id = c.organisation_id and k.budget_id = c.budget_id and k.contract_id = c.id`
  type Sums = { total: number; first_year: string; not_calculated: number }
  const page = await tx.execute<Sums & { id: ContractId }>(sql`
    select c.id, ${summed(sql`over ()`)} ${from} ${join} where ${found.where} order by ${found.order}
    limit ${request.pageSize} offset ${startOf(request)}`)
  // A page after the last one is empty, so no row carries the totals and they are read separately.
  const sums = requireSingleRow(page.length ? page : await tx.execute<Sums>(sql`select ${summed(sql``)} ${from} where ${found.where}`))
  return {
    ids: page.map((row) => row.id),
    totals: { total: sums.total, firstYear: Number(sums.first_year), notCalculated: sums.not_calculated },
  }
}

/** A page of all contracts in the order of employees, counted and totalled from indexes. Only the contracts on the page are read. */
async function readWholePage(
  call: Call<'organisationId' | 'budgetId'>,
  request: ListRequest,
  found: ListConditions,
): Promise<ContractPage> {
  const { tx } = call
  const sums = requireSingleRow(
    await tx.execute<{ holders: StaffId[] | null; vacant: number; first_year: string; calculated: number }>(sql`
    select (select array_agg(staff_id) from staff_contracts c where ${budgetCondition(call)} and staff_id is not null) as holders,
      (select count(*)::integer from staff_contracts c where ${budgetCondition(call)} and staff_id is null) as vacant,
      coalesce(sum(c.first_year), 0)::text as first_year, count(*) filter (where not c.is_incomplete)::integer as calculated
    from staff_costs c where ${budgetCondition(call)}`),
  )
  const held = new Map<StaffId | null, number>(sums.vacant ? [[null, sums.vacant]] : [])
  for (const id of sums.holders ?? []) held.set(id, (held.get(id) ?? 0) + 1)
  const shown: (StaffId | null)[] = []
  let [skipped, taken] = [0, 0]
  for (const id of await holdersInOrder(held, request, found)) {
    const count = assertDefined(held.get(id))
    if (!taken && skipped + count <= startOf(request)) skipped += count
    else {
      shown.push(id)
      taken += count
      if (skipped + taken >= startOf(request) + request.pageSize) break
    }
  }
  const total = (sums.holders?.length ?? 0) + sums.vacant
  return {
    ids: await readContractsOfHolders(call, shown, { start: startOf(request) - skipped, size: request.pageSize }),
    totals: { total, firstYear: Number(sums.first_year), notCalculated: total - sums.calculated },
  }
}

/** The employees in the order of a list. Null, which stands for vacancies, comes last when ascending and first when descending. */
async function holdersInOrder(
  held: ReadonlyMap<StaffId | null, number>,
  { sort, sortDirection }: Sorting,
  { directory }: ListConditions,
): Promise<(StaffId | null)[]> {
  const people = (await directory.sortBy(sort || 'employeeNumber')).flatMap(({ id }) => (held.has(id) ? [id] : []))
  const unknown = [...held.keys()].filter((id) => id !== null && !directory.people.has(id))
  const inOrder = [...unknown, ...people, ...(held.has(null) ? [null] : [])]
  return sortDirection === 'desc' ? inOrder.reverse() : inOrder
}

/** The contracts of some employees in their order, starting at an offset; null stands for vacancies. */
async function readContractsOfHolders(
  call: Call<'organisationId' | 'budgetId'>,
  holders: readonly (number | null)[],
  { start, size }: { start: number; size: number },
): Promise<ContractId[]> {
  const { tx } = call
  const positionByHolder = new Map(holders.map((id, index) => [id, index]))
  const people = holders.filter((id) => id !== null)
  const vacant = positionByHolder.has(null) ? sql`or c.staff_id is null` : sql``
  const rows = await tx.execute<{ id: ContractId; staff_id: StaffId | null }>(
    sql`select c.id, c.staff_id from staff_contracts c where ${budgetCondition(call)} and (c.staff_id = any(${buildIntegerArray(people)}) ${vacant}) order by c.id`,
  )
  return [...rows]
    .sort((a, b) => assertDefined(positionByHolder.get(a.staff_id)) - assertDefined(positionByHolder.get(b.staff_id)))
    .slice(start, start + size)
    .map((row) => row.id)
}

/** The ids of every contract that matches a search and filters, in order. */
export async function readContractIds(
  call: Call<'organisationId' | 'budgetId'>,
  request: Pick<ListRequest, 'search' | 'filters' | 'sort' | 'sortDirection'>,
): Promise<ContractId[]> {
  const { tx } = call
  const found = await buildListConditions(call, request)
  const join = await joinedRanks(call, request, found)
  const rows = await tx.execute<{ id: ContractId }>(
    sql`select c.id from staff_contracts c ${join} where ${found.where} order by ${found.order}`,
  )
  return rows.map((row) => row.id)
}

/**
 * The contracts that a bulk action applies to (behaviour B-094).
 * @throws DomainError 404 if one is not in the budget
 */
export async function resolveSelectedContracts(
  call: Call<'organisationId' | 'budgetId'>,
  { state, ...selection }: BulkSelection,
): Promise<ContractId[]> {
  const { tx } = call
  const toggled = new Set(state.toggledNodes.map(String))
  if (state.selectAll) return (await readContractIds(call, selection)).filter((id) => !toggled.has(id))
  const rows = await tx.execute<{ id: ContractId }>(sql`
    select id from staff_contracts
    where organisation_id = ${call.organisationId} and budget_id = ${call.budgetId} and id = any(${buildDocumentIdArray([...toggled])}) order by id`)
  if (rows.length < toggled.size) throw notFound('Staff contract')
  return rows.map((row) => row.id)
}

/** The given contracts of a budget as the API shows them, in the order of the ids. */
export async function readContractRows(call: Call<'organisationId' | 'budgetId'>, ids: readonly ContractId[]): Promise<ShownContract[]> {
  const { tx, organisationId } = call
  const loaded = await loadContracts(call, ids)
  const byId = new Map(loaded.map((contract) => [contract.id, contract]))
  const contracts = ids.flatMap((id) => byId.get(id) ?? [])
  const people = [...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId])))]
  const [staff, points, leaves, costs] = await Promise.all([
    loadStaffByIds(tx, organisationId, people),
    loadPointNames(tx, contracts),
    readLeavesByStaff(tx, organisationId, people),
    readCostSummaries(call, ids),
  ])
  return contracts.map((contract) => {
    const cost = costs.get(contract.id)
    return presentContract({
      contract,
      member: contract.staffId === null ? undefined : staff.get(contract.staffId),
      notes: null,
      totals: cost?.yearTotals ?? null,
      problems: cost?.problems ?? [],
      points,
      hasExtendedLeave: contract.staffId !== null && leaves.has(contract.staffId),
    })
  })
}

/** The titles of some contracts of a budget, or of all: employee and contract name, as in lists of costs. */
export async function readContractTitles(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  ids?: readonly ContractId[],
): Promise<Map<string, string>> {
  const { people } = await loadStaffDirectory(tx, organisationId)
  const rows = await tx
    .select({ id: staffContracts.id, staffId: staffContracts.staffId, contractName: staffContracts.contractName })
    .from(staffContracts)
    .where(
      and(
        eq(staffContracts.organisationId, organisationId),
        eq(staffContracts.budgetId, budgetId),
        ids && sql`${staffContracts.id} = any(${buildDocumentIdArray(ids)})`,
      ),
    )
  return new Map(
    rows.map(({ id, staffId, contractName }) => {
      const member = staffId === null ? undefined : people.get(staffId)
      return [id, labelContract(member ? formatListedName(member) : null, contractName, ' · ')]
    }),
  )
}

/** One contract with its notes. @throws DomainError 404 */
export async function readContractRow(
  call: Call<'organisationId' | 'budgetId'>,
  id: ContractId,
  userId: UserId | null = null,
): Promise<ShownContract> {
  const { tx, organisationId } = call
  const [[contract], costs, reminders] = await Promise.all([
    loadContracts(call, [id]),
    readCostSummaries(call, [id]),
    userId === null ? [] : readRemindersAbout(call, userId, `contract:${id}`),
  ])
  if (!contract) throw notFound('Staff contract')
  const { staffId } = contract
  const people = staffId === null ? [] : [staffId]
  const [staff, notes, points, leaves] = await Promise.all([
    loadStaffByIds(tx, organisationId, people),
    decryptNotes(tx, organisationId, contract),
    loadPointNames(tx, [contract]),
    readLeavesByStaff(tx, organisationId, people),
  ])
  const cost = costs.get(id)
  return presentContract({
    contract,
    member: staffId === null ? undefined : staff.get(staffId),
    notes,
    totals: cost?.yearTotals ?? null,
    problems: cost?.problems ?? [],
    points,
    hasExtendedLeave: leaves.size > 0,
    reminder: reminders[0],
  })
}

/** What changed since the last full recalculation: the contracts saved after it, and whether shared inputs changed. */
export async function readChangesSinceRecalculation(
  tx: OrganisationTx,
  { organisationId, budgetId }: { organisationId: OrganisationId; budgetId: BudgetId },
) {
  const { version, at } = await readLastFullRecalculation(tx, organisationId, budgetId)
  const required = await readRecalculationMark(tx, organisationId, budgetId)
  const changed = await tx.$count(
    staffContracts,
    and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId), gt(staffContracts.version, version)),
  )
  return {
    changed,
    version,
    at: at && new Date(at).toISOString(),
    required: required && { since: required.since, reason: required.reason },
  }
}

interface EditedBudget {
  organisationId: OrganisationId
  budget: BudgetRow
  holder: { locationIds: LocationId[] | null }
}

/**
 * The inputs for costing a contract in the browser during editing: current rates and the employee's other contracts.
 * @param known the digest of the budget's part of the inputs that the browser has; the reply has null for that part if it has not changed
 */
export async function readEditingInputs(
  tx: OrganisationTx,
  { organisationId, budget, holder }: EditedBudget,
  { contractId, employeeNumber, known }: { contractId?: ContractId | null; employeeNumber?: string | null; known?: string | null },
) {
  const { head } = budget
  const named = employeeNumber ? await findStaffByNumber(tx, organisationId, employeeNumber) : undefined
  const held = named ? await loadContractsOfEmployees({ tx, organisationId, budgetId: budget.id }, [named.id]) : []
  const isHere = named && (worksAt(named.member, [head.locationId]) || held.length > 0)
  const staff = isHere ? named : undefined
  const namedContracts = staff ? held : []
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, head, { contracts: namedContracts })
  if (staff && !frozen.people[staff.id]) {
    // The inputs are read for the employees of contracts, so pass a contract that has only the employee.
    const known = [{ staffId: staff.id } as StoredContract]
    Object.assign(frozen.people, (await readCurrentInputs({ tx, organisationId }, head, { contracts: known })).frozen.people)
  }
  const { people, ...frozenBudget } = frozen
  const ofBudget = {
    shared: { ...shared, labels: await filterVisibleLabels(tx, shared.labels, holder.locationIds) },
    frozen: frozenBudget,
    contractTypeIds: head.contractTypeIds,
    points: await loadOfferedPoints(tx, head),
  }
  const digest = sha256(JSON.stringify(ofBudget))
  return {
    budget: digest === known ? null : ofBudget,
    digest,
    people,
    staffId: staff?.id ?? null,
    name: staff ? formatListedName(staff.member) : null,
    others: namedContracts.filter((contract) => contract.id !== contractId),
  }
}
