import type { Permission } from '../people/permissions.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { OrganisationId } from '../values/ids.ts'
import type { FieldProblem } from '../words/errors.ts'
import type { TermKey } from '../words/terms.ts'
import type { Field, FieldValue, IdOf } from './fields.ts'

/** The nine operations of an entity, over REST and on screens. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete' | 'bulkDelete' | 'import' | 'edit' | 'export'

export const allOperations: Operation[] = ['list', 'get', 'create', 'update', 'delete', 'bulkDelete', 'import', 'edit', 'export']

/** The permissions for an entity. Any one of a list is enough; `administrator` means the administrator flag. */
export interface Access {
  read: readonly Permission[]
  /** Permissions whose screens pick from this list and therefore have to read it. */
  alsoReadBy?: readonly Permission[]
  /** Every signed-in user can read the list; export and history still require `read`. */
  listedByAll?: boolean
  /** Permissions whose screens only offer its records in a picker: they get code and description, not the list. */
  pickedBy?: readonly Permission[]
  write: readonly Permission[] | 'administrator'
  /** Required for bulk delete and edit as well as `write` (fund codes: the permission for cost centres). */
  bulk?: readonly Permission[]
}

/** A second path to the same records, for users of one organisation. */
export interface OrganisationPath extends Access {
  path: string
  operations: readonly Operation[]
}

/** The fields that control when a record is shown: a switch, dates, and `unless`, a flag that overrides the dates. */
interface Shown<Name> {
  enabled?: Name
  from?: Name
  until: Name
  unless?: Name
}

/** The owner of the records: everyone, an organisation, or a mixture in one list (lookups requestTypes). */
type Scope = 'global' | 'organisation' | 'globalOrOrganisation'

/** The options of a declaration; see `resource()`. */
export interface ResourceOptions<F extends Record<string, Field>> {
  key: TermKey
  /** `events` if records are stored in budget logs; `table` is then the projection. By default they are stored in a generated table. */
  store?: 'events'
  table: string
  /** The base path below /api. */
  path: string
  scope: Scope
  access: Access
  own?: OrganisationPath
  fields: F
  /** Combinations of fields that must be unique. */
  unique?: readonly (readonly (keyof F & string)[])[]
  /** Ranges that must not overlap among records with the same `within`. */
  apart?: { from: keyof F & string; to: keyof F & string; within: keyof F & string }
  /** A check of a record against others with the same `within`. */
  beside?: {
    within: keyof F & string
    problems: (record: Record<string, unknown>, others: readonly Record<string, unknown>[]) => FieldProblem[]
  }
  defaultSort: (keyof F & string) | 'id'
  grid: readonly (keyof F & string)[]
  /** Grid columns hidden at first; users show them from the column menu. */
  gridHidden?: readonly ((keyof F & string) | 'created')[]
  /** The fields that name a record in pickers, messages and import cells; the first is its code. */
  naming: readonly [keyof F & string, ...(keyof F & string)[]]
  /** Headings of columns that an import file must have. */
  importRequired?: readonly string[]
  /** Whether figures depend on it: a change marks the budget groups that use it for recalculation (rules.md §16). */
  affectsCosts?: boolean
  /** Whether its records determine users' rights. */
  givesRights?: boolean
  /** A flag of the record that hides it in pickers. */
  archivedBy?: keyof F & string
  /** For records shown for a limited time. Without permission to change them, users see only current ones (behaviour B-258). */
  shown?: Shown<keyof F & string>
  /** The operations it offers, if not all nine. */
  operations?: readonly Operation[]
  /** Its records are what rights are limited to: organisations, or locations of one. A record's own id is then the scope to check. */
  reach?: 'organisation' | 'location'
  /** The field with the user who owns the record, if any; nobody else sees a record with an owner. */
  personalBy?: keyof F & string
  /** References to its records cannot be moved to another record in bulk, because they concern that record alone. */
  usesStay?: boolean
  /** Records edited on the same screen: their resource, and its field that refers back. */
  parts?: readonly { of: string; by: string }[]
  /** Fields set by the server only. */
  readOnly?: readonly (keyof F & string)[]
  /** One sentence for an empty list that says what the list is for. */
  purpose: string
  /** Rules that involve several fields. */
  check?: (record: Record<string, unknown>) => FieldProblem[]
}

export interface AnyResource
  extends Omit<
    ResourceOptions<Record<string, Field>>,
    'unique' | 'apart' | 'beside' | 'defaultSort' | 'grid' | 'naming' | 'archivedBy' | 'shown' | 'personalBy' | 'readOnly'
  > {
  /** The name of its procedure router: the key starting in lower case. */
  name: string
  unique: readonly (readonly string[])[]
  apart?: { from: string; to: string; within: string }
  beside?: { within: string; problems: (record: Record<string, unknown>, others: readonly Record<string, unknown>[]) => FieldProblem[] }
  defaultSort: string
  grid: readonly string[]
  gridHidden?: readonly string[]
  naming: readonly [string, ...string[]]
  archivedBy?: string
  shown?: Shown<string>
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
  ? Uncapitalize<K> extends keyof IdOf
    ? IdOf[Uncapitalize<K>]
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
