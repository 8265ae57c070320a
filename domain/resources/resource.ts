import type { Permission } from '../people/permissions.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { OrganisationId } from '../values/ids.ts'
import type { FieldProblem } from '../words/errors.ts'
import type { TermKey } from '../words/terms.ts'
import type { Field, FieldValue, IdOf } from './fields.ts'

/** The nine calls that an entity has, over REST and for screens. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete' | 'bulkDelete' | 'import' | 'edit' | 'export'

export const allOperations: Operation[] = ['list', 'get', 'create', 'update', 'delete', 'bulkDelete', 'import', 'edit', 'export']

/** Who may do what: permissions of which any one is enough, or the administrator flag alone. */
export interface Access {
  read: readonly Permission[]
  /** Permissions whose screens pick from this list and so must be able to read it. */
  alsoReadBy?: readonly Permission[]
  /** Everybody who is signed in reads the list; export and history still ask for `read`. */
  listedByAll?: boolean
  /** Permissions whose screens offer its records in a picker only: they get code and description, not the list. */
  pickedBy?: readonly Permission[]
  write: readonly Permission[] | 'administrator'
  /** What bulk delete and edit ask for beside `write` (fund codes: the permission of cost centres). */
  bulk?: readonly Permission[]
}

/** A second set of calls on the same records, for people of one organisation. */
export interface OwnPath extends Access {
  path: string
  operations: readonly Operation[]
}

/** Its switch and its dates; `unless` is a flag of records that show whatever their dates say. */
interface Shown<Name> {
  enabled?: Name
  from?: Name
  until: Name
  unless?: Name
}

/** Whose records they are: everyone's, an organisation's, or both in one list (lookups requestTypes). */
type Scope = 'global' | 'organisation' | 'globalOrOrganisation'

/** What a declaration says; see `resource()`. */
export interface ResourceOptions<F extends Record<string, Field>> {
  key: TermKey
  /** Where it is kept, when not in a table made from the declaration: events in the log of a budget, of which `table` is the projection. */
  store?: 'events'
  table: string
  /** The base path below /api. */
  path: string
  scope: Scope
  access: Access
  own?: OwnPath
  fields: F
  /** Sets of fields that together may stand once. */
  unique?: readonly (readonly (keyof F & string)[])[]
  /** Stretches that do not overlap among the records that share `within`. */
  apart?: { from: keyof F & string; to: keyof F & string; within: keyof F & string }
  /** What is wrong with a record beside the others that share `within`. */
  beside?: {
    within: keyof F & string
    problems: (record: Record<string, unknown>, others: readonly Record<string, unknown>[]) => FieldProblem[]
  }
  defaultSort: (keyof F & string) | 'id'
  grid: readonly (keyof F & string)[]
  /** Columns of the grid that a list begins without; people put them there from the menu of columns. */
  gridHidden?: readonly ((keyof F & string) | 'created')[]
  /** How one record is named in pickers, messages and import cells: the first is its code. */
  naming: readonly [keyof F & string, ...(keyof F & string)[]]
  /** Import columns that must be in the file; columns of other fields may be missing. */
  importRequired?: readonly string[]
  /** Whether figures depend on it: a change marks the budget groups that use it (rules.md §16). */
  affectsCosts?: boolean
  /** What people are allowed to do depends on its records. */
  givesRights?: boolean
  /** A flag of the record that keeps it out of pickers. */
  archivedBy?: keyof F & string
  /** For what is shown for a while: its switch and its dates. Without the right to change it, people see only what shows now (behaviour B-258). */
  shown?: Shown<keyof F & string>
  /** The calls it offers, where it does not offer all nine. */
  operations?: readonly Operation[]
  /** Rights reach as far as its records: to whole organisations, or to some locations of one. The id of a record is then whose it is. */
  reach?: 'organisation' | 'location'
  /** The field that says whose alone a record is, if anybody's: it is in no list but that person's own. */
  personalBy?: keyof F & string
  /** Nothing can be moved from one record to another in one step: what uses it is about that very one. */
  usesStay?: boolean
  /** Sub-records that a screen keeps together with the record they belong to: the resource and its field that points back. */
  parts?: readonly { of: string; by: string }[]
  /** Fields that the server sets and nobody types. */
  readOnly?: readonly (keyof F & string)[]
  /** One sentence for the empty list: what it is for. */
  purpose: string
  /** Rules over several fields. */
  check?: (record: Record<string, unknown>) => FieldProblem[]
}

export interface AnyResource
  extends Omit<
    ResourceOptions<Record<string, Field>>,
    'unique' | 'apart' | 'beside' | 'defaultSort' | 'grid' | 'naming' | 'archivedBy' | 'shown' | 'personalBy' | 'readOnly'
  > {
  /** The procedure router's name: the key with a small first letter. */
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

/** The id of a record of a resource. */
export type RecordId<R> = R extends { key: infer K extends string }
  ? Uncapitalize<K> extends keyof IdOf
    ? IdOf[Uncapitalize<K>]
    : number
  : number

/** A stored record: its fields, and what the server keeps of every record. */
export type RecordOf<R> =
  R extends Resource<infer F>
    ? { [K in keyof F]: FieldValue<F[K]> } & { id: RecordId<R>; version: number; created: string; organisationId: OrganisationId | null }
    : never

/** Declares an entity, once: table, schema, procedures, paths, grid, form, import and export are derived from it. */
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

/** A record without its type, as the generic machinery passes it on. */
export type AnyRecord = { id: number; version: number; created: string; organisationId: OrganisationId | null } & Record<string, unknown>
