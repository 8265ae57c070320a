import { describe, expect, it } from 'vitest'
import {
  chooseVersionType,
  createBudget,
  deleteBudget,
  lockBudget,
  lockedSentence,
  refuseLocked,
  refuseLockedFigures,
  renameBudget,
  restoreBudget,
  saveElements,
} from '../../../domain/budget/decide.ts'
import { approveBudget, nameVersion, returnBudget, submitBudget } from '../../../domain/budget/decideMoments.ts'
import { upcastCreated } from '../../../domain/budget/eventSchemas.ts'
import type { ApprovalStep, BudgetEvent, EventOf } from '../../../domain/budget/events.ts'
import { toBudgetGroupId, type UserId } from '../../../domain/values/ids.ts'
import { oneOfEach } from '../../support/stories/budgetEvents.ts'
import { type Budget, contractSaved, created, elements, given, idOf, kim, sam, stateAfter } from '../../support/stories/budgetStory.ts'

const at = '2026-10-05T10:00:00.000Z'
const locked: BudgetEvent = { type: 'BudgetLocked', data: { lockedAt: at, lockedById: sam } }
const isLocked = { code: 'locked', message: lockedSentence }
const nameUsed = { code: 'duplicate', message: 'Name is already used.', fields: ['name'] }

describe('a locked budget', () => {
  it('accepts no event that would change its figures: from any command', () => {
    const taken = Object.values(oneOfEach).filter((event) => {
      try {
        refuseLockedFigures({ locked: true }, [event])
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'locked', message: lockedSentence })
        return false
      }
    })
    expect(taken.map(({ type }) => type).sort()).toEqual([
      'BudgetApproved',
      'BudgetCreated',
      'BudgetDeleted',
      'BudgetLocked',
      'BudgetMomentNamed',
      'BudgetRenamed',
      'BudgetRestored',
      'BudgetReturned',
      'BudgetSubmitted',
      'BudgetVersionTypeChosen',
      'CommentDeleted',
      'CommentSaved',
      'QuickCalculationDeleted',
      'QuickCalculationSaved',
      'ScenarioDeleted',
      'ScenarioSaved',
    ])
    expect(() => refuseLockedFigures({ locked: false }, Object.values(oneOfEach))).not.toThrow()
    given(created(), locked)
      .when(({ head }) => {
        refuseLockedFigures(head, [oneOfEach.BudgetRenamed, oneOfEach.OpeningBalanceSaved])
        return []
      })
      .isRefused(isLocked)
  })
  it('accepts no command either, while an open budget does', () => {
    const refuse = ({ head }: Budget): BudgetEvent[] => {
      refuseLocked(head)
      return []
    }
    given(created()).when(refuse).changesNothing()
    given(created(), locked).when(refuse).isRefused(isLocked)
  })
})

describe('a new budget', () => {
  const create = (change: Partial<EventOf<'BudgetCreated'>['data']>, maximumYears = 5, names: string[] = []) =>
    given().when(() => createBudget(created(change).data, maximumYears, names))

  it('is made with all the given settings', () => {
    create({}).gives(created())
  })
  it('with more years than its location may have is refused', () => {
    create({ numberOfYears: 3 }, 2).isRefused({
      code: 'invalid',
      message: 'Number of years must be between 1 and 2 at this location.',
      fields: ['numberOfYears'],
    })
  })
  it('with the name of another budget of the location is refused, ignoring case', () => {
    create({ name: 'first DRAFT' }, 5, ['First draft']).isRefused(nameUsed)
  })
  it('with two tables of one kind from the same date is refused, at that kind', () => {
    const twice = [
      { effectiveDate: '2026-09-01', adminTableId: 1 },
      { effectiveDate: '2026-09-01', adminTableId: 2 },
    ]
    create({ elements: elements({ nationalInsurance: twice }) }).isRefused({
      code: 'invalid',
      message: 'Two rows have the same effective date.',
      fields: ['nationalInsurance'],
    })
  })
  it('may have tables of different kinds from the same date', () => {
    const one = [{ effectiveDate: '2026-09-01', adminTableId: 1 }]
    const both = elements({ nationalInsurance: one, teacherPayScales: one })
    create({ elements: both }).gives(created({ elements: both }))
  })
})

