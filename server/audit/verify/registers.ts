import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import { allResources } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toIsoDate } from '../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { platformOrganisationId } from '../../../domain/values/ids.ts'
import { users } from '../../../drizzle/accessTables.ts'
import { altDescriptions, appliedExtendedLeave, returnReasons } from '../../../drizzle/consoleTables.ts'
import { budgetGroupMembers, budgetGroups, staffMembers } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable } from '../../core/database/tables.ts'
import { hashIdentity } from '../../core/database/userSeal.ts'
import { listTermRows } from '../../resources/terms.ts'
import { readLoggedComparatorSets } from '../../shared/reports/comparators/queries.ts'
import { readUserRecords } from '../../shared/users/queries.ts'
import { hasSameContent } from '../compare/same.ts'
import type { AuditFinding } from './verify.ts'

type RecordValues = Record<string, unknown>

interface Register {
  name: string
  keyOf(values: RecordValues): string
  rows(tx: OrganisationTx, organisationId: OrganisationId): Promise<RecordValues[]>
}

const byId = ({ id }: RecordValues): string => String(id)

function resourceRegister(resource: AnyResource): Register {
  const { table, columns } = getResourceTable(resource)
  const owner = (organisationId: OrganisationId): SQL | undefined => {
    if (resource.reach === 'organisation') return eq(columns.id, organisationId)
    if (!columns.organisationId) return organisationId === platformOrganisationId ? undefined : sql`false`
    return organisationId === platformOrganisationId ? isNull(columns.organisationId) : eq(columns.organisationId, organisationId)
  }
  return {
    name: resource.name,
    keyOf: byId,
    rows: (tx, organisationId) => tx.select().from(table).where(owner(organisationId)),
  }
}

/** Budget groups with their budgets. A budget whose position is not its index is marked, so that the comparison fails. */
async function readGroups(tx: OrganisationTx, organisationId: OrganisationId): Promise<RecordValues[]> {
  const groups = await tx.select().from(budgetGroups).where(eq(budgetGroups.organisationId, organisationId))
  const members = await tx
    .select()
    .from(budgetGroupMembers)
    .where(eq(budgetGroupMembers.organisationId, organisationId))
    .orderBy(budgetGroupMembers.position)
  return groups.map(({ requiredSince: _since, requiredReason: _reason, lastRecalculated: _last, ...group }) => ({
    ...group,
    budgetIds: members
      .filter(({ groupId }) => groupId === group.id)
      .map(({ budgetId, position }, index) => (position === index ? budgetId : `${budgetId} at ${position}`)),
  }))
}

/**
 * Users, with a digest of their identity. The log encrypts the identity but also stores this digest, so the two can be compared without the
 * key.
 */
async function readUsers(tx: OrganisationTx): Promise<RecordValues[]> {
  const salts = new Map((await tx.select({ id: users.id, salt: users.salt }).from(users)).map(({ id, salt }) => [id, salt]))
  return (await readUserRecords(tx)).map(
    ({
      lastSignIn: _at,
      hasPassword: _has,
      hasSecondStep: _step,
      isLinkedOutside: _linked,
      hasPasskey: _passkey,
      ...user
    }): RecordValues => ({
      ...user,
      digest: hashIdentity(assertDefined(salts.get(user.id)), user),
      organisationId: null,
    }),
  )
}

