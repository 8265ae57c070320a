import { canonicalJson } from '../../values/canonicalJson.ts'
import { displayCount } from '../../values/format.ts'
import { conflict, DomainError, notFound, staleRecord } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import { createItemDeletedEvent, createItemSavedEvent, type StoredItem } from '../items/item.ts'
import type { Scenario, ScenarioInput } from '../items/scenario.ts'
import type { AppliedScenario, ScenarioBase } from './applyScenario.ts'

/**
 * Saves a scenario, new or changed.
 * @param all the scenarios of the budget
 * @throws DomainError 404; 409 if someone else has saved it since, or another scenario has the name
 */
export function saveScenario(
  head: BudgetHead,
  { all, id, input }: { all: readonly StoredItem<'scenario'>[]; id: string; input: ScenarioInput },
): BudgetEvent[] {
  refuseLocked(head)
  const before = all.find((one) => one.id === input.id)
  if (input.id && !before) throw notFound('Scenario')
  if (before && input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, id: before.id })
  if (all.some((one) => one.id !== input.id && one.item.name.toLowerCase() === input.name.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', {
      fields: [{ field: 'name', message: 'Name is already used.' }],
    })
  const item: Scenario = { id, name: input.name, changes: input.changes }
  return before && canonicalJson(before.item) === canonicalJson(item) ? [] : [createItemSavedEvent('scenario', { id, item })]
}

export function deleteScenario(head: BudgetHead, scenario: StoredItem<'scenario'> | undefined): BudgetEvent[] {
  refuseLocked(head)
  if (!scenario) throw notFound('Scenario')
  return [createItemDeletedEvent('scenario', scenario.id)]
}

/**
 * Saves a scenario's changes of contracts, entries and pupils to the budget, as if they had been entered by hand.
 * @param numbers the pupil numbers of the budget
 * @throws DomainError 409 while one of its changes conflicts with the budget
 */
export function adoptScenario(
  base: ScenarioBase,
  { contracts, entries, pupils, conflicts }: AppliedScenario,
  numbers: StoredItem<'pupils'> | undefined,
): BudgetEvent[] {
  const inConflict = conflicts.filter((one) => one !== null).length
  if (inConflict)
    throw conflict(
      'conflicts',
      `${displayCount(inConflict, 'change')} can no longer be made. Correct ${inConflict === 1 ? 'it' : 'them'} or remove ${inConflict === 1 ? 'it' : 'them'} first.`,
    )
  return [
    ...[...base.contracts].flatMap(([id, contract]): BudgetEvent[] => {
      const now = contracts.get(id)
      if (!now) return [{ type: 'StaffContractDeleted', data: { id } }]
      return now === contract ? [] : [{ type: 'StaffContractSaved', data: { id, contract: now } }]
    }),
    ...[...entries].flatMap(([id, item]) => (base.entries.get(id) === item ? [] : [createItemSavedEvent('entry', { id, item })])),
    ...(numbers && pupils !== base.pupils
      ? [createItemSavedEvent('pupils', { id: numbers.id, item: { ...numbers.item, rows: [...pupils] } })]
      : []),
  ]
}
