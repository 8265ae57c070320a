import { listViewPermissions } from '../../../people/permissions.ts'
import { rates, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const inflationRate = resource({
  key: 'InflationRate',
  table: 'inflation_rates',
  path: 'InflationRate',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleNonStaffInflation'), write: ['ConsoleNonStaffInflationReadUpdate'] },
  fields: {
    inflationId: reference('Inflation', { required: true, to: 'inflation', column: 'Inflation' }),
    budgetCodeId: reference('Budget code', { required: true, to: 'budgetCode', column: 'BudgetCode' }),
    rates: rates('Rates', {
      required: true,
      min: -100,
      max: 1000,
      column: 'Rate1,Rate2,Rate3,Rate4,Rate5',
      columns: ['Rate1', 'Rate2', 'Rate3', 'Rate4', 'Rate5'],
    }),
  },
  unique: [['budgetCodeId', 'inflationId']],
  defaultSort: 'budgetCodeId',
  grid: ['inflationId', 'budgetCodeId', 'rates'],
  naming: ['budgetCodeId'],
  importRequired: ['Inflation', 'BudgetCode', 'Rate1', 'Rate2', 'Rate3', 'Rate4', 'Rate5'],
  affectsCosts: true,
  purpose: 'Inflation for one budget code, year by year, as a percentage.',
})
