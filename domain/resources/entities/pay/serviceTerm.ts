import { listViewPermissions } from '../../../people/permissions.ts'
import { flag, reference, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

const codes = { section: 'Budget codes' } as const
const centres = { requiredWhen: 'costCentresMandatory', section: 'Cost centres' } as const

export const serviceTerm = resource({
  key: 'ServiceTerm',
  table: 'service_terms',
  path: 'ServiceTerms',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleServiceTerms'),
    alsoReadBy: listViewPermissions('BudgetingStaffing', 'ConsolePayrollCodes'),
    write: ['ConsoleServiceTermsReadUpdate'],
  },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    basicBudgetCodeId: reference('Basic budget code', { required: true, to: 'budgetCode', column: 'BasicBudgetCode', ...codes }),
    niBudgetCodeId: reference('NI budget code', { required: true, to: 'budgetCode', column: 'NiBudgetCode', ...codes }),
    pensionBudgetCodeId: reference('Pension budget code', { required: true, to: 'budgetCode', column: 'PensionBudgetCode', ...codes }),
    basicCostCentreId: reference('Basic cost centre', { to: 'costCentre', column: 'BasicCostCentre', ...centres }),
    niCostCentreId: reference('NI cost centre', { to: 'costCentre', column: 'NiCostCentre', ...centres }),
    pensionCostCentreId: reference('Pension cost centre', { to: 'costCentre', column: 'PensionCostCentre', ...centres }),
    slt: flag('Senior leadership', { column: 'Slt' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
  },
  defaultSort: 'code',
  grid: [
    'code',
    'description',
    'basicBudgetCodeId',
    'niBudgetCodeId',
    'pensionBudgetCodeId',
    'basicCostCentreId',
    'niCostCentreId',
    'pensionCostCentreId',
    'slt',
    'locations',
  ],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Description', 'BasicBudgetCode', 'NiBudgetCode', 'PensionBudgetCode'],
  affectsCosts: true,
  purpose: 'A payroll code sets the budget codes and cost centres for a contract’s pay, NI and pension.',
})
