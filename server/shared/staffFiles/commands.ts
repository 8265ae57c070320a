import { randomBytes } from 'node:crypto'
import { and, eq, inArray, lt } from 'drizzle-orm'
import type { StaffContractInput, StoredContract } from '../../../domain/budget/budget.ts'
import { refuseLocked, saveStaffContract } from '../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { createWholeFileError } from '../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../domain/files/texts.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { listMissingColumns, matchImportColumns } from '../../../domain/resources/importFile.ts'
import { staffFile } from '../../../domain/resources/staffFile.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayNumber } from '../../../domain/values/format.ts'
import { type ContractId, type LocationId, type OrganisationId, type StaffId, toContractId } from '../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import { conflict, invalid } from '../../../domain/words/errors.ts'
import { maximumImportRows } from '../../../domain/words/notices.ts'
import { dismissedStaffChanges, staffFiles } from '../../../drizzle/fileTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { ensureOrganisationKey, sealBytes } from '../../core/database/vault.ts'
import { groupRowsByLocation } from '../../resources/import/places.ts'
import type { StaffMemberInput } from '../../streams/budget/people.ts'
import { loadBudget, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { commitEvents } from '../../streams/budget/stream.ts'
import { findContractSaves, recalculateEmployees } from '../costing/costs/commands.ts'
import { readChosenColumns } from '../importColumns/queries.ts'
import { updateStaff } from '../staff/commands.ts'
import { createMissingPeople } from '../staffing/contractFiles/people.ts'
import { readContractContext, toUnchangedContractInput } from '../staffing/contracts/context.ts'
import { decryptNotes } from '../staffing/contracts/notes.ts'
import type { StaffChangeProposal } from './comparing.ts'
import { compareStaffFile, type StaffChanges } from './queries.ts'

type Scope = RowScope & { organisationId: OrganisationId }

/** Staff data of locations from an HR system. */
export interface StaffDataFile {
  name: string
  /** The day whose state the rows describe. */
  day: string
  rows: readonly Record<string, string>[]
  /** The location of rows that name no location; null if each row must name one. */
  locationId: LocationId | null
}

const labels = Object.fromEntries(Object.entries(staffFile.fields).map(([name, { label }]) => [name, label]))

/**
 * The rows with Bursar's headings. Headings of other systems are matched as in an import, including choices remembered from earlier files.
 */
async function ownHeadings(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  rows: StaffDataFile['rows'],
): Promise<Record<string, string>[]> {
  const headings = [...new Set(rows.flatMap(Object.keys))]
  const learned = new Map((await readChosenColumns(tx, organisationId, staffFile.name)).map(({ heading, column }) => [heading, column]))
  const columns = listColumns(staffFile)
  const found = matchImportColumns(headings, { columns, labels, learned })
  const missing = listMissingColumns(columns, found)
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  return rows.map((row) => Object.fromEntries(headings.flatMap((heading, at) => (found[at] ? [[found[at], row[heading] ?? '']] : []))))
}

/**
 * Stores an HR system's data on the staff of some locations, replacing earlier data. Budgets do not change: a user reviews the differences
 * in each budget and accepts those that are right.
 * @returns the locations and the number of rows of each
 * @throws DomainError with row, column, value and what to do, for a row without a valid location; then nothing is stored
 */
export async function storeStaffFile(
  { tx, actor }: Call<'actor'>,
  scope: Scope,
  { name, day, rows, locationId }: StaffDataFile,
): Promise<{ locationId: LocationId; name: string; rows: number }[]> {
  const { organisationId } = scope
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows)
    throw createWholeFileError(
      `The file has more than ${displayNumber(maximumImportRows)} rows. Split it into smaller files, with whole locations in each.`,
    )
  const rowsWithHeadings = await ownHeadings(tx, organisationId, rows)
  const placed = await groupRowsByLocation(tx, scope, { rows: rowsWithHeadings, locationId })
  const key = await ensureOrganisationKey(tx, organisationId)
  for (const { location, rows: locationRows } of placed) {
    const storedFile = {
      name,
      day,
      takenAt: actor.now.toISOString(),
      takenById: actor.userId,
      rowCount: locationRows.length,
      sealed: sealBytes(key, Buffer.from(JSON.stringify(locationRows.map(({ values }) => values)))),
    }
    await tx
      .insert(staffFiles)
      .values({ organisationId, locationId: location.id, ...storedFile })
      .onConflictDoUpdate({ target: [staffFiles.organisationId, staffFiles.locationId], set: storedFile })
  }
  return placed.map(({ location: { id, name: title }, rows: locationRows }) => ({ locationId: id, name: title, rows: locationRows.length }))
}

