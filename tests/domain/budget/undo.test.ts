import { describe, expect, it } from 'vitest'
import type { BudgetEvent, EventOf, EventType } from '../../../domain/budget/events.ts'
import { toContractId, toStaffId, type UserId } from '../../../domain/values/ids.ts'
import { oneOfEach, paper } from '../../support/stories/budgetEvents.ts'
import {
  type Budget,
  byUser,
  contractSaved,
  created,
  describeStory,
  given,
  idOf,
  kim,
  type StoryEvent,
  stateAfter,
} from '../../support/stories/budgetStory.ts'

const undo =
  (version: number, actorId?: UserId) =>
  (budget: Budget): BudgetEvent[] =>
    budget.undo(version, actorId)
const cannot = { code: 'cannotUndo', message: 'This change cannot be undone.' }
const newer = { code: 'newer', message: 'A newer change affects this. Undo that first, or make the change yourself.' }
const { BudgetRenamed: renamed, StaffContractDeleted: contractGone, BudgetLocked: locked } = oneOfEach

/** The event that undoes each event, when it was the first of its item; null if it cannot be undone. */
const takenBack: { [T in EventType]: BudgetEvent | null } = {
  BudgetCreated: null,
  BudgetRenamed: { type: 'BudgetRenamed', data: { name: 'First draft', undoes: 2 } },
  BudgetVersionTypeChosen: null,
  BudgetDeleted: null,
  BudgetRestored: null,
  BudgetMomentNamed: null,
  BudgetSubmitted: null,
  BudgetReturned: null,
  BudgetApproved: null,
  BudgetElementsSaved: null,
  BudgetLocked: null,
  StaffContractSaved: { type: 'StaffContractDeleted', data: { id: toContractId(idOf('c')), undoes: 2 } },
  StaffContractDeleted: null,
  StaffContractsRecalculated: null,
  LeaveEarningsKept: null,
  QuickCalculationSaved: null,
  QuickCalculationDeleted: null,
  LevyAllowanceShared: null,
  EmploymentAllowancePosted: null,
  BudgetEntrySaved: { type: 'BudgetEntryDeleted', data: { id: idOf('a'), undoes: 2 } },
  BudgetEntryDeleted: null,
  IncomeExpenditureCalculationSaved: { type: 'IncomeExpenditureCalculationDeleted', data: { id: idOf('d'), undoes: 2 } },
  IncomeExpenditureCalculationDeleted: null,
  FundingPredictionSaved: { type: 'FundingPredictionDeleted', data: { id: idOf('f'), undoes: 2 } },
  FundingPredictionDeleted: null,
  PupilNumbersSaved: { type: 'PupilNumbersDeleted', data: { id: idOf('0'), undoes: 2 } },
  PupilNumbersDeleted: null,
  OpeningBalanceSaved: { type: 'OpeningBalanceDeleted', data: { id: idOf('8'), undoes: 2 } },
  OpeningBalanceDeleted: null,
  CommentSaved: { type: 'CommentDeleted', data: { id: idOf('7'), undoes: 2 } },
  CommentDeleted: null,
  ScenarioSaved: { type: 'ScenarioDeleted', data: { id: idOf('6'), undoes: 2 } },
  ScenarioDeleted: null,
  BudgetEntriesRebased: null,
  TransfersPosted: null,
}
const types = Object.keys(takenBack) as EventType[]
const restorable = types.filter((type) => takenBack[type] && type !== 'BudgetRenamed')
/** A locked or deleted budget accepts no command at all. */
const ends: EventType[] = ['BudgetLocked', 'BudgetDeleted']

describe('undo of a first save', () => {
  it.each(restorable)('%s removes the item', (type) => {
    given(created(), oneOfEach[type]).when(undo(2)).gives(takenBack[type]!)
  })
  it('of a new name restores the old name', () => {
    given(created(), renamed).when(undo(2)).gives(takenBack.BudgetRenamed!)
  })
  it.each(types.filter((type) => !takenBack[type] && !ends.includes(type)))(
    '%s is refused: it is not a save that can be undone',
    (type) => {
      given(created(), oneOfEach[type]).when(undo(2)).isRefused(cannot)
    },
  )
})

