import { outgoingFiles } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { fileReceiverNeeds } from './fileReceiverNeeds.ts'

export const forecastConnection = {
  title: outgoingFiles.forecast.title,
  direction: 'out',
  about: 'Sends each location’s forecast for the year, in the other system’s import layout, when it has changed.',
  needs: fileReceiverNeeds,
  permission: 'ConsoleMonitoringBudgetForecastRead',
} as const satisfies ConnectionKind
