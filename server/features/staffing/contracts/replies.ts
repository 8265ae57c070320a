import { z } from 'zod'
import type { ContractRow, KeptScalePoint, StoredContract } from '../../../../domain/budget/budget.ts'
import type { OfferedPoint } from '../../../core/budget/scalePoints.ts'
import { reply } from '../../../core/calls/reply.ts'
import {
  allowanceInput,
  contractCost,
  contractTypeInput,
  datedAward,
  datedRate,
  frozenBudget,
  leaveRule,
  nationalInsuranceRow,
  payPoint,
  payScaleKind,
  problem,
  step,
  termCoding,
} from '../../calculation/replies.ts'
import type { ChecksBlock, NamedFinding } from './checks.ts'

const namedFinding: z.ZodType<NamedFinding> = z.strictObject({
  person: z.string().nullable(),
  contractName: z.string().nullable(),
  code: z.enum([
    'aboveMaximum',
    'notCalculated',
    'ended',
    'noDateOfBirth',
    'overFull',
    'leaveWithoutRule',
    'zeroPay',
    'duplicateEmployee',
    'archived',
  ]),
  sentence: z.string(),
  contractId: z.string().nullable(),
  staffId: z.int().nullable(),
})

const offeredPoint: z.ZodType<OfferedPoint> = z.strictObject({
  name: z.string(),
  order: z.number(),
  newest: z.boolean().describe('Whether it stands in the newest table of its kind; points of older tables are known but not offered.'),
  id: z.int(),
  kind: payScaleKind,
  scale: z.string(),
  increment: z.number(),
})

const keptScalePoint: z.ZodType<KeptScalePoint> = z.strictObject({
  id: z.int(),
  kind: payScaleKind,
  scale: z.string(),
  increment: z.number(),
})

const contractRow: z.ZodType<ContractRow> = z.strictObject({
  effectiveDate: z.iso.date(),
  calculationCeaseDate: z.iso.date().nullable(),
  scalePoint: keptScalePoint.nullable(),
  spotAdjustment: z.number().nullable().describe('Pounds with at most two decimals.'),
  allowances: z.array(z.number()),
  erPension: z.boolean(),
  fte: z.number().nullable(),
  hoursPerWeek: z.number().nullable(),
  weeksPerYear: z.number().nullable(),
})

const storedContract: z.ZodType<StoredContract> = z.strictObject({
  version: z.int(),
  savedAt: z.string(),
  created: z.string(),
  id: z.string(),
  staffId: z.int().nullable(),
  type: z.number(),
  contractName: z.string(),
  contractTypeId: z.int(),
  maximumScalePoint: keptScalePoint.nullable(),
  startDate: z.iso.date(),
  endDate: z.iso.date().nullable(),
  position: z.string().nullable(),
  department: z.string().nullable(),
  apprentice: z.boolean(),
  attritionContract: z.boolean(),
  sealedNotes: z.string().nullable(),
  serviceTerms: z.array(z.number()),
  analysisTags: z.array(z.number()),
  fundCodes: z.array(z.strictObject({ fundCodeId: z.int(), percentage: z.number() })),
  salary: z.array(contractRow),
})

const checksBlock: z.ZodType<ChecksBlock> = z.strictObject({ findings: z.array(namedFinding), next: z.string().nullable() })

export const checks = reply(checksBlock)

export const sinceRecalculation = reply(
  z.strictObject({
    changed: z.number(),
    version: z.int(),
    at: z.string().nullable(),
    required: z.strictObject({ since: z.string(), reason: z.string() }).nullable(),
  }),
)

export const inputs = reply(
  z.strictObject({
    shared: z.strictObject({
      labels: z.record(z.string(), z.string()),
      tables: z.strictObject({
        payScales: z.record(z.string(), z.strictObject({ points: z.array(payPoint) })),
        nationalInsurance: z.record(z.string(), z.array(nationalInsuranceRow)),
        extendedLeave: z.record(z.string(), z.array(z.strictObject({ name: z.string(), rate: z.string() }))),
      }),
      contractTypes: z.record(z.string(), contractTypeInput),
      assumptions: z
        .record(z.string(), z.record(z.string(), z.strictObject({ erPension: z.array(datedRate), inflation: z.array(datedAward) })))
        .describe('Assumption set, then contract type.'),
      allowances: z.record(z.string(), allowanceInput),
      leaveRulesets: z.record(z.string(), z.array(leaveRule)),
      serviceTerms: z
        .record(z.string(), termCoding)
        .optional()
        .describe('Where payroll codes post to, by id; sets that were frozen before lines were kept have none.'),
    }),
    frozen: frozenBudget,
    contractTypeIds: z.array(z.int()),
    points: z.array(offeredPoint),
    staffId: z.int().nullable(),
    name: z.string().nullable(),
    others: z.array(storedContract),
  }),
)

