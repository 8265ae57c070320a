import { and, asc, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { StaffContract, StoredContract } from '../../../domain/budget/budget.ts'
import { recalculatingSentence } from '../../../domain/budget/decide.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../domain/words/errors.ts'
import { budgets, recalculationBudgets, recalculations, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { type BudgetRow, createUnfilledError } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { buildDataVersionQuery, type DataVersion, type DataVersionRow } from '../../core/database/dataVersion.ts'

/**
 * Loads a budget, optionally locking its row.
 * @throws DomainError 404 if it does not exist or belongs to another organisation
 */
export async function loadBudget({ tx, organisationId }: Call<'organisationId'>, id: BudgetId, lock = false): Promise<BudgetRow> {
  const query = tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, id)))
  const [row] = await (lock ? query.for('update', tx.budgetLock) : query)
  if (!row) throw notFound('Budget')
  return row
}

/**
 * Locks budgets in the order of their ids and returns those that exist.
 *
 * To avoid deadlocks, all code takes locks in this order:
 * 1. queue rows: a run and its items, then the items of jobs;
 * 2. reference records, each kind by number, then the records they refer to (`for key share`,
 * server/resources/references.ts);
 * 3. budgets, by id; 4. groups, by id; 5. recalculation marks, by budget (marks.ts);
 * 6. at the commit, by triggers: change counters and, last, the chain of the organisation.
 * One step breaks this order: a save recalculates the levy shares of the other budgets of its group while it holds
 * its own budget. PostgreSQL aborts one of two calls that deadlock; the call is then retried
 * (server/core/calls/oneTransaction.ts) and finally refused as a conflict. A worker retries at its next wake-up
 * (server/core/queue/attempts.ts).
 */
export async function lockBudgets(tx: OrganisationTx, organisationId: OrganisationId, ids: readonly BudgetId[]): Promise<BudgetRow[]> {
  if (!ids.length) return []
  return tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...new Set(ids)])))
    .orderBy(budgets.id)
    .for('update', tx.budgetLock)
}

/**
 * Locks all budgets of an organisation until the end of the transaction. Running saves finish first; later saves wait. Before deleting a
 * record to which budgets may refer, call this, and then check whether a budget refers to it.
 */
export async function lockAllBudgets(tx: OrganisationTx, organisationId: OrganisationId): Promise<void> {
  await tx.select({ id: budgets.id }).from(budgets).where(eq(budgets.organisationId, organisationId)).orderBy(budgets.id).for('share')
}

export async function loadContracts(call: Call<'organisationId' | 'budgetId'>, ids?: readonly ContractId[]): Promise<StoredContract[]> {
  // Pass the ids as one value, so that the statement is the same, and stays prepared, for any number of ids.
  return readContracts(call, ids && sql`${staffContracts.id} = any(${sql.param(`{${ids.join(',')}}`)}::char(24)[])`)
}

/** Loads all contracts of a budget for costing, without the times of their last saves, because parsing thousands of times is slow. */
export async function loadContractsToCost({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<StaffContract[]> {
  const rows = await tx
    .select({ contract: staffContracts.contract })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId)))
    .orderBy(asc(staffContracts.id))
  return rows.map((row) => row.contract)
}

