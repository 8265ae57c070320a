import { listViewPermissions } from '../../../people/permissions.ts'
import { dateTime, flag, reference, richText, text } from '../../fields.ts'
import { resource } from '../../resource.ts'
import { checkEndAfterStart } from '../shown.ts'

export const newsArticle = resource({
  key: 'NewsArticle',
  table: 'news_articles',
  path: 'NewsArticles',
  scope: 'globalOrOrganisation',
  access: { read: listViewPermissions('ConsoleNews'), listedByAll: true, write: ['ConsoleNewsReadUpdate'] },
  fields: {
    title: text('Title', { required: true, max: 150, column: 'Title' }),
    message: richText('Message', { required: true, max: 20_000, column: 'Message' }),
    enabled: flag('Enabled', { default: true, column: 'Enabled' }),
    active: dateTime('Active', { required: true, column: 'Active', help: 'When to start showing it.' }),
    organisationId: reference('Organisation', { to: 'organisation', help: 'Leave empty for everyone.' }),
    expires: dateTime('Expires', { column: 'Expires', help: 'Leave empty to keep showing it.' }),
  },
  defaultSort: 'active',
  grid: ['title', 'enabled', 'active', 'expires'],
  naming: ['title'],
  importRequired: ['Title', 'Message', 'Active'],
  shown: { enabled: 'enabled', from: 'active', until: 'expires' },
  check: checkEndAfterStart,
  purpose: 'News for people in your organisation, on their home page.',
})
