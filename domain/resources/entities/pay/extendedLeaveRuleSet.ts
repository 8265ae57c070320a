import { listViewPermissions } from '../../../people/permissions.ts'
import { date, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const extendedLeaveRuleSet = resource({
  key: 'ExtendedLeaveRuleSet',
  table: 'extended_leave_rule_sets',
  path: 'ExtendedLeaveRuleSet',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleExtendedLeaveRules'),
    alsoReadBy: listViewPermissions('BudgetingStaffing', 'ConsoleStaffMembers'),
    write: ['ConsoleExtendedLeaveRulesReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
    extendedLeaveTypeId: reference('Extended leave type', { required: true, to: 'extendedLeaveType', column: 'ExtendedLeaveType' }),
    replacementId: reference('Replaced by', {
      to: 'extendedLeaveRuleSet',
      column: 'ReplacedBy',
      help: 'The rule set for leave that starts on or after the date below. Leave that starts earlier keeps this one.',
    }),
    replacedFrom: date('Replaced from', { column: 'ReplacedFrom' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'extendedLeaveTypeId', 'replacementId', 'replacedFrom'],
  naming: ['name'],
  importRequired: ['Name', 'ExtendedLeaveType'],
  parts: [{ of: 'extendedLeaveRule', by: 'extendedLeaveRulesetId' }],
  affectsCosts: true,
  check: ({ replacementId, replacedFrom }) => [
    ...(replacementId !== null && replacedFrom === null
      ? [{ field: 'replacedFrom', message: 'Enter the first day on which leave follows the other rule set.' }]
      : []),
    ...(replacementId === null && replacedFrom !== null
      ? [{ field: 'replacementId', message: 'Choose the rule set that replaces this one, or clear the date.' }]
      : []),
  ],
  purpose: 'What staff are paid week by week on maternity and other extended leave.',
})