/** Loads the staff members who hold contracts in some budgets, by budget id. */
export async function loadContractHolders(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<Map<string, StaffId[]>> {
  const rows = await tx.execute<{ budgetId: BudgetId; people: StaffId[] }>(sql`
    select budget_id as "budgetId", array_agg(distinct staff_id) as people from staff_contracts
    where organisation_id = ${organisationId} and budget_id = any(${sql.param(`{${budgetIds.join(',')}}`)}::char(24)[]) and staff_id is not null
    group by budget_id`)
  return new Map(rows.map(({ budgetId, people }) => [budgetId, people]))
}

/**
 * Loads the contracts of some employees in a budget. An employee is identified by the staff id, or by the contract id
 * if the contract is vacant.
 */
export async function loadContractsOfEmployees(
  call: Call<'organisationId' | 'budgetId'>,
  employees: readonly (StaffId | ContractId)[],
): Promise<StoredContract[]> {
  const people = employees.filter((one) => typeof one === 'number')
  const vacancies = employees.filter((one) => typeof one === 'string')
  if (!employees.length) return []
  return readContracts(
    call,
    or(
      people.length ? inArray(staffContracts.staffId, people) : undefined,
      vacancies.length ? and(isNull(staffContracts.staffId), inArray(staffContracts.id, vacancies)) : undefined,
    ),
  )
}

/** Loads a contract, if it exists, with all contracts of the given people. */
export async function loadContractWithOthers(
  tx: OrganisationTx,
  {
    organisationId,
    budgetId,
    id,
    people,
  }: { organisationId: OrganisationId; budgetId: BudgetId; id: ContractId | null; people: readonly StaffId[] },
): Promise<StoredContract[]> {
  if (id === null && !people.length) return []
  const byId = id === null ? undefined : eq(staffContracts.id, id)
  return readContracts({ tx, organisationId, budgetId }, or(byId, people.length ? inArray(staffContracts.staffId, [...people]) : undefined))
}

async function readContracts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  condition: SQL | undefined,
): Promise<StoredContract[]> {
  const { version, savedAt, created, contract } = staffContracts
  const rows = await tx
    .select({ version, savedAt, created, contract })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId), condition))
    .orderBy(asc(staffContracts.id))
  return rows.map((row) => ({
    ...row.contract,
    version: row.version,
    savedAt: new Date(row.savedAt).toISOString(),
    created: new Date(row.created).toISOString(),
  }))
}

/**
 * @throws DomainError 409 while the budget is being filled or recalculated, alone or with its group (behaviour B-196)
 */
export async function refuseWhileBusy(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const busy = requireSingleRow(await tx.execute<BusyState>(selectBusyState(organisationId, budgetId)))
  refuseBusy(busy)
}

/**
 * Like `refuseWhileBusy`, and returns the version of the reference data, which is the key of cached data.
 * @throws DomainError 409 while the budget is busy
 */
export async function readDataVersionUnlessBusy(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<DataVersion> {
  const row = requireSingleRow(
    await tx.execute<BusyState & DataVersionRow>(
      sql`select * from (${selectBusyState(organisationId, budgetId)}) busy, (${buildDataVersionQuery(organisationId, 'reference')}) version`,
    ),
  )
  refuseBusy(row)
  const { place, national, own: isOwn, isForAll } = row
  return { place, national, own: isOwn, isForAll }
}

type BusyState = { isRecalculated: boolean; isMade: boolean; failure: string | null }

function refuseBusy({ isRecalculated, isMade, failure }: BusyState): void {
  if (isRecalculated) throw conflict('recalculating', recalculatingSentence)
  if (isMade) throw createUnfilledError(failure)
}

function selectBusyState(organisationId: OrganisationId, budgetId: BudgetId): SQL {
  return sql`
    select exists(
        select from recalculation_budgets one join recalculations run on run.organisation_id = one.organisation_id and run.id = one.recalculation_id
        where one.organisation_id = ${organisationId} and one.budget_id = ${budgetId} and run.finished_at is null
      ) as "isRecalculated", item.budget_id is not null as "isMade", item.failure
    from (select) always left join budget_job_items item
      on item.organisation_id = ${organisationId} and item.budget_id = ${budgetId} and item.done_at is null`
}

/** @throws DomainError 409 while the budget is being recalculated, alone or with its group */
export async function refuseWhileRecalculating(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  const [running] = await tx
    .select({ id: recalculations.id })
    .from(recalculations)
    .innerJoin(
      recalculationBudgets,
      and(
        eq(recalculationBudgets.organisationId, recalculations.organisationId),
        eq(recalculationBudgets.recalculationId, recalculations.id),
        eq(recalculationBudgets.budgetId, budgetId),
      ),
    )
    .where(and(eq(recalculations.organisationId, organisationId), isNull(recalculations.finishedAt)))
    .limit(1)
  if (running) throw conflict('recalculating', recalculatingSentence)
}

/** Lists the names of the budgets at a location, optionally except one. */
export async function listBudgetNamesAtLocation(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  except?: BudgetId,
): Promise<string[]> {
  const rows = await tx
    .select({ name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.locationId, locationId), except ? ne(budgets.id, except) : undefined))
  return rows.map((row) => row.name)
}

export function countContracts(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<number> {
  return tx.$count(staffContracts, and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId)))
}
