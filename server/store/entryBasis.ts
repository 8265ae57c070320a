import type { EntryBasis } from '../../domain/budget/items/budgetEntry.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { type BudgetRow, commit } from './budgetStore.ts'
import { codingFacts } from './codingFacts.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { loadItems, postEntries } from './itemStore.ts'

/**
 * Works out the entries of a budget with the price rises and profile templates as they stand now: until then they keep what they were
 * saved with (calculation.md §16). Entries that a calculation makes have amounts of their own and stay.
 */
export async function rebaseEntries(tx: OrganisationTx, row: BudgetRow, actor: Actor): Promise<void> {
  const entries = await loadItems(tx, row.organisationId, row.id, 'entry')
  if (!entries.length) return
  const facts = await codingFacts(tx, row.organisationId, row.head)
  const bases = entries.flatMap(({ id, item }): ({ id: string } & EntryBasis)[] => {
    if (item.source) return []
    const { profileTemplateId, basis } = item
    const code = facts.budgetCodes.get(item.budgetCodeId)
    const weights = profileTemplateId === null ? null : (facts.profiles.get(profileTemplateId) ?? basis.weights)
    const now: EntryBasis = { rates: code ? code.rates : basis.rates, weights }
    return canonicalJson(now) === canonicalJson(basis) ? [] : [{ id, ...now }]
  })
  if (bases.length) await commit(tx, row, [{ type: 'BudgetEntriesRebased', data: { bases } }], actor)
  // Years that the budget got since the entries were saved have no lines yet.
  await postEntries(tx, row.organisationId, row.head, await loadItems(tx, row.organisationId, row.id, 'entry'), true)
}
