import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, date, flag, money, reference, references, rows, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const allowance = resource({
  key: 'Allowance',
  table: 'allowances',
  path: 'Allowances',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleAllowances'),
    alsoReadBy: listViewPermissions('BudgetingStaffing'),
    write: ['ConsoleAllowancesReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    proRate: flag('Pro rate', { default: true, column: 'ProRate', help: 'Paid in proportion to full time.' }),
    erPension: flag('Employer pension', { default: true, column: 'ErPension', help: 'Pensionable.' }),
    inflationSetting: choice('Inflation setting', { required: true, lookup: 'inflationSettings', default: 1, column: 'InflationSetting' }),
    rates: rows('Rates', {
      required: true,
      of: {
        effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
        value: money('Annual value', { required: true, column: 'Value' }),
      },
    }),
    analysisTagIds: references('Analysis tags', { one: 'Analysis tag', to: 'analysisTag', column: 'AnalysisTags' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    budgetCodeId: reference('Budget code', { to: 'budgetCode', column: 'BudgetCode' }),
  },
  defaultSort: 'name',
  grid: ['name', 'proRate', 'erPension', 'inflationSetting', 'analysisTagIds', 'locations', 'budgetCodeId'],
  naming: ['name'],
  importRequired: ['Name', 'EffectiveDate', 'Value'],
  affectsCosts: true,
  purpose: 'Payments in addition to basic pay, such as TLR and SEN, with the dates their rates change.',
})
