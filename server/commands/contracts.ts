import { randomBytes } from 'node:crypto'
import type { BudgetHead, StaffContractInput, StoredContract } from '../../domain/budget/budget.ts'
import { type ContractFacts, deleteStaffContracts, saveStaffContract } from '../../domain/budget/decide.ts'
import { notFound, stale } from '../../domain/errors.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { type ResourceName, resources } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { commit, loadBudget, loadContracts, refuseWhileBusy } from '../store/budgetStore.ts'
import { sealNotes } from '../store/contractNotes.ts'
import { recalculateEmployees } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, eventsOfRequest } from '../store/eventLog.ts'
import { found, scalePoints } from '../store/scalePoints.ts'
import { staffByNumber, worksAt } from '../store/staffStore.ts'

async function known(tx: OrganisationTx, name: ResourceName, ids: readonly number[], locationId: number): Promise<Set<number>> {
  const rows = (await found(tx, resources[name] as AnyResource, ids)) as unknown as { id: number; locations?: number[] }[]
  return new Set(rows.filter((row) => !row.locations?.length || row.locations.includes(locationId)).map((row) => row.id))
}

/** Everything a decision about a contract needs to know of the rest of the organisation. */
export async function contractFacts(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  input: StaffContractInput,
  before: StoredContract | undefined,
): Promise<ContractFacts> {
  const named = input.employeeNumber ? await staffByNumber(tx, organisationId, input.employeeNumber) : undefined
  // Contracts are for people of the location; whoever holds the contract already keeps it.
  const staff = named && (worksAt(named.member, [head.locationId]) || named.id === before?.staffId) ? named : undefined
  const rows = input.salary
  const pointIds = [
    ...rows.flatMap((row) => (row.scalePoint === null ? [] : [row.scalePoint])),
    ...(input.maximumScalePoint === null ? [] : [input.maximumScalePoint]),
  ]
  const [types, points, serviceTerms, allowances, analysisTags, fundCodes] = await Promise.all([
    found(tx, resources.contractType, [input.contractTypeName]),
    scalePoints(tx, pointIds),
    known(tx, 'serviceTerm', input.serviceTerms, head.locationId),
    known(
      tx,
      'allowance',
      rows.flatMap((row) => row.allowances),
      head.locationId,
    ),
    known(tx, 'analysisTag', input.analysisTags, head.locationId),
    known(
      tx,
      'fundCode',
      input.fundCodes.map((share) => share.fundCodeId),
      head.locationId,
    ),
  ])
  const staffId = staff?.id ?? null
  const others = await loadContracts(tx, organisationId, head.id)
  return {
    contractType: types[0],
    points,
    known: { serviceTerms, allowances, analysisTags, fundCodes },
    staffId,
    otherNames: others
      .filter((other) => other.id !== before?.id && other.staffId === staffId && staffId !== null)
      .map((other) => other.contractName),
    sealedNotes: await sealNotes(tx, organisationId, staff?.subject, input.notes, before),
  }
}

/** Saves a staff contract and recalculates the employee; the same request again changes nothing. @returns the contract's id and version */
export async function runSaveContract(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  input: StaffContractInput,
  actor: Actor,
): Promise<{ id: string; version: number | null }> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const done = (await eventsOfRequest(tx, organisationId, budgetId, actor.requestId)).find((event) => event.type === 'StaffContractSaved')
  if (done?.type === 'StaffContractSaved') return { id: done.data.id, version: done.version }
  await refuseWhileBusy(tx, organisationId, budgetId)
  const [before] = input.id ? await loadContracts(tx, organisationId, budgetId, [input.id]) : []
  if (input.id && !before) throw notFound('Staff contract')
  if (before && input.version != null && input.version !== before.version) throw stale({ version: before.version, id: before.id })
  const id = input.id ?? mongoIdFrom(randomBytes(12))
  const facts = await contractFacts(tx, organisationId, row.head, input, before)
  const events = await commit(tx, row, saveStaffContract(row.head, before, id, input, facts), actor)
  const saved = events[0]
  const employees = [...new Set([facts.staffId ?? id, before?.staffId ?? id])]
  // A save without a change still brings the figures up to what they depend on now.
  await recalculateEmployees(tx, organisationId, budgetId, employees, actor, !saved)
  return { id, version: saved?.version ?? null }
}

/** Deletes staff contracts and recalculates their employees; the same request again changes nothing. @returns how many were deleted */
export async function runDeleteContracts(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
  actor: Actor,
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const done = (await eventsOfRequest(tx, organisationId, budgetId, actor.requestId)).filter(
    (event) => event.type === 'StaffContractDeleted',
  ).length
  if (done) return done
  await refuseWhileBusy(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId, ids)
  if (contracts.length < new Set(ids).size) throw notFound('Staff contract')
  await commit(
    tx,
    row,
    deleteStaffContracts(
      row.head,
      contracts.map((contract) => contract.id),
    ),
    actor,
  )
  const employees = [...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId])))]
  if (employees.length) await recalculateEmployees(tx, organisationId, budgetId, employees, actor)
  return contracts.length
}
