import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const payrollCode = resource({
  key: 'PayrollCode',
  table: 'payroll_codes',
  path: 'PayrollCodes',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsolePayrollCodes'),
    alsoReadBy: listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation'),
    write: ['ConsolePayrollCodesReadUpdate'],
  },
  fields: {
    type: choice('Type', { required: true, lookup: 'payrollCodeTypes', column: 'Type' }),
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    description: text('Description', { max: 200, column: 'Description' }),
    element: choice('Element', { lookup: 'payrollElementTypes', default: 1, column: 'Element' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    serviceTerms: references('Service terms', { one: 'Service term', to: 'serviceTerm', column: 'ServiceTerms' }),
  },
  defaultSort: 'code',
  grid: ['code', 'type', 'description', 'element', 'locations', 'serviceTerms'],
  naming: ['code', 'description'],
  importRequired: ['Type', 'Code'],
  purpose: 'Your payroll provider’s codes, and the part of the cost that each is compared with.',
})