/** A selected change, as the user saw it on the page. */
export interface ChosenChange {
  token: string
  /** For a leaver, the last day of the contract. */
  endDate?: string | null
}

/**
 * The selected changes as they are now.
 * @throws DomainError 409 if one differs from what the user saw
 */
function findChosenChanges(changes: StaffChanges | null, tokens: readonly string[]): StaffChanges['proposals'] {
  const byToken = new Map((changes?.proposals ?? []).map((one) => [one.token, one]))
  const chosen = [...new Set(tokens)].map((token) => byToken.get(token))
  if (chosen.some((one) => !one)) throw conflict('changed', 'The changes in the file are no longer those you saw. Review them again.')
  return chosen.map(assertDefined)
}

/**
 * Accepts some of an HR system's changes into a budget, all or none: people are added or corrected; contracts are added, changed or ended,
 * and calculated.
 * @throws DomainError 409 for a locked budget, one being recalculated, and changes that differ from what the user saw; 400 for changes that
 * cannot be accepted
 */
export async function acceptStaffChanges(
  call: Call<'budgetId' | 'actor'>,
  scope: Scope,
  items: readonly ChosenChange[],
): Promise<{ people: number; created: number; updated: number; ended: number }> {
  const { tx, budgetId, actor } = call
  const { organisationId } = scope
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  refuseLocked(row.head)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const chosen = findChosenChanges(
    await compareStaffFile(tx, scope, row),
    items.map(({ token }) => token),
  )
  const broken = chosen.find(({ problems }) => problems.length)
  if (broken)
    throw invalid([
      { field: 'items', message: `${broken.personName || broken.employeeNumber}: ${assertDefined(broken.problems[0]).message}` },
    ])
  const people = await acceptPeople({ tx, organisationId, locationId: row.head.locationId, actor }, chosen)
  const context = await readContractContext(tx, organisationId, row.head)
  const taken = new Map<StaffId, Map<ContractId, string>>()
  const name = (staffId: StaffId | null, id: ContractId, contractName: string): void => {
    if (staffId !== null) taken.set(staffId, (taken.get(staffId) ?? new Map<ContractId, string>()).set(id, contractName))
  }
  for (const { id, staffId, contractName } of context.contracts) name(staffId, id, contractName)
  const namesBut = (staffId: StaffId, except: ContractId | undefined): string[] =>
    [...(taken.get(staffId) ?? [])].filter(([id]) => id !== except).map(([, contractName]) => contractName)
  const counts = { created: 0, updated: 0, ended: 0 }
  const events: BudgetEvent[] = []
  const employees = new Set<StaffId | ContractId>()
  const ends = new Map(items.map(({ token, endDate }) => [token, endDate ?? null]))
  for (const proposal of chosen) {
    if (proposal.kind === 'person') continue
    const before = context.contracts.find(({ id }) => id === proposal.contractId)
    const input =
      proposal.kind === 'leaver'
        ? await endedInput({ tx, organisationId }, assertDefined(before), {
            employeeNumber: context.numberOf(assertDefined(before).staffId),
            endDate: ends.get(proposal.token),
          })
        : assertDefined(proposal.contract).input
    const id = before?.id ?? toContractId(mongoIdFromBytes(randomBytes(12)))
    const facts = await context.facts(input, before, namesBut)
    const decided = saveStaffContract(row.head, { before, id, input, facts })
    if (!decided.length) continue
    events.push(...decided)
    for (const employee of [facts.staffId ?? id, before?.staffId ?? id]) employees.add(employee)
    name(facts.staffId, id, input.contractName)
    counts[proposal.kind === 'starter' ? 'created' : proposal.kind === 'leaver' ? 'ended' : 'updated']++
  }
  if (events.length) {
    await commitEvents(call, row, { events })
    await recalculateEmployees({ tx, organisationId, budgetId, actor }, [...employees], {
      saves: findContractSaves(events, context.contracts),
    })
  }
  return { people, ...counts }
}

