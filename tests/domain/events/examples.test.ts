import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budgetEventShapes } from '../../../domain/budget/eventSchemas.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { createEmptyBudget, evolve as evolveBudget } from '../../../domain/budget/evolve.ts'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import { monitoringEventShapes } from '../../../domain/monitoring/eventSchemas.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { evolve as evolveMonitoring, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { payrollEventShapes } from '../../../domain/payroll/eventSchemas.ts'
import type { StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { evolve as evolvePayroll, type PayrollState } from '../../../domain/payroll/evolve.ts'
import { type EventShapeReaders, readEventData } from '../../../domain/values/eventSchema.ts'
import { toBudgetId, toLocationId, toOrganisationId, toUserId } from '../../../domain/values/ids.ts'

/** The schemas of each stream’s events, by type. */
const shapes = { budget: budgetEventShapes, monitoring: monitoringEventShapes, payroll: payrollEventShapes }

interface Examples {
  stream: keyof typeof shapes
  /** The types of the preceding events, each taken from its newest example. */
  after: string[]
  /** Several of one schema version if a field is optional. */
  examples: {
    schema: number
    says: string
    data: object
    /** What the fold adds to an old example that lacks fields of today’s schema. */
    reads?: object
  }[]
}

const folder = join(import.meta.dirname, 'examples')
const examplesOf = (type: string): Examples => JSON.parse(readFileSync(join(folder, `${type}.json`), 'utf8'))
const shapesOf = (stream: Examples['stream']): Record<string, EventShapeReaders<unknown>> => shapes[stream]
const newestOf = (type: string): Event => {
  const { stream, examples } = examplesOf(type)
  const newest = shapesOf(stream)[type]!.length
  return { type, schema: newest, data: examples.find(({ schema }) => schema === newest)!.data }
}
const types = Object.values(shapes).flatMap((stream) => Object.keys(stream))

interface Event {
  type: string
  schema: number
  data: object
}

/** The state of a stream after some events. The compiler does not know which event an example is. */
function fold(stream: Examples['stream'], events: readonly Event[]): unknown {
  const budget = createEmptyBudget()
  const monitoring: MonitoringState = createEmptyItems()
  const payroll: PayrollState = createEmptyItems()
  for (const [index, event] of events.entries()) {
    const stored: unknown = {
      type: event.type,
      data: readEventData(shapesOf(stream), event),
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
  it('exist for every event, and for nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual(types.map((type) => `${type}.json`).sort())
  })
  it.each(types)('exist for each schema of %s', (type) => {
    const { stream, examples } = examplesOf(type)
    const versions = shapesOf(stream)[type]!.map((_read, index) => index + 1)
    expect([...new Set(examples.map(({ schema }) => schema))].sort()).toEqual(versions)
  })
})

describe.each(types)('%s', (type) => {
  const { stream, after, examples } = examplesOf(type)
  const before = after.map(newestOf)
  it.each(examples)('are read and folded, schema $schema: $says', ({ schema, data, reads }) => {
    const state = fold(stream, [...before, { type, schema, data }])
    expect(state).toHaveProperty('version', before.length + 1)
    if (reads) expect(state).toEqual(fold(stream, [...before, { type, schema: shapesOf(stream)[type]!.length, data: reads }]))
  })
})
