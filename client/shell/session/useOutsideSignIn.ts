import { useQuery } from '@tanstack/react-query'
import { outsideSignIn } from './session.ts'

/**
 * Name of the installation's external identity provider; null if users have passwords here, undefined while loading.
 */
export function useOutsideSignIn(): string | null | undefined {
  return useQuery({ queryKey: ['outsideSignIn'], queryFn: outsideSignIn, staleTime: Number.POSITIVE_INFINITY }).data
}
