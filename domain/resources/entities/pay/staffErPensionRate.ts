import { listViewPermissions } from '../../../people/permissions.ts'
import { date, percent, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const staffErPensionRate = resource({
  key: 'StaffErPensionRate',
  table: 'staff_er_pension_rates',
  path: 'StaffErPensionRate',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleStaffAssumptions'), write: ['ConsoleStaffAssumptionsReadUpdate'] },
  fields: {
    staffAssumptionsId: reference('Staff assumptions', { required: true, to: 'staffAssumptions', column: 'StaffAssumptions' }),
    contractTypeId: reference('Contract type', { required: true, to: 'contractType', column: 'ContractType' }),
    effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
    rate: percent('Rate', { required: true, min: 0, max: 100, column: 'Rate' }),
  },
  unique: [['staffAssumptionsId', 'contractTypeId', 'effectiveDate']],
  defaultSort: 'effectiveDate',
  grid: ['staffAssumptionsId', 'contractTypeId', 'effectiveDate', 'rate'],
  naming: ['effectiveDate'],
  importRequired: ['StaffAssumptions', 'ContractType', 'EffectiveDate', 'Rate'],
  affectsCosts: true,
  purpose: 'Employer pension rates for a contract type, each with its effective date.',
})
