import { useQuery } from '@tanstack/react-query'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { api } from '../api/api.ts'
import { useSelection } from '../state/selection.ts'

type Router = NonNullable<(typeof api.resources)[string]>

/** The procedures of a resource: all of them, or the set for people of one organisation. */
export function callsOf(resource: AnyResource, own = false): Router {
  const all = api.resources[resource.name]!
  // The own set has the same calls, less those the product does not offer; screens of it offer none of those.
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
