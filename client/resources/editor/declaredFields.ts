import type { ListShapes } from '../../../domain/changes/merge.ts'
import type { Field, Fields } from '../../../domain/resources/fields.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'

/** Labels of declared fields, by name. */
export function getFieldLabels<F extends Fields>(fields: F): Record<keyof F & string, string> {
  return recordFromKeys(keysOf(fields), (name) => fields[name]?.label ?? name)
}

/** How two users' edits of declared fields merge: salary rows match by date, fund shares by fund code. */
export function getMergeShapes(fields: Fields): ListShapes {
  const rowsBy = ({ kind }: Field): string | null => (kind === 'rows' ? 'effectiveDate' : kind === 'shares' ? 'fundCodeId' : null)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const by = rowsBy(field)
      return by === null ? [] : [[name, { rowsBy: by }]]
    }),
  )
}
