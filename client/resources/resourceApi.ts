import { createContext, use } from 'react'
import { getResource } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { NamedReference } from '../../domain/resources/shape.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { answerCache, api, trpc } from '../shell/api.ts'
import { useSelection } from '../shell/selection.ts'

type Calls = NonNullable<(typeof api.resources)[string]>
type Hooks = NonNullable<(typeof trpc.resources)[string]>
type Answers = NonNullable<(typeof answerCache.resources)[string]>

/** The calls for the people of the selected location, in the staffing area. */
const locationStaffCalls = {
  list: api.staff.listByLocation,
  get: api.staff.get,
  export: api.staff.exportByLocation,
  template: api.staff.template,
}

const locationStaffHooks = {
  list: trpc.staff.listByLocation,
  get: trpc.staff.get,
  pick: trpc.staff.pick,
  history: trpc.staff.history,
  uses: trpc.staff.uses,
  create: trpc.staff.create,
  update: trpc.staff.update,
  delete: trpc.staff.delete,
  bulkDelete: trpc.staff.bulkDelete,
  import: trpc.staff.import,
  edit: trpc.staff.edit,
  restore: trpc.staff.restore,
}

/** An object with a member for each resource, which is its calls, hooks or cached replies. */
interface ByResource<P> {
  resources: Partial<Record<string, P>>
  users: { own: unknown }
  staff: unknown
}

/**
 * Returns the calls, hooks or cached replies of a resource. Users and staff have routers of their own, which contain only the generic calls
 * that their screens need.
 */
function findMember<P extends object>(
  members: ByResource<P>,
  { staffOfLocation, resource: { name }, own }: { staffOfLocation: unknown; resource: AnyResource; own: boolean },
): P {
  const all: unknown =
    name === 'user' ? members.users : name === 'staffMember' ? (own ? staffOfLocation : members.staff) : members.resources[name]
  const set: unknown = own && name !== 'staffMember' ? (Reflect.get(Object(all), 'own') ?? all) : all
  // The types of these routers are stricter than the generic screens require.
  return assertDefined(set) as P
}

/**
 * Whether an entity's list includes the names of the records that it references. The lists of users and staff, which have routers of their
 * own, do not.
 */
export function listIncludesNames(name: string): boolean {
  return name !== 'user' && name !== 'staffMember'
}

export function getResourceCalls(resource: AnyResource, isOwn = false): Calls {
  return findMember<Calls>(api, { staffOfLocation: locationStaffCalls, resource, own: isOwn })
}

/** Returns the React Query hooks of a resource. */
export function getResourceHooks(resource: AnyResource, isOwn = false): Hooks {
  return findMember<Hooks>(trpc, { staffOfLocation: locationStaffHooks, resource, own: isOwn })
}

/** Returns the mutations of a resource. Each mutation invalidates the cached replies that it affects. */
export function useResourceMutations(resource: AnyResource, isOwn = false) {
  const hooks = getResourceHooks(resource, isOwn)
  const isLocationStaff = Object.is(hooks, locationStaffHooks)
  const { locationId } = useSelection()
  const { mutateAsync: bulkDelete } = hooks.bulkDelete.useMutation()
  const { mutateAsync: bulkDeleteHere } = trpc.staff.bulkDelete.useMutation()
  return {
    create: hooks.create.useMutation().mutateAsync,
    update: hooks.update.useMutation().mutateAsync,
    delete: hooks.delete.useMutation().mutateAsync,
    // Staff are deleted at the location whose list shows them.
    bulkDelete: (input: Parameters<typeof bulkDelete>[0]) =>
      isLocationStaff ? bulkDeleteHere({ ...input, locationId }) : bulkDelete(input),
    edit: hooks.edit.useMutation().mutateAsync,
    import: hooks.import.useMutation().mutateAsync,
    restore: hooks.restore.useMutation().mutateAsync,
  }
}

/** Returns the cached replies of a resource. */
export function getCachedAnswers(resource: AnyResource, isOwn = false): Answers {
  return findMember<Answers>(answerCache, { staffOfLocation: answerCache.staff, resource, own: isOwn })
}

/** Names of referenced records, by entity, that arrived together with a list, so that cells need no further call. */
export const RecordNamesContext = createContext<Readonly<Record<string, readonly NamedReference[]>>>({})

export function useRecordNames(to: string, ids: readonly number[]): Map<number, NamedReference> {
  const sortedIds = [...new Set(ids)].sort((a, b) => a - b)
  const pageNames = (use(RecordNamesContext)[to] ?? []).filter(({ id }) => sortedIds.includes(id))
  const query = getResourceHooks(getResource(to)).pick.useQuery(
    { ids: sortedIds },
    { enabled: pageNames.length < sortedIds.length, staleTime: 60_000, placeholderData: (before) => before },
  )
  return new Map((pageNames.length < sortedIds.length ? (query.data?.rows ?? []) : pageNames).map((row) => [row.id, row]))
}
