import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, flag, integer, percent, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

const recovery = { required: true, min: 0, max: 110, default: 0 } as const
const share = { required: true, min: 0, max: 100, default: 0 } as const

export const extendedLeaveRule = resource({
  key: 'ExtendedLeaveRule',
  table: 'extended_leave_rules',
  path: 'ExtendedLeaveRule',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleExtendedLeaveRules'), write: ['ConsoleExtendedLeaveRulesReadUpdate'] },
  fields: {
    extendedLeaveRulesetId: reference('Extended leave rule set', {
      required: true,
      to: 'extendedLeaveRuleSet',
      column: 'ExtendedLeaveRuleset',
    }),
    periodName: text('Period name', { required: true, max: 50, column: 'PeriodName' }),
    firstWeek: integer('First week', { required: true, min: 1, max: 520, column: 'FirstWeek' }),
    lastWeek: integer('Last week', { required: true, min: 1, max: 520, column: 'LastWeek' }),
    payPercentage: percent('Pay percentage', { ...share, column: 'PayPercentage' }),
    useAWE: flag('Use average weekly earnings', { column: 'UseAWE' }),
    payInclusive: flag('Pay inclusive', { column: 'PayInclusive' }),
    payRecoveryPercentage: percent('Pay recovery percentage', { ...recovery, column: 'PayRecoveryPercentage' }),
    extendedLeaveRatePercentage: percent('Extended leave rate percentage', { ...share, column: 'ExtendedLeaveRatePercentage' }),
    extendedLeaveRateRecoveryPercentage: percent('Extended leave rate recovery percentage', {
      ...recovery,
      column: 'ExtendedLeaveRateRecoveryPercentage',
    }),
    rateCapPercentage: percent('Maximum % of weekly earnings', { min: 0, max: 100, column: 'RateCapPercentage' }),
    erPensionCalculation: choice('Employer pension calculation', {
      required: true,
      lookup: 'employerPensionCalculations',
      default: 2,
      column: 'ErPensionCalculation',
    }),
  },
  unique: [['extendedLeaveRulesetId', 'firstWeek']],
  nonOverlapping: { from: 'firstWeek', to: 'lastWeek', within: 'extendedLeaveRulesetId' },
  defaultSort: 'firstWeek',
  grid: [
    'extendedLeaveRulesetId',
    'periodName',
    'firstWeek',
    'lastWeek',
    'payPercentage',
    'useAWE',
    'payInclusive',
    'extendedLeaveRatePercentage',
    'rateCapPercentage',
    'erPensionCalculation',
  ],
  naming: ['periodName'],
  importRequired: ['ExtendedLeaveRuleset', 'PeriodName', 'FirstWeek', 'LastWeek'],
  affectsCosts: true,
  check: (record) =>
    Number(record.lastWeek) < Number(record.firstWeek) ? [{ field: 'lastWeek', message: 'Last week must not be before First week.' }] : [],
  purpose: 'The weeks in a rule set, with their pay, statutory amount and recovery.',
})
