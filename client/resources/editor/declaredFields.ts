import type { ListShapes } from '../../../domain/changes/merge.ts'
import type { Field, Fields } from '../../../domain/resources/fields.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'

/** Returns the labels of declared fields, by name. */
export function getFieldLabels<F extends Fields>(fields: F): Record<keyof F & string, string> {
  return recordFromKeys(keysOf(fields), (name) => fields[name]?.label ?? name)
}

/** Returns how two users' changes to declared fields are merged: salary rows by date, fund shares by fund code. */
export function getMergeShapes(fields: Fields): ListShapes {
  const rowsBy = ({ kind }: Field): string | null => (kind === 'rows' ? 'effectiveDate' : kind === 'shares' ? 'fundCodeId' : null)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const by = rowsBy(field)
      return by === null ? [] : [[name, { rowsBy: by }]]
    }),
  )
}
