import { z } from 'zod'
import { isDate } from '../../values/calendar.ts'
import type { CostCase } from './case.ts'

const date = z.string().refine(isDate, 'is not a valid date')
/** Integrators write a decimal as text or as a number. */
const decimal = z
  .union([z.string(), z.number()], 'is not a decimal number')
  .transform(String)
  .refine((text) => /^-?(\d+(\.\d*)?|\.\d+)$/.test(text.trim()), 'is not a decimal number')
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)
const kind = z.enum(['teacher', 'customTeacher', 'support', 'customSupport'])
const point = z.object({ kind, scale: z.string(), increment: z.number().int() })
const effectiveTables = z.array(z.object({ effectiveDate: date, table: z.string() })).default([])
const dated = z.array(z.object({ effectiveDate: date, rate: decimal })).default([])
const awards = z
  .array(z.object({ effectiveDate: date, rate: decimal, inTable: decimal.optional(), liftedTo: decimal.optional() }))
  .default([])

const costCase = z.looseObject({
  budget: z.object({
    firstYear: z.number().int().min(1900).max(2200),
    years: z.number().int().min(1).max(10),
    startMonth: z.number().int().min(1).max(12),
    payArea: z.enum(['main', 'inner', 'outer', 'fringe']),
  }),
  tables: z.object({
    payScales: z
      .record(
        z.string(),
        z.looseObject({
          points: z.array(
            z.object({
              scale: z.string(),
              point: z.string(),
              increment: z.number().int(),
              mainRate: decimal,
              innerRate: decimal.nullable(),
              outerRate: decimal.nullable(),
              fringeRate: decimal.nullable(),
            }),
          ),
          moves: z
            .array(z.object({ scale: z.string(), increment: z.number().int(), toScale: z.string(), toIncrement: z.number().int() }))
            .optional(),
        }),
      )
      .default({}),
    nationalInsurance: z
      .record(
        z.string(),
        z.array(
          z.object({
            name: z.string(),
            bandStart: decimal,
            bandEnd: optional(decimal),
            rate: decimal,
            rebate: decimal.default('0'),
            base: decimal.default('0'),
            minAge: z.number().int().default(0),
            maxAge: optional(z.number().int()),
            apprentice: z.boolean().default(false),
            pension: optional(z.boolean()),
          }),
        ),
      )
      .default({}),
    extendedLeave: z
      .record(z.string(), z.array(z.object({ name: z.string(), rate: decimal, earningsFloor: optional(decimal) })))
      .default({}),
  }),
  budgetElements: z.object({
    teacherPayScales: effectiveTables,
    supportPayScales: effectiveTables,
    customTeacherPayScales: effectiveTables,
    customSupportPayScales: effectiveTables,
    nationalInsurance: effectiveTables,
    extendedLeave: effectiveTables,
  }),
  contractTypes: z.record(
    z.string(),
    z.object({
      calculationType: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      payScaleTypes: z.number().int(),
      fullTimeHours: decimal.optional(),
      fullTimeWeeks: decimal.optional(),
      incrementMonth: z.number().int().min(1).max(12).nullish(),
    }),
  ),
  assumptions: z.record(z.string(), z.object({ erPension: dated, inflation: awards })).default({}),
  allowances: z
    .record(
      z.string(),
      z.object({
        proRate: z.boolean(),
        erPension: z.boolean(),
        inflationSetting: z.enum(['staff', 'none']),
        rates: z.array(z.object({ effectiveDate: date, value: decimal })),
      }),
    )
    .default({}),
  leaveRulesets: z
    .record(
      z.string(),
      z.array(
        z.object({
          periodName: z.string(),
          firstWeek: z.number().int(),
          lastWeek: z.number().int(),
          payPercentage: decimal,
          useAWE: z.boolean(),
          payInclusive: z.boolean(),
          payRecoveryPercentage: decimal,
          extendedLeaveRatePercentage: decimal,
          extendedLeaveRateRecoveryPercentage: decimal,
          rateCapPercentage: optional(decimal),
          erPensionCalculation: z.union([z.literal(0), z.literal(1), z.literal(2)]),
        }),
      ),
    )
    .default({}),
  employee: z.object({
    dateOfBirth: optional(date),
    leaves: z
      .array(
        z.object({
          ruleset: z.string(),
          type: z.string(),
          startDate: date,
          endDate: date,
          weekly: z.record(z.string(), decimal).optional(),
        }),
      )
      .default([]),
    contracts: z
      .array(
        z.object({
          name: z.string(),
          contractType: z.string(),
          startDate: date,
          endDate: optional(date),
          maximumScalePoint: optional(point),
          apprentice: z.boolean().default(false),
          attritionContract: z.boolean().default(false),
          rows: z.array(
            z.object({
              effectiveDate: date,
              calculationCeaseDate: optional(date),
              scalePoint: optional(point),
              spotAdjustment: optional(decimal),
              allowances: z.array(z.string()).default([]),
              erPension: z.boolean().default(true),
              fte: optional(decimal),
              hoursPerWeek: optional(decimal),
              weeksPerYear: optional(decimal),
            }),
          ),
        }),
      )
      .min(1, 'needs at least one contract'),
  }),
})

/**
 * Validates a case from outside: every value has the right type and every name is defined. Input that cannot be understood is refused,
 * never counted as zero.
 * @throws RangeError listing the first five problems with their paths
 */
export function readCase(given: unknown): CostCase {
  const parsed = costCase.safeParse(given)
  if (!parsed.success)
    throw new RangeError(
      parsed.error.issues
        .slice(0, 5)
        .map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
        .join('; '),
    )
  const read = parsed.data
  const problems = unknownNames(read)
  if (problems.length) throw new RangeError(problems.slice(0, 5).join('; '))
  return read
}

function unknownNames({ tables, budgetElements, contractTypes, allowances, leaveRulesets, employee }: CostCase): string[] {
  const problems: string[] = []
  const need = (known: object, { name, where, what }: { name: string; where: string; what: string }): void => {
    if (!Object.hasOwn(known, name)) problems.push(`${where}: there is no ${what} ${name}`)
  }
  for (const [element, rows] of Object.entries(budgetElements)) {
    const known =
      element === 'nationalInsurance' ? tables.nationalInsurance : element === 'extendedLeave' ? tables.extendedLeave : tables.payScales
    for (const row of rows) need(known, { name: row.table, where: `budgetElements.${element}`, what: 'table' })
  }
  for (const contract of employee.contracts) {
    need(contractTypes, { name: contract.contractType, where: `contract ${contract.name}`, what: 'contract type' })
    for (const row of contract.rows)
      for (const name of row.allowances) need(allowances, { name, where: `contract ${contract.name}`, what: 'allowance' })
  }
  for (const leave of employee.leaves) need(leaveRulesets, { name: leave.ruleset, where: 'employee.leaves', what: 'leave rule set' })
  return problems
}
