import { keysOf, recordOf } from '../../../domain/keysOf.ts'
import type { Shapes } from '../../../domain/merge.ts'
import type { Field, Fields } from '../../../domain/resources/fields.ts'

/** What declared fields are called, by their names. */
export function labelsOf<F extends Fields>(fields: F): Record<keyof F & string, string> {
  return recordOf(keysOf(fields), (name) => fields[name]?.label ?? name)
}

/** How what two people made of declared fields is put together: rows are told apart by their dates, shares by their fund codes. */
export function mergeShapesOf(fields: Fields): Shapes {
  const rowsBy = ({ kind }: Field): string | null => (kind === 'rows' ? 'effectiveDate' : kind === 'shares' ? 'fundCodeId' : null)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const by = rowsBy(field)
      return by === null ? [] : [[name, { rowsBy: by }]]
    }),
  )
}

/** Of an object what the declared fields hold, and nothing else. */
export function declaredPart<F extends Fields, T extends Record<keyof F & string, unknown>>(fields: F, of: T): Pick<T, keyof F & string> {
  // Each name with its own value, which the compiler forgets on the way.
  return Object.fromEntries(Object.keys(fields).map((name) => [name, of[name]])) as Pick<T, keyof F & string>
}
