import { formatCell } from '../../domain/resources/cells.ts'
import type { Field } from '../../domain/resources/fields.ts'
import { useNames } from './resourceApi.ts'

/** The value of a field in words, as histories and quick views show it. */
export function RecordValue({ field, value }: { field: Field; value: unknown }) {
  const to = 'to' in field ? field.to : 'location'
  const ids = field.kind === 'reference' ? (value ? [value as number] : []) : field.kind === 'references' ? ((value as number[]) ?? []) : []
  const names = useNames(to, ids)
  if (field.kind === 'rows')
    return <>{((value as Record<string, unknown>[]) ?? []).map((row) => Object.values(row).join(' ')).join(', ') || 'none'}</>
  if (field.kind === 'rates') return <>{((value as number[]) ?? []).map((rate) => `${rate}%`).join(', ') || 'none'}</>
  if (field.kind === 'image') return <>{value ? `picture ${value}` : 'none'}</>
  if (field.kind === 'references' && !ids.length) return <>{field.to === 'location' ? 'All locations' : 'none'}</>
  return <>{formatCell(field, value, (_to, id) => names.get(id)?.name ?? `number ${id}`) || 'empty'}</>
}
