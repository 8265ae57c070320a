import type { ForecastMethod } from '../../../domain/monitoring/monitoring.ts'

export const methodNames: Record<ForecastMethod, string> = {
  budget: 'As budgeted',
  whatIsLeft: 'What is left of the budget',
  runRate: 'At the rate so far',
  typed: 'Typed month by month',
}