const registers: Register[] = [
  ...allResources.map(resourceRegister),
  {
    name: 'user',
    keyOf: byId,
    rows: (tx, organisationId) => (organisationId === platformOrganisationId ? readUsers(tx) : Promise.resolve([])),
  },
  {
    name: 'staffMember',
    keyOf: byId,
    rows: async (tx, organisationId) => {
      const rows = await tx.select().from(staffMembers).where(eq(staffMembers.organisationId, organisationId))
      return rows.map(
        ({ locationIds, subject: _subject, numberDigest: _digest, ...row }): RecordValues => ({ ...row, locations: locationIds }),
      )
    },
  },
  {
    name: 'appliedExtendedLeave',
    keyOf: byId,
    rows: (tx, organisationId) => tx.select().from(appliedExtendedLeave).where(eq(appliedExtendedLeave.organisationId, organisationId)),
  },
  {
    name: 'budgetGroup',
    keyOf: byId,
    rows: readGroups,
  },
  {
    name: 'terminologyTerm',
    keyOf: ({ term }) => String(term),
    rows: async (tx, organisationId) =>
      (await listTermRows(tx, organisationId)).flatMap(({ id: _place, ...term }) => (term.isDefault ? [] : [term])),
  },
  {
    name: 'returnReason',
    keyOf: byId,
    rows: (tx, organisationId) => tx.select().from(returnReasons).where(eq(returnReasons.organisationId, organisationId)),
  },
  {
    name: 'comparatorSet',
    keyOf: byId,
    rows: readLoggedComparatorSets,
  },
  ...(['budgetCode', 'costCentre'] as const).map(
    (kind): Register => ({
      name: `${kind}AltDescription`,
      keyOf: ({ id, locationId }) => `${id} at location ${locationId}`,
      rows: async (tx, organisationId) => {
        const rows = await tx.select().from(altDescriptions).where(eq(altDescriptions.organisationId, organisationId))
        return rows.flatMap(({ resource, recordId, ...row }) => (resource === kind ? [{ ...row, id: recordId }] : []))
      },
    }),
  ),
]

type LastLogged = Map<string, Map<string, RecordValues | null>>

async function readLastLogged(tx: OrganisationTx, organisationId: OrganisationId, names: readonly string[]): Promise<LastLogged> {
  const rows = await tx.execute<{ resource: string; before: RecordValues | null; after: RecordValues | null }>(sql`
    select resource, before, after from (
      select distinct on (resource, record_id, coalesce(after, before) ->> 'locationId') id, resource, before, after
      from reference_changes
      where coalesce(organisation_id, ${platformOrganisationId}) = ${organisationId} and resource = any(${sql.param(`{${names.join(',')}}`)}::text[])
      order by resource, record_id, coalesce(after, before) ->> 'locationId', id desc) last
    order by id`)
  const lastLogged: LastLogged = new Map()
  for (const { resource, before, after } of rows) {
    const register = registers.find((one) => one.name === resource)
    if (!register) continue
    const records = lastLogged.get(resource) ?? new Map<string, RecordValues | null>()
    lastLogged.set(resource, records)
    // Removing a location's own description is logged as a null description.
    const isGone = after === null || (resource.endsWith('AltDescription') && after.altDescription === null)
    records.set(register.keyOf(assertDefined(after ?? before)), isGone ? null : after)
  }
  return lastLogged
}

/**
 * Compares all reference records with their last logged state: none changed, added or removed.
 * @param names limits the comparison to these kinds, by their names in the change log
 */
export async function compareReferenceRecords(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  names?: readonly string[],
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  const chosen = registers.filter((register) => !names || names.includes(register.name))
  const lastLogged = await readLastLogged(
    tx,
    organisationId,
    chosen.map((register) => register.name),
  )
  for (const register of chosen) {
    const addFinding = (key: string, problem: string): void =>
      void findings.push({ budgetId: null, version: null, problem: `${register.name} ${key} ${problem}` })
    const records = lastLogged.get(register.name) ?? new Map<string, RecordValues | null>()
    for (const row of await register.rows(tx, organisationId)) {
      const key = register.keyOf(row)
      const logged = records.get(key)
      records.delete(key)
      if (!logged) addFinding(key, 'is in the table but not in the change log.')
      else {
        const wrong = Object.keys(row).filter((field) => !isAsLogged(field, row[field], logged))
        if (wrong.length) addFinding(key, `in the table differs from the change log: ${wrong.join(', ')}.`)
      }
    }
    for (const [key, logged] of records) if (logged) addFinding(key, 'is in the change log but not in the table.')
  }
  return findings
}

function isAsLogged(field: string, value: unknown, logged: RecordValues): boolean {
  // Some changes were logged with only the day of creation.
  if (field === 'created') return listPossibleDays(value).some((day) => listPossibleDays(logged.created).includes(day))
  // A field added in a later version is missing from older log entries and appears with the record's next change.
  return !(field in logged) || hasSameContent(value ?? null, logged[field] ?? null)
}

/** The day in London, and the day in UTC, which versions up to 1.0.0 logged. */
function listPossibleDays(moment: unknown): string[] {
  const text = String(moment)
  return [dayInLondon(text), toIsoDate(Math.floor(Date.parse(text) / 86_400_000))]
}
