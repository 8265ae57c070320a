import { z } from 'zod'
import type { BudgetElementRow, NamedVersion } from '../../../domain/budget/budget.ts'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { budget, budgetTableFields, buildRecordByTableKind } from '../../../domain/resources/entities/budget/budget.ts'
import { buildReplyShape } from '../../../domain/resources/shape.ts'
import { reply } from '../../core/calls/reply.ts'

const elementRow: z.ZodType<BudgetElementRow> = z
  .strictObject(buildReplyShape(budgetTableFields.teacherPayScales.of))
  .meta({ id: 'ElementRow' })
const tables = buildRecordByTableKind(() => z.array(elementRow))

/** A new budget must have a purpose. */
const budgetFields = buildReplyShape({ ...budget.fields, versionType: { ...budget.fields.versionType, required: true } })
const { locationIds, versionType, ...settings } = { ...budgetFields, ...tables }

export const namedVersion: z.ZodType<NamedVersion> = z
  .strictObject({ version: z.int(), name: z.string(), at: z.string() })
  .meta({ id: 'NamedMoment' })

export const fieldChange = z.strictObject({ field: z.string(), before: z.string(), after: z.string() })

export const history = reply(
  z.array(
    z.strictObject({
      actor: z.string(),
      undoable: z.boolean(),
      version: z.int(),
      at: z.string(),
      actorId: z.int().nullable(),
      sentence: z.string(),
      changes: z.array(fieldChange),
      contractId: z.string().brand<'ContractId'>().nullable(),
      itemId: z.string().nullable().describe('The entry, calculation, prediction, pupil numbers or opening balance it is about.'),
    }),
  ),
)

export const template = reply(
  z
    .strictObject({
      id: z.null(),
      budgetId: z.null(),
      ...settings,
      locationIds,
      staffAssumptionsId: settings.staffAssumptionsId.nullable(),
      customTeacherPayScales: z.array(z.never()),
      customSupportPayScales: z.array(z.never()),
      version: z.null(),
    })
    .meta({ id: 'BudgetTemplate' }),
)

const shape = z
  .strictObject({
    savedAt: z.string(),
    savedById: z.int().nullable(),
    recalculatedAt: z.string().nullable(),
    recalculationState: z.literal([1, 2, 3, 4]).describe(`${describeLookup('recalculationStates')}. A locked budget keeps its figures.`),
    requiredReason: z.string().nullable(),
    created: z.string(),
    version: z.int(),
    ...settings,
    versionType,
    mongoId: z.string().brand<'BudgetId'>(),
    locationId: z.int().brand<'LocationId'>(),
    budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
    startMonth: z.number().describe('The first month of the budget year, 1 to 12.'),
    state: z.number().describe(`${describeLookup('budgetStates')}.`),
    lockedAt: z.string().nullable(),
    lockedById: z.int().nullable(),
    sourceBudgetId: z.string().brand<'BudgetId'>().nullable(),
    approval: z.enum(['submitted', 'approved', 'returned']).nullable(),
    approvedAt: z.string().nullable().describe('The budget approved last is the budget of record of its location and years.'),
    moments: z.array(namedVersion),
    isBeingMade: z.boolean().describe('It is still being copied from its source; `notMade` says why that failed.'),
    notMade: z.string().nullable(),
  })
  .meta({ id: 'Budget' })

export const budgetReply = reply(shape)

export const budgetListReply = reply(z.array(shape))

export const budgetElements = reply(
  shape
    .omit({ mongoId: true, locationId: true })
    .extend({ id: z.string(), budgetId: z.string().brand<'BudgetId'>(), locationIds })
    .meta({ id: 'BudgetElements' }),
)

export const page = reply(z.strictObject({ rows: z.array(shape), total: z.number() }).meta({ id: 'BudgetPage' }))

export const summary = reply(
  z.strictObject({
    budget: shape,
    savedBy: z.string().nullable(),
    contracts: z.number(),
    years: z.array(z.strictObject({ total: z.number().nullable(), missing: z.number(), levy: z.number().nullable() })),
    notCalculated: z.number(),
  }),
)