describe('renaming a budget', () => {
  const rename =
    (name: string, names: string[] = []) =>
    (budget: Budget) =>
      renameBudget(budget.head, name, names)

  it('gives it the new name', () => {
    given(created())
      .when(rename('Second draft'))
      .gives({ type: 'BudgetRenamed', data: { name: 'Second draft' } })
  })
  it('to the same name changes nothing', () => {
    given(created()).when(rename('First draft')).changesNothing()
  })
  it('to the same name with different capitals is a change', () => {
    given(created())
      .when(rename('FIRST DRAFT', ['Other']))
      .gives({ type: 'BudgetRenamed', data: { name: 'FIRST DRAFT' } })
  })
  it('to the name of another budget is refused', () => {
    given(created())
      .when(rename('other', ['Other']))
      .isRefused(nameUsed)
  })
  it('of a locked budget is refused', () => {
    given(created(), locked).when(rename('Second draft')).isRefused(isLocked)
  })
})

describe('the settings of a budget', () => {
  const settings: EventOf<'BudgetElementsSaved'>['data'] = {
    numberOfYears: 3,
    staffAssumptionsId: 1,
    inflationId: null,
    contractTypeIds: [1, 2],
    elements: elements(),
  }
  const save =
    (change: Partial<typeof settings>, maximumYears = 5) =>
    (budget: Budget) =>
      saveElements(budget.head, { ...settings, ...change }, maximumYears)

  it('are saved as a whole when one of them changes', () => {
    given(created())
      .when(save({ numberOfYears: 5 }))
      .gives({ type: 'BudgetElementsSaved', data: { ...settings, numberOfYears: 5 } })
  })
  it('saved unchanged change nothing', () => {
    given(created()).when(save({})).changesNothing()
  })
  it('with more years than the location may have are refused', () => {
    given(created())
      .when(save({ numberOfYears: 5 }, 4))
      .isRefused({ code: 'invalid', message: 'Number of years must be between 1 and 4 at this location.', fields: ['numberOfYears'] })
  })
  it('with two tables of a kind from the same date are refused', () => {
    const row = { effectiveDate: '2026-09-01', adminTableId: 1 }
    given(created())
      .when(save({ elements: elements({ gagPoolTables: [row, { ...row, adminTableId: 2 }] }) }))
      .isRefused({ code: 'invalid', message: 'Two rows have the same effective date.', fields: ['gagPoolTables'] })
  })
  it('of a locked budget are refused', () => {
    given(created(), locked)
      .when(save({ numberOfYears: 5 }))
      .isRefused(isLocked)
  })
  it('from before price inflation get none, and saving them again changes nothing', () => {
    const { inflationId: _prices, versionType: _type, source: _source, ...old } = created().data
    const { budget, when } = given({ type: 'BudgetCreated', data: upcastCreated({ ...old, elements: {} }) })
    expect(budget.head).toMatchObject({ inflationId: null, versionType: 1, source: null, elements: elements() })
    when(save({})).changesNothing()
  })
})

