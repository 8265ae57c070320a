import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import { emptyBudget, evolve as evolveBudget } from '../../../domain/budget/evolve.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { emptyMonitoring, evolve as evolveMonitoring } from '../../../domain/monitoring/evolve.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { emptyPayroll, evolve as evolvePayroll } from '../../../domain/payroll/evolve.ts'
import { toBudgetId, toLocationId, toOrganisationId, toUserId } from '../../../domain/values/ids.ts'

/** How many shapes each event has ever had. A new event, or a new shape of one, needs an example of its own. */
const shapes = {
  budget: {
    BudgetCreated: 3,
    BudgetRenamed: 1,
    BudgetVersionTypeChosen: 1,
    BudgetDeleted: 2,
    BudgetRestored: 1,
    BudgetMomentNamed: 1,
    BudgetSubmitted: 1,
    BudgetReturned: 1,
    BudgetApproved: 2,
    BudgetElementsSaved: 2,
    BudgetLocked: 1,
    StaffContractSaved: 1,
    StaffContractDeleted: 1,
    StaffContractsRecalculated: 1,
    LeaveEarningsKept: 1,
    QuickCalculationSaved: 1,
    QuickCalculationDeleted: 1,
    LevyAllowanceShared: 1,
    EmploymentAllowancePosted: 1,
    BudgetEntrySaved: 2,
    BudgetEntryDeleted: 1,
    IncomeExpenditureCalculationSaved: 1,
    IncomeExpenditureCalculationDeleted: 1,
    FundingPredictionSaved: 1,
    FundingPredictionDeleted: 1,
    PupilNumbersSaved: 1,
    PupilNumbersDeleted: 1,
    OpeningBalanceSaved: 1,
    OpeningBalanceDeleted: 1,
    CommentSaved: 1,
    CommentDeleted: 1,
    ScenarioSaved: 1,
    ScenarioDeleted: 1,
    BudgetEntriesRebased: 2,
    TransfersPosted: 2,
  } satisfies Record<BudgetEvent['type'], number>,
  monitoring: {
    ActualsImported: 1,
    MonthCleared: 1,
    MonthStepTicked: 1,
    MonthStepUnticked: 1,
    MonthEndClosed: 4,
    MonthEndReopened: 1,
    NoteSaved: 1,
    NoteRemoved: 1,
    AdjustmentSaved: 1,
    AdjustmentRemoved: 1,
    ForecastChosen: 1,
    SettingsSaved: 1,
    OpeningCashSaved: 1,
    CashLagChosen: 1,
    CashFloorSaved: 1,
    PackStarted: 1,
    PackSaved: 1,
    PackFinished: 2,
    PackDiscarded: 1,
    ChangeUndone: 1,
  } satisfies Record<MonitoringEvent['type'], number>,
  payroll: {
    PayrollImported: 1,
    PayrollCleared: 1,
    PayrollActualTyped: 1,
    PayrollTypedCleared: 1,
    PayrollNotesSaved: 1,
    PayrollNotesRemoved: 1,
    PayrollCarriedForward: 1,
    PayrollCarriesCleared: 1,
    PayrollMonthCompleted: 1,
    PayrollMonthReopened: 1,
    PayrollToleranceSaved: 1,
    PayrollChangeUndone: 1,
  } satisfies Record<PayrollEvent['type'], number>,
}

interface Examples {
  stream: keyof typeof shapes
  /** The events that come before, each as its newest example has it. */
  after: string[]
  examples: {
    schema: number
    says: string
    data: object
    /** What a fold makes of it, where the shape lacks something that today's has. */
    reads?: object
  }[]
}

const folder = join(import.meta.dirname, 'examples')
const examplesOf = (type: string): Examples => JSON.parse(readFileSync(join(folder, `${type}.json`), 'utf8'))
const newestOf = (type: string): object => {
  const { examples } = examplesOf(type)
  const newest = Math.max(...examples.map(({ schema }) => schema))
  return examples.find(({ schema }) => schema === newest)!.data
}
const types = Object.values(shapes).flatMap((stream) => Object.keys(stream))

interface Event {
  type: string
  data: object
}

/** What a stream comes to. An example is any shape that a log can hold, so that its type is not one of today's. */
function fold(stream: Examples['stream'], events: readonly Event[]): unknown {
  const budget = emptyBudget()
  const monitoring = emptyMonitoring()
  const payroll = emptyPayroll()
  for (const [index, event] of events.entries()) {
    const stored: unknown = {
      ...event,
      organisationId: toOrganisationId(1),
      budgetId: toBudgetId('fbad8414b5727a8a015a9ae4'),
      locationId: toLocationId(1),
      version: index + 1,
      position: index + 1,
      actorId: toUserId(1),
      requestId: 'request',
      occurredAt: `2026-10-0${index + 1}T09:00:00.000Z`,
      previousHash: '',
      hash: '',
    }
    if (stream === 'budget') evolveBudget(budget, stored as StoredEvent)
    else if (stream === 'monitoring') evolveMonitoring(monitoring, stored as StoredMonitoringEvent)
    else evolvePayroll(payroll, stored as StoredPayrollEvent)
  }
  return { budget, monitoring, payroll }[stream]
}

describe('examples of events', () => {
  it('are there of every event, and of nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual(types.map((type) => `${type}.json`).sort())
  })
  for (const [stream, counts] of Object.entries(shapes))
    it.each(Object.entries(counts))(`of ${stream}: %s has one of each of its shapes`, (type, count) => {
      const { examples, stream: own } = examplesOf(type)
      expect(own).toBe(stream)
      expect([...new Set(examples.map(({ schema }) => schema))]).toEqual(Array.from({ length: count }, (_unused, index) => index + 1))
    })
})

describe.each(types)('%s', (type) => {
  const { stream, after, examples } = examplesOf(type)
  const before = after.map((earlier): Event => ({ type: earlier, data: newestOf(earlier) }))
  it.each(examples)('folds, schema $schema: $says', ({ data, reads }) => {
    const state = fold(stream, [...before, { type, data }])
    expect(state).toHaveProperty('version', before.length + 1)
    if (reads) expect(state).toEqual(fold(stream, [...before, { type, data: reads }]))
  })
})
