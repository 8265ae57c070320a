import { z } from 'zod'
import type { ContractRow, StoredContract, StoredScalePoint } from '../../../../domain/budget/budget.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import { buildReplyShape } from '../../../../domain/resources/shape.ts'
import { reply } from '../../../core/calls/reply.ts'
import {
  allowanceInput,
  contractCost,
  contractTypeInput,
  costProblem,
  datedAward,
  datedRate,
  derivationStep,
  frozenBudget,
  leaveRule,
  nationalInsuranceRow,
  payPoint,
  payScaleKind,
  pointMove,
  termCoding,
} from '../../../shared/costing/replies.ts'
import type { OfferedPoint } from '../../../streams/budget/scalePoints.ts'
import type { FindingsBlock, NamedFinding } from './checks/queries.ts'

const namedFinding: z.ZodType<NamedFinding> = z.strictObject({
  person: z.string().nullable(),
  contractName: z.string().nullable(),
  code: z.enum([
    'aboveMaximum',
    'noIncrements',
    'termTimeWeeks',
    'endsWithin',
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
  contractId: z.string().brand<'ContractId'>().nullable(),
  staffId: z.int().brand<'StaffId'>().nullable(),
})

const offeredPoint: z.ZodType<OfferedPoint> = z.strictObject({
  name: z.string(),
  order: z.number(),
  newest: z.boolean().describe('Whether it is in the newest table of its kind; points of older tables are recognised but not offered.'),
  id: z.int(),
  kind: payScaleKind,
  scale: z.string(),
  increment: z.number(),
})

const keptScalePoint: z.ZodType<StoredScalePoint> = z.strictObject({
  id: z.int(),
  kind: payScaleKind,
  scale: z.string(),
  increment: z.number(),
})

const { salary: _salary, ...fields } = buildReplyShape(staffContract.fields)
const rowFields = buildReplyShape(staffContract.fields.salary.of)

const contractRow: z.ZodType<ContractRow> = z.strictObject({ ...rowFields, scalePoint: keptScalePoint.nullable() })

/** The log stores the person, the contract type and the notes under other names. */
const { employeeNumber: _number, contractTypeName, notes: _notes, ...keptFields } = fields
const storedContract: z.ZodType<StoredContract> = z.strictObject({
  ...keptFields,
  version: z.int(),
  savedAt: z.string(),
  created: z.string(),
  id: z.string().brand<'ContractId'>(),
  staffId: z.int().brand<'StaffId'>().nullable(),
  contractTypeId: contractTypeName,
  maximumScalePoint: keptScalePoint.nullable(),
  sealedNotes: z.string().nullable(),
  salary: z.array(contractRow),
})

const checksBlock: z.ZodType<FindingsBlock> = z.strictObject({ findings: z.array(namedFinding), next: z.string().nullable() })

export const findingsBlock = reply(checksBlock)

export const sinceRecalculation = reply(
  z.strictObject({
    changed: z.number(),
    version: z.int(),
    at: z.string().nullable(),
    required: z.strictObject({ since: z.string(), reason: z.string() }).nullable(),
  }),
)

const inputsOfBudget = z.strictObject({
  shared: z.strictObject({
    labels: z.record(z.string(), z.string()),
    tables: z.strictObject({
      payScales: z.record(z.string(), z.strictObject({ points: z.array(payPoint), moves: z.array(pointMove).optional() })),
      nationalInsurance: z.record(z.string(), z.array(nationalInsuranceRow)),
      extendedLeave: z.record(
        z.string(),
        z.array(z.strictObject({ name: z.string(), rate: z.string(), earningsFloor: z.string().nullish() })),
      ),
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
      .describe('The codes that payroll codes post to, by id; missing from inputs saved before lines were recorded.'),
  }),
  frozen: frozenBudget.omit({ people: true }),
  contractTypeIds: z.array(z.int()),
  points: z.array(offeredPoint),
})

export const editingInputs = reply(
  z.strictObject({
    budget: inputsOfBudget.nullable().describe('The data that all contracts of the budget share; null if the caller already has it.'),
    digest: z.string(),
    people: frozenBudget.shape.people,
    staffId: z.int().brand<'StaffId'>().nullable(),
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
    year: z.number().describe('The year of the budget; 1 is the first.'),
    period: z.number().describe('The month of the year, 1 to 12; 0 for the whole year.'),
  })
  .meta({ id: 'MonthCost' })

export const contractForecast = reply(
  z
    .union([
      z.strictObject({
        contractId: z.string().brand<'ContractId'>(),
        years: z.array(z.never()),
        problems: z.array(z.never()),
        warnings: z.array(z.never()),
        explanation: z.array(z.never()),
        labels: z.record(z.string(), z.string()),
        costing: z.null(),
      }),
      z.strictObject({
        contractId: z.string().brand<'ContractId'>(),
        years: z.array(
          z.strictObject({
            yearName: z.string(),
            months: z.array(monthCost),
            total: monthCost,
          }),
        ),
        problems: z.array(costProblem),
        warnings: z.array(z.enum(['NO_DATE_OF_BIRTH', 'BELOW_EARNINGS_FLOOR'])),
        explanation: z.array(z.strictObject({ year: z.number(), period: z.number(), steps: z.array(derivationStep) })),
        labels: z.record(z.string(), z.string()),
        costing: contractCost,
      }),
    ])
    .meta({ id: 'ContractForecast' }),
)

const shape = z
  .strictObject({
    ...fields,
    salary: z.array(z.strictObject(rowFields).meta({ id: 'SalaryRow' })),
    name: z.string().nullable(),
    pointNames: z.array(z.string().nullable()),
    hasExtendedLeave: z.boolean(),
    reminderDate: z.string().nullable(),
    reminderText: z.string().nullable(),
    savedAt: z.string(),
    created: z.string(),
    costYears: z.array(z.number().nullable()).nullable(),
    problems: z.array(costProblem),
    version: z.int(),
    id: z.string().brand<'ContractId'>(),
  })
  .meta({ id: 'StaffContract' })

export const contract = reply(shape)

/** A copy of a contract, which has not been saved. */
export const unsavedCopy = reply(
  shape
    .omit({ id: true, version: true })
    .extend({ costYears: z.null(), problems: z.array(z.never()) })
    .meta({ id: 'StaffContractCopy' }),
)

export const savedContract = reply(
  shape
    .extend({ savedVersion: z.number().nullable().describe('The version that the save created; null if nothing changed.') })
    .meta({ id: 'SavedStaffContract' }),
)

export const page = reply(
  z
    .strictObject({
      rows: z.array(shape),
      total: z.number(),
      firstYearCost: z.number().describe('The cost of all contracts found, on every page, in the first year.'),
      notCalculated: z.number().describe('The number of them that could not be calculated.'),
      firstYearName: z.string(),
    })
    .meta({ id: 'StaffContractPage' }),
)
