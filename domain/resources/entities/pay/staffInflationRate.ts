import { listViewPermissions } from '../../../people/permissions.ts'
import { date, percent, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const staffInflationRate = resource({
  key: 'StaffInflationRate',
  table: 'staff_inflation_rates',
  path: 'StaffInflationRate',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleStaffAssumptions'), write: ['ConsoleStaffAssumptionsReadUpdate'] },
  fields: {
    staffAssumptionsId: reference('Staff assumptions', { required: true, to: 'staffAssumptions', column: 'StaffAssumptions' }),
    contractTypeId: reference('Contract type', { required: true, to: 'contractType', column: 'ContractType' }),
    effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
    rate: percent('Rate', { required: true, min: -100, max: 100, column: 'Rate' }),
    inTable: percent('In the pay table', {
      min: -50,
      max: 100,
      column: 'InTable',
      help: 'The award already included in the pay table of this date. The table is increased by the difference. Leave empty to use the table as it is.',
    }),
    liftedTo: percent('Table increased to', {
      min: -50,
      max: 100,
      column: 'LiftedTo',
      help: 'The award that the pay table is increased to, if it differs from the rate. Pay outside the table follows the rate.',
    }),
  },
  unique: [['staffAssumptionsId', 'contractTypeId', 'effectiveDate']],
  defaultSort: 'effectiveDate',
  grid: ['staffAssumptionsId', 'contractTypeId', 'effectiveDate', 'rate', 'inTable', 'liftedTo'],
  naming: ['effectiveDate'],
  importRequired: ['StaffAssumptions', 'ContractType', 'EffectiveDate', 'Rate'],
  affectsCosts: true,
  purpose: 'Pay awards for a contract type, each with its effective date.',
})
