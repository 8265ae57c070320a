import { formatCell } from '../../../domain/resources/cells.ts'
import type { Field } from '../../../domain/resources/fields.ts'
import { numberOf, numbersOf, recordsOf } from '../../../domain/values.ts'
import { useNames } from '../resourceApi.ts'

/** The value of a field in words, as histories and quick views show it. */
export function RecordValue({ field, value }: { field: Field; value: unknown }) {
  const to = 'to' in field ? field.to : 'location'
  const ids = field.kind === 'reference' ? (value ? [numberOf(value)] : []) : field.kind === 'references' ? numbersOf(value) : []
  const names = useNames(to, ids)
  if (field.kind === 'rows')
    return (
      <>
        {recordsOf(value)
          .map((row) => Object.values(row).join(' '))
          .join(', ') || 'none'}
      </>
    )
  if (field.kind === 'rates')
    return (
      <>
        {numbersOf(value)
          .map((rate) => `${rate}%`)
          .join(', ') || 'none'}
      </>
    )
  if (field.kind === 'image') return <>{value ? `picture ${value}` : 'none'}</>
  if (field.kind === 'references' && !ids.length) return <>{field.to === 'location' ? 'All locations' : 'none'}</>
  return <>{formatCell(field, value, (_to, id) => names.get(id)?.name ?? `number ${id}`) || 'empty'}</>
}
