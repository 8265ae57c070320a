import { useQuery } from '@tanstack/react-query'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { api } from '../api/api.ts'
import { currentSelection, useSelection } from '../state/selection.ts'

type Router = NonNullable<(typeof api.resources)[string]>

/** The people of the selected location, for the staffing area. */
const staffHere = {
  list: api.staff.listByLocation,
  get: api.staff.get,
  create: api.staff.create,
  update: api.staff.update,
  delete: api.staff.delete,
  edit: api.staff.edit,
  export: api.staff.exportByLocation,
  history: api.staff.history,
  restore: api.staff.restore,
  uses: api.staff.uses,
  bulkDelete: {
    mutate: (input: Parameters<typeof api.staff.bulkDelete.mutate>[0]) =>
      api.staff.bulkDelete.mutate({ ...input, locationId: currentSelection().locationId }),
  },
}

/** Entities kept in stores of their own offer the same calls, as far as their screens use them. */
const handMade: Record<string, { all: unknown; own: unknown }> = {
  user: { all: api.users, own: api.users.own },
  staffMember: { all: api.staff, own: staffHere },
}

/** The procedures of a resource: all of them, or the set for people of one organisation; what a set does not offer, its screens do not. */
export function callsOf(resource: AnyResource, own = false): Router {
  const made = handMade[resource.name]
  if (made) return (own ? made.own : made.all) as Router
  const all = api.resources[resource.name]!
  return own ? ((all as unknown as { own: Router }).own ?? all) : all
}

export interface Named {
  id: number
  name: string
  description: string | null
  archived: boolean
}

/** The names of referenced records by id. */
export function useNames(to: string, ids: readonly number[]): Map<number, Named> {
  const { organisationId } = useSelection()
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const query = useQuery({
    queryKey: ['names', to, organisationId, wanted],
    queryFn: () => callsOf(resourceNamed(to)).pick.query({ ids: wanted }),
    enabled: wanted.length > 0,
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  return new Map((query.data?.rows ?? []).map((row) => [row.id, row]))
}
