import { useQuery } from '@tanstack/react-query'
import { outsideSignIn } from './session.ts'

/** What the sign-in is called that the installation brings itself; null where people have a password here, undefined until it is known. */
export function useOutsideSignIn(): string | null | undefined {
  return useQuery({ queryKey: ['outsideSignIn'], queryFn: outsideSignIn, staleTime: Number.POSITIVE_INFINITY }).data
}
