import { either } from '../../permissions.ts'
import { reference, text } from '../fields.ts'
import { resource } from '../resource.ts'

export const extendedLeaveRuleSet = resource({
  key: 'ExtendedLeaveRuleSet',
  table: 'extended_leave_rule_sets',
  path: 'ExtendedLeaveRuleSet',
  scope: 'organisation',
  access: {
    read: either('ConsoleExtendedLeaveRules'),
    alsoReadBy: either('BudgetingStaffing', 'ConsoleStaffMembers'),
    write: ['ConsoleExtendedLeaveRulesReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
    extendedLeaveTypeId: reference('Extended leave type', { required: true, to: 'extendedLeaveType', column: 'ExtendedLeaveType' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'extendedLeaveTypeId'],
  naming: ['name'],
  importRequired: ['Name', 'ExtendedLeaveType'],
  parts: [{ of: 'extendedLeaveRule', by: 'extendedLeaveRulesetId' }],
  affectsCosts: true,
  purpose: 'What staff are paid week by week on maternity and other long leave.',
})
