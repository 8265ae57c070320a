import { sql } from 'drizzle-orm'
import { conflict, DomainError } from '../../../domain/errors.ts'
import { allResources } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { namedSets } from '../../../drizzle/resourceTable.ts'
import type { OrganisationTx } from './database.ts'
import { databaseRefusal } from './errors.ts'

interface Taken {
  field: string
  label: string
}

/** By the name of the index: the field that is said to be taken, of declared records and of what is kept in tables of its own. */
const takenBy = new Map<string | undefined, Taken>([
  ...allResources.flatMap((resource) =>
    namedSets(resource).map(({ index, fields }): [string, Taken] => [
      index,
      { field: fields[0]!, label: resource.fields[fields[0]!]!.label },
    ]),
  ),
  ['budgets_name', { field: 'name', label: 'Name' }],
  ['budget_groups_name', { field: 'name', label: 'Name' }],
  ['staff_members_number', { field: 'employeeNumber', label: 'Employee number' }],
  ['users_email', { field: 'email', label: 'Email' }],
])

function alreadyUsed({ field, label }: Taken): DomainError {
  const message = `${label} is already used.`
  return new DomainError('conflict', 'duplicate', message, [{ field, message }])
}

/** What people are told of a statement that PostgreSQL refused because of others: in the words of the rule that it broke. */
export function refusalInWords(error: unknown): DomainError | undefined {
  const refusal = databaseRefusal(error)
  if (refusal?.code === '40001' || refusal?.code === '40P01')
    return conflict('busy', 'Others are changing the same things. Try again in a moment.')
  if (refusal?.code !== '23505') return undefined
  const taken = takenBy.get(refusal.constraint)
  return taken ? alreadyUsed(taken) : conflict('stale', 'Somebody else has changed this. Load it again.')
}

/** Whether what must not stand twice in a list is seen only by reading the list: rates, stretches, numbers. */
function isReadFirst(resource: AnyResource): boolean {
  return Boolean(resource.apart) || namedSets(resource).length < resource.unique.length
}

/** Lets changes of a list whose rules are checked by reading it come one after the other, so that none is checked against what is just changing. */
export async function oneAfterAnother(tx: OrganisationTx, resource: AnyResource, owner: number | null): Promise<void> {
  if (isReadFirst(resource)) await lockFor(tx, `${resource.table} of ${owner}`)
}

/** Lets what is done under a name be done by one transaction at a time. */
export async function lockFor(tx: OrganisationTx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}
