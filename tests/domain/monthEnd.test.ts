import { describe, expect, it } from 'vitest'
import { undoMonitoringChange } from '../../domain/monitoring/decide.ts'
import { describeMonitoringEvent } from '../../domain/monitoring/describe.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../domain/monitoring/events.ts'
import { emptyMonitoring, evolve, findMonthEnd, type MonitoringState } from '../../domain/monitoring/evolve.ts'
import {
  closeMonthEnd,
  listMonthEndObstacles,
  refuseClosedMonthEnds,
  reopenMonthEnd,
  requiredOpenMonthEnds,
  tickStep,
} from '../../domain/monitoring/monthEnd.ts'
import { userIdOf } from '../../domain/values/ids.ts'

const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }
const at = '2026-10-05T09:00:00.000Z'
const stored = (event: MonitoringEvent, version: number): StoredMonitoringEvent =>
  ({ ...event, version, occurredAt: at, actorId: 7 }) as StoredMonitoringEvent

function given(...events: MonitoringEvent[]): MonitoringState {
  const state = emptyMonitoring()
  events.forEach((event, index) => evolve(state, stored(event, index + 1)))
  return state
}

const ticked = (step: 'payroll' | 'adjustments' | 'pack'): MonitoringEvent => ({ type: 'MonthStepTicked', data: { ...september, step } })
const closed: MonitoringEvent = { type: 'MonthEndClosed', data: september }
const reopened: MonitoringEvent = { type: 'MonthEndReopened', data: { ...september, sealedReason: 'sealed' } }
const imported = (month = september): MonitoringEvent => ({
  type: 'ActualsImported',
  data: { ...month, mode: 1, digest: 'd', closes: true, lines: [] },
})
const ready = { actualsIn: true, toExplain: 0, toAct: 0, openBefore: null }

describe('a month end', () => {
  it('says who ticked a step and when, and forgets it when the tick is taken back', () => {
    expect(findMonthEnd(given(ticked('payroll')), september).ticks).toEqual({ payroll: { by: 7, at } })
    const untick: MonitoringEvent = { type: 'MonthStepUnticked', data: { ...september, step: 'payroll' } }
    expect(findMonthEnd(given(ticked('payroll'), ticked('pack'), untick), september).ticks).toEqual({ pack: { by: 7, at } })
  })
  it('can be closed when everything is done, and says what is missing otherwise, in the order of the list', () => {
    const all = { payroll: true, adjustments: true, pack: true }
    expect(listMonthEndObstacles(all, ready)).toEqual([])
    expect(listMonthEndObstacles({}, { actualsIn: false, toExplain: 1, toAct: 2, openBefore: { year: 2026, month: 8 } })).toEqual([
      'actuals are not in',
      'payroll is not reconciled',
      'adjustments are not made',
      '1 line needs a reason',
      '2 lines need an action',
      'the pack is not made',
      'August 2026 is not closed',
    ])
  })
  it('that is closed takes no import, no clearing and no tick of its month, and takes those of another', () => {
    const state = given(closed)
    for (const event of [imported(), { type: 'MonthCleared', data: september } as const, ticked('pack')])
      expect(() => refuseClosedMonthEnds(state, [event], 'Northgate')).toThrow(
        'September 2026 is closed at Northgate. Reopen it with a reason first.',
      )
    expect(() => refuseClosedMonthEnds(state, [imported(october)], 'Northgate')).not.toThrow()
    expect(() => tickStep(state, { month: september, step: 'payroll', isDone: true })).toThrow('September 2026 is closed.')
    expect(closeMonthEnd(state, september, { adjusted: { groupId: null, adjustments: [] }, forecast: [] })).toEqual([])
  })
  it('that is closed does not let an import of its month be taken back', () => {
    const state = given(imported(), closed)
    const [undone] = undoMonitoringChange(stored(imported(), 1), {
      actorId: userIdOf(7),
      before: emptyMonitoring(),
      later: [stored(closed, 2)],
      nameOf: () => '',
    })
    expect(requiredOpenMonthEnds(undone!)).toEqual(['monthEnd 2026-09'])
    expect(() => refuseClosedMonthEnds(state, [undone!], 'Northgate')).toThrow('is closed')
  })
  it('is open again after it was reopened, with the ticks that stood', () => {
    const state = given(ticked('payroll'), closed, reopened)
    expect(findMonthEnd(state, september)).toMatchObject({
      closed: null,
      ticks: { payroll: { by: 7 } },
      reopened: { by: 7, at, sealedReason: 'sealed' },
    })
    expect(() => refuseClosedMonthEnds(state, [imported()], 'Northgate')).not.toThrow()
    expect(reopenMonthEnd(state, september, 'again')).toEqual([])
  })
  it('is closed and reopened by saying so, not by taking a change back; a tick is taken back', () => {
    for (const event of [closed, reopened])
      expect(() =>
        undoMonitoringChange(stored(event, 2), { actorId: userIdOf(7), before: given(ticked('payroll')), later: [], nameOf: () => '' }),
      ).toThrow('with a reason')
    const before = given()
    const now = given(ticked('payroll'))
    const [back] = undoMonitoringChange(stored(ticked('payroll'), 1), { actorId: userIdOf(7), before, later: [], nameOf: () => '' })
    evolve(now, stored(back!, 2))
    expect(findMonthEnd(now, september).ticks).toEqual({})
  })
  it('is told in sentences', () => {
    const told = [ticked('payroll'), { type: 'MonthStepUnticked', data: { ...september, step: 'pack' } } as const, closed, reopened]
    expect(told.map((event) => describeMonitoringEvent(event, String))).toEqual([
      'ticked payroll reconciled for September 2026',
      'took back the tick of pack made for September 2026',
      'closed September 2026',
      'reopened September 2026',
    ])
  })
})
