import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, dateTime, flag, integer, reference, richText, text } from '../../fields.ts'
import { allOperations, resource } from '../../resource.ts'
import { checkEndAfterStart } from '../shown.ts'

export const flashMessage = resource({
  key: 'FlashMessage',
  table: 'flash_messages',
  path: 'FlashMessages',
  scope: 'globalOrOrganisation',
  access: { read: [], write: 'administrator' },
  own: {
    path: 'MyFlashMessages',
    operations: allOperations,
    read: listViewPermissions('ConsoleFlashMessages'),
    write: ['ConsoleFlashMessagesReadUpdate'],
  },
  fields: {
    title: text('Title', { required: true, max: 100, column: 'Title' }),
    message: richText('Message', { required: true, max: 20_000, column: 'Message' }),
    enabled: flag('Enabled', { default: true, column: 'Enabled' }),
    active: dateTime('Active', { required: true, column: 'Active', help: 'When to start showing it.' }),
    expires: dateTime('Expires', { required: true, column: 'Expires', help: 'When to stop showing it.' }),
    type: choice('Type', { required: true, lookup: 'communicationSeverities', default: 1, column: 'Type' }),
    organisationId: reference('Organisation', { to: 'organisation', help: 'Leave empty for everyone.' }),
    postedById: integer('Posted by'),
  },
  defaultSort: 'active',
  grid: ['title', 'enabled', 'active', 'expires', 'type', 'postedById'],
  naming: ['title'],
  importRequired: ['Title', 'Message', 'Active', 'Expires'],
  shown: { enabled: 'enabled', from: 'active', until: 'expires' },
  readOnly: ['postedById'],
  check: checkEndAfterStart,
  purpose: 'Short messages in a banner at the top of every screen, for a time that you set.',
})
