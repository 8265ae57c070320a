import { listViewPermissions } from '../../../people/permissions.ts'
import { colour, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const cluster = resource({
  key: 'Cluster',
  table: 'clusters',
  path: 'Clusters',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleClusters'),
    alsoReadBy: ['BudgetingReportsRead', ...listViewPermissions('ConsoleMonitoringBudgetActuals', 'ConsoleMonitoringBudgetForecast')],
    write: ['ConsoleClustersReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 50, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
    textColor: colour('Text colour', { required: true, default: '000000', column: 'TextColor' }),
    backgroundColor: colour('Background colour', { required: true, default: 'cccccc', column: 'BackgroundColor' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'locations'],
  naming: ['name'],
  importRequired: ['Name'],
  purpose: 'Clusters group locations for reports and monitoring: a hub, a phase, a region.',
})
