import { z } from 'zod'
import type {
  AllowanceInput,
  AppliedLeave,
  ContractCost,
  ContractTypeInput,
  DatedAward,
  DatedRate,
  DerivationStep,
  EffectiveTable,
  LeaveRule,
  NationalInsuranceRow,
  PayArea,
  PayPoint,
  PayScaleKind,
  PointReplacement,
  Problem,
  ProblemCode,
  YearCost,
} from '../../../domain/calculation/inputs.ts'
import type { OverviewFigures } from '../../../domain/calculation/nonStaffing/balances.ts'
import type { CalculatorRow } from '../../../domain/calculation/nonStaffing/calculator.ts'
import type { FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import type { FrozenBudget, FrozenPerson } from '../../../domain/calculation/staffing/frozen.ts'
import type { Coding, TermCoding } from '../../../domain/calculation/staffing/posting.ts'

const problemCode: z.ZodType<ProblemCode> = z
  .enum(['NO_SALARY_ROW', 'NO_PAY_TABLE', 'NO_PAY_POINT', 'NO_LEAVE_TABLE', 'NO_PENSION_RATE', 'NO_NI_TABLE', 'NO_NI_BAND'])
  .meta({ id: 'ProblemCode' })

export const costProblem: z.ZodType<Problem> = z
  .strictObject({ code: problemCode, text: z.string(), from: z.string().describe('The first day of the problem.') })
  .meta({ id: 'Problem' })

export const derivationStep: z.ZodType<DerivationStep> = z
  .strictObject({ figure: z.string(), label: z.string(), value: z.string(), rule: z.string() })
  .meta({ id: 'Step' })

const figures = z.array(z.number().nullable()).describe('Whole pennies by month; null if it could not be calculated.')

const yearCost: z.ZodType<YearCost> = z
  .strictObject({
    year: z.string(),
    basic: figures,
    allowances: z.record(z.string(), figures),
    leavePay: figures,
    leaveRecovery: figures,
    gross: figures,
    ni: figures,
    pension: figures,
  })
  .meta({ id: 'YearCost' })

export const contractCost: z.ZodType<ContractCost> = z
  .strictObject({
    name: z.string(),
    problems: z.array(costProblem),
    warnings: z.array(z.enum(['NO_DATE_OF_BIRTH', 'BELOW_EARNINGS_FLOOR'])),
    years: z.array(yearCost),
  })
  .meta({ id: 'ContractCost' })

export const payPoint: z.ZodType<PayPoint> = z.strictObject({
  scale: z.string(),
  point: z.string(),
  increment: z.number(),
  mainRate: z.string(),
  innerRate: z.string().nullable(),
  outerRate: z.string().nullable(),
  fringeRate: z.string().nullable(),
})

export const pointMove: z.ZodType<PointReplacement> = z.strictObject({
  scale: z.string(),
  increment: z.number(),
  toScale: z.string(),
  toIncrement: z.number(),
})

export const nationalInsuranceRow: z.ZodType<NationalInsuranceRow> = z.strictObject({
  name: z.string(),
  bandStart: z.string(),
  bandEnd: z.string().nullable(),
  rate: z.string(),
  rebate: z.string(),
  base: z.string(),
  minAge: z.number(),
  maxAge: z.number().nullable(),
  apprentice: z.boolean(),
  pension: z.boolean().nullable(),
})

export const contractTypeInput: z.ZodType<ContractTypeInput> = z.strictObject({
  calculationType: z.literal([1, 2, 3]),
  payScaleTypes: z.number(),
  fullTimeHours: z.string().optional(),
  fullTimeWeeks: z.string().optional(),
  incrementMonth: z.number().nullish(),
})

export const datedRate: z.ZodType<DatedRate> = z.strictObject({ effectiveDate: z.iso.date(), rate: z.string() })

export const datedAward: z.ZodType<DatedAward> = z.strictObject({
  inTable: z
    .string()
    .optional()
    .describe('The percentage already in the pay table of the same date; the table is increased by the difference.'),
  liftedTo: z.string().optional().describe('The rate for the table, if it differs from the rate for other pay.'),
  effectiveDate: z.iso.date(),
  rate: z.string(),
})

export const allowanceInput: z.ZodType<AllowanceInput> = z.strictObject({
  proRate: z.boolean(),
  erPension: z.boolean(),
  inflationSetting: z.enum(['staff', 'none']),
  rates: z.array(z.strictObject({ effectiveDate: z.iso.date(), value: z.string() })),
})

export const leaveRule: z.ZodType<LeaveRule> = z.strictObject({
  periodName: z.string(),
  firstWeek: z.number(),
  lastWeek: z.number(),
  payPercentage: z.string(),
  useAWE: z.boolean(),
  payInclusive: z.boolean(),
  payRecoveryPercentage: z.string(),
  extendedLeaveRatePercentage: z.string(),
  extendedLeaveRateRecoveryPercentage: z.string(),
  rateCapPercentage: z.string().nullish(),
  erPensionCalculation: z.literal([0, 1, 2]),
})

const coding: z.ZodType<Coding> = z.strictObject({ budgetCodeId: z.int(), costCentreId: z.int().nullable() })

export const termCoding: z.ZodType<TermCoding> = z.strictObject({ basic: coding, ni: coding, pension: coding })

const payArea: z.ZodType<PayArea> = z.enum(['main', 'inner', 'outer', 'fringe'])

const effectiveTable: z.ZodType<EffectiveTable> = z.strictObject({ effectiveDate: z.iso.date(), table: z.string() })

const appliedLeave: z.ZodType<AppliedLeave> = z.strictObject({
  ruleset: z.string(),
  type: z.string(),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  weekly: z.record(z.string(), z.string()).optional(),
})

const frozenPerson: z.ZodType<FrozenPerson> = z.strictObject({
  ages: z.record(z.string(), z.string()).nullable(),
  leaves: z.array(appliedLeave),
})

export const frozenBudget = z.strictObject({
  budget: z.strictObject({ firstYear: z.number(), years: z.number(), startMonth: z.number(), payArea: payArea }),
  budgetElements: z.strictObject({
    teacherPayScales: z.array(effectiveTable),
    supportPayScales: z.array(effectiveTable),
    customTeacherPayScales: z.array(effectiveTable),
    customSupportPayScales: z.array(effectiveTable),
    nationalInsurance: z.array(effectiveTable),
    extendedLeave: z.array(effectiveTable),
  }),
  staffAssumptionsId: z.int(),
  people: z.record(z.string(), frozenPerson),
}) satisfies z.ZodType<FrozenBudget>

export const payScaleKind: z.ZodType<PayScaleKind> = z.enum(['teacher', 'customTeacher', 'support', 'customSupport'])

export const calculatorRow: z.ZodType<CalculatorRow> = z
  .strictObject({
    kind: z.number(),
    description: z.string().nullable(),
    value: z.number().nullable(),
    exact: z
      .string()
      .nullish()
      .describe('The exact value of a calculated amount that needs more than six decimals; it applies as long as it rounds to `value`.'),
    years: z.array(z.number().nullable()),
    periods: z.array(z.number()),
  })
  .meta({ id: 'CalculatorRow' })

export const fundingRow: z.ZodType<FundingRow> = z
  .strictObject({
    kind: z.enum(['Inflation', 'Description', 'Total', 'Type', 'SubTotal', 'Stream']),
    category: z.number().nullable(),
    description: z.string().nullable(),
    years: z
      .array(z.number().nullable())
      .describe('For a stream, the number funded (pupils, places); for an inflation row, a percentage; null if calculated.'),
    exact: z
      .array(z.string().nullable())
      .optional()
      .describe(
        'With `years`, the exact number if it needs more than six decimals; it applies as long as it rounds to the number of its year.',
      ),
    rate: z.number().nullable(),
    isAwaited: z
      .boolean()
      .optional()
      .describe(
        'A number was entered only for a year that the budget no longer has: the stream counts as not calculated, rather than left out.',
      ),
  })
  .meta({ id: 'FundingRow' })

const money = {
  income: z.number(),
  staffing: z.number(),
  nonStaffing: z.number(),
  inYear: z.number(),
  opening: z.number(),
  closing: z.number(),
}
const yearLines: z.ZodType<OverviewFigures> = z.strictObject(money)

/** The amounts of a year, and how many monthly figures are missing from its totals. */
export const yearAmounts = z.strictObject({ ...money, missing: z.number(), gaps: yearLines })
