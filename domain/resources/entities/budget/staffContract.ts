import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, date, decimal, flag, longText, money, point, reference, references, rows, shares, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

/**
 * The declaration of a staff contract. Contracts are stored in the log of their budget, where the fields for person, contract type and
 * notes have other names (`StaffContract` of domain/budget/budget.ts). A file has one row for each salary row; rows with the same employee
 * number and contract name form one contract.
 */
export const staffContract = resource({
  key: 'StaffContract',
  store: 'events',
  table: 'staff_contracts',
  path: 'StaffContract',
  scope: 'organisation',
  access: { read: listViewPermissions('BudgetingStaffing'), write: ['BudgetingStaffingReadUpdate'] },
  fields: {
    employeeNumber: text('Employee number', { isCode: true, short: 'Employee', max: 30, column: 'EmployeeNumber' }),
    type: choice('Pay scale type', { required: true, lookup: 'staffContractTypes', column: 'Type' }),
    contractName: text('Contract name', { short: 'Contract', required: true, max: 100, column: 'ContractName' }),
    contractTypeName: reference('Contract type', { short: 'Type', required: true, to: 'contractType', column: 'ContractTypeName' }),
    maximumScalePoint: point('Maximum scale point', { short: 'Maximum point', to: 'payScalePoint', column: 'MaximumScalePoint' }),
    startDate: date('Start date', { short: 'Start', required: true, column: 'StartDate' }),
    endDate: date('End date', { short: 'End', column: 'EndDate' }),
    position: text('Position', { max: 100, column: 'Position' }),
    department: text('Department', { max: 100, column: 'Department' }),
    apprentice: flag('Apprentice', { column: 'Apprentice', help: 'Uses the apprentice rates of national insurance' }),
    attritionContract: flag('Attrition contract', {
      short: 'Attrition',
      column: 'AttritionContract',
      help: 'A saving: its cost is deducted',
    }),
    notes: longText('Notes', { max: 2000, column: 'Notes', help: 'Stored encrypted with the person’s record.' }),
    serviceTerms: references('Payroll codes', { one: 'Payroll code', required: true, to: 'serviceTerm', max: 20, column: 'ServiceTerm' }),
    analysisTags: references('Analysis tags', { one: 'Analysis tag', to: 'analysisTag', max: 50, column: 'AnalysisTags' }),
    fundCodes: shares('Fund codes', { one: 'Fund code', to: 'fundCode', column: 'FundCodes' }),
    salary: rows('Salary information', {
      required: true,
      none: 'Add at least one salary row.',
      max: 100,
      keepsOrder: true,
      of: {
        effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
        calculationCeaseDate: date('Calculation cease date', { short: 'Ceases on', column: 'CalculationCeaseDate' }),
        scalePoint: point('Scale point', { short: 'Point', to: 'payScalePoint', column: 'ScalePoint' }),
        spotAdjustment: money('Spot salary or adjustment', {
          short: 'Spot / adj.',
          min: -9_999_999,
          max: 9_999_999,
          column: 'SpotAdjustment',
        }),
        allowances: references('Allowances', { one: 'Allowance', to: 'allowance', max: 50, column: 'Allowances' }),
        erPension: flag('Employer pension', { short: 'Pension', default: true, column: 'ErPension' }),
        fte: decimal('FTE', { min: 0, max: 2, column: 'Fte' }),
        hoursPerWeek: decimal('Hours per week', { short: 'Hours', min: 0, max: 60, column: 'HoursPerWeek' }),
        weeksPerYear: decimal('Weeks per year', { short: 'Paid weeks', min: 0, max: 53, column: 'WeeksPerYear' }),
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

/** The fields that can be changed on many contracts at once. */
export const bulkEditableContractFields = [
  'endDate',
  'position',
  'department',
  'apprentice',
  'serviceTerms',
  'analysisTags',
  'fundCodes',
] as const
