import { describe, expect, it } from 'vitest'
import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import { findMonthEnd } from '../../../domain/monitoring/evolve.ts'
import { listMonthEndObstacles } from '../../../domain/monitoring/monthEnd.ts'
import { givenMonitoring } from '../../support/stories/logStory.ts'

const september = { year: 2026, month: 9 }
const ticked = (step: 'payroll' | 'adjustments' | 'pack'): MonitoringEvent => ({ type: 'MonthStepTicked', data: { ...september, step } })
const closed: MonitoringEvent = { type: 'MonthEndClosed', data: september }
const reopened: MonitoringEvent = { type: 'MonthEndReopened', data: { ...september, sealedReason: 'sealed' } }
const ready = { actualsIn: true, toExplain: 0, toAct: 0, openBefore: null }

describe('a month end', () => {
  it('shows who ticked a step and when, and forgets it when it is unticked', () => {
    const tick = { by: 1, at: '2027-04-01T09:00:00.000Z' }
    expect(findMonthEnd(givenMonitoring(ticked('payroll')).state, september).ticks).toEqual({ payroll: tick })
    const untick: MonitoringEvent = { type: 'MonthStepUnticked', data: { ...september, step: 'payroll' } }
    expect(findMonthEnd(givenMonitoring(ticked('pack'), ticked('payroll'), untick).state, september).ticks).toEqual({ pack: tick })
  })
  it('can be closed when everything is done, and otherwise lists what is missing, in the order of the checklist', () => {
    const all = { payroll: true, adjustments: true, pack: true }
    expect(listMonthEndObstacles(all, ready)).toEqual([])
    expect(listMonthEndObstacles({}, { actualsIn: false, toExplain: 1, toAct: 2, openBefore: { year: 2026, month: 8 } })).toEqual([
      'no actuals yet',
      'payroll is not reconciled',
      'adjustments are not made',
      '1 line needs a reason',
      '2 lines need an action',
      'the pack is not finished',
      'August 2026 is not closed',
    ])
  })
  it('is described in sentences', () => {
    const told = [ticked('payroll'), { type: 'MonthStepUnticked', data: { ...september, step: 'pack' } } as const, closed, reopened]
    expect(told.map((event) => describeMonitoringEvent(event, String))).toEqual([
      'ticked payroll reconciled for September 2026',
      'unticked pack made for September 2026',
      'closed September 2026',
      'reopened September 2026',
    ])
  })
})
