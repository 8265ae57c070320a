import { describe, expect, it } from 'vitest'
import { completionType, payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import {
  carryForward,
  clearCarriedForward,
  clearEnteredActuals,
  completeMonth,
  enterActual,
  refuseCompletedMonths,
  removeNotes,
  reopenMonth,
  saveNotes,
  saveTolerance,
} from '../../../domain/payroll/decide.ts'
import { describePayrollEvent } from '../../../domain/payroll/describe.ts'
import type { PayrollEvent } from '../../../domain/payroll/events.ts'
import type { PayrollState } from '../../../domain/payroll/evolve.ts'
import {
  buildCarriedForwardKey,
  buildEnteredActualKey,
  buildMonthStateKey,
  buildNoteKey,
  type EmployeeRef,
  type LevelMonth,
  toStaffRef,
} from '../../../domain/payroll/payroll.ts'
import { toBudgetGroupId, toLocationId, toStaffId, toUserId } from '../../../domain/values/ids.ts'
import { givenPayroll } from '../../support/stories/logStory.ts'

const groupId = toBudgetGroupId('9'.repeat(24))
const march: LevelMonth = { year: 2027, month: 3, groupId }
/** The same month at the level of the whole organisation, which has its own notes and completion. */
const ofAll: LevelMonth = { ...march, groupId: null }
const february: LevelMonth = { ...march, month: 2 }
const [ann, ben] = [toStaffRef(toStaffId(1)), toStaffRef(toStaffId(2))]
const northgate = toLocationId(7)

const noted = (employee: EmployeeRef, text: string, month = march): PayrollEvent => ({
  type: 'PayrollNotesSaved',
  data: { ...month, notes: [{ employee, sealedNotes: text }] },
})
const carried = (employee: EmployeeRef, amount: number) => ({ employee, sealedNumber: null, locationId: northgate, amount })
const carriedForward = (month: LevelMonth, ...amounts: [EmployeeRef, number][]): PayrollEvent => ({
  type: 'PayrollCarriedForward',
  data: { ...month, carried: amounts.map(([employee, amount]) => carried(employee, amount)) },
})
const cell = { locationId: northgate, employee: ann, payrollCodeId: 100 }
const typed = (value: number): PayrollEvent => ({ type: 'PayrollActualTyped', data: { ...march, ...cell, sealedNumber: null, value } })
const figures = { rows: 2, employees: 1, calculated: 100, actual: 90, notCalculated: 0 }
const completed = (month = march): PayrollEvent => ({ type: 'PayrollMonthCompleted', data: { ...month, completionType: 1, figures } })
const reopened: PayrollEvent = { type: 'PayrollMonthReopened', data: { ...march, sealedReason: 'sealed' } }
const isComplete = { code: 'monthComplete', message: 'March 2027 is completed. Reopen it first, with a reason.' }

describe('notes on the employees of a month', () => {
  const save =
    (...notes: [EmployeeRef, string][]) =>
    (state: PayrollState) =>
      saveNotes(
        state,
        march,
        notes.map(([employee, sealedNotes]) => ({ employee, sealedNotes })),
      )

  it('B-216 are saved for one or several, and saving the same again changes nothing', () => {
    givenPayroll(noted(ann, 'Started on the 4th'))
      .when(save([ann, 'Started on the 4th'], [ben, 'Both']))
      .gives(noted(ben, 'Both'))
    givenPayroll(noted(ann, 'Started on the 4th'))
      .when(save([ann, 'Started on the 4th']))
      .changesNothing()
  })
  it('B-210 of a group are separate from those of the whole organisation', () => {
    const log = givenPayroll(noted(ann, 'Of the group'), noted(ann, 'Of the trust', ofAll))
    expect([log.item(buildNoteKey(march, ann)), log.item(buildNoteKey(ofAll, ann))]).toMatchObject([
      { sealedNotes: 'Of the group' },
      { sealedNotes: 'Of the trust' },
    ])
  })
  it('B-217 B-218 are removed for those who have one', () => {
    givenPayroll(noted(ann, 'Here'))
      .when((state) => removeNotes(state, march, [ann, ben]))
      .gives({ type: 'PayrollNotesRemoved', data: { ...march, employees: [ann] } })
    givenPayroll(noted(ann, 'Here'))
      .when((state) => removeNotes(state, ofAll, [ann]))
      .changesNothing()
  })
})

describe('a typed actual', () => {
  it('B-219 belongs to its level, and typing the same again changes nothing', () => {
    const type = (value: number) => (state: PayrollState) => enterActual(state, march, { ...cell, sealedNumber: null, value })
    givenPayroll().when(type(-1_230)).gives(typed(-1_230))
    givenPayroll(typed(5)).when(type(5)).changesNothing()
    expect(givenPayroll(typed(5)).item(buildEnteredActualKey(ofAll, cell))).toBeUndefined()
  })
  it('B-219 is cleared, and then the imported one counts again', () => {
    const clear = (state: PayrollState) => clearEnteredActuals(state, march, [cell, { ...cell, employee: ben }])
    givenPayroll(typed(5))
      .when(clear)
      .gives({ type: 'PayrollTypedCleared', data: { ...march, cells: [cell] } })
    givenPayroll().when(clear).changesNothing()
  })
})

describe('a difference that is carried forward', () => {
  it('B-220 is stored for the next month, replacing an earlier one, and cleared again', () => {
    const carry = (amount: number) => (state: PayrollState) => carryForward(state, march, [carried(ann, amount)])
    givenPayroll(carriedForward(march, [ann, 5]))
      .when(carry(-13_234))
      .gives(carriedForward(march, [ann, -13_234]))
    givenPayroll(carriedForward(march, [ann, 5]))
      .when(carry(5))
      .changesNothing()
    givenPayroll(carriedForward(march, [ann, 5]))
      .when((state) => clearCarriedForward(state, march, [ann, ben]))
      .gives({ type: 'PayrollCarriesCleared', data: { ...march, employees: [ann] } })
  })
})

describe('completing a month', () => {
  const complete =
    (type: number, ...remaining: [EmployeeRef, number][]) =>
    (state: PayrollState) =>
      completeMonth(state, march, { type, remaining: remaining.map(([employee, amount]) => carried(employee, amount)), figures })

  it('B-211 records its result, and who completed it when', () => {
    givenPayroll()
      .when(complete(completionType.complete, [ann, 5]))
      .gives(completed())
    expect(givenPayroll(completed()).item(buildMonthStateKey(march))).toMatchObject({
      state: payrollMonthState.complete,
      figures,
      completed: { by: 1, at: '2027-04-01T09:00:00.000Z' },
    })
  })
  it('B-211 with type 2 first carries forward every remaining difference', () => {
    givenPayroll(carriedForward(march, [ann, 7]))
      .when(complete(completionType.carryForward, [ann, 5], [ben, -9], [toStaffRef(toStaffId(3)), 0]))
      .gives(carriedForward(march, [ben, -9]), { type: 'PayrollMonthCompleted', data: { ...march, completionType: 2, figures } })
  })
  it('B-212 twice is refused', () => {
    givenPayroll(completed()).when(complete(completionType.complete)).isRefused(isComplete)
  })
  it('B-210 for a group leaves that of the whole organisation open', () => {
    expect(givenPayroll(completed()).item(buildMonthStateKey(ofAll))).toBeUndefined()
  })
})

describe('a completed month', () => {
  const changes: Record<string, PayrollEvent> = {
    'a entered actual': typed(5),
    'a entered actual that is cleared': { type: 'PayrollTypedCleared', data: { ...march, cells: [cell] } },
    'a note': noted(ann, 'Late'),
    'a note that is removed': { type: 'PayrollNotesRemoved', data: { ...march, employees: [ann] } },
    'what is carried out of it': carriedForward(march, [ann, 5]),
    'what is carried into it': carriedForward(february, [ann, 5]),
    'what was carried out of it and is cleared': { type: 'PayrollCarriesCleared', data: { ...march, employees: [ann] } },
    'what was carried into it and is cleared': { type: 'PayrollCarriesCleared', data: { ...february, employees: [ann] } },
  }
  it.each(Object.entries(changes))('B-212 accepts no change: %s', (_what, event) => {
    const refuse = (state: PayrollState) => {
      refuseCompletedMonths(state, [event])
      return []
    }
    givenPayroll(completed()).when(refuse).isRefused(isComplete)
    givenPayroll(completed(ofAll)).when(refuse).changesNothing()
    givenPayroll(completed(), reopened).when(refuse).changesNothing()
  })
  it('B-212 accepts no undo of its changes either', () => {
    const log = givenPayroll(noted(ann, 'Before'), carriedForward(february, [ann, 5]), completed())
    for (const version of [1, 2])
      log
        .when((state) => {
          refuseCompletedMonths(state, log.whenUndone(version).events)
          return []
        })
        .isRefused(isComplete)
  })
  it('B-211 is reopened with a reason, and keeps everything', () => {
    givenPayroll(completed())
      .when((state) => reopenMonth(state, march, 'sealed'))
      .gives(reopened)
    const log = givenPayroll(noted(ann, 'Kept'), completed(), reopened)
    expect(log.item(buildNoteKey(march, ann))).toMatchObject({ sealedNotes: 'Kept' })
    expect(log.item(buildMonthStateKey(march))).toMatchObject({
      state: payrollMonthState.open,
      reopened: { by: 1, sealedReason: 'sealed' },
    })
  })
  it('B-211 that is open cannot be reopened', () => {
    givenPayroll()
      .when((state) => reopenMonth(state, march, 'sealed'))
      .isRefused({ code: 'monthOpen', message: 'March 2027 is not completed. There is nothing to reopen.' })
  })
})

describe('undoing a change of a month', () => {
  const cannot = { code: 'newer', message: 'You have changed this since. Undo the newer change first.' }
  it('restores the former state', () => {
    givenPayroll(noted(ann, 'First'), noted(ann, 'Second'))
      .whenUndone(2)
      .gives({
        type: 'PayrollChangeUndone',
        data: {
          undoes: 2,
          things: [{ key: buildNoteKey(march, ann), item: { kind: 'note', ...march, employee: ann, sealedNotes: 'First' } }],
        },
      })
    givenPayroll(carriedForward(march, [ann, 5]))
      .whenUndone(1)
      .gives({ type: 'PayrollChangeUndone', data: { undoes: 1, things: [{ key: buildCarriedForwardKey(march, ann), item: null }] } })
  })
  it('is refused to everybody but the person who made the change', () => {
    givenPayroll(noted(ann, 'First'))
      .whenUndone(1, toUserId(2))
      .isRefused({ code: 'forbidden', message: 'Only the person who made a change can undo it.' })
  })
  it('is refused after a newer change of the same item', () => {
    givenPayroll(noted(ann, 'First'), noted(ann, 'Second')).whenUndone(1).isRefused(cannot)
    const removed: PayrollEvent = { type: 'PayrollNotesRemoved', data: { ...march, employees: [ann] } }
    givenPayroll(noted(ann, 'First'), removed, noted(ann, 'Second'), removed).whenUndone(2).isRefused(cannot)
  })
  it('returns to the start, one change after the other, and repeats them all', () => {
    const story: PayrollEvent[] = [noted(ann, 'First'), noted(ann, 'Second'), noted(ann, 'Third')]
    const undone = (...versions: number[]): PayrollEvent[] => {
      const sofar = [...story]
      for (const version of versions) sofar.push(...givenPayroll(...sofar).whenUndone(version).events)
      return sofar
    }
    const kept = (...versions: number[]) => givenPayroll(...undone(...versions)).item(buildNoteKey(march, ann))
    expect(kept(3)).toMatchObject({ sealedNotes: 'Second' })
    expect(kept(3, 2)).toMatchObject({ sealedNotes: 'First' })
    expect(kept(3, 2, 1)).toBeUndefined()
    expect(kept(3, 2, 1, 6, 5, 4)).toMatchObject({ sealedNotes: 'Third' })
    givenPayroll(...undone(3))
      .whenUndone(3)
      .isRefused({ code: 'newer', message: 'This has already been undone.' })
    givenPayroll(...undone(3, 2))
      .whenUndone(4)
      .isRefused(cannot)
  })
  it('is refused for completing and reopening, which are done again instead', () => {
    const log = givenPayroll(completed(), reopened)
    for (const version of [1, 2])
      log.whenUndone(version).isRefused({
        code: 'notUndone',
        message: 'Completing or reopening a month cannot be undone. Reopen it with a reason, or complete it again.',
      })
  })
})

it('a tolerance saved unchanged changes nothing', () => {
  const saved: PayrollEvent = { type: 'PayrollToleranceSaved', data: { pennies: 5 } }
  givenPayroll()
    .when((state) => saveTolerance(state, 5))
    .gives(saved)
  givenPayroll(saved)
    .when((state) => saveTolerance(state, 5))
    .changesNothing()
})

it('each change of a month is described in a sentence', () => {
  const names = { employee: (employee: EmployeeRef) => (employee === ann ? 'Ann' : 'Ben'), code: (id: number) => `code ${id}` }
  const told = [
    noted(ann, 'x'),
    { type: 'PayrollNotesRemoved', data: { ...march, employees: [ann, ben] } },
    typed(-1_230),
    { type: 'PayrollTypedCleared', data: { ...march, cells: [cell] } },
    carriedForward(march, [ann, -13_234]),
    { type: 'PayrollCarriesCleared', data: { ...march, employees: [ann] } },
    completed(),
    { type: 'PayrollMonthCompleted', data: { ...march, completionType: 2, figures } },
    reopened,
    { type: 'PayrollToleranceSaved', data: { pennies: 5 } },
  ] satisfies PayrollEvent[]
  expect(told.map((event) => describePayrollEvent(event, names))).toEqual([
    'wrote a note on Ann in March 2027',
    'removed the note on Ann and Ben in March 2027',
    'set the actual pay of Ann under code 100 to −£12.30 in March 2027',
    'cleared 1 entered actual for Ann in March 2027',
    'carried −£132.34 forward for Ann from March 2027',
    'cleared the amount carried forward for Ann from March 2027',
    'completed March 2027',
    'completed March 2027 and carried the differences forward',
    'reopened March 2027',
    'set the payroll tolerance to £0.05',
  ])
})