describe('undo of a change', () => {
  it.each(restorable)('of %s restores the former state exactly', (type) => {
    const first = oneOfEach[type]
    const story = [created(), first, first]
    const back = given(...story).when(undo(3)).events
    const plain = ({ contracts, items }: ReturnType<typeof stateAfter>) => [
      [...contracts.values()].map(({ version: _version, savedAt: _at, ...contract }) => contract),
      [...items.values()].map(({ version: _version, savedAt: _at, ...item }) => item),
    ]
    expect(plain(stateAfter(...story, ...back))).toEqual(plain(stateAfter(created(), first)))
  })
  it('of a contract restores its earlier fields and names the undone save', () => {
    given(created(), contractSaved(), contractSaved({ position: 'Head of year' }))
      .when(undo(3))
      .gives({ type: 'StaffContractSaved', data: { ...contractSaved().data, undoes: 3 } })
  })
  it('of an undo repeats the save', () => {
    const [back] = given(created(), contractSaved(), contractSaved({ position: 'Head' })).when(undo(3)).events
    given(created(), contractSaved(), contractSaved({ position: 'Head' }), back!)
      .when(undo(4))
      .gives({ type: 'StaffContractSaved', data: { ...contractSaved({ position: 'Head' }).data, undoes: 4 } })
  })
})

const pairs = [
  ['StaffContractSaved', 'StaffContractDeleted'],
  ['BudgetEntrySaved', 'BudgetEntryDeleted'],
  ['IncomeExpenditureCalculationSaved', 'IncomeExpenditureCalculationDeleted'],
  ['FundingPredictionSaved', 'FundingPredictionDeleted'],
  ['PupilNumbersSaved', 'PupilNumbersDeleted'],
  ['OpeningBalanceSaved', 'OpeningBalanceDeleted'],
  ['CommentSaved', 'CommentDeleted'],
  ['ScenarioSaved', 'ScenarioDeleted'],
] as const satisfies [EventType, EventType][]

describe('undo of a deletion', () => {
  it.each(pairs)('restores what %s removed', (saved, deleted) => {
    const event = oneOfEach[saved]
    const [back] = given(created(), event, oneOfEach[deleted]).when(undo(3)).events
    expect(back).toEqual({ ...event, data: { ...event.data, undoes: 3 } })
  })
  it.each(pairs)('is refused once what %s removed exists again', (saved, deleted) => {
    given(created(), oneOfEach[saved], oneOfEach[deleted], oneOfEach[saved]).when(undo(3)).isRefused(newer)
  })
})

/** The same save with another amount, as when somebody goes on typing in one field. */
const savedAs = (pounds: number): BudgetEvent => ({
  type: 'BudgetEntrySaved',
  data: { id: paper.id, item: { ...paper, years: paper.years.map((year, at) => (at ? year : { ...year, amount: pounds })) } },
})
const describedAs = (description: string, pounds = 11_111): BudgetEvent => {
  const { data } = savedAs(pounds) as EventOf<'BudgetEntrySaved'>
  return { type: 'BudgetEntrySaved', data: { ...data, item: { ...data.item, description } } }
}
const amountNow = (...told: StoryEvent[]): number | null | undefined => {
  const [stored] = given(...told).budget.items('entry')
  return stored?.item.years[0]?.amount
}

describe('undo after undo', () => {
  const typed = [created(), savedAs(11_111), savedAs(22_222), savedAs(33_333)]
  /** Undoes the versions one after the other. */
  const undone = (story: StoryEvent[], ...versions: number[]): StoryEvent[] => {
    const sofar = [...story]
    for (const version of versions) sofar.push(...given(...sofar).budget.undo(version))
    return sofar
  }

  it('returns to the start: after 111.11, 222.22 and 333.33 three undos leave the original state', () => {
    expect(amountNow(...undone(typed, 4))).toBe(22_222)
    expect(amountNow(...undone(typed, 4, 3))).toBe(11_111)
    expect(given(...undone(typed, 4, 3, 2)).budget.items('entry')).toEqual([])
  })
  it('repeats all changes one by one, and returns again', () => {
    const back = undone(typed, 4, 3, 2)
    expect(amountNow(...undone(back, 7))).toBe(11_111)
    expect(amountNow(...undone(back, 7, 6))).toBe(22_222)
    const again = undone(back, 7, 6, 5)
    expect(amountNow(...again)).toBe(33_333)
    expect(amountNow(...undone(again, 10))).toBe(22_222)
    expect(amountNow(...undone(again, 4))).toBe(22_222)
  })
  it('is refused out of order: an older change before a newer one, or one already undone', () => {
    given(...typed)
      .when(undo(3))
      .isRefused(newer)
    given(...undone(typed, 4))
      .when(undo(4))
      .isRefused({ code: 'newer', message: 'This has already been undone.' })
    given(...undone(typed, 4, 3))
      .when(undo(5))
      .isRefused(newer)
  })
  it('stops at a change made after the undone one', () => {
    const story = [...undone(typed, 4), savedAs(44_444)]
    given(...story)
      .when(undo(3))
      .isRefused(newer)
    expect(amountNow(...undone(story, 6, 3))).toBe(11_111)
  })
  it.each(restorable)('returns to the start for %s too', (type) => {
    const event = oneOfEach[type]
    const story = undone([created(), event, event, event], 4, 3, 2)
    const { contracts, items } = stateAfter(...story)
    expect([...contracts.keys(), ...items.keys()]).toEqual([])
  })
  it('returns through the names of a budget', () => {
    const called = (name: string): BudgetEvent => ({ type: 'BudgetRenamed', data: { name } })
    const story = [created(), called('Second'), called('Third'), called('Fourth')]
    expect(stateAfter(...undone(story, 4, 3, 2)).head?.name).toBe('First draft')
  })
  it('of many saves at once undoes several saves of the same item in turn', () => {
    const lines = describeStory(...undone(typed, 4)).map(({ version, undoable }) => [version, undoable])
    expect(lines).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, false],
      [5, true],
    ])
  })
})

