import { z } from 'zod'
import { groupMongoId } from '../budget/budget.ts'
import { leftOutRowsSchema } from '../files/leftOut.ts'
import { defineEventShape, type EventShapeReaders, locationIdSchema, momentSchema, schemaOf, userIdSchema } from '../values/eventSchema.ts'
import type { PayrollEvent, PayrollEventType } from './events.ts'
import type { PayrollItem } from './payroll.ts'

type DataOf<T extends PayrollEventType> = Extract<PayrollEvent, { type: T }>['data']

const month = { year: z.int(), month: z.int().min(1).max(12) }
const level = { ...month, groupId: groupMongoId.nullable() }
const doneBy = { by: userIdSchema.nullable(), at: momentSchema }
const employee = z.union([z.templateLiteral(['staff ', z.int()]), z.templateLiteral(['number ', z.string()])])
const employees = z.array(employee)
const sealedNumber = z.string().nullable()

const line = { employee, sealedNumber, payrollCodeId: z.int(), value: z.int() }
const paidInto = z.array(z.object({ employee, account: z.string() })).optional()
const cell = { locationId: locationIdSchema, employee, payrollCodeId: z.int() }
const typed = { ...level, ...cell, sealedNumber, value: z.int() }
const carried = { employee, sealedNumber, locationId: locationIdSchema, amount: z.int() }
const figures = z.object({ rows: z.int(), employees: z.int(), calculated: z.int(), actual: z.int(), notCalculated: z.int() })

const item = schemaOf<PayrollItem>()(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('actuals'),
      ...month,
      imports: z.array(z.object({ version: z.int(), at: momentSchema, digest: z.string(), rows: z.int(), sum: z.int() })),
      lines: z.array(z.object({ ...line, version: z.int() })),
      paidInto,
    }),
    z.object({ kind: z.literal('typed'), ...typed }),
    z.object({ kind: z.literal('note'), ...level, employee, sealedNotes: z.string() }),
    z.object({ kind: z.literal('carry'), ...level, ...carried }),
    z.object({
      kind: z.literal('month'),
      ...level,
      state: z.int(),
      completionType: z.int().nullable(),
      completed: z.object(doneBy).nullable(),
      figures: figures.nullable(),
      reopened: z.object({ ...doneBy, sealedReason: z.string().nullable() }).nullable(),
    }),
    z.object({ kind: z.literal('tolerance'), pennies: z.int() }),
  ]),
)

/** The schema versions of every event of a payroll log; an event without an entry does not compile. */
export const payrollEventShapes: { [T in PayrollEventType]: EventShapeReaders<DataOf<T>> } = {
  PayrollImported: defineEventShape(
    schemaOf<DataOf<'PayrollImported'>>()(
      z.object({
        ...month,
        digest: z.string(),
        rows: z.int(),
        sum: z.int(),
        lines: z.array(z.object(line)),
        paidInto,
        leftOut: leftOutRowsSchema.optional(),
      }),
    ),
  ),
  PayrollCleared: defineEventShape(schemaOf<DataOf<'PayrollCleared'>>()(z.object(month))),
  PayrollActualTyped: defineEventShape(schemaOf<DataOf<'PayrollActualTyped'>>()(z.object(typed))),
  PayrollTypedCleared: defineEventShape(schemaOf<DataOf<'PayrollTypedCleared'>>()(z.object({ ...level, cells: z.array(z.object(cell)) }))),
  PayrollNotesSaved: defineEventShape(
    schemaOf<DataOf<'PayrollNotesSaved'>>()(z.object({ ...level, notes: z.array(z.object({ employee, sealedNotes: z.string() })) })),
  ),
  PayrollNotesRemoved: defineEventShape(schemaOf<DataOf<'PayrollNotesRemoved'>>()(z.object({ ...level, employees }))),
  PayrollCarriedForward: defineEventShape(
    schemaOf<DataOf<'PayrollCarriedForward'>>()(z.object({ ...level, carried: z.array(z.object(carried)) })),
  ),
  PayrollCarriesCleared: defineEventShape(schemaOf<DataOf<'PayrollCarriesCleared'>>()(z.object({ ...level, employees }))),
  PayrollMonthCompleted: defineEventShape(
    schemaOf<DataOf<'PayrollMonthCompleted'>>()(z.object({ ...level, completionType: z.int(), figures })),
  ),
  PayrollMonthReopened: defineEventShape(
    schemaOf<DataOf<'PayrollMonthReopened'>>()(z.object({ ...level, sealedReason: z.string().nullable() })),
  ),
  PayrollToleranceSaved: defineEventShape(schemaOf<DataOf<'PayrollToleranceSaved'>>()(z.object({ pennies: z.int() }))),
  PayrollChangeUndone: defineEventShape(
    schemaOf<DataOf<'PayrollChangeUndone'>>()(
      z.object({ undoes: z.int(), things: z.array(z.object({ key: z.string(), item: item.nullable() })) }),
    ),
  ),
}
