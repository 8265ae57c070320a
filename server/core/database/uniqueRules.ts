import { sql } from 'drizzle-orm'
import { allResources, resourceNamed } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { sharedField } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../../../domain/words/errors.ts'
import { defaultTerms } from '../../../domain/words/terms.ts'
import { heldReferences, uniqueSets } from '../../../drizzle/resourceTable.ts'
import type { OrganisationTx } from './database.ts'
import { type DatabaseRefusal, databaseRefusal } from './errors.ts'

/** The field that a rule of the database is about. */
interface Place {
  field: string
  label: string
}

/** By the name of what keeps it unique: the field that is said to be taken, of declared records and of what is kept in tables of its own. */
const takenBy = new Map<string | undefined, Place>([
  ...allResources.flatMap((resource) =>
    uniqueSets(resource).map(({ name, fields }): [string, Place] => [
      name,
      { field: assertDefined(fields[0]), label: assertDefined(resource.fields[assertDefined(fields[0])]).label },
    ]),
  ),
  ['budgets_name', { field: 'name', label: 'Name' }],
  ['budget_groups_name', { field: 'name', label: 'Name' }],
  ['staff_members_number', { field: 'employeeNumber', label: 'Employee number' }],
  ['users_email', { field: 'email', label: 'Email' }],
  ['integration_credentials_description', { field: 'description', label: 'Description' }],
  ['file_layouts_name', { field: 'name', label: 'Name' }],
  ['report_layouts_own_name', { field: 'name', label: 'Name' }],
  ['report_layouts_shared_name', { field: 'name', label: 'Name' }],
  ['list_views_name', { field: 'name', label: 'Name' }],
  ['connections_name', { field: 'name', label: 'Name' }],
  ['webhooks_name', { field: 'name', label: 'Name' }],
])

/** By the name of the foreign key: what points, with which field, to what. */
interface Pointing extends Place {
  using: string
  used: string
}
const pointsBy = new Map<string | undefined, Pointing>([
  [
    'budget_groups_allowance_budget_code_fk',
    { field: 'allowanceBudgetCodeId', label: 'Budget code', using: 'budget groups', used: 'Budget code' },
  ],
  [
    'budget_groups_allowance_cost_centre_fk',
    { field: 'allowanceCostCentreId', label: 'Cost centre', using: 'budget groups', used: 'Cost centre' },
  ],
  ...allResources.flatMap((resource) =>
    heldReferences(resource).map(({ name, field, to }): [string, Pointing] => [
      name,
      {
        field,
        label: assertDefined(resource.fields[field]).label,
        using: defaultTerms[resource.key].plural.toLowerCase(),
        used: defaultTerms[resourceNamed(to).key].singular,
      },
    ]),
  ),
])

/** What the keys of the budgets of groups say, as the check before them does. */
const ofGroups = new Map<string | undefined, string>([
  ['budget_group_members_budget', 'A budget is already in another group. Take it out there first.'],
  ['budget_group_members_budget_fk', 'Budget was not found.'],
])

function alreadyUsed({ field, label }: Place): DomainError {
  const message = `${label} is already used.`
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field, message }] })
}

/** What a foreign key refused: to name what is gone, or, for a delete, to let go what is named. */
function notThere({ constraint, isDelete }: DatabaseRefusal): DomainError {
  const pointing = pointsBy.get(constraint)
  if (!pointing) return conflict('stale', 'Somebody else has changed this. Load it again.')
  const { field, label, using, used } = pointing
  if (isDelete) return conflict('inUse', `${used} is in use by ${using} and cannot be deleted.`)
  return invalid([{ field, message: `${label} was not found.` }])
}

/**
 * What people are told of a statement that PostgreSQL refused because of others: the sentence, at the field, of the check that the statement
 * had passed before somebody else was quicker.
 */
export function refusalInWords(error: unknown): DomainError | undefined {
  const refusal = databaseRefusal(error)
  if (refusal?.code === '40001' || refusal?.code === '40P01')
    return conflict('busy', 'Others are changing the same things. Try again in a moment.')
  const ofGroup = ofGroups.get(refusal?.constraint)
  if (ofGroup) return invalid([{ field: 'items', message: ofGroup }])
  if (refusal?.code === '23503') return notThere(refusal)
  if (refusal?.code !== '23505') return undefined
  const taken = takenBy.get(refusal.constraint)
  return taken ? alreadyUsed(taken) : conflict('stale', 'Somebody else has changed this. Load it again.')
}

/** Lets changes of a list whose records are checked beside each other come one after the other: they are checked by reading the list. */
export async function oneAfterAnother(tx: OrganisationTx, resource: AnyResource, owner: number | null): Promise<void> {
  if (sharedField(resource)) await oneOfAName(tx, `${resource.table} of ${owner}`)
}

/** Lets what is done under a name be done by one transaction at a time. */
export async function oneOfAName(tx: OrganisationTx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}
