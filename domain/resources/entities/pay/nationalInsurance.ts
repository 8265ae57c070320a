import { adminTableType } from '../../../lookups/lookupIds.ts'
import { flag, integer, money, percent, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const nationalInsurance = resource({
  key: 'NationalInsurance',
  table: 'national_insurances',
  path: 'NationalInsurances',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, max: 100, column: 'Name' }),
    bandStart: money('Band start', { required: true, min: 0, default: 0, column: 'BandStart' }),
    bandEnd: money('Band end', { min: 0, column: 'BandEnd', help: 'Leave empty for no upper limit.' }),
    pension: flag('Pension', { either: true, column: 'Pension', help: 'Leave empty for either.' }),
    base: money('Base', { required: true, default: 0, column: 'Base' }),
    rate: percent('Rate', { required: true, min: 0, max: 100, column: 'Rate' }),
    rebate: percent('Rebate', { required: true, min: 0, max: 100, default: 0, column: 'Rebate' }),
    minAge: integer('Min age', { required: true, min: 0, max: 120, default: 0, column: 'MinAge' }),
    maxAge: integer('Max age', { min: 0, max: 120, column: 'MaxAge', help: 'Up to, but not including. Leave empty for no limit.' }),
    apprentice: flag('Apprentice', { column: 'Apprentice' }),
    adminTableId: reference('Admin table', {
      required: true,
      to: 'adminTable',
      where: { type: adminTableType.nationalInsurance },
      column: 'AdminTable',
    }),
  },
  unique: [['adminTableId', 'bandStart', 'minAge', 'maxAge', 'pension', 'apprentice']],
  defaultSort: 'bandStart',
  grid: ['name', 'bandStart', 'bandEnd', 'pension', 'base', 'rate', 'rebate', 'minAge', 'maxAge', 'apprentice', 'adminTableId'],
  naming: ['name'],
  importRequired: ['Name', 'BandStart', 'BandEnd', 'Pension', 'Base', 'Rate', 'Rebate', 'MinAge', 'MaxAge', 'Apprentice', 'AdminTable'],
  affectsCosts: true,
  purpose: 'Bands and rates of employer national insurance, one table for each tax year.',
})
