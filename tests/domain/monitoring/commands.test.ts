import { describe, expect, it } from 'vitest'
import { chooseCashLag, saveCashFloor, saveOpeningCash } from '../../../domain/monitoring/cash.ts'
import { accrueBackPay, copyAdjustment, refuseRepeatedFile, saveAdjustment } from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import { findMonthEnd, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { buildMonthKey, buildNoteOrAdjustmentKey, type CodeSubject, type MonthEndStep } from '../../../domain/monitoring/monitoring.ts'
import { closeMonthEnd, markMonthEndStep, refuseClosedMonthEnds, reopenMonthEnd } from '../../../domain/monitoring/monthEnd.ts'
import { toBudgetGroupId, toUserId } from '../../../domain/values/ids.ts'
import { givenMonitoring } from '../../support/stories/logStory.ts'

const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }

const imported = (month = september): MonitoringEvent => ({
  type: 'ActualsImported',
  data: { ...month, mode: 1, digest: 'file', closes: true, lines: [] },
})
const ticked = (step: MonthEndStep): MonitoringEvent => ({ type: 'MonthStepTicked', data: { ...september, step } })
const kept = { adjusted: { groupId: null, adjustments: [] }, forecast: [], start: { year: 2026, month: 4 } }
const closed: MonitoringEvent = { type: 'MonthEndClosed', data: { ...september, ...kept } }
const reopened: MonitoringEvent = { type: 'MonthEndReopened', data: { ...september, sealedReason: 'sealed' } }

describe('the month end of a school', () => {
  const tick =
    (step: MonthEndStep, isDone = true) =>
    (state: MonitoringState) =>
      markMonthEndStep(state, { month: september, step, isDone })
  const close = (state: MonitoringState) => closeMonthEnd(state, september, kept)
  const reopen = (state: MonitoringState) => reopenMonthEnd(state, september, 'sealed')

  it('has each step ticked once, and unticked again', () => {
    givenMonitoring().when(tick('payroll')).gives(ticked('payroll'))
    givenMonitoring(ticked('payroll')).when(tick('payroll')).changesNothing()
    givenMonitoring(ticked('payroll'))
      .when(tick('payroll', false))
      .gives({ type: 'MonthStepUnticked', data: { ...september, step: 'payroll' } })
    givenMonitoring().when(tick('payroll', false)).changesNothing()
  })
  it('keeps its ticks when it is closed', () => {
    const isClosed = { code: 'monthClosed', message: 'September 2026 is closed. Reopen it with a reason first.' }
    givenMonitoring(closed).when(tick('pack')).isRefused(isClosed)
    givenMonitoring(ticked('pack'), closed).when(tick('pack', false)).isRefused(isClosed)
  })
  it('is closed with the present adjustments and forecast, once', () => {
    givenMonitoring().when(close).gives(closed)
    givenMonitoring(closed).when(close).changesNothing()
    givenMonitoring(closed, reopened).when(close).gives(closed)
  })
  it('is reopened with a reason, once, and keeps its ticks', () => {
    givenMonitoring(closed).when(reopen).gives(reopened)
    givenMonitoring().when(reopen).changesNothing()
    const { state } = givenMonitoring(ticked('payroll'), closed, reopened)
    expect(findMonthEnd(state, september)).toMatchObject({
      closed: null,
      ticks: { payroll: { by: 1 } },
      reopened: { sealedReason: 'sealed' },
    })
  })
  it('that is closed refuses imports, clearing and ticks, while another month accepts them', () => {
    const refuse = (event: MonitoringEvent) => (state: MonitoringState) => {
      refuseClosedMonthEnds(state, [event], 'Northgate')
      return []
    }
    const isClosed = { code: 'monthClosed', message: 'September 2026 is closed at Northgate. Reopen it with a reason first.' }
    const undone: MonitoringEvent = { type: 'ChangeUndone', data: { undoes: 1, things: [{ key: buildMonthKey(september), item: null }] } }
    for (const event of [imported(), { type: 'MonthCleared', data: september } as const, ticked('pack'), undone])
      givenMonitoring(closed).when(refuse(event)).isRefused(isClosed)
    givenMonitoring(closed)
      .when(refuse(imported(october)))
      .changesNothing()
    givenMonitoring(closed, reopened).when(refuse(imported())).changesNothing()
  })
})