describe('undo beside changes of the same item by somebody else', () => {
  it('restores the user’s own field, and leaves what the other changed', () => {
    const story = [created(), savedAs(11_111), savedAs(22_222), byUser(kim, describedAs('Paper and card', 22_222))]
    const [back] = given(...story).when(undo(3)).events
    expect(back).toEqual({ type: 'BudgetEntrySaved', data: { ...describedAs('Paper and card').data, undoes: 3 } })
    expect(describeStory(...story)[2]).toMatchObject({ version: 3, undoable: true })
  })
  it('is stopped by another change of the same field, with a sentence that names who changed what', () => {
    given(created(), savedAs(11_111), savedAs(22_222), byUser(kim, savedAs(33_333)))
      .when(undo(3))
      .isRefused({
        code: 'newer',
        message: 'Kim Baker has changed 2026/27, 2027/28 and 2028/29 since. Make the change yourself, or ask them to undo theirs first.',
      })
  })
  it('is stopped even if the other has restored the former value', () => {
    given(created(), savedAs(11_111), savedAs(22_222), byUser(kim, savedAs(33_333)), byUser(kim, savedAs(22_222)))
      .when(undo(3))
      .isRefused({
        code: 'newer',
        message: 'Kim Baker has changed 2026/27, 2027/28 and 2028/29 since. Make the change yourself, or ask them to undo theirs first.',
      })
  })
  it('is allowed once the other has undone that change', () => {
    const story = [created(), savedAs(11_111), savedAs(22_222), byUser(kim, savedAs(33_333))]
    const theirs = given(...story).budget.undo(4, kim)
    expect(
      amountNow(
        ...story,
        ...theirs.map((event) => byUser(kim, event)),
        ...given(...story, ...theirs.map((event) => byUser(kim, event))).budget.undo(3),
      ),
    ).toBe(11_111)
  })
  it('is stopped if the other has deleted the item, or has changed an added item', () => {
    given(created(), savedAs(11_111), savedAs(22_222), byUser(kim, oneOfEach.BudgetEntryDeleted)).when(undo(3)).isRefused({
      code: 'newer',
      message: 'Kim Baker has deleted this since. Make the change yourself, or ask them to undo theirs first.',
    })
    given(created(), savedAs(11_111), byUser(kim, describedAs('Paper and card')))
      .when(undo(2))
      .isRefused({
        code: 'newer',
        message: 'Kim Baker has changed this since. Make the change yourself, or ask them to undo theirs first.',
      })
  })
  it('treats the rows of a contract separately: a row with another date that somebody else changed stays', () => {
    const first = contractSaved()
    const [row] = first.data.contract.salary
    const later = { ...row!, effectiveDate: '2027-09-01', fte: 0.5 }
    const withRows = (salary: typeof first.data.contract.salary): BudgetEvent => contractSaved({ salary })
    const story = [
      created(),
      withRows([row!, later]),
      withRows([{ ...row!, fte: 0.9 }, later]),
      byUser(
        kim,
        withRows([
          { ...row!, fte: 0.9 },
          { ...later, fte: 0.4 },
        ]),
      ),
    ]
    const [back] = given(...story).when(undo(3)).events
    expect(back).toEqual({
      type: 'StaffContractSaved',
      data: { ...first.data, contract: { ...first.data.contract, salary: [row!, { ...later, fte: 0.4 }] }, undoes: 3 },
    })
  })
})

