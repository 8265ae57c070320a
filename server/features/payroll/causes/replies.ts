import { z } from 'zod'
import { payCauses } from '../../../../domain/payroll/causes/causes.ts'
import { payControls } from '../../../../domain/payroll/controls.ts'
import { reply } from '../../../core/calls/reply.ts'

const date = z.string()
const contractId = z.string().brand<'ContractId'>()
const scalePoint = z.strictObject({
  kind: z.enum(['teacher', 'customTeacher', 'support', 'customSupport']),
  scale: z.string(),
  increment: z.int(),
})

const change = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('row'),
      contractId,
      from: date,
      fields: z.strictObject({
        scalePoint: scalePoint.optional(),
        fte: z.number().nullable().optional(),
        hoursPerWeek: z.number().nullable().optional(),
        allowances: z.array(z.int()).optional(),
        erPension: z.boolean().optional(),
      }),
    }),
    z.strictObject({ kind: z.literal('dates'), contractId, startDate: date, endDate: date.nullable() }),
    z.strictObject({ kind: z.literal('apprentice'), contractId, apprentice: z.boolean() }),
    z.strictObject({ kind: z.literal('award'), effectiveDate: date }),
    z.strictObject({ kind: z.literal('age') }),
    z.strictObject({ kind: z.literal('arrears') }),
    z.strictObject({
      kind: z.literal('leave'),
      leaves: z.array(z.strictObject({ ruleset: z.string(), type: z.string(), startDate: date, endDate: date })),
    }),
  ])
  .meta({ id: 'PayChange' })

const causes = payCauses.map((cause) => cause.id)
const controls = payControls.map((control) => control.id)

const explained = z.array(
  z.strictObject({
    locationId: z.int().brand<'LocationId'>(),
    staffId: z.int().brand<'StaffId'>().nullable(),
    employeeNumber: z.string(),
    budgetId: z.string().brand<'BudgetId'>().nullable().describe('The budget whose contracts would be corrected.'),
    explanations: z
      .array(z.strictObject({ cause: z.enum(causes), sentence: z.string(), change, second: change.optional() }))
      .describe('All causes that match, the proposed one first. If two match together, `second` is the change for the second.'),
    findings: z.array(z.strictObject({ control: z.enum(controls), sentence: z.string() })),
  }),
)

export const searchStarted = reply(z.strictObject({ id: z.uuid() }))

export const searchResult = reply(
  z.strictObject({
    status: z.enum(['running', 'done', 'cancelled', 'failed']),
    done: z.int().describe('The number of employees checked so far.'),
    total: z.int().nullable().describe('The number of employees to check; null before the search starts.'),
    failure: z.string().nullable(),
    explained: explained.nullable().describe('Null until it is done.'),
  }),
)
