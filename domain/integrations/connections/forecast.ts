import { fileConnections } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { takesFiles } from './takesFiles.ts'

/** The forecast of each location to a ledger. */
export const forecast = {
  title: fileConnections.forecast.title,
  direction: 'out',
  about: 'Sends how the year is forecast at each location, in a layout that the other system takes in, when it has changed.',
  needs: takesFiles,
  permission: 'ConsoleMonitoringBudgetForecastRead',
} as const satisfies ConnectionKind
