import { z } from 'zod'
import { groupMongoId } from '../budget/budget.ts'
import { leftOutRowsSchema } from '../files/leftOut.ts'
import { packContentSchema, packFinishedSchema, packItemSchema, packStartSchema } from '../packs/packSchemas.ts'
import { defineEventShape, type EventShapeReaders, momentSchema, schemaOf, userIdSchema } from '../values/eventSchema.ts'
import type { MonitoringEvent, MonitoringEventType } from './events.ts'
import type { MonitoringItem } from './monitoring.ts'

type DataOf<T extends MonitoringEventType> = Extract<MonitoringEvent, { type: T }>['data']

const month = { year: z.int(), month: z.int().min(1).max(12) }
const step = z.enum(['payroll', 'adjustments', 'pack'])
const doneBy = { by: userIdSchema.nullable(), at: momentSchema }

const line = z.object({
  type: z.int(),
  budgetCodeId: z.int(),
  costCentreId: z.int(),
  fundCodeId: z.int().nullable(),
  analysisTagId: z.int().nullable(),
  description: z.string().nullable(),
  value: z.int(),
  document: z.object({ date: z.string().nullable(), reference: z.string().nullable(), supplier: z.string().nullable() }).optional(),
})

const subject = { ...month, groupId: groupMongoId.nullable(), budgetCodeId: z.int(), type: z.int() }
const note = { ...subject, sealedNotes: z.string(), sealedAction: z.string().optional() }
const adjustment = { ...subject, value: z.int(), backPay: z.int().optional() }
const settings = { explainOver: z.number(), explainOverPercent: z.number(), explainAlwaysOver: z.number() }
const method = z.enum(['budget', 'whatIsLeft', 'runRate', 'typed'])
const values = z.array(z.int()).nullable()

const adjusted = z
  .object({
    groupId: groupMongoId.nullable(),
    adjustments: z.array(z.object({ budgetCodeId: z.int(), type: z.int(), value: z.int() })),
  })
  .optional()

const item = schemaOf<MonitoringItem>()(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('month'),
      ...month,
      isClosed: z.boolean(),
      imports: z.array(z.object({ version: z.int(), at: momentSchema, mode: z.int(), digest: z.string(), lines: z.array(line) })),
    }),
    z.object({
      kind: z.literal('monthEnd'),
      ...month,
      ticks: z.partialRecord(step, z.object(doneBy)),
      closed: z.object({ ...doneBy, adjusted }).nullable(),
      reopened: z.object({ ...doneBy, sealedReason: z.string() }).nullable(),
    }),
    z.object({ kind: z.literal('note'), ...note }),
    z.object({ kind: z.literal('adjustment'), ...adjustment }),
    z.object({ kind: z.literal('forecast'), year: z.int(), budgetCodeId: z.int(), method, values }),
    z.object({ kind: z.literal('openingCash'), year: z.int(), value: z.int() }),
    z.object({ kind: z.literal('cashLag'), budgetCodeId: z.int(), lag: z.int() }),
    z.object({ kind: z.literal('cashFloor'), value: z.int() }),
    z.object({ kind: z.literal('settings'), ...settings }),
    packItemSchema,
  ]),
)

/** The schema versions of every event of a monitoring log; an event without an entry does not compile. */
export const monitoringEventShapes: { [T in MonitoringEventType]: EventShapeReaders<DataOf<T>> } = {
  ActualsImported: defineEventShape(
    schemaOf<DataOf<'ActualsImported'>>()(
      z.object({
        ...month,
        mode: z.int(),
        digest: z.string(),
        closes: z.boolean(),
        lines: z.array(line),
        leftOut: leftOutRowsSchema.optional(),
      }),
    ),
  ),
  MonthCleared: defineEventShape(schemaOf<DataOf<'MonthCleared'>>()(z.object(month))),
  MonthStepTicked: defineEventShape(schemaOf<DataOf<'MonthStepTicked'>>()(z.object({ ...month, step }))),
  MonthStepUnticked: defineEventShape(schemaOf<DataOf<'MonthStepUnticked'>>()(z.object({ ...month, step }))),
  MonthEndClosed: defineEventShape(
    schemaOf<DataOf<'MonthEndClosed'>>()(
      z.object({
        ...month,
        adjusted,
        forecast: z.array(z.object({ budgetCodeId: z.int().nullable(), values: z.array(z.int()), missing: z.int().optional() })).optional(),
        start: z.object(month).optional(),
      }),
    ),
  ),
  MonthEndReopened: defineEventShape(schemaOf<DataOf<'MonthEndReopened'>>()(z.object({ ...month, sealedReason: z.string() }))),
  NoteSaved: defineEventShape(schemaOf<DataOf<'NoteSaved'>>()(z.object(note))),
  NoteRemoved: defineEventShape(schemaOf<DataOf<'NoteRemoved'>>()(z.object(subject))),
  AdjustmentSaved: defineEventShape(schemaOf<DataOf<'AdjustmentSaved'>>()(z.object(adjustment))),
  AdjustmentRemoved: defineEventShape(schemaOf<DataOf<'AdjustmentRemoved'>>()(z.object(subject))),
  ForecastChosen: defineEventShape(
    schemaOf<DataOf<'ForecastChosen'>>()(z.object({ year: z.int(), budgetCodeIds: z.array(z.int()), method, values })),
  ),
  SettingsSaved: defineEventShape(schemaOf<DataOf<'SettingsSaved'>>()(z.object(settings))),
  OpeningCashSaved: defineEventShape(schemaOf<DataOf<'OpeningCashSaved'>>()(z.object({ year: z.int(), value: z.int().nullable() }))),
  CashLagChosen: defineEventShape(
    schemaOf<DataOf<'CashLagChosen'>>()(z.object({ budgetCodeIds: z.array(z.int()), lag: z.int().nullable() })),
  ),
  CashFloorSaved: defineEventShape(schemaOf<DataOf<'CashFloorSaved'>>()(z.object({ value: z.int().nullable() }))),
  PackStarted: defineEventShape(schemaOf<DataOf<'PackStarted'>>()(packStartSchema)),
  PackSaved: defineEventShape(schemaOf<DataOf<'PackSaved'>>()(packContentSchema)),
  PackFinished: defineEventShape(schemaOf<DataOf<'PackFinished'>>()(packFinishedSchema)),
  PackDiscarded: defineEventShape(schemaOf<DataOf<'PackDiscarded'>>()(z.object({ code: z.string() }))),
  ChangeUndone: defineEventShape(
    schemaOf<DataOf<'ChangeUndone'>>()(
      z.object({ undoes: z.int(), things: z.array(z.object({ key: z.string(), item: item.nullable() })) }),
    ),
  ),
}
