import { budgetCodeType, topSliceMethod } from '../../../lookups/lookupIds.ts'
import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, decimal, reference, references } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const topSlice = resource({
  key: 'TopSlice',
  table: 'top_slices',
  path: 'TopSlices',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleTopSlices'), write: ['ConsoleTopSlicesReadUpdate'] },
  fields: {
    topSliceTableId: reference('Top slice table', { required: true, to: 'topSliceTable', column: 'TopSliceTable' }),
    locationId: reference('Location', { required: true, to: 'location', column: 'Location' }),
    method: choice('Method', { required: true, lookup: 'topSliceMethods', default: 1, column: 'Method' }),
    value: decimal('Value', {
      required: true,
      min: 0,
      unitBy: {
        field: 'method',
        of: { [topSliceMethod.percentage]: 'percent', [topSliceMethod.perPupil]: 'pounds', [topSliceMethod.fixed]: 'pounds' },
      },
      column: 'Value',
      help: 'A percentage, pounds per pupil or a fixed sum, depending on the method.',
    }),
    budgetCodeId: reference('Budget code', {
      required: true,
      to: 'budgetCode',
      where: { type: budgetCodeType.expenditure },
      column: 'BudgetCode',
      help: 'The expenditure code that is charged.',
    }),
    centralBudgetCodeId: reference('Central budget code', {
      required: true,
      to: 'budgetCode',
      where: { type: budgetCodeType.income },
      anyLocation: true,
      column: 'CentralBudgetCode',
      help: 'The central location’s income code.',
    }),
    incomeTypeIds: references('Income types', {
      one: 'Income type',
      to: 'incomeType',
      column: 'IncomeTypes',
      help: 'Leave empty for all income.',
    }),
  },
  unique: [['locationId', 'budgetCodeId', 'topSliceTableId']],
  defaultSort: 'locationId',
  grid: ['topSliceTableId', 'locationId', 'method', 'value', 'budgetCodeId', 'centralBudgetCodeId', 'incomeTypeIds'],
  naming: ['locationId'],
  importRequired: ['TopSliceTable', 'Location', 'Method', 'Value', 'BudgetCode', 'CentralBudgetCode'],
  check: ({ method, value }) => [
    ...(method === topSliceMethod.percentage && Number(value) > 100
      ? [{ field: 'value', message: 'Value must be between 0 and 100.' }]
      : []),
  ],
  affectsCosts: true,
  purpose: 'What a location pays to the central team: a share of its income, an amount per pupil, or a fixed sum.',
})
