import { fileConnections } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { fileReceiverNeeds } from './fileReceiverNeeds.ts'

export const forecastConnection = {
  title: fileConnections.forecast.title,
  direction: 'out',
  about: 'Sends how the year is forecast at each location, in a layout that the other system takes in, when it has changed.',
  needs: fileReceiverNeeds,
  permission: 'ConsoleMonitoringBudgetForecastRead',
} as const satisfies ConnectionKind
