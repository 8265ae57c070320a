import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { BudgetHead, StaffContractInput, StoredContract } from '../../../../domain/budget/budget.ts'
import { type ContractFacts, deleteStaffContracts, saveStaffContract } from '../../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../../domain/budget/events.ts'
import type { ContractCost } from '../../../../domain/calculation/inputs.ts'
import { calculateYearTotals } from '../../../../domain/calculation/staffing/frozen.ts'
import { bulkEditableContractFields, staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import { buildPatchShape } from '../../../../domain/resources/schema.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { type BudgetId, type ContractId, type OrganisationId, type StaffId, toContractId } from '../../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import { DomainError, notFound, staleRecord } from '../../../../domain/words/errors.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { findContractSaves, recalculateEmployees, storeContractSave } from '../../../shared/costing/costs/commands.ts'
import { saveFormReminder } from '../../../shared/reminders/commands.ts'
import { readRemindersAbout } from '../../../shared/reminders/queries.ts'
import { type MemberWithKey, readPeopleOfContract } from '../../../shared/staff/queries.ts'
import { readContractContext, toUnchangedContractInput } from '../../../shared/staffing/contracts/context.ts'
import { decryptNotes, unsealText } from '../../../shared/staffing/contracts/notes.ts'
import { filterUsableAt, readContractReferences } from '../../../shared/staffing/contracts/references.ts'
import { presentContract } from '../../../shared/staffing/contracts/rows.ts'
import { type StaffMember, worksAt } from '../../../streams/budget/people.ts'
import {
  loadBudget,
  loadContracts,
  loadContractWithOthers,
  readDataVersionUnlessBusy,
  refuseWhileBusy,
} from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/** A request to save a contract: the transaction's budget, the actor and the input. */
export interface SaveContractCall {
  organisationId: OrganisationId
  budgetId: BudgetId
  input: StaffContractInput
  actor: Actor
}

/** A saved contract with everything that a screen shows of it. */
export interface SavedContract {
  id: ContractId
  /** The budget version that the save created; null if nothing changed. */
  version: number | null
  contract: StoredContract
  member: StaffMember | undefined
  notes: string | null
  cost: ContractCost | undefined
  pointNames: ReadonlyMap<number, string>
  hasExtendedLeave: boolean
}

/** Saves a staff contract and recalculates its employee. */
export async function runSaveContract(
  tx: OrganisationTx,
  { organisationId, budgetId, input, actor }: SaveContractCall,
): Promise<SavedContract> {
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  // Read the version first, so that nothing read afterwards is older than it.
  const version = await readDataVersionUnlessBusy(tx, organisationId, budgetId)
  const references = await readContractReferences(tx, version)
  const contractKey = { organisationId, budgetId, id: input.id ?? null }
  const people = await readPeopleOfContract(tx, { ...contractKey, employeeNumber: input.employeeNumber })
  const contracts = await loadContractWithOthers(tx, { ...contractKey, people: [...people.all.keys()] })
  const before = contracts.find((contract) => contract.id === input.id)
  if (input.id && !before) throw notFound('Staff contract')
  if (before && input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, id: before.id })
  const id = input.id ?? toContractId(mongoIdFromBytes(randomBytes(12)))
  const holder = findHolder(row.head, { input, before, people })
  const sealedNotes = input.notes ? await sealNotes(tx, organisationId, { holder, before, people: people.all, notes: input.notes }) : null
  const facts: ContractFacts = {
    contractType: references.types.get(input.contractTypeName),
    points: references.points,
    allowedIds: filterUsableAt(references.named, row.head.locationId),
    staffId: holder?.member.id ?? null,
    otherNames: contracts.flatMap((other) => (holder && other.staffId === holder.member.id && other.id !== id ? [other.contractName] : [])),
    sealedNotes,
  }
  const events = saveStaffContract(row.head, { before, id, input, facts })
  const contract = toSavedContract(before, { events, version: row.version + 1, actor })
  const employees = new Set<StaffId | ContractId>([facts.staffId ?? id, before?.staffId ?? id])
  const after = [...contracts.filter((other) => other.id !== id), contract]
    .filter((one) => employees.has(one.staffId ?? one.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const leaves = new Map([...people.all].flatMap(([staffId, one]) => (one.leaves.length ? [[staffId, one.leaves] as const] : [])))
  const staff = new Map([...people.all].map(([staffId, { member }]) => [staffId, member]))
  const costs = await storeContractSave(
    tx,
    { row, events, before: before ? [before] : [], after, known: { version, staff, leaves } },
    actor,
  )
  return {
    id,
    version: events.length ? contract.version : null,
    contract,
    member: contract.staffId === null ? undefined : staff.get(contract.staffId),
    notes: contract.sealedNotes ? input.notes : null,
    cost: costs.get(id),
    pointNames: references.pointNames,
    hasExtendedLeave: contract.staffId !== null && leaves.has(contract.staffId),
  }
}

/**
 * Saves a staff contract with the reminder from its form.
 * @returns the contract as the API shows it
 */
export async function runSaveContractWithReminder(tx: OrganisationTx, call: SaveContractCall) {
  const { organisationId, input, actor } = call
  const saved = await runSaveContract(tx, call)
  const { userId } = actor
  const source = `contract:${saved.id}` as const
  const hasReminder = input.reminderDate !== undefined || input.reminderText !== undefined
  const wanted = { when: input.reminderDate || null, description: input.reminderText || null }
  const reminder =
    userId === null
      ? undefined
      : hasReminder
        ? await saveFormReminder(tx, { organisationId, userId, source, actor }, wanted)
        : (await readRemindersAbout({ tx, organisationId }, userId, source))[0]
  const { contract, member, notes, cost, pointNames, hasExtendedLeave, version: savedVersion } = saved
  const totals = cost ? calculateYearTotals(cost) : null
  return {
    ...presentContract({ contract, member, notes, totals, problems: cost?.problems ?? [], points: pointNames, hasExtendedLeave, reminder }),
    savedVersion,
  }
}

type ContractPeople = Awaited<ReturnType<typeof readPeopleOfContract>>

/**
 * The employee of a contract after saving: the person with the number in the input, who must work at the budget's location or already hold
 * the contract. An erased employee has no number: if the input has none either, the contract keeps its erased employee.
 */
function findHolder(
  { locationId }: BudgetHead,
  {
    input: { employeeNumber },
    before,
    people: { named, all },
  }: { input: StaffContractInput; before: StoredContract | undefined; people: ContractPeople },
): MemberWithKey | undefined {
  const now = before?.staffId == null ? undefined : all.get(before.staffId)
  if (!employeeNumber) return now?.member.erased ? now : undefined
  return named && (worksAt(named.member, [locationId]) || named.member.id === before?.staffId) ? named : undefined
}

/** Encrypts a contract's notes with its employee's key. Unchanged notes of the same person keep their ciphertext. */
async function sealNotes(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  {
    holder,
    before,
    people,
    notes,
  }: { holder: MemberWithKey | undefined; before?: StoredContract; people: ContractPeople['all']; notes: string },
): Promise<string | null> {
  const ownKey = () => ensureOrganisationKey(tx, organisationId)
  // An erased person has no key any more, so the notes of their contract, like those of a vacancy, use the organisation's key.
  const key = holder && !holder.member.erased ? holder.key : await ownKey()
  if (!key) return null
  const subject = holder?.member.erased ? undefined : holder?.subject
  const beforeHolder = before?.staffId == null ? undefined : people.get(before.staffId)
  if (before?.sealedNotes && beforeHolder?.subject === subject) {
    const beforeKey = before.staffId === null ? await ownKey() : beforeHolder?.key
    if (unsealText(beforeKey, before.sealedNotes) === notes) return before.sealedNotes
  }
  return encryptText(key, notes)
}

/** The contract after its saved event, or unchanged if there is no event. */
function toSavedContract(
  before: StoredContract | undefined,
  { events, version, actor }: { events: readonly BudgetEvent[]; version: number; actor: Actor },
): StoredContract {
  const [saved] = events
  if (saved?.type !== 'StaffContractSaved') return assertDefined(before)
  const savedAt = actor.now.toISOString()
  return { ...saved.data.contract, version, savedAt, created: before?.created ?? savedAt }
}

/** Deletes staff contracts and recalculates their employees. @returns the versions to undo */
export async function runDeleteContracts(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  ids: readonly ContractId[],
): Promise<number[]> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const contracts = await loadContracts(call, ids)
  if (contracts.length < new Set(ids).size) throw notFound('Staff contract')
  const events = deleteStaffContracts(
    row.head,
    contracts.map((contract) => contract.id),
  )
  const gone = await commitEvents(call, row, { events })
  const employees = [...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId])))]
  await recalculateEmployees(call, employees, { areSomeGone: true, saves: findContractSaves(events, contracts) })
  return gone.map((event) => event.version)
}

