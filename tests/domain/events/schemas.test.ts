import { expect, it } from 'vitest'
import { z } from 'zod'
import { budgetEventShapes, upcastCreated, upcastSettings } from '../../../domain/budget/eventSchemas.ts'
import { monitoringEventShapes } from '../../../domain/monitoring/eventSchemas.ts'
import { payrollEventShapes } from '../../../domain/payroll/eventSchemas.ts'
import type { PayrollEventType } from '../../../domain/payroll/events.ts'
import { budgetTableKindNames } from '../../../domain/resources/entities/budget/budget.ts'
import { DamagedEventError, type EventShapeReaders, getNewestSchema, readEventData, schemaOf } from '../../../domain/values/eventSchema.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const table = { effectiveDate: '2026-09-01', adminTableId: 3 }
const settings = { numberOfYears: 3, staffAssumptionsId: 1, contractTypeIds: [1], elements: { teacherPayScales: [table] } }

it('settings from before non-staff money are read without inflation and without tables of later kinds', () => {
  const { elements, ...rest } = upcastSettings(settings)
  expect(rest).toEqual({ numberOfYears: 3, staffAssumptionsId: 1, contractTypeIds: [1], inflationId: null })
  expect(Object.keys(elements)).toEqual(budgetTableKindNames)
  expect(elements.teacherPayScales).toEqual([table])
  expect(elements.gagPoolTables).toEqual([])
})

it('settings that already had an inflation and all tables are read unchanged', () => {
  const complete = { ...upcastSettings(settings), inflationId: 7 }
  expect(upcastSettings(complete)).toEqual(complete)
})

it('a budget from before copies and version types is read as a working budget that was not copied', () => {
  const head = { ...settings, locationId: toLocationId(1), name: '2026/27', firstYear: 2026, startMonth: 9 }
  expect(upcastCreated(head)).toMatchObject({ ...head, elements: upcastSettings(settings).elements, versionType: 1, source: null })
})

it('a budget that already had a version type and a source keeps them', () => {
  const head = { ...settings, locationId: toLocationId(1), name: '2026/27', firstYear: 2026, startMonth: 9, versionType: 4, source: null }
  expect(upcastCreated(head)).toMatchObject({ versionType: 4, source: null })
})

it('new events have the newest schema', () => {
  expect(getNewestSchema(budgetEventShapes, 'BudgetCreated')).toBe(2)
  expect(getNewestSchema(budgetEventShapes, 'BudgetElementsSaved')).toBe(2)
  const others = [budgetEventShapes, monitoringEventShapes, payrollEventShapes].flatMap((shapes) =>
    Object.entries<EventShapeReaders<unknown>>(shapes),
  )
  expect(others.filter(([, shapes]) => shapes.length > 1).map(([type]) => type)).toEqual(['BudgetCreated', 'BudgetElementsSaved'])
})

it.each([
  [
    'a schema that this version does not know',
    { type: 'BudgetRenamed', schema: 2, data: { name: 'A' } },
    'Schema 2 of BudgetRenamed is not known; the newest is 1.',
  ],
  ['a type that this version does not know', { type: 'BudgetMelted', schema: 1, data: {} }, 'The type BudgetMelted is not known.'],
  ['a type that every object has', { type: 'toString', schema: 1, data: {} }, 'The type toString is not known.'],
  ['a missing field', { type: 'BudgetRenamed', schema: 1, data: {} }, /^Its data is not valid for BudgetRenamed: name: /],
  ['a field of another type', { type: 'OpeningBalanceDeleted', schema: 1, data: { id: 4 } }, /: id: /],
  ['data that is no object', { type: 'BudgetRenamed', schema: 1, data: null }, /^Its data is not valid for BudgetRenamed: /],
  [
    'an old shape that names the newest schema',
    { type: 'BudgetElementsSaved', schema: 2, data: settings },
    /inflationId: .*; elements\.supportPayScales: /,
  ],
])('an event is refused for %s', (_name, event, problem) => {
  const read = () => readEventData<string, unknown>(budgetEventShapes, event)
  expect(read).toThrow(DamagedEventError)
  expect(read).toThrow(problem)
})

it('a refusal says where, but shows no value, which could be about a person', () => {
  expect(() => readEventData<string, unknown>(budgetEventShapes, { type: 'BudgetRenamed', schema: 1, data: { name: 31337 } })).not.toThrow(
    /31337/,
  )
})

it('an event keeps fields that its schema does not name', () => {
  const data = { name: 'A', note: 'of a later version' }
  expect(readEventData<string, unknown>(budgetEventShapes, { type: 'BudgetRenamed', schema: 1, data })).toEqual(data)
})

it('an event type without a schema does not compile', () => {
  const { PayrollCleared: _left, ...others } = payrollEventShapes
  // @ts-expect-error: `PayrollCleared` is missing.
  const shapes: Record<PayrollEventType, EventShapeReaders<object>> = others
  expect(shapes).not.toHaveProperty('PayrollCleared')
})

it('a schema that lacks a field of its type, or has an extra one, does not compile', () => {
  interface Renamed {
    name: string
    undoes?: number
  }
  const name = z.string()
  const undoes = z.int().optional()
  expect(schemaOf<Renamed>()(z.object({ name, undoes }))).toBeDefined()
  // @ts-expect-error: `undoes` is missing.
  expect(schemaOf<Renamed>()(z.object({ name }))).toBeDefined()
  // @ts-expect-error: `by` is one more.
  expect(schemaOf<Renamed>()(z.object({ name, undoes, by: z.int() }))).toBeDefined()
})
