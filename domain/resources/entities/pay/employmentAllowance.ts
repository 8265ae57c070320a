import { date, money } from '../../fields.ts'
import { resource } from '../../resource.ts'

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
      help: 'The first day of a tax year.',
    }),
    amount: money('Amount', { required: true, min: 0, column: 'Amount', help: 'Pounds for each tax year from this date.' }),
  },
  defaultSort: 'effectiveDate',
  grid: ['effectiveDate', 'amount'],
  naming: ['effectiveDate'],
  importRequired: ['EffectiveDate', 'Amount'],
  affectsCosts: true,
  purpose: 'The amount an employer may deduct from its national insurance in each tax year, by effective date.',
})
