import { and, eq } from 'drizzle-orm'
import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { dismissedStaffChanges, staffFiles } from '../../../drizzle/fileTables.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { ensureOrganisationKey, unsealBytes } from '../../core/database/vault.ts'
import { compareStaff, type StaffChangeProposal } from './comparing.ts'

/** The data about a staff file that can be read without decryption. */
export interface StaffFileHead {
  name: string
  /** The day whose state its rows describe. */
  day: string
  takenAt: string
  takenById: UserId | null
  rowCount: number
}

const ofLocation = (organisationId: OrganisationId, locationId: LocationId) =>
  and(eq(staffFiles.organisationId, organisationId), eq(staffFiles.locationId, locationId))

/** The newest staff file of a location; undefined if there is none, or if somebody has been erased since it was stored. */
export async function readStaffFileHead(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locationId: LocationId,
): Promise<StaffFileHead | undefined> {
  const { name, day, takenAt, takenById, rowCount } = staffFiles
  const [row] = await tx.select({ name, day, takenAt, takenById, rowCount }).from(staffFiles).where(ofLocation(organisationId, locationId))
  return row
}

/** A staff file with its rows, read in one query, because another file may replace it at any moment. */
async function openStaffFile(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locationId: LocationId,
): Promise<{ file: StaffFileHead; rows: Record<string, string>[] } | undefined> {
  const [row] = await tx.select().from(staffFiles).where(ofLocation(organisationId, locationId))
  if (!row) return undefined
  const { name, day, takenAt, takenById, rowCount, sealed } = row
  const rows = JSON.parse(unsealBytes(await ensureOrganisationKey(tx, organisationId), sealed).toString('utf8'))
  return { file: { name, day, takenAt, takenById, rowCount }, rows }
}

/** The comparison of a location's newest staff file with one of its budgets. */
export interface StaffChanges {
  file: StaffFileHead
  proposals: (StaffChangeProposal & { isLeft: boolean })[]
  same: number
  withoutNumber: number
}

/** Compares the newest staff file of a budget's location with the budget; null if there is no file. */
export async function compareStaffFile(
  tx: OrganisationTx,
  scope: RowScope & { organisationId: OrganisationId },
  row: BudgetRow,
): Promise<StaffChanges | null> {
  const { organisationId } = scope
  const { id, locationId } = row.head
  const opened = await openStaffFile(tx, organisationId, locationId)
  if (!opened) return null
  const { file, rows } = opened
  const { proposals, ...counts } = await compareStaff(tx, scope, { row, rows, day: file.day })
  const left = await tx
    .select({ token: dismissedStaffChanges.token })
    .from(dismissedStaffChanges)
    .where(and(eq(dismissedStaffChanges.organisationId, organisationId), eq(dismissedStaffChanges.budgetId, id)))
  const tokens = new Set(left.map(({ token }) => token))
  return { file, proposals: proposals.map((one) => ({ ...one, isLeft: tokens.has(one.token) })), ...counts }
}

/**
 * One person's rows in the newest staff files of an organisation, with the location and day of each file.
 * @param isTheirs whether an employee number in a file is the person's
 */
export async function readStaffFileRowsOfPerson(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  isTheirs: (employeeNumber: string) => boolean,
): Promise<{ locationId: LocationId; day: string; values: Record<string, string> }[]> {
  const files = await tx.select().from(staffFiles).where(eq(staffFiles.organisationId, organisationId)).orderBy(staffFiles.locationId)
  if (!files.length) return []
  const key = await ensureOrganisationKey(tx, organisationId)
  return files.flatMap(({ locationId, day, sealed }) => {
    const rows: Record<string, string>[] = JSON.parse(unsealBytes(key, sealed).toString('utf8'))
    return rows.filter((values) => isTheirs(values.EmployeeNumber ?? '')).map((values) => ({ locationId, day, values }))
  })
}
