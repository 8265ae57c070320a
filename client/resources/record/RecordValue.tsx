import { formatCell } from '../../../domain/resources/cells.ts'
import type { Field, NumberUnit } from '../../../domain/resources/fields.ts'
import { displayDate, displayDateTime, displayMoney, displayWithUnit } from '../../../domain/values/format.ts'
import { requireNumber, requireNumbers, requireRecords } from '../../../domain/values/unknownValues.ts'
import { useRecordNames } from '../resourceApi.ts'

/** Formats a value that is not readable as stored: a date, time, amount or percentage; null for any other value. */
function formatForReading({ kind }: Field, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (kind === 'date') return displayDate(String(value))
  if (kind === 'dateTime') return displayDateTime(String(value))
  if (kind === 'money') return displayMoney(Math.round(Number(value) * 100))
  return kind === 'percent' ? `${value}%` : null
}

/**
 * Shows a field's value as text, for histories and quick views.
 * @param unit unit of a number, if another field of the record determines it
 */
export function RecordValue({ field, value, unit }: { field: Field; value: unknown; unit?: NumberUnit | undefined }) {
  const to = 'to' in field ? field.to : 'location'
  const ids = field.kind === 'reference' ? (value ? [requireNumber(value)] : []) : field.kind === 'references' ? requireNumbers(value) : []
  const names = useRecordNames(to, ids)
  if (unit && typeof value === 'number') return <>{displayWithUnit(value, unit)}</>
  if (field.kind === 'rows')
    return (
      <>
        {requireRecords(value)
          .map((row) => Object.values(row).join(' '))
          .join(', ') || 'none'}
      </>
    )
  if (field.kind === 'rates')
    return (
      <>
        {requireNumbers(value)
          .map((rate) => `${rate}%`)
          .join(', ') || 'none'}
      </>
    )
  if (field.kind === 'image') return <>{value ? `picture ${value}` : 'none'}</>
  if (field.kind === 'references' && !ids.length) return <>{field.to === 'location' ? 'All locations' : 'none'}</>
  return <>{formatForReading(field, value) || formatCell(field, value, (_to, id) => names.get(id)?.name ?? `number ${id}`) || 'empty'}</>
}