/**
 * Adds and corrects the people in selected changes.
 * @returns how many were added
 */
async function acceptPeople(
  call: Call<'organisationId' | 'locationId' | 'actor'>,
  chosen: readonly StaffChangeProposal[],
): Promise<number> {
  const { locationId } = call
  const wanted = new Map<StaffId, StaffMemberInput>()
  for (const { member, comesHere } of chosen) {
    if (member) wanted.set(assertDefined(member.id), member)
    if (!comesHere) continue
    const { erased: _erased, created: _created, ...known } = comesHere
    wanted.set(known.id, { ...known, locations: [...known.locations, locationId] })
  }
  await updateStaff(call, [...wanted.keys()], ({ id }) => assertDefined(wanted.get(id)))
  const errors: CellProblem[] = []
  const starters = chosen.filter(({ kind }) => kind === 'starter').flatMap(({ lines }) => lines)
  const holders = starters.map(({ values, ...line }) => ({ ...line, employeeNumber: String(values.employeeNumber ?? '').trim() }))
  const { added: made } = await createMissingPeople(call, holders, errors)
  if (errors.length) throw invalid(errors.map(({ message }) => ({ field: 'items', message })))
  return made
}

/**
 * The input that ends a contract on a day.
 * @throws DomainError 400 if no day is given
 */
async function endedInput(
  { tx, organisationId }: Call<'organisationId'>,
  contract: StoredContract,
  { employeeNumber, endDate }: { employeeNumber: string | null; endDate: string | null | undefined },
): Promise<StaffContractInput> {
  if (!endDate) throw invalid([{ field: 'endDate', message: 'Enter a last day for the people who left.' }])
  return { ...toUnchangedContractInput(contract, employeeNumber, await decryptNotes(tx, organisationId, contract)), endDate }
}

/**
 * Dismisses differences so that they are no longer shown, or shows them again.
 * @throws DomainError 409 as for `acceptStaffChanges`
 */
export async function dismissStaffChanges(
  { tx, budgetId, actor }: Call<'budgetId' | 'actor'>,
  scope: Scope,
  { tokens, leave }: { tokens: readonly string[]; leave: boolean },
): Promise<void> {
  const { organisationId } = scope
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const chosen = findChosenChanges(await compareStaffFile(tx, scope, row), tokens).map(({ token }) => token)
  if (leave)
    await tx
      .insert(dismissedStaffChanges)
      .values(chosen.map((token) => ({ organisationId, budgetId, token, leftAt: actor.now.toISOString(), leftById: actor.userId })))
      .onConflictDoNothing()
  else
    await tx
      .delete(dismissedStaffChanges)
      .where(
        and(
          eq(dismissedStaffChanges.organisationId, organisationId),
          eq(dismissedStaffChanges.budgetId, budgetId),
          inArray(dismissedStaffChanges.token, chosen),
        ),
      )
}

/** Deletes the HR data of a location. */
export async function deleteStaffFile(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<void> {
  await tx.delete(staffFiles).where(and(eq(staffFiles.organisationId, organisationId), eq(staffFiles.locationId, locationId)))
}

/** How many days the last staff file is stored. */
const daysKept = 90

/** Deletes staff files that are too old, in all organisations. */
export async function deleteOldStaffFiles(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.delete(staffFiles).where(lt(staffFiles.takenAt, new Date(now.getTime() - daysKept * 86_400_000).toISOString()))
}

/** A sentence on stored files: the number of rows for each location. */
export function describeStoredRows(taken: readonly { name: string; rows: number }[]): string {
  return taken.map(({ name, rows }) => `${displayCount(rows, 'row')} for ${name}`).join(', ')
}
