import type { ForecastMethod } from '../../../domain/monitoring/monitoring.ts'

export const forecastMethodNames: Record<ForecastMethod, string> = {
  budget: 'As budgeted',
  whatIsLeft: 'Remaining budget',
  runRate: 'At the current rate',
  typed: 'Entered month by month',
}