const monthCost = z
  .strictObject({
    allowances: z.number().nullable(),
    total: z.number().nullable(),
    basic: z.number().nullable(),
    leavePay: z.number().nullable(),
    employerNI: z.number().nullable(),
    employerPension: z.number().nullable(),
    year: z.number(),
    period: z.number(),
  })
  .meta({ id: 'MonthCost' })

export const forecast = reply(
  z
    .union([
      z.strictObject({
        contractId: z.string(),
        years: z.array(z.never()),
        problems: z.array(z.never()),
        warnings: z.array(z.never()),
        explanation: z.array(z.never()),
        labels: z.record(z.string(), z.string()),
        costing: z.null(),
      }),
      z.strictObject({
        contractId: z.string(),
        years: z.array(
          z.strictObject({
            yearName: z.string(),
            months: z.array(monthCost),
            total: monthCost,
          }),
        ),
        problems: z.array(problem),
        warnings: z.array(z.literal('NO_DATE_OF_BIRTH')),
        explanation: z.array(z.strictObject({ year: z.number(), period: z.number(), steps: z.array(step) })),
        labels: z.record(z.string(), z.string()),
        costing: contractCost,
      }),
    ])
    .meta({ id: 'ContractForecast' }),
)

const salaryRow = z
  .strictObject({
    scalePoint: z.number().nullable(),
    effectiveDate: z.iso.date(),
    calculationCeaseDate: z.iso.date().nullable(),
    spotAdjustment: z.number().nullable().describe('Pounds with at most two decimals.'),
    allowances: z.array(z.number()),
    erPension: z.boolean(),
    fte: z.number().nullable(),
    hoursPerWeek: z.number().nullable(),
    weeksPerYear: z.number().nullable(),
  })
  .meta({ id: 'SalaryRow' })

const shape = z
  .strictObject({
    employeeNumber: z.string().nullable(),
    name: z.string().nullable(),
    contractTypeName: z.number(),
    maximumScalePoint: z.number().nullable(),
    notes: z.string().nullable(),
    salary: z.array(salaryRow),
    pointNames: z.array(z.string().nullable()),
    hasExtendedLeave: z.boolean(),
    reminderDate: z.string().nullable(),
    reminderText: z.string().nullable(),
    savedAt: z.string(),
    created: z.string(),
    costYears: z.array(z.number().nullable()).nullable(),
    problems: z.array(problem),
    version: z.int(),
    id: z.string(),
    type: z.number(),
    contractName: z.string(),
    startDate: z.iso.date(),
    endDate: z.iso.date().nullable(),
    position: z.string().nullable(),
    department: z.string().nullable(),
    apprentice: z.boolean(),
    attritionContract: z.boolean(),
    serviceTerms: z.array(z.number()),
    analysisTags: z.array(z.number()),
    fundCodes: z.array(z.strictObject({ fundCodeId: z.int(), percentage: z.number() })),
  })
  .meta({ id: 'StaffContract' })

export const one = reply(shape)

/** A contract that was not saved yet. */
export const copy = reply(
  shape
    .omit({ id: true, version: true })
    .extend({ costYears: z.null(), problems: z.array(z.never()) })
    .meta({ id: 'StaffContractCopy' }),
)

export const saved = reply(shape.extend({ savedVersion: z.number().nullable() }).meta({ id: 'SavedStaffContract' }))

export const page = reply(
  z
    .strictObject({
      rows: z.array(shape),
      total: z.number(),
      firstYearCost: z.number(),
      notCalculated: z.number(),
      firstYearName: z.string(),
    })
    .meta({ id: 'StaffContractPage' }),
)