describe('locking, deleting and the version type of a budget', () => {
  it('locking records who locked it and when', () => {
    given(created())
      .when((budget) => lockBudget(budget.head, sam, at))
      .gives(locked)
  })
  it('locking a locked budget changes nothing', () => {
    given(created(), locked)
      .when((budget) => lockBudget(budget.head, kim, at))
      .changesNothing()
  })
  it('deleting removes it', () => {
    given(created())
      .when((budget) => deleteBudget(budget.head, toBudgetGroupId(idOf('9'))))
      .gives({ type: 'BudgetDeleted', data: { groupId: toBudgetGroupId(idOf('9')) } })
  })
  it('restoring it brings back everything in it', () => {
    const story = [created(), contractSaved(), oneOfEach.BudgetEntrySaved, oneOfEach.LevyAllowanceShared]
    const { version: _before, ...before } = stateAfter(...story)
    const gone = stateAfter(...story, oneOfEach.BudgetDeleted)
    expect([gone.head, gone.contracts.size, gone.items.size]).toEqual([undefined, 0, 0])
    const { version, ...after } = stateAfter(...story, oneOfEach.BudgetDeleted, oneOfEach.BudgetRestored)
    expect([version, after]).toEqual([story.length + 2, before])
  })
  it('it can be restored for thirty days, and only once', () => {
    const restore =
      (now: string, type: 'BudgetDeleted' | 'BudgetRestored' = 'BudgetDeleted') =>
      () =>
        restoreBudget({ type, occurredAt: at }, new Date(now))
    const { BudgetDeleted: deleted, BudgetRestored: restored } = oneOfEach
    const isGone = { code: 'notInBin', message: 'This budget is no longer in the bin: it was restored, or its 30 days have passed.' }
    given(created(), deleted).when(restore('2026-11-04T09:59:59.999Z')).gives(restored)
    given(created(), deleted).when(restore('2026-11-04T10:00:00.000Z')).isRefused(isGone)
    given(created(), deleted, restored).when(restore('2026-10-06T10:00:00.000Z', 'BudgetRestored')).isRefused(isGone)
  })
  it('a locked budget cannot be deleted', () => {
    given(created(), locked)
      .when((budget) => deleteBudget(budget.head, null))
      .isRefused({ code: 'locked', message: 'This budget is locked and cannot be deleted.' })
  })
  it('another version type is chosen', () => {
    given(created())
      .when((budget) => chooseVersionType(budget.head, 3))
      .gives({ type: 'BudgetVersionTypeChosen', data: { versionType: 3 } })
  })
  it('choosing the same version type changes nothing', () => {
    given(created({ versionType: 3 }))
      .when((budget) => chooseVersionType(budget.head, 3))
      .changesNothing()
  })
  it('a locked budget keeps its version type', () => {
    given(created(), locked)
      .when((budget) => chooseVersionType(budget.head, 3))
      .isRefused(isLocked)
  })
})

describe('naming a version', () => {
  const written = '2026-10-01T09:00:00.000Z'
  const named = (version: number, name: string | null): BudgetEvent => ({ type: 'BudgetMomentNamed', data: { version, name, at: written } })
  const name = (version: number, text: string | null) => (budget: Budget) => nameVersion(budget.head, { version, at: written, name: text })

  it('records the version, its name and its time', () => {
    given(created()).when(name(1, 'For governors')).gives(named(1, 'For governors'))
  })
  it('with the name that it already has changes nothing', () => {
    given(created(), named(1, 'For governors')).when(name(1, 'For governors')).changesNothing()
  })
  it('without a name removes the name, and changes nothing if there was none', () => {
    given(created(), named(1, 'For governors')).when(name(1, null)).gives(named(1, null))
    given(created()).when(name(1, null)).changesNothing()
  })
  it('with the name of another version is refused, ignoring case', () => {
    given(created(), named(1, 'For governors'))
      .when(name(2, 'for GOVERNORS'))
      .isRefused({ code: 'duplicate', message: 'Another version of this budget has that name.', fields: ['name'] })
  })
  it('of a locked budget is refused', () => {
    given(created(), locked).when(name(1, 'Late')).isRefused(isLocked)
  })
})