describe('adjustments for unpaid back pay', () => {
  const about: CodeSubject = { ...september, groupId: toBudgetGroupId('9'.repeat(24)), budgetCodeId: 7, type: 1 }
  const adjusted = (value: number, backPay?: number): MonitoringEvent => ({
    type: 'AdjustmentSaved',
    data: { ...about, value, ...(backPay !== undefined && { backPay }) },
  })
  const adjust = (value: number) => (state: MonitoringState) => saveAdjustment(state, about, value)
  const accrue = (backPay: number) => (state: MonitoringState) => accrueBackPay(state, about, backPay)
  const copy = (last: { value: number; backPay?: number }) => (state: MonitoringState) => copyAdjustment(state, about, last)

  it('keep their back pay when somebody adjusts by hand', () => {
    givenMonitoring().when(adjust(-5_000)).gives(adjusted(-5_000))
    givenMonitoring(adjusted(12_000, 7_000)).when(adjust(9_000)).gives(adjusted(9_000, 7_000))
  })
  it('are added to manual adjustments, and replace earlier back pay', () => {
    givenMonitoring().when(accrue(7_000)).gives(adjusted(7_000, 7_000))
    givenMonitoring(adjusted(1_000)).when(accrue(7_000)).gives(adjusted(8_000, 7_000))
    givenMonitoring(adjusted(8_000, 7_000)).when(accrue(10_000)).gives(adjusted(11_000, 10_000))
    givenMonitoring(adjusted(8_000, 7_000)).when(accrue(7_000)).changesNothing()
  })
  it('leave the manual adjustment, or none, once nothing is unpaid', () => {
    givenMonitoring(adjusted(8_000, 7_000)).when(accrue(0)).gives(adjusted(1_000))
    givenMonitoring(adjusted(7_000, 7_000)).when(accrue(0)).gives({ type: 'AdjustmentRemoved', data: about })
    givenMonitoring().when(accrue(0)).changesNothing()
  })
  it('are not copied from the previous month with the manual ones', () => {
    givenMonitoring()
      .when(copy({ value: 12_000, backPay: 7_000 }))
      .gives(adjusted(5_000))
    givenMonitoring()
      .when(copy({ value: 5_000 }))
      .gives(adjusted(5_000))
    givenMonitoring()
      .when(copy({ value: 7_000, backPay: 7_000 }))
      .changesNothing()
  })
})

