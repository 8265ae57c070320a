import { date, money } from '../fields.ts'
import { resource } from '../resource.ts'

export const employmentAllowance = resource({
  key: 'EmploymentAllowance',
  table: 'employment_allowances',
  path: 'EmploymentAllowances',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    effectiveDate: date('Effective date', {
      required: true,
      unique: true,
      column: 'EffectiveDate',
      help: 'The day on which a tax year begins.',
    }),
    amount: money('Amount', { required: true, min: 0, column: 'Amount', help: 'Pounds for each tax year from this day on.' }),
  },
  defaultSort: 'effectiveDate',
  grid: ['effectiveDate', 'amount'],
  naming: ['effectiveDate'],
  importRequired: ['EffectiveDate', 'Amount'],
  affectsCosts: true,
  purpose: 'What an employer may take off its national insurance in each tax year, from a date on.',
})
