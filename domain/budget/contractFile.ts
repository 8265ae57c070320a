import { either } from '../permissions.ts'
import { choice, date, decimal, flag, longText, money, reference, references, rows, text } from '../resources/fields.ts'
import { resource } from '../resources/resource.ts'
import type { StaffContractInput } from './budget.ts'

/**
 * The columns of a contract file: one line for each salary row, lines with the same employee number and contract name make one
 * contract. Contracts are kept in the event log: this says how they are read from and written to files, and no table is made from it.
 */
export const contractFile = resource({
  key: 'StaffContract',
  table: 'staff_contracts',
  path: 'StaffContract',
  scope: 'organisation',
  access: { read: either('BudgetingStaffing'), write: ['BudgetingStaffingReadUpdate'] },
  fields: {
    employeeNumber: text('Employee number', { max: 30, column: 'EmployeeNumber' }),
    type: choice('Type', { lookup: 'staffContractTypes', column: 'Type' }),
    contractName: text('Contract name', { required: true, max: 100, column: 'ContractName' }),
    contractTypeName: reference('Contract type', { required: true, to: 'contractType', column: 'ContractTypeName' }),
    maximumScalePoint: text('Maximum scale point', { max: 80, column: 'MaximumScalePoint' }),
    startDate: date('Start date', { required: true, column: 'StartDate' }),
    endDate: date('End date', { column: 'EndDate' }),
    position: text('Position', { max: 100, column: 'Position' }),
    department: text('Department', { max: 100, column: 'Department' }),
    apprentice: flag('Apprentice', { column: 'Apprentice' }),
    attritionContract: flag('Attrition contract', { column: 'AttritionContract' }),
    notes: longText('Notes', { max: 2000, column: 'Notes' }),
    serviceTerms: references('Payroll code', { required: true, to: 'serviceTerm', column: 'ServiceTerm' }),
    analysisTags: references('Analysis tags', { to: 'analysisTag', column: 'AnalysisTags' }),
    fundCodes: text('Fund codes', { max: 500, column: 'FundCodes' }),
    /** Cells name these by code: they have no column of their own. */
    fundCode: reference('Fund code', { to: 'fundCode' }),
    allowance: reference('Allowance', { to: 'allowance' }),
    salary: rows('Salary information', {
      required: true,
      of: {
        effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
        calculationCeaseDate: date('Calculation cease date', { column: 'CalculationCeaseDate' }),
        scalePoint: text('Scale point', { max: 80, column: 'ScalePoint' }),
        spotAdjustment: money('Spot salary or adjustment', { column: 'SpotAdjustment' }),
        allowances: text('Allowances', { max: 500, column: 'Allowances' }),
        erPension: flag('Employer pension', { default: true, column: 'ErPension' }),
        fte: decimal('FTE', { column: 'Fte' }),
        hoursPerWeek: decimal('Hours per week', { column: 'HoursPerWeek' }),
        weeksPerYear: decimal('Weeks per year', { column: 'WeeksPerYear' }),
      },
    }),
  },
  defaultSort: 'contractName',
  grid: [],
  naming: ['contractName'],
  importRequired: [
    'ContractName',
    'ContractTypeName',
    'ServiceTerm',
    'StartDate',
    'Apprentice',
    'AttritionContract',
    'EffectiveDate',
    'ErPension',
  ],
  purpose: 'What each person is paid for, and what it costs.',
})

/** Fund codes with their shares as a cell has them: `GEN 60; PPG 40`. */
export function formatFunds(funds: StaffContractInput['fundCodes'], code: (id: number) => string): string {
  return funds.map(({ fundCodeId, percentage }) => `${code(fundCodeId)} ${percentage}`).join('; ')
}

/** The longest cell of fund codes that is read. */
const longestFunds = 1000

const separator = /[\s:=]/

/** `PPG 40`, `PPG: 40 %`: what stands after the last separator is the share. Looks at each sign once. */
function codeAndShare(part: string): { code: string; share: string } | undefined {
  const text = part.endsWith('%') ? part.slice(0, -1).trimEnd() : part
  let at = text.length
  while (at > 0 && !separator.test(text[at - 1]!)) at--
  let end = at
  while (end > 0 && separator.test(text[end - 1]!)) end--
  const share = text.slice(at)
  return end > 0 && /^\d+(\.\d+)?$/.test(share) ? { code: text.slice(0, end), share } : undefined
}

/** Reads fund codes with their shares; one alone takes all. @returns undefined for a code that is not known or a share that is no number */
export function parseFunds(cell: string, find: (code: string) => number | undefined): StaffContractInput['fundCodes'] | undefined {
  if (cell.length > longestFunds) return undefined
  const shares = cell
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
  const funds = shares.map((part) => {
    const whole = shares.length === 1 ? find(part) : undefined
    if (whole !== undefined) return { fundCodeId: whole, percentage: 100 }
    const read = codeAndShare(part)
    const fundCodeId = read && find(read.code)
    return fundCodeId === undefined ? undefined : { fundCodeId, percentage: Number(read!.share) }
  })
  return funds.every((fund) => fund !== undefined) ? funds : undefined
}
