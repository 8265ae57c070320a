import { choice, date, flag, longText, text } from '../fields.ts'
import { resource } from '../resource.ts'

export const adminTable = resource({
  key: 'AdminTable',
  table: 'admin_tables',
  path: 'AdminTables',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, max: 100, column: 'Name' }),
    active: flag('Active', { default: true, column: 'Active' }),
    type: choice('Type', { required: true, lookup: 'adminTableTypes', column: 'Type' }),
    effectiveDate: date('Effective date', {
      column: 'EffectiveDate',
      help: 'The date its figures apply from. New budgets use tables that have a date; you can choose another table in a budget.',
    }),
    description: longText('Description', {
      max: 2000,
      column: 'Description',
      help: 'Where the figures come from, and how certain they are: announced, estimated or in law.',
    }),
  },
  unique: [['name', 'type']],
  defaultSort: 'name',
  grid: ['name', 'type', 'effectiveDate', 'active', 'description'],
  naming: ['name', 'description'],
  importRequired: ['Name', 'Type'],
  purpose: 'A table is a dated set of rates, such as the teacher pay scales for September 2026.',
})
