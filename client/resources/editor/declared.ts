import type { ListShapes } from '../../../domain/changes/merge.ts'
import type { Field, Fields } from '../../../domain/resources/fields.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'

/** What declared fields are called, by their names. */
export function labelsOf<F extends Fields>(fields: F): Record<keyof F & string, string> {
  return recordFromKeys(keysOf(fields), (name) => fields[name]?.label ?? name)
}

/** How what two people made of declared fields is put together: rows are told apart by their dates, shares by their fund codes. */
export function mergeShapesOf(fields: Fields): ListShapes {
  const rowsBy = ({ kind }: Field): string | null => (kind === 'rows' ? 'effectiveDate' : kind === 'shares' ? 'fundCodeId' : null)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const by = rowsBy(field)
      return by === null ? [] : [[name, { rowsBy: by }]]
    }),
  )
}
