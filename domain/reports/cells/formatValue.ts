import { displayDate, displayDecimal, displayFigure, displayPercent, displayWholePounds } from '../../values/format.ts'
import type { ColumnType } from '../report.ts'

/** Formats a figure with a leading minus; zero is a dash. */
export function formatValue(value: number | string | null, type: ColumnType, hasPence: boolean): string {
  if (value === null) return ''
  if (type === 'date') return displayDate(String(value))
  if (typeof value === 'string') return value
  if (type === 'percent') return displayPercent(value)
  if (type === 'ratio') return value.toFixed(2)
  if (type === 'number') return value === 0 ? '–' : displayDecimal(value)
  if (value === 0) return '–'
  return hasPence ? displayFigure(value) : displayWholePounds(value).replace('£', '')
}
