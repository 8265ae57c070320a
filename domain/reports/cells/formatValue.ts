import { displayDate, displayDecimal, displayFigure, displayPercent, displayWholePounds } from '../../values/format.ts'
import type { ColumnType } from '../report.ts'

/**
 * Formats a value of a report as its screen shows it: zero is a dash, a missing value is empty.
 * @param value whole pennies for money
 * @param hasPence whether money is shown with pence, and not rounded to pounds
 */
export function formatReportValue(value: number | string | null, type: ColumnType, hasPence: boolean): string {
  if (value === null) return ''
  if (type === 'date') return displayDate(String(value))
  if (typeof value === 'string') return value
  if (type === 'percent') return displayPercent(value)
  if (type === 'ratio') return value.toFixed(2)
  if (type === 'number') return value === 0 ? '–' : displayDecimal(value)
  if (value === 0) return '–'
  return hasPence ? displayFigure(value) : displayWholePounds(value).replace('£', '')
}
