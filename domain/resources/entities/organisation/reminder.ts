import { choice, date, flag, integer, longText, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const reminder = resource({
  key: 'Reminder',
  table: 'reminders',
  path: 'Reminders',
  scope: 'globalOrOrganisation',
  access: { read: [], write: 'administrator' },
  fields: {
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    notes: longText('Notes', { max: 2000, column: 'Notes' }),
    when: date('When', { required: true, column: 'When' }),
    type: choice('Type', { required: true, lookup: 'reminderTypes', default: 1, column: 'Type' }),
    category: choice('Category', { lookup: 'reminderCategories', default: 1, column: 'Category' }),
    isRecurring: flag('Recurring', { column: 'IsRecurring', help: 'It repeats every year on the same day.' }),
    organisationId: reference('Organisation', { to: 'organisation', help: 'Leave empty for everyone.' }),
    userId: integer('User'),
    sourceId: text('Source', { max: 50 }),
  },
  defaultSort: 'when',
  grid: ['description', 'notes', 'when', 'type', 'category', 'isRecurring'],
  naming: ['description'],
  importRequired: ['Description', 'When'],
  shown: { until: 'when', unless: 'isRecurring' },
  personalBy: 'userId',
  readOnly: ['userId', 'sourceId'],
  purpose: 'Dates that everyone should keep in mind: returns, deadlines, meetings.',
})
