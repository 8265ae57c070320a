import type { Permission } from '../people/permissions.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { OrganisationId } from '../values/ids.ts'
import type { FieldProblem } from '../words/errors.ts'
import type { TermKey } from '../words/terms.ts'
import type { Field, FieldValue, IdByEntity } from './fields.ts'

/** The nine operations on the records of an entity, over REST and on screens. */
export type ResourceOperation = 'list' | 'get' | 'create' | 'update' | 'delete' | 'bulkDelete' | 'import' | 'edit' | 'export'

export const allOperations: ResourceOperation[] = ['list', 'get', 'create', 'update', 'delete', 'bulkDelete', 'import', 'edit', 'export']

/** The permissions for an entity. The caller needs one permission of a list; `administrator` means the administrator flag. */
export interface ResourceAccess {
  read: readonly Permission[]
  /** Permissions for screens that show the records of this list. They include the right to read it. */
  alsoReadBy?: readonly Permission[]
  /** Whether every signed-in user can read the list. Export and history still require `read`. */
  listedByAll?: boolean
  /**
   * Permissions for screens that offer the records only in a picker. They include the right to read code and description, but not the whole
   * list.
   */
  pickedBy?: readonly Permission[]
  write: readonly Permission[] | 'administrator'
  /** Required, in addition to `write`, to delete or edit records in bulk (for fund codes: the permission for cost centres). */
  bulk?: readonly Permission[]
}

/** A second path to the same records, for users within one organisation. */
export interface OrganisationPath extends ResourceAccess {
  path: string
  operations: readonly ResourceOperation[]
}

/** The fields that decide when a record is shown: a switch, its dates, and the flag `unless`, which overrides the dates. */
interface ShowingRule<Name> {
  enabled?: Name
  from?: Name
  until: Name
  unless?: Name
}

/** Who owns the records: everyone, an organisation, or either (lookups requestTypes). */
type Scope = 'global' | 'organisation' | 'globalOrOrganisation'

/** The options of a declaration; see `resource()`. */
export interface ResourceOptions<F extends Record<string, Field>> {
  key: TermKey
  /**
   * `events` if records are stored in budget logs; `table` is then a projection of the log. By default they are stored in a generated
   * table.
   */
  store?: 'events'
  table: string
  /** The base path below /api. */
  path: string
  scope: Scope
  access: ResourceAccess
  own?: OrganisationPath
  fields: F
  /** Combinations of fields that must be unique. */
  unique?: readonly (readonly (keyof F & string)[])[]
  /** Two fields that form a range. The ranges of records with the same value of `within` must not overlap. */
  nonOverlapping?: { from: keyof F & string; to: keyof F & string; within: keyof F & string }
  /** Checks a record against the other records that have the same value in the field `within`. */
  siblingCheck?: {
    within: keyof F & string
    problems: (record: Record<string, unknown>, others: readonly Record<string, unknown>[]) => FieldProblem[]
  }
  defaultSort: (keyof F & string) | 'id'
  grid: readonly (keyof F & string)[]
  /** Columns of the list that are hidden at first. Users show them from the column menu. */
  gridHidden?: readonly ((keyof F & string) | 'created')[]
  /** The fields by which pickers, messages and import cells name a record. The first is its code. */
  naming: readonly [keyof F & string, ...(keyof F & string)[]]
  /** Headings of columns that an import file must have. */
  importRequired?: readonly string[]
  /**
   * Whether figures depend on the records. If so, a change marks each budget group that uses the record as needing recalculation (rules.md
   * §16).
   */
  affectsCosts?: boolean
  /** Whether the records determine users' rights. */
  givesRights?: boolean
  /** A flag of the record. If it is set, pickers hide the record. */
  archivedBy?: keyof F & string
  /** For records that are shown for a limited time. Users who may not change the records see only current ones (behaviour B-258). */
  shown?: ShowingRule<keyof F & string>
  /** The operations that the entity offers, if it does not offer all nine. */
  operations?: readonly ResourceOperation[]
  /**
   * Set if a user's rights can be limited to some of the records: to organisations, or to locations of one organisation. The id of the
   * record is then the scope to check.
   */
  reach?: 'organisation' | 'location'
  /** The field with the user who owns the record. Only its owner sees a record that has one. */
  personalBy?: keyof F & string
  /** Set if references to a record cannot be moved to another record in bulk, because they make sense only for this record. */
  usesStay?: boolean
  /** Entities whose records are edited on the same screen: the name of the entity, and its field that refers to this record. */
  parts?: readonly { of: string; by: string }[]
  /** Fields that only the server sets. */
  readOnly?: readonly (keyof F & string)[]
  /** The sentence on an empty list that explains what the list is for. */
  purpose: string
  /** Rules that involve several fields. */
  check?: (record: Record<string, unknown>) => FieldProblem[]
}

export interface AnyResource
  extends Omit<
    ResourceOptions<Record<string, Field>>,
    'unique' | 'apart' | 'beside' | 'defaultSort' | 'grid' | 'naming' | 'archivedBy' | 'shown' | 'personalBy' | 'readOnly'
  > {
  /** The name of the procedure router: the key with a lower-case first letter. */
  name: string
  unique: readonly (readonly string[])[]
  nonOverlapping?: { from: string; to: string; within: string }
  siblingCheck?: {
    within: string
    problems: (record: Record<string, unknown>, others: readonly Record<string, unknown>[]) => FieldProblem[]
  }
  defaultSort: string
  grid: readonly string[]
  gridHidden?: readonly string[]
  naming: readonly [string, ...string[]]
  archivedBy?: string
  shown?: ShowingRule<string>
  personalBy?: string
  readOnly?: readonly string[]
}

export interface Resource<F extends Record<string, Field>, S extends Scope = Scope, K extends TermKey = TermKey> extends AnyResource {
  key: K
  fields: F
  scope: S
}

/** The type of a record's id. */
export type RecordId<R> = R extends { key: infer K extends string }
  ? Uncapitalize<K> extends keyof IdByEntity
    ? IdByEntity[Uncapitalize<K>]
    : number
  : number

/** A stored record: its fields, and the columns that every record has. */
export type RecordOf<R> =
  R extends Resource<infer F>
    ? { [K in keyof F]: FieldValue<F[K]> } & { id: RecordId<R>; version: number; created: string; organisationId: OrganisationId | null }
    : never

/** Declares an entity. Its table, schema, procedures, paths, grid, form, import and export are derived from the declaration. */
export function resource<const F extends Record<string, Field>, const S extends Scope, const K extends TermKey>(
  options: ResourceOptions<F> & { scope: S; key: K },
): Resource<F, S, K> {
  const single = Object.entries(options.fields).filter(([, field]) => field.unique)
  return {
    ...options,
    name: assertDefined(options.key[0]).toLowerCase() + options.key.slice(1),
    unique: [...(options.unique ?? []), ...single.map(([name]) => [name])],
  }
}

/** A record of any resource, for generic code. */
export type AnyRecord = { id: number; version: number; created: string; organisationId: OrganisationId | null } & Record<string, unknown>
