import { listViewPermissions } from '../../../people/permissions.ts'
import { date, money, percent, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const apprenticeshipLevy = resource({
  key: 'ApprenticeshipLevy',
  table: 'apprenticeship_levies',
  path: 'ApprenticeshipLevies',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleApprenticeshipLevy'), write: ['ConsoleApprenticeshipLevyReadUpdate'] },
  operations: ['list', 'import', 'edit'],
  fields: {
    locationId: reference('Location', { required: true, to: 'location', column: 'Location' }),
    effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
    allowance: money('Allowance', { min: 0, column: 'Allowance' }),
    percentage: percent('Percentage', { min: 0, max: 100, column: 'Percentage' }),
  },
  unique: [['effectiveDate', 'locationId']],
  defaultSort: 'locationId',
  grid: ['locationId', 'effectiveDate', 'allowance', 'percentage'],
  naming: ['locationId'],
  importRequired: ['Location', 'EffectiveDate'],
  affectsCosts: true,
  purpose: 'Each location’s share of the yearly levy allowance, from a date.',
})