/** The fields that can be changed on many contracts at once; omitted fields do not change. */
export const contractPatch = z
  .object(buildPatchShape(staffContract.fields, bulkEditableContractFields))
  .refine((patch) => Object.keys(patch).length > 0, 'Choose something to change.')
export type ContractPatch = z.infer<typeof contractPatch>

/**
 * Changes the same fields of many contracts, all or none.
 * @throws DomainError naming the first contract that does not allow it
 */
export async function runEditContracts(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  ids: readonly ContractId[],
  patch: ContractPatch,
): Promise<number> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const context = await readContractContext(tx, organisationId, row.head)
  const chosen = context.contracts.filter((contract) => ids.includes(contract.id))
  if (chosen.length < new Set(ids).size) throw notFound('Staff contract')
  const events: BudgetEvent[] = []
  const employees = new Set<StaffId | ContractId>()
  for (const before of chosen) {
    const notes = await decryptNotes(tx, organisationId, before)
    const input = { ...toUnchangedContractInput(before, context.numberOf(before.staffId), notes), ...patch }
    const facts = await context.facts(input, before, () => [])
    try {
      events.push(...saveStaffContract(row.head, { before, id: before.id, input, facts }))
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields.length) throw error
      const { field, message } = assertDefined(error.fields[0])
      throw new DomainError(error.kind, error.code, `${before.contractName}: ${message}`, { fields: [{ field, message }] })
    }
    employees.add(before.staffId ?? before.id)
  }
  if (!events.length) return 0
  await commitEvents(call, row, { events })
  await recalculateEmployees(call, [...employees], { saves: findContractSaves(events, chosen) })
  return events.length
}
