import type { z } from 'zod'
import type { Permission } from '../../../domain/people/permissions.ts'
import type { Term } from '../../../domain/words/terms.ts'

/** The REST address of a procedure. `{id:integer}` and `{id:mongoId}` accept only such values. */
export interface RestMeta {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** One sentence about the call, for the API description. */
  summary: string
  /** The subject of the call in the API description, if its entity has no term. */
  term?: Term
  /** Alternative spellings of the path. */
  also?: readonly string[]
  status?: number
  entity?: string
  /** The documented schema of the body, if the procedure accepts more than is documented. */
  body?: z.ZodType
  /**
   * The body is a list of records with JSON values, which the procedure receives as `rows`. In other lists, such as imports, cells are
   * text.
   */
  isList?: true
  /** Documents the answer 409: the resource may not be ready yet, such as a file that is still being created. */
  mayConflict?: true
  /** The form field of the file, for a form body. */
  form?: string
}

/** One of a procedure's two REST addresses. Only callers with the permissions of its level may call it. */
interface LevelRestMeta extends RestMeta {
  access: readonly Permission[]
}

/** The addresses of a procedure that works at two levels: the whole organisation, or a part that the input names. */
export type TwoLevelRestMeta = readonly [
  /** `without`: the field that names the part. The REST path for the whole organisation does not accept that field. */
  whole: LevelRestMeta & { without: string },
  part: LevelRestMeta,
]

/** Any REST address, of a procedure with one or two levels. */
export type RestAddress = RestMeta & Partial<TwoLevelRestMeta[0]>

/** The addresses of a procedure; none if only the browser calls it. */
export function listRestAddresses(rest: RestMeta | TwoLevelRestMeta | undefined): readonly RestAddress[] {
  return !rest ? [] : 'path' in rest ? [rest] : rest
}
