import { and, eq, inArray } from 'drizzle-orm'
import { DomainError } from '../../domain/errors.ts'
import { staffMember } from '../../domain/resources/entities/staffMember.ts'
import { changedFields, newRecord, type Values } from '../../domain/resources/schema.ts'
import { staffContracts } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { markBudgetRequired, type Required } from './groupStore.ts'
import { importNames } from './importNames.ts'
import { readImport, saveEach } from './importRead.ts'
import type { Progress } from './importStore.ts'
import type { RowScope } from './rowRules.ts'
import { allStaff, checkedStaff, checkLocations, type StaffMember, saveStaff, worksAt } from './staffStore.ts'

/** A changed date of birth changes national insurance: the budget groups with the person's contracts are to be recalculated. */
export async function groupsOfBirthdays(
  tx: OrganisationTx,
  organisationId: number,
  pairs: readonly (readonly [StaffMember, StaffMember])[],
  now: Date,
): Promise<Required[]> {
  const ids = pairs.filter(([before, after]) => before.dateOfBirth !== after.dateOfBirth).map(([before]) => before.id)
  if (!ids.length) return []
  const rows = await tx
    .selectDistinct({ budgetId: staffContracts.budgetId })
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), inArray(staffContracts.staffId, ids)))
  const required: Required[] = []
  for (const { budgetId } of rows) required.push(...(await markBudgetRequired(tx, organisationId, budgetId, 'A date of birth', now)))
  return required
}

const plain = (member: StaffMember): Values => {
  const { id: _id, version: _version, created: _created, erased: _erased, ...values } = member
  return values
}

/** What a rule of ours says of a row; anything else is a fault and goes on. */
export function problemsOf(error: unknown): { field: string; message: string }[] | null {
  if (!(error instanceof DomainError)) return null
  return error.fields.length ? error.fields : [{ field: '', message: error.message }]
}

/** Imports people; a row with a known employee number changes that person (behaviour B-141). @throws DomainError with one error for each broken cell */
export async function importStaff(
  tx: OrganisationTx,
  scope: RowScope,
  rows: readonly Record<string, string>[],
  actor: Actor,
  progress?: Progress,
) {
  const organisationId = scope.organisationId!
  const read = readImport(staffMember, rows, (await importNames(tx, staffMember, scope)).find)
  const known = new Map((await allStaff(tx, organisationId)).map((member) => [member.employeeNumber.toLowerCase(), member]))
  const pairs: [StaffMember, StaffMember][] = []
  const result = await saveEach(
    staffMember,
    read,
    async (values) => {
      const before = known.get(
        String(values.employeeNumber ?? '')
          .trim()
          .toLowerCase(),
      )
      if (before && !worksAt(before, scope.locationIds))
        throw new DomainError('invalid', 'invalid', '', [
          { field: 'employeeNumber', message: 'Employee number is already used at another location.' },
        ])
      const member = checkedStaff({ ...newRecord(staffMember), ...(before && plain(before)), ...values, id: before?.id })
      if (before && !changedFields(staffMember, plain(before), member as unknown as Values).length) return 'same'
      await checkLocations(tx, organisationId, member.locations, before?.locations ?? null, scope.locationIds)
      const saved = await saveStaff(tx, organisationId, member, actor)
      if (before) pairs.push([before, saved])
      return before ? 'updated' : 'created'
    },
    problemsOf,
    progress,
  )
  return { result, required: await groupsOfBirthdays(tx, organisationId, pairs, actor.now) }
}

/** Changes the same fields of many people, all or none. */
export async function editStaff(tx: OrganisationTx, scope: RowScope, members: readonly StaffMember[], patch: Values, actor: Actor) {
  const pairs: [StaffMember, StaffMember][] = []
  for (const before of members) {
    const member = checkedStaff({ ...plain(before), ...patch, id: before.id })
    await checkLocations(tx, scope.organisationId!, member.locations, before.locations, scope.locationIds)
    pairs.push([before, await saveStaff(tx, scope.organisationId!, member, actor)])
  }
  return { updated: members.length, required: await groupsOfBirthdays(tx, scope.organisationId!, pairs, actor.now) }
}
