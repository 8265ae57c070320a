import { useSearchParams } from 'react-router'

/** Changes what the address says, in place: each part named here is set, or taken out where it is null or empty. */
export type PutAddress = (changes: Record<string, string | null>) => void

/** What the address says after its `?`, and how it is changed without a step of the browser's history. */
export function useAddress(): [URLSearchParams, PutAddress] {
  const [search, setSearch] = useSearchParams()
  const put: PutAddress = (changes) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: true },
    )
  return [search, put]
}
