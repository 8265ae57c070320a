import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { outsideIssuer } from '../shell/session.ts'

/** The address of the organisation's own sign-in, where there is one: API clients are made there. Undefined until it is known. */
export function useOutsideIssuer(): string | null | undefined {
  return useQuery({ queryKey: ['outsideIssuer'], queryFn: outsideIssuer, staleTime: Number.POSITIVE_INFINITY }).data
}

/** Says where clients are made instead of here. */
export function OutsideNotice({ issuer }: { issuer: string }) {
  return (
    <Alert color="blue" title="Systems sign in where people do" mb="md">
      Your organisation signs in at {issuer}. Make the client there, with a verified email address, and add a user with that address and the
      rights it needs in Users. Clients that were made here before cannot sign in.
    </Alert>
  )
}
