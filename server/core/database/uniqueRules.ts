import { sql } from 'drizzle-orm'
import { allResources, getResource } from '../../../domain/resources/all.ts'
import { getSingularName } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { getGroupingField } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../../../domain/words/errors.ts'
import { defaultTerms } from '../../../domain/words/terms.ts'
import { listEnforcedReferences, listUniqueSets } from '../../../drizzle/resourceTable.ts'
import type { OrganisationTx } from './database.ts'
import { type DatabaseRefusal, toDatabaseRefusal } from './errors.ts'

/** The field that a database constraint concerns. */
interface ConstrainedField {
  field: string
  label: string
}

/** By constraint name: the field to report as already in use, for declared records and for those in tables of their own. */
const uniqueFields = new Map<string | undefined, ConstrainedField>([
  ...allResources.flatMap((resource) =>
    listUniqueSets(resource).map(({ name, fields }): [string, ConstrainedField] => [
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

/** By foreign key name: the referring entity, its field and the referenced entity. */
interface ReferringField extends ConstrainedField {
  using: string
  used: string
}
const referringFields = new Map<string | undefined, ReferringField>([
  [
    'budget_groups_allowance_budget_code_fk',
    { field: 'allowanceBudgetCodeId', label: 'Budget code', using: 'budget groups', used: 'Budget code' },
  ],
  [
    'budget_groups_allowance_cost_centre_fk',
    { field: 'allowanceCostCentreId', label: 'Cost centre', using: 'budget groups', used: 'Cost centre' },
  ],
  ...allResources.flatMap((resource) =>
    listEnforcedReferences(resource).map(({ name, field, to }): [string, ReferringField] => [
      name,
      {
        field,
        label: getSingularName(assertDefined(resource.fields[field])),
        using: defaultTerms[resource.key].plural.toLowerCase(),
        used: defaultTerms[getResource(to).key].singular,
      },
    ]),
  ),
])

/** The sentences for the constraints on the budgets of groups, the same as in the check that runs before the statement. */
const groupSentences = new Map<string | undefined, string>([
  ['budget_group_members_budget', 'A budget is already in another group. Remove it from there first.'],
  ['budget_group_members_budget_fk', 'Budget was not found.'],
])

function createAlreadyUsedError({ field, label }: ConstrainedField): DomainError {
  const message = `${label} is already used.`
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field, message }] })
}

/** The sentence for a foreign key violation: a reference to a deleted record, or a delete of a record in use. */
function createReferenceError({ constraint, isDelete }: DatabaseRefusal): DomainError {
  const pointing = referringFields.get(constraint)
  if (!pointing) return conflict('stale', 'Someone else has changed this. Load it again.')
  const { field, label, using, used } = pointing
  if (isDelete) return conflict('inUse', `${used} is in use by ${using} and cannot be deleted.`)
  return invalid([{ field, message: `${label} was not found.` }])
}

/**
 * The error for a statement that PostgreSQL refused because of a constraint or a concurrent transaction; undefined for any other cause. If
 * a check before the statement had passed, the sentence and the field are the same as in that check.
 */
export function toConstraintError(error: unknown): DomainError | undefined {
  const refusal = toDatabaseRefusal(error)
  if (refusal?.code === '40001' || refusal?.code === '40P01')
    return conflict('busy', 'Other people are changing the same records. Try again in a moment.')
  const ofGroup = groupSentences.get(refusal?.constraint)
  if (ofGroup) return invalid([{ field: 'items', message: ofGroup }])
  if (refusal?.code === '23503') return createReferenceError(refusal)
  if (refusal?.code !== '23505') return undefined
  const taken = uniqueFields.get(refusal.constraint)
  return taken ? createAlreadyUsedError(taken) : conflict('stale', 'Someone else has changed this. Load it again.')
}

/** Makes changes to a list wait for each other if its records are checked against each other, because the check reads the list. */
export async function lockListChanges(tx: OrganisationTx, resource: AnyResource, owner: number | null): Promise<void> {
  if (getGroupingField(resource)) await lockByName(tx, `${resource.table} of ${owner}`)
}

/** Locks a name until the transaction ends; other transactions that lock the same name wait. */
export async function lockByName(tx: OrganisationTx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
}