describe('the settings of the cash forecast', () => {
  const opening = (value: number | null, year = 2026): MonitoringEvent => ({ type: 'OpeningCashSaved', data: { year, value } })
  const saveOpening = (value: number | null) => (state: MonitoringState) => saveOpeningCash(state, 2026, value)
  const lagged = (budgetCodeIds: number[], lag: number | null): MonitoringEvent => ({ type: 'CashLagChosen', data: { budgetCodeIds, lag } })
  const choose = (ids: number[], lag: number | null) => (state: MonitoringState) => chooseCashLag(state, ids, lag)
  const floored = (value: number | null): MonitoringEvent => ({ type: 'CashFloorSaved', data: { value } })
  const saveFloor = (value: number | null) => (state: MonitoringState) => saveCashFloor(state, value)

  it('include the cash of a year, which is typed, changed and removed', () => {
    givenMonitoring().when(saveOpening(1_525_546)).gives(opening(1_525_546))
    givenMonitoring(opening(5, 2025)).when(saveOpening(5)).gives(opening(5))
    givenMonitoring(opening(1_525_546)).when(saveOpening(1_525_546)).changesNothing()
    givenMonitoring(opening(0)).when(saveOpening(null)).gives(opening(null))
    givenMonitoring(opening(5), opening(null)).when(saveOpening(null)).changesNothing()
  })
  it('let a code be paid up to three months after its period, and record each code that changes', () => {
    givenMonitoring()
      .when(choose([7, 8, 7], 0))
      .gives(lagged([7, 8], 0))
    givenMonitoring(lagged([7], 2))
      .when(choose([7, 8], 2))
      .gives(lagged([8], 2))
    givenMonitoring(lagged([7], 2))
      .when(choose([7], 2))
      .changesNothing()
    givenMonitoring(lagged([7], 2))
      .when(choose([7, 8], null))
      .gives(lagged([7], null))
  })
  it('do not let a code be paid before its period, after part of a month, or more than three months later', () => {
    for (const lag of [-1, 0.5, 4])
      givenMonitoring()
        .when(choose([7], lag))
        .isRefused({ code: 'invalid', message: 'Choose 0 to 3 months.', fields: ['lag'] })
  })
  it('include the minimum below which cash is warned about, which is typed and removed', () => {
    givenMonitoring().when(saveFloor(5_000_000)).gives(floored(5_000_000))
    givenMonitoring(floored(5_000_000)).when(saveFloor(5_000_000)).changesNothing()
    givenMonitoring(floored(5_000_000)).when(saveFloor(null)).gives(floored(null))
    givenMonitoring().when(saveFloor(null)).changesNothing()
  })
})

it('a file that was already imported is refused with the month and time of its import', () => {
  givenMonitoring()
    .when(() => refuseRepeatedFile({ ...september, at: '2026-10-05T09:00:00.000Z' }))
    .isRefused({
      code: 'sameFile',
      message: 'The same file was imported for September 2026 on 05 Oct 2026, 10:00. Import it again only if you mean to.',
    })
})

describe('undoing a change of monitoring', () => {
  const about: CodeSubject = { ...september, groupId: null, budgetCodeId: 7, type: 1 }
  const noted = (sealedNotes: string): MonitoringEvent => ({ type: 'NoteSaved', data: { ...about, sealedNotes } })
  const key = buildNoteOrAdjustmentKey('note', about)
  const undone = (undoes: number, sealedNotes: string | null): MonitoringEvent => ({
    type: 'ChangeUndone',
    data: { undoes, things: [{ key, item: sealedNotes === null ? null : { kind: 'note', ...about, sealedNotes } }] },
  })

  it('restores the former state, or that there was none', () => {
    givenMonitoring(noted('first'), noted('second')).whenUndone(2).gives(undone(2, 'first'))
    givenMonitoring(noted('first')).whenUndone(1).gives(undone(1, null))
  })
  it('returns to the start, and then repeats all changes', () => {
    const story = [noted('first'), noted('second'), undone(2, 'first')]
    givenMonitoring(...story)
      .whenUndone(1)
      .gives(undone(1, null))
    givenMonitoring(...story)
      .whenUndone(3)
      .gives(undone(3, 'second'))
  })
  it('is refused to everybody but the person who made the change', () => {
    givenMonitoring(noted('first'))
      .whenUndone(1, toUserId(2))
      .isRefused({ code: 'forbidden', message: 'Only the person who made a change can undo it.' })
  })
  it('is refused after a newer change of the same item, and a second time', () => {
    givenMonitoring(noted('first'), noted('second'))
      .whenUndone(1)
      .isRefused({ code: 'newer', message: 'You have changed this since. Undo the newer change first.' })
    givenMonitoring(noted('first'), undone(1, null)).whenUndone(1).isRefused({ code: 'newer', message: 'This has already been undone.' })
  })
  it('is refused for closing and reopening a month, which are done again instead', () => {
    const refused = (message: string) => ({ code: 'notUndone', message })
    givenMonitoring(closed, reopened)
      .whenUndone(1)
      .isRefused(refused('Closing a month cannot be undone. Reopen the month and give a reason.'))
    givenMonitoring(closed, reopened).whenUndone(2).isRefused(refused('Reopening a month cannot be undone. Close the month again.'))
  })
})
