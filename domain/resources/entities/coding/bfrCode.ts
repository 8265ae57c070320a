import { choice, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const bfrCode = resource({
  key: 'BFRCode',
  table: 'bfr_codes',
  path: 'BFRCodes',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    code: text('Code', { isCode: true, required: true, max: 20, column: 'Code' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    type: choice('Type', { required: true, lookup: 'bfrCodeTypes', column: 'Type' }),
  },
  unique: [['code', 'type']],
  defaultSort: 'code',
  grid: ['code', 'description', 'type'],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Description', 'Type'],
  purpose: 'The lines of the Budget Forecast Return.',
})
