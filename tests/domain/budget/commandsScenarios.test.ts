import { describe, it } from 'vitest'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { type Scenario, type ScenarioInput, scenarioInput } from '../../../domain/budget/items/scenario.ts'
import type { AppliedScenario, ScenarioBase } from '../../../domain/budget/scenarios/applyScenario.ts'
import { adoptScenario, deleteScenario, saveScenario } from '../../../domain/budget/scenarios/decideScenario.ts'
import { toContractId } from '../../../domain/values/ids.ts'
import { oneOfEach, paper } from '../../support/stories/budgetEvents.ts'
import { type Budget, contractOf, created, given, idOf } from '../../support/stories/budgetStory.ts'

const { BudgetLocked: locked, PupilNumbersSaved: pupilsSaved } = oneOfEach
const isLocked = { code: 'locked', message: 'This budget is locked.' }
const isNotThere = { code: 'notFound', message: 'Scenario was not found.' }

const scenario: Scenario = {
  id: idOf('6'),
  name: 'Ten fewer',
  changes: [{ kind: 'pupils', yearGroup: 2, firstYear: 1, by: -10 }],
}
const saved = (change: Partial<Scenario> = {}): BudgetEvent => ({
  type: 'ScenarioSaved',
  data: { id: change.id ?? scenario.id, item: { ...scenario, ...change } },
})

describe('a scenario of a budget', () => {
  const typed = (change: Partial<ScenarioInput> = {}): ScenarioInput =>
    scenarioInput.parse({ name: 'Ten fewer', changes: scenario.changes, ...change })
  const save =
    (input: ScenarioInput, id = scenario.id) =>
    (budget: Budget): BudgetEvent[] =>
      saveScenario(budget.head, { all: budget.items('scenario'), id, input })
  const remove = (budget: Budget): BudgetEvent[] => deleteScenario(budget.head, budget.items('scenario')[0])

  it('is stored with its changes, and saved unchanged changes nothing', () => {
    given(created()).when(save(typed())).gives(saved())
    given(created(), saved())
      .when(save(typed({ id: scenario.id })))
      .changesNothing()
    given(created(), saved())
      .when(save(typed({ id: scenario.id, version: 2, changes: [] })))
      .gives(saved({ changes: [] }))
  })
  it('that does not exist in the budget can be neither saved nor deleted', () => {
    given(created())
      .when(save(typed({ id: scenario.id })))
      .isRefused(isNotThere)
    given(created()).when(remove).isRefused(isNotThere)
  })
  it('cannot overwrite a newer save by somebody else', () => {
    given(created(), saved(), saved({ changes: [] }))
      .when(save(typed({ id: scenario.id, version: 2 })))
      .isRefused({ code: 'stale', message: 'Someone else has changed this. Load it again.' })
  })
  it('with the name of another is refused, ignoring case', () => {
    given(created(), saved())
      .when(save(typed({ name: 'ten FEWER' }), idOf('1')))
      .isRefused({ code: 'duplicate', message: 'Name is already used.', fields: ['name'] })
  })
  it('is deleted', () => {
    given(created(), saved())
      .when(remove)
      .gives({ type: 'ScenarioDeleted', data: { id: scenario.id } })
  })
  it('of a locked budget can be neither saved nor deleted', () => {
    given(created(), locked).when(save(typed())).isRefused(isLocked)
    given(created(), saved(), locked).when(remove).isRefused(isLocked)
  })
})

describe('a scenario that is applied', () => {
  const [teacher, head] = [contractOf(), contractOf({ id: toContractId(idOf('d')), contractName: 'Head' })]
  const base: ScenarioBase = {
    head: { numberOfYears: 3 },
    contracts: new Map([teacher, head].map((one) => [one.id, one])),
    entries: new Map([[paper.id, paper]]),
    pupils: pupilsSaved.data.item.rows,
  }
  const applied = (change: Partial<AppliedScenario> = {}): AppliedScenario => ({
    contracts: new Map(base.contracts),
    entries: new Map(base.entries),
    pupils: base.pupils,
    awards: [],
    conflicts: [null],
    ...change,
  })
  const adopt = (change?: Partial<AppliedScenario>) => (budget: Budget) => adoptScenario(base, applied(change), budget.items('pupils')[0])

  it('saves the contracts and entries that it changes or adds, and deletes the posts that it removes', () => {
    const less = { ...teacher, endDate: '2027-08-31' }
    const dearer = { ...paper, description: 'Card' }
    const boiler = { ...paper, id: idOf('1'), description: 'Boiler' }
    given(created())
      .when(adopt({ contracts: new Map([[teacher.id, less]]), entries: new Map([dearer, boiler].map((one) => [one.id, one])) }))
      .gives(
        { type: 'StaffContractSaved', data: { id: teacher.id, contract: less } },
        { type: 'StaffContractDeleted', data: { id: head.id } },
        { type: 'BudgetEntrySaved', data: { id: paper.id, item: dearer } },
        { type: 'BudgetEntrySaved', data: { id: boiler.id, item: boiler } },
      )
  })
  it('saves the pupils that it changes, in a budget with pupil numbers', () => {
    const row = { kind: 'Phase' as const, phase: null, yearGroup: 2, description: null, before: 30, years: [18] }
    given(created(), pupilsSaved)
      .when(adopt({ pupils: [row] }))
      .gives({ type: 'PupilNumbersSaved', data: { id: idOf('0'), item: { id: idOf('0'), rows: [row] } } })
    given(created())
      .when(adopt({ pupils: [row] }))
      .changesNothing()
  })
  it('without changes saves nothing', () => {
    given(created(), pupilsSaved).when(adopt()).changesNothing()
  })
  it('is refused while one of its changes conflicts with the budget', () => {
    const conflict = (message: string) => ({ code: 'conflicts', message })
    given(created())
      .when(adopt({ conflicts: [null, 'The contract has ended by that date.'] }))
      .isRefused(conflict('1 change can no longer be made. Correct it or remove it first.'))
    given(created())
      .when(adopt({ conflicts: ['The contract has ended by that date.', 'The entry is no longer in the budget.'] }))
      .isRefused(conflict('2 changes can no longer be made. Correct them or remove them first.'))
  })
})
