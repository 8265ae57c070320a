import { adminTableType } from '../../../lookups/lookupIds.ts'
import { money, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const extendedLeaveType = resource({
  key: 'ExtendedLeaveType',
  table: 'extended_leave_types',
  path: 'ExtendedLeaveTypes',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, max: 100, column: 'Name' }),
    rate: money('Rate', { required: true, min: 0, column: 'Rate' }),
    earningsFloor: money('Lowest weekly earnings', { min: 0, column: 'EarningsFloor' }),
    adminTableId: reference('Admin table', {
      required: true,
      to: 'adminTable',
      where: { type: adminTableType.extendedLeave },
      column: 'AdminTable',
    }),
  },
  unique: [['name', 'adminTableId']],
  defaultSort: 'name',
  grid: ['name', 'rate', 'earningsFloor', 'adminTableId'],
  naming: ['name'],
  importRequired: ['Name', 'Rate', 'AdminTable'],
  affectsCosts: true,
  purpose: 'The weekly statutory rates of maternity and other leave, one table for each tax year.',
})