describe('the approval of a budget', () => {
  const decided = (byId: UserId, change: Partial<ApprovalStep> = {}): ApprovalStep => ({
    byId,
    at,
    version: 1,
    sealedComment: null,
    ...change,
  })
  const submitted: BudgetEvent = { type: 'BudgetSubmitted', data: decided(sam) }
  const returned: BudgetEvent = { type: 'BudgetReturned', data: decided(kim, { sealedComment: 'sealed' }) }
  const approve =
    (byId: UserId, { changed = false, others = [] }: { changed?: boolean; others?: string[] } = {}) =>
    (budget: Budget) =>
      approveBudget(budget.head, { decided: decided(byId), name: 'Approved 05 Oct, 2026', changed, others })
  const notSubmitted = { code: 'notSubmitted', message: 'This budget has not been submitted for approval.' }

  it('is requested by submitting the budget', () => {
    given(created())
      .when((budget) => submitBudget(budget.head, decided(sam)))
      .gives(submitted)
  })
  it('cannot be requested twice', () => {
    given(created(), submitted)
      .when((budget) => submitBudget(budget.head, decided(sam)))
      .isRefused({ code: 'submitted', message: 'This budget has been submitted already.' })
  })
  it('can be requested again after the budget was returned', () => {
    given(created(), submitted, returned)
      .when((budget) => submitBudget(budget.head, decided(sam)))
      .gives(submitted)
  })
  it('cannot be requested for a locked budget', () => {
    given(created(), locked)
      .when((budget) => submitBudget(budget.head, decided(sam)))
      .isRefused(isLocked)
  })
  it('ends with the budget returned and the changes wanted', () => {
    given(created(), submitted)
      .when((budget) => returnBudget(budget.head, decided(kim, { sealedComment: 'sealed' })))
      .gives(returned)
  })
  it('cannot end in a return without saying what to change', () => {
    given(created(), submitted)
      .when((budget) => returnBudget(budget.head, decided(kim)))
      .isRefused({ code: 'invalid', message: 'Enter what needs to change.', fields: ['comment'] })
  })
  it('cannot end in a return before it is requested, nor twice', () => {
    const again = (budget: Budget) => returnBudget(budget.head, decided(kim, { sealedComment: 'sealed' }))
    given(created()).when(again).isRefused(notSubmitted)
    given(created(), submitted, returned).when(again).isRefused(notSubmitted)
  })
  it('cannot end in the return of a locked budget', () => {
    given(created(), submitted, locked)
      .when((budget) => returnBudget(budget.head, decided(kim, { sealedComment: 'sealed' })))
      .isRefused(isLocked)
  })
  it('names the submitted version, sets the version type and locks the budget', () => {
    given(created(), submitted)
      .when(approve(kim))
      .gives(
        { type: 'BudgetMomentNamed', data: { version: 1, name: 'Approved 05 Oct, 2026', at } },
        { type: 'BudgetVersionTypeChosen', data: { versionType: 2 } },
        { type: 'BudgetApproved', data: decided(kim) },
        { type: 'BudgetLocked', data: { lockedAt: at, lockedById: kim } },
      )
  })
  it('does not set the version type if it is already set', () => {
    const types = given(created({ versionType: 2 }), submitted)
      .when(approve(kim))
      .events.map((event) => event.type)
    expect(types).toEqual(['BudgetMomentNamed', 'BudgetApproved', 'BudgetLocked'])
  })
  it('uses the next free name if another version has the name', () => {
    const other = { type: 'BudgetMomentNamed', data: { version: 2, name: 'approved 05 oct, 2026', at } } satisfies BudgetEvent
    const [moment] = given(created(), submitted, other).when(approve(kim)).events
    expect(moment).toEqual({ type: 'BudgetMomentNamed', data: { version: 1, name: 'Approved 05 Oct, 2026 (2)', at } })
  })
  it('is refused to the person who submitted it while others may approve it, who are named', () => {
    const message = (names: string) => `You submitted this budget yourself, so someone else must approve it: ${names}.`
    const own = (others: string[]) => given(created(), submitted).when(approve(sam, { others }))
    own(['Ann']).isRefused({ code: 'secondPerson', message: message('Ann') })
    own(['Ann', 'Ben']).isRefused({ code: 'secondPerson', message: message('Ann or Ben') })
    own(['Ann', 'Ben', 'Cy', 'Di']).isRefused({ code: 'secondPerson', message: message('Ann, Ben, Cy or others') })
  })
  it('is given by the person who submitted it if nobody else may', () => {
    expect(given(created(), submitted).when(approve(sam)).events.at(-1)?.type).toBe('BudgetLocked')
  })
  it('is refused if something has changed since the request', () => {
    given(created(), submitted)
      .when(approve(kim, { changed: true }))
      .isRefused({ code: 'changed', message: 'The budget has changed since it was submitted. Ask for it to be submitted again.' })
  })
  it('is refused before it is requested, and once the budget is locked', () => {
    given(created()).when(approve(kim)).isRefused(notSubmitted)
    given(created(), submitted, locked).when(approve(kim)).isRefused(isLocked)
  })
})
