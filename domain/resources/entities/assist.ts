import { date, flag, image, integer, richText, text } from '../fields.ts'
import { resource } from '../resource.ts'
import { checkEndAfterStart } from './shown.ts'

export const assist = resource({
  key: 'Assist',
  table: 'assist_articles',
  path: 'Assist',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    slug: text('Slug', {
      required: true,
      unique: true,
      max: 80,
      format: 'slug',
      column: 'Slug',
      help: 'The last part of its address: /assist/slug.',
    }),
    title: text('Title', { required: true, max: 150, column: 'Title' }),
    article: richText('Article', { required: true, max: 20_000, column: 'Article' }),
    video: text('Video', { max: 300, format: 'video', column: 'Video', help: 'https://www.youtube.com/embed/…' }),
    image: image('Image', { shared: true }),
    enabled: flag('Enabled', { default: true, column: 'Enabled' }),
    active: date('Active', { column: 'Active', help: 'The first day it is shown.' }),
    expires: date('Expires', { column: 'Expires', help: 'The last day it is shown.' }),
    order: integer('Order', { default: 0, column: 'Order' }),
    screens: text('Screens', {
      max: 1000,
      column: 'Screens',
      help: 'The addresses of the screens it helps with, separated by spaces: /overview/summary.',
    }),
    words: text('Other words', {
      max: 300,
      column: 'Words',
      help: 'Other words that people may search for to find this page.',
    }),
  },
  defaultSort: 'title',
  grid: ['slug', 'title', 'enabled', 'active', 'expires', 'order'],
  naming: ['title'],
  importRequired: ['Slug', 'Title', 'Article'],
  shown: { enabled: 'enabled', from: 'active', until: 'expires' },
  check: ({ active, expires }) => (active === expires ? [] : checkEndAfterStart({ active, expires })),
  purpose: 'Help articles that explain the product, each with its own address.',
})
