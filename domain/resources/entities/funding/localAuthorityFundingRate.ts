import { adminTableType } from '../../../lookups/lookupIds.ts'
import { choice, money, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const localAuthorityFundingRate = resource({
  key: 'LocalAuthorityFundingRate',
  table: 'local_authority_funding_rates',
  path: 'LocalAuthorityFundingRates',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    localAuthority: reference('Local authority', { required: true, to: 'localAuthority', column: 'LocalAuthority' }),
    adminTable: reference('Admin table', {
      required: true,
      to: 'adminTable',
      where: { type: adminTableType.fundingRates },
      column: 'AdminTable',
    }),
    category: choice('Category', { required: true, lookup: 'localAuthorityFundingRateCategories', column: 'Category' }),
    value: money('Value', { required: true, min: 0, column: 'Value' }),
  },
  unique: [['category', 'localAuthority', 'adminTable']],
  defaultSort: 'localAuthority',
  grid: ['localAuthority', 'adminTable', 'category', 'value'],
  naming: ['category'],
  importRequired: ['LocalAuthority', 'AdminTable', 'Category', 'Value'],
  purpose: 'What each local authority pays per pupil, by category and year.',
})
