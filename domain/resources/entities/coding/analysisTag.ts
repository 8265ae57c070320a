import { listViewPermissions } from '../../../people/permissions.ts'
import { colour, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const analysisTag = resource({
  key: 'AnalysisTag',
  table: 'analysis_tags',
  path: 'AnalysisTags',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleAnalysisTags'),
    alsoReadBy: [
      ...listViewPermissions('BudgetingNonStaffing', 'BudgetingStaffing', 'ConsoleMonitoring', 'ConsoleAllowances'),
      'BudgetingReportsRead',
    ],
    write: ['ConsoleAnalysisTagsReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 50, column: 'Name' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    textColor: colour('Text colour', { required: true, default: '000000', column: 'TextColor' }),
    backgroundColor: colour('Background colour', { required: true, default: 'cccccc', column: 'BackgroundColor' }),
    icon: text('Icon', { max: 50, format: 'icon', column: 'Icon' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'textColor', 'backgroundColor', 'icon', 'locations'],
  naming: ['name'],
  importRequired: ['Name', 'Description'],
  purpose: 'Tags label contracts and entries for your own analysis. They never split an amount.',
})
