import { useQuery } from '@tanstack/react-query'
import { readIdentityProviderName } from './session.ts'

/** Returns the name of the installation's external identity provider; null if users have passwords here, undefined while loading. */
export function useIdentityProviderName(): string | null | undefined {
  return useQuery({ queryKey: ['outsideSignIn'], queryFn: readIdentityProviderName, staleTime: Number.POSITIVE_INFINITY }).data
}
