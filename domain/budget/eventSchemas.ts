import { z } from 'zod'
import { versionType as purpose } from '../lookups/lookupIds.ts'
import { buildRecordByTableKind } from '../resources/entities/budget/budget.ts'
import {
  addEventShape,
  daySchema,
  defineEventShape,
  type EventShapeReaders,
  locationIdSchema,
  momentSchema,
  schemaOf,
  userIdSchema,
} from '../values/eventSchema.ts'
import { addMissingElements, budgetMongoId, contractMongoId, groupMongoId, mongoId } from './budget.ts'
import type { EventOf, EventType } from './events.ts'
import { entryBasisSchema, itemSchemas } from './items/itemSchemas.ts'

type DataOf<T extends EventType> = EventOf<T>['data']

/** Whole pennies; null if not known. */
const figure = z.int().nullable()

const tables = z.array(z.object({ effectiveDate: daySchema, adminTableId: z.int() }))

const settings = {
  numberOfYears: z.int(),
  staffAssumptionsId: z.int(),
  contractTypeIds: z.array(z.int()),
  inflationId: z.int().nullable(),
  elements: z.object(buildRecordByTableKind(() => tables)),
}
/** Until 2026 budgets had no price rises for non-staff money, and fewer kinds of tables. */
const earlySettings = {
  ...settings,
  inflationId: settings.inflationId.optional(),
  elements: settings.elements.partial(),
}

const createdHead = {
  locationId: locationIdSchema,
  name: z.string(),
  firstYear: z.int(),
  startMonth: z.int(),
  versionType: z.int(),
  source: z.object({ budgetId: budgetMongoId, version: z.int(), how: z.enum(['duplicate', 'rollForward']) }).nullable(),
}
/** The first budgets could not be copies, so they stored no `source`, and they had no version type. */
const earlyCreated = z.object({
  ...createdHead,
  ...earlySettings,
  versionType: createdHead.versionType.optional(),
  source: createdHead.source.optional(),
})
const created = schemaOf<DataOf<'BudgetCreated'>>()(z.object({ ...createdHead, ...settings }))
const earlySaved = z.object(earlySettings)
const saved = schemaOf<DataOf<'BudgetElementsSaved'>>()(z.object(settings))

/**
 * Completes settings that were saved before budgets had non-staff money: missing tables become empty lists, and without an inflation prices
 * do not rise.
 */
export function upcastSettings(old: z.infer<typeof earlySaved>): DataOf<'BudgetElementsSaved'> {
  return { ...old, inflationId: old.inflationId ?? null, elements: addMissingElements(old.elements) }
}

export function upcastCreated(old: z.infer<typeof earlyCreated>): DataOf<'BudgetCreated'> {
  return { ...old, ...upcastSettings(old), versionType: old.versionType ?? purpose.working, source: old.source ?? null }
}

const scalePoint = z.object({
  id: z.int(),
  kind: z.enum(['teacher', 'customTeacher', 'support', 'customSupport']),
  scale: z.string(),
  increment: z.number(),
})

const contract = z.object({
  id: contractMongoId,
  staffId: z.int().brand<'StaffId'>().nullable(),
  contractTypeId: z.int(),
  sealedNotes: z.string().nullable(),
  type: z.int(),
  contractName: z.string(),
  maximumScalePoint: scalePoint.nullable(),
  startDate: daySchema,
  endDate: daySchema.nullable(),
  position: z.string().nullable(),
  department: z.string().nullable(),
  apprentice: z.boolean(),
  attritionContract: z.boolean(),
  serviceTerms: z.array(z.int()),
  analysisTags: z.array(z.int()),
  fundCodes: z.array(z.object({ fundCodeId: z.int(), percentage: z.number() })),
  salary: z.array(
    z.object({
      effectiveDate: daySchema,
      calculationCeaseDate: daySchema.nullable(),
      scalePoint: scalePoint.nullable(),
      spotAdjustment: z.number().nullable(),
      allowances: z.array(z.int()),
      erPension: z.boolean(),
      fte: z.number().nullable(),
      hoursPerWeek: z.number().nullable(),
      weeksPerYear: z.number().nullable(),
    }),
  ),
})

const undoes = z.int().optional()

const approvalStep = {
  byId: userIdSchema,
  at: momentSchema,
  version: z.int(),
  sealedComment: z.string().nullable(),
}

const approvedFigures = z.object({
  years: z.array(
    z.object({
      income: z.int(),
      staffing: z.int(),
      nonStaffing: z.int(),
      missing: z.int(),
      balances: z.array(z.object({ type: z.int(), opening: z.int(), inYear: z.int(), closing: z.int() })),
    }),
  ),
  lines: z.string(),
})

const costTotals = z.object({ years: z.array(z.int()), contracts: z.int(), notCalculated: z.int() })

const recalculation = schemaOf<DataOf<'StaffContractsRecalculated'>>()(
  z.object({
    cause: z.enum(['saved', 'group']),
    contracts: z.array(contractMongoId).nullable(),
    inputs: z.string(),
    engine: z.string(),
    totals: costTotals,
    before: costTotals.optional(),
    saves: z.int().min(2).optional(),
    result: z.string(),
  }),
)

const quickCalculation = z.object({
  id: mongoId,
  name: z.string(),
  type: z.int(),
  contractTypeId: z.int(),
  scalePoint: scalePoint.nullable(),
  spotOrAdjustment: z.number().nullable(),
  allowanceIds: z.array(z.int()),
  eRpension: z.boolean(),
  hoursPerWeek: z.number().nullable(),
  paidWeeksPerYear: z.number().nullable(),
  fte: z.number().nullable(),
})

