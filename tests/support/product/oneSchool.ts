import type { BudgetGroupId, BudgetId } from '../../../domain/values/ids.ts'
import type { Caller, TrustIds } from './http.ts'

/** Copies Northgate’s budget into a group of its own, so that calls on a whole group cover only this school. */
export async function createNorthgateGroup(finance: Caller, places: TrustIds): Promise<{ groupId: BudgetGroupId; budgetId: BudgetId }> {
  const organisationHeader = { OrganisationId: places.organisationId }
  const copy = await finance.call(
    'POST',
    `/api/Budget/duplicate/${places.budgets.Northgate}`,
    { name: 'Northgate alone' },
    organisationHeader,
  )
  const budgetId: BudgetId = copy.body.mongoId
  const group = await finance.call(
    'POST',
    '/api/BudgetGroup/create',
    { name: 'Northgate alone', items: [{ budgetId }] },
    organisationHeader,
  )
  if (group.status !== 201) throw new Error(`No group was made: ${JSON.stringify(group.body)}`)
  return { groupId: group.body.id, budgetId }
}
