import { displayDate, displayDecimal, displayFigure, displayPercent, displayWholePounds } from '../../values/format.ts'
import type { ColumnType } from '../report.ts'

/** What a figure shows, with the minus in front; nothing is a dash. */
export function shownValue(value: number | string | null, type: ColumnType, hasPence: boolean): string {
  if (value === null) return ''
  if (type === 'date') return displayDate(String(value))
  if (typeof value === 'string') return value
  if (type === 'percent') return displayPercent(value)
  if (type === 'ratio') return value.toFixed(2)
  if (type === 'number') return value === 0 ? '–' : displayDecimal(value)
  if (value === 0) return '–'
  return hasPence ? displayFigure(value) : displayWholePounds(value).replace('£', '')
}
