import { listViewPermissions } from '../../../people/permissions.ts'
import { reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const studentGroup = resource({
  key: 'StudentGroup',
  table: 'student_groups',
  path: 'StudentGroups',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleBudgetCodes'), write: ['ConsoleBudgetCodesReadUpdate'] },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    budgetCodeId: reference('Budget code', { required: true, to: 'budgetCode', column: 'BudgetCode' }),
    costCentreId: reference('Cost centre', { to: 'costCentre', column: 'CostCentre' }),
  },
  defaultSort: 'code',
  grid: ['code', 'description', 'budgetCodeId', 'costCentreId'],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Description', 'BudgetCode'],
  purpose: 'Student groups set the income that each group of students brings in, and where it is posted.',
})
