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
import { tableFor } from '../../core/database/tables.ts'
import { identityDigest } from '../../core/database/userSeal.ts'
import { loggedSets } from '../../features/reports/comparators/queries.ts'
import { allUsers } from '../../features/users/queries.ts'
import { listTerms } from '../../resources/terms.ts'
import { isSame } from '../compare/same.ts'
import type { Finding } from './verify.ts'

type Values = Record<string, unknown>

/** A list of reference records whose changes are logged: how a record is found in the log, and which of its fields the log knows. */
interface Register {
  /** As the change log calls it. */
  name: string
  keyOf(said: Values): string
  rows(tx: OrganisationTx, organisationId: OrganisationId): Promise<Values[]>
}

const byId = ({ id }: Values): string => String(id)

/** A declared entity that the generic machinery keeps. */
function declared(resource: AnyResource): Register {
  const { table, columns } = tableFor(resource)
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

/** Groups with their budgets; a budget that stands at another place than its turn is not the one that was logged. */
async function groupRegister(tx: OrganisationTx, organisationId: OrganisationId): Promise<Values[]> {
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
      .map(({ budgetId, position }, turn) => (position === turn ? budgetId : `${budgetId} at ${position}`)),
  }))
}

/** Users, with the digest by which the change log knows who they are: the log holds that sealed, and nobody needs its key to prove it. */
async function userRegister(tx: OrganisationTx): Promise<Values[]> {
  const salts = new Map((await tx.select({ id: users.id, salt: users.salt }).from(users)).map(({ id, salt }) => [id, salt]))
  return (await allUsers(tx)).map(
    ({ lastSignIn: _at, hasPassword: _has, hasSecondStep: _step, isLinkedOutside: _linked, hasPasskey: _passkey, ...user }): Values => ({
      ...user,
      digest: identityDigest(assertDefined(salts.get(user.id)), user),
      organisationId: null,
    }),
  )
}

const registers: Register[] = [
  ...allResources.map(declared),
  {
    name: 'user',
    keyOf: byId,
    rows: (tx, organisationId) => (organisationId === platformOrganisationId ? userRegister(tx) : Promise.resolve([])),
  },
  {
    name: 'staffMember',
    keyOf: byId,
    rows: async (tx, organisationId) => {
      const rows = await tx.select().from(staffMembers).where(eq(staffMembers.organisationId, organisationId))
      return rows.map(({ locationIds, subject: _subject, numberDigest: _digest, ...row }): Values => ({ ...row, locations: locationIds }))
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
    rows: groupRegister,
  },
  {
    name: 'terminologyTerm',
    keyOf: ({ term }) => String(term),
    rows: async (tx, organisationId) =>
      (await listTerms(tx, organisationId)).flatMap(({ id: _place, ...term }) => (term.isDefault ? [] : [term])),
  },
  {
    name: 'returnReason',
    keyOf: byId,
    rows: (tx, organisationId) => tx.select().from(returnReasons).where(eq(returnReasons.organisationId, organisationId)),
  },
  {
    name: 'comparatorSet',
    keyOf: byId,
    rows: loggedSets,
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

/** What the change log knows of each record last: null for one that was deleted. */
type LastSaid = Map<string, Map<string, Values | null>>

async function lastSaid(tx: OrganisationTx, organisationId: OrganisationId, names: readonly string[]): Promise<LastSaid> {
  const rows = await tx.execute<{ resource: string; before: Values | null; after: Values | null }>(sql`
    select resource, before, after from (
      select distinct on (resource, record_id, coalesce(after, before) ->> 'locationId') id, resource, before, after
      from reference_changes
      where coalesce(organisation_id, ${platformOrganisationId}) = ${organisationId} and resource = any(${sql.param(`{${names.join(',')}}`)}::text[])
      order by resource, record_id, coalesce(after, before) ->> 'locationId', id desc) last
    order by id`)
  const said: LastSaid = new Map()
  for (const { resource, before, after } of rows) {
    const register = registers.find((one) => one.name === resource)
    if (!register) continue
    const records = said.get(resource) ?? new Map<string, Values | null>()
    said.set(resource, records)
    // A location's own words that were taken back are logged as none.
    const isGone = after === null || (resource.endsWith('AltDescription') && after.altDescription === null)
    records.set(register.keyOf(assertDefined(after ?? before)), isGone ? null : after)
  }
  return said
}

/**
 * Whether every reference record stands in its table as the change log knows it last: none changed, none put in, none taken out.
 * @param names some kinds of records only, as the change log calls them
 */
export async function compareRegisters(tx: OrganisationTx, organisationId: OrganisationId, names?: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const chosen = registers.filter((register) => !names || names.includes(register.name))
  const said = await lastSaid(
    tx,
    organisationId,
    chosen.map((register) => register.name),
  )
  for (const register of chosen) {
    const find = (key: string, problem: string): void =>
      void findings.push({ budgetId: null, version: null, problem: `${register.name} ${key} ${problem}` })
    const records = said.get(register.name) ?? new Map<string, Values | null>()
    for (const row of await register.rows(tx, organisationId)) {
      const key = register.keyOf(row)
      const logged = records.get(key)
      records.delete(key)
      if (!logged) find(key, 'is in the table, and the change log does not know it.')
      else {
        const wrong = Object.keys(row).filter((field) => !isAsLogged(field, row[field], logged))
        if (wrong.length) find(key, `in the table is not the one of the change log: ${wrong.join(', ')}.`)
      }
    }
    for (const [key, logged] of records) if (logged) find(key, 'is in the change log, and the table lacks it.')
  }
  return findings
}

function isAsLogged(field: string, value: unknown, logged: Values): boolean {
  // Some changes were logged with the day of making only.
  if (field === 'created') return daysOf(value).some((day) => daysOf(logged.created).includes(day))
  // What a record of before there was the field says of it is said with its next change.
  return !(field in logged) || isSame(value ?? null, logged[field] ?? null)
}

/** The day of a moment in London, and the day in UTC, which versions up to 1.0.0 logged. */
function daysOf(moment: unknown): string[] {
  const text = String(moment)
  return [dayInLondon(text), toIsoDate(Math.floor(Date.parse(text) / 86_400_000))]
}