describe('undo is refused', () => {
  it.each(pairs)('after %s, once something newer has changed the same item', (saved, deleted) => {
    given(created(), oneOfEach[saved], oneOfEach[saved]).when(undo(2)).isRefused(newer)
    given(created(), oneOfEach[saved], oneOfEach[deleted]).when(undo(2)).isRefused(newer)
  })
  it('once the budget has been renamed again, even to the same name', () => {
    const other: BudgetEvent = { type: 'BudgetRenamed', data: { name: 'Third draft' } }
    given(created(), renamed, other).when(undo(2)).isRefused(newer)
    given(created(), renamed, other, renamed).when(undo(2)).isRefused(newer)
  })
  it('for anybody but the person who made the change', () => {
    const notYours = { code: 'forbidden', message: 'Only the person who made a change can undo it.' }
    given(created(), contractSaved()).when(undo(2, kim)).isRefused(notYours)
    given(created(), byUser(kim, contractSaved())).when(undo(2)).isRefused(notYours)
  })
  it('once the budget is locked', () => {
    given(created(), contractSaved(), locked).when(undo(2)).isRefused({ code: 'locked', message: 'This budget is locked.' })
  })
  it('while another contract of the employee has the name that would come back', () => {
    const other = contractSaved({ id: toContractId(idOf('1')), contractName: 'CLASS teacher' })
    const taken = {
      code: 'taken',
      message: 'Another contract of this employee is now called Class teacher. Rename that one first.',
    }
    given(created(), contractSaved(), contractSaved({ contractName: 'Head' }), other)
      .when(undo(3))
      .isRefused(taken)
    given(created(), contractSaved(), contractGone, other).when(undo(3)).isRefused(taken)
  })
  it.each<[string, BudgetEvent, BudgetEvent, BudgetEvent]>([
    [
      'calculation',
      oneOfEach.IncomeExpenditureCalculationSaved,
      oneOfEach.IncomeExpenditureCalculationDeleted,
      { type: 'IncomeExpenditureCalculationSaved', data: { ...oneOfEach.IncomeExpenditureCalculationSaved.data, id: idOf('1') } },
    ],
    [
      'funding prediction',
      oneOfEach.FundingPredictionSaved,
      oneOfEach.FundingPredictionDeleted,
      { type: 'FundingPredictionSaved', data: { ...oneOfEach.FundingPredictionSaved.data, id: idOf('1') } },
    ],
    [
      'pupil numbers',
      oneOfEach.PupilNumbersSaved,
      oneOfEach.PupilNumbersDeleted,
      { type: 'PupilNumbersSaved', data: { ...oneOfEach.PupilNumbersSaved.data, id: idOf('1') } },
    ],
    [
      'opening balance',
      oneOfEach.OpeningBalanceSaved,
      oneOfEach.OpeningBalanceDeleted,
      { type: 'OpeningBalanceSaved', data: { ...oneOfEach.OpeningBalanceSaved.data, id: idOf('1') } },
    ],
    [
      'scenario',
      oneOfEach.ScenarioSaved,
      oneOfEach.ScenarioDeleted,
      { type: 'ScenarioSaved', data: { ...oneOfEach.ScenarioSaved.data, id: idOf('1') } },
    ],
  ])('while another %s is in its place', (words, saved, deleted, other) => {
    given(created(), saved, deleted, other)
      .when(undo(3))
      .isRefused({
        code: 'taken',
        message: `Another ${words === 'pupil numbers' ? 'set of pupil numbers' : words} has taken its place. Change or delete that one first.`,
      })
  })
  it('while the same calculation has made another entry', () => {
    const made = { ...paper, source: { kind: 'calculation', id: idOf('d') } } as const
    const other = { ...made, id: idOf('1') }
    given(created(), { type: 'BudgetEntrySaved', data: { id: made.id, item: made } }, oneOfEach.BudgetEntryDeleted, {
      type: 'BudgetEntrySaved',
      data: { id: other.id, item: other },
    })
      .when(undo(3))
      .isRefused({ code: 'taken', message: 'Another budget entry has taken its place. Change or delete that one first.' })
  })
})

describe('undo beside other users’ items', () => {
  it('is allowed if another employee’s contract has the same name', () => {
    const other = contractSaved({ id: toContractId(idOf('1')), staffId: toStaffId(8) })
    expect(given(created(), contractSaved(), contractGone, other).when(undo(3)).events).toHaveLength(1)
  })
  it('is allowed if two vacancies have the same name', () => {
    const [one, other] = [contractSaved({ staffId: null }), contractSaved({ id: toContractId(idOf('1')), staffId: null })]
    expect(given(created(), one, contractGone, other).when(undo(3)).events).toHaveLength(1)
  })
  it('is allowed if two entries have the same description', () => {
    const other: BudgetEvent = { type: 'BudgetEntrySaved', data: { id: idOf('1'), item: { ...paper, id: idOf('1') } } }
    expect(given(created(), oneOfEach.BudgetEntrySaved, oneOfEach.BudgetEntryDeleted, other).when(undo(3)).events).toHaveLength(1)
  })
})
