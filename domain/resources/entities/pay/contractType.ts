import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, decimal, flags, integer, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const contractType = resource({
  key: 'ContractType',
  table: 'contract_types',
  path: 'ContractTypes',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleContractTypes'),
    alsoReadBy: listViewPermissions('BudgetingOverview', 'BudgetingStaffing', 'ConsoleBudgetManagement'),
    write: ['ConsoleContractTypesReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 50, column: 'Name' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    calculationType: choice('Calculation type', { required: true, lookup: 'calculationTypes', default: 1, column: 'CalculationType' }),
    payScaleTypes: flags('Pay scale types', {
      required: true,
      lookup: 'payScaleTypes',
      columns: ['TeacherPayScale', 'CustomTeacherPayScale', 'SupportPayScale', 'CustomSupportPayScale'],
    }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    fullTimeHours: decimal('Full time hours', { min: 0, max: 60, default: 37, column: 'FullTimeHours' }),
    fullTimeWeeks: decimal('Full time weeks', { min: 0, max: 53, default: 52.143, column: 'FullTimeWeeks' }),
    incrementMonth: integer('Increment month', {
      min: 1,
      max: 12,
      column: 'IncrementMonth',
      help: 'Leave empty for September for teachers and April for support staff.',
    }),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'calculationType', 'payScaleTypes', 'locations', 'fullTimeHours', 'fullTimeWeeks'],
  naming: ['name'],
  importRequired: [
    'Name',
    'Description',
    'CalculationType',
    'TeacherPayScale',
    'CustomTeacherPayScale',
    'SupportPayScale',
    'CustomSupportPayScale',
  ],
  affectsCosts: true,
  check: (record) => [
    ...(record.fullTimeHours === 0 ? [{ field: 'fullTimeHours', message: 'Full time hours must be more than 0.' }] : []),
    ...(record.fullTimeWeeks === 0 ? [{ field: 'fullTimeWeeks', message: 'Full time weeks must be more than 0.' }] : []),
  ],
  purpose: 'A contract type sets how contracts are paid: by FTE, by hours and weeks, or by the hour, and from which pay scales.',
})