const allowance = schemaOf<DataOf<'EmploymentAllowancePosted'>>()(
  z.object({
    engine: z.string(),
    budgetCodeId: z.int().nullable(),
    costCentreId: z.int().nullable(),
    years: z.array(
      z.object({
        year: z.int(),
        amount: figure,
        months: z.array(z.object({ ni: figure, kept: figure, goes: z.enum(['here', 'elsewhere', 'kept', 'outside']) })).readonly(),
      }),
    ),
    problems: z.array(z.string()),
  }),
)

const transfers = schemaOf<DataOf<'TransfersPosted'>>()(
  z.object({
    transfers: z.array(
      z.object({
        kind: z.enum(['gagPool', 'topSlice']),
        tableId: z.int(),
        year: z.int(),
        budgetCodeId: z.int(),
        counterpartId: locationIdSchema.nullable(),
        part: z.enum(['contribution', 'share', 'charge', 'receipt']),
        amounts: z.array(figure),
      }),
    ),
    problems: z.array(z.string()),
    engine: z.string().optional(),
  }),
)

/** The schema of the event that saves an item of one kind. */
function itemSaved<Item extends z.ZodType>(item: Item) {
  return defineEventShape(z.object({ id: mongoId, item, undoes, origin: z.string().optional() }))
}
const itemDeleted = defineEventShape(z.object({ id: mongoId, undoes }))

/** The schema versions of every event of a budget; an event without an entry does not compile. */
export const budgetEventShapes: { [T in EventType]: EventShapeReaders<DataOf<T>> } = {
  BudgetCreated: addEventShape(defineEventShape(earlyCreated), upcastCreated, created),
  BudgetRenamed: defineEventShape(schemaOf<DataOf<'BudgetRenamed'>>()(z.object({ name: z.string(), undoes }))),
  BudgetVersionTypeChosen: defineEventShape(schemaOf<DataOf<'BudgetVersionTypeChosen'>>()(z.object({ versionType: z.int() }))),
  BudgetDeleted: defineEventShape(schemaOf<DataOf<'BudgetDeleted'>>()(z.object({ groupId: groupMongoId.nullish() }))),
  BudgetRestored: defineEventShape(z.record(z.string(), z.never())),
  BudgetMomentNamed: defineEventShape(
    schemaOf<DataOf<'BudgetMomentNamed'>>()(z.object({ version: z.int(), name: z.string().nullable(), at: momentSchema })),
  ),
  BudgetSubmitted: defineEventShape(schemaOf<DataOf<'BudgetSubmitted'>>()(z.object(approvalStep))),
  BudgetReturned: defineEventShape(schemaOf<DataOf<'BudgetReturned'>>()(z.object(approvalStep))),
  BudgetApproved: defineEventShape(
    schemaOf<DataOf<'BudgetApproved'>>()(z.object({ ...approvalStep, figures: approvedFigures.optional() })),
  ),
  BudgetElementsSaved: addEventShape(defineEventShape(earlySaved), upcastSettings, saved),
  BudgetLocked: defineEventShape(schemaOf<DataOf<'BudgetLocked'>>()(z.object({ lockedAt: momentSchema, lockedById: userIdSchema }))),
  StaffContractSaved: defineEventShape(
    schemaOf<DataOf<'StaffContractSaved'>>()(z.object({ id: contractMongoId, contract, undoes, origin: contractMongoId.optional() })),
  ),
  StaffContractDeleted: defineEventShape(schemaOf<DataOf<'StaffContractDeleted'>>()(z.object({ id: contractMongoId, undoes }))),
  StaffContractsRecalculated: defineEventShape(recalculation),
  LeaveEarningsKept: defineEventShape(
    schemaOf<DataOf<'LeaveEarningsKept'>>()(
      z.object({
        leaves: z.array(
          z.object({
            staffId: z.int().brand<'StaffId'>(),
            type: z.string(),
            startDate: daySchema,
            weekly: z.record(z.string(), z.string()),
          }),
        ),
      }),
    ),
  ),
  QuickCalculationSaved: defineEventShape(schemaOf<DataOf<'QuickCalculationSaved'>>()(z.object({ calculation: quickCalculation }))),
  QuickCalculationDeleted: defineEventShape(schemaOf<DataOf<'QuickCalculationDeleted'>>()(z.object({ id: mongoId }))),
  LevyAllowanceShared: defineEventShape(
    schemaOf<DataOf<'LevyAllowanceShared'>>()(z.object({ shares: z.array(z.union([z.int(), z.string()]).nullable()) })),
  ),
  EmploymentAllowancePosted: defineEventShape(allowance),
  BudgetEntrySaved: itemSaved(itemSchemas.entry),
  BudgetEntryDeleted: itemDeleted,
  IncomeExpenditureCalculationSaved: itemSaved(itemSchemas.calculation),
  IncomeExpenditureCalculationDeleted: itemDeleted,
  FundingPredictionSaved: itemSaved(itemSchemas.prediction),
  FundingPredictionDeleted: itemDeleted,
  PupilNumbersSaved: itemSaved(itemSchemas.pupils),
  PupilNumbersDeleted: itemDeleted,
  OpeningBalanceSaved: itemSaved(itemSchemas.balance),
  OpeningBalanceDeleted: itemDeleted,
  CommentSaved: itemSaved(itemSchemas.comment),
  CommentDeleted: itemDeleted,
  ScenarioSaved: itemSaved(itemSchemas.scenario),
  ScenarioDeleted: itemDeleted,
  BudgetEntriesRebased: defineEventShape(
    schemaOf<DataOf<'BudgetEntriesRebased'>>()(z.object({ bases: z.array(entryBasisSchema.extend({ id: mongoId })) })),
  ),
  TransfersPosted: defineEventShape(transfers),
}
