import { useSearchParams } from 'react-router'

/** Changes parameters of the URL: sets each named parameter, or removes it if its value is null or empty. */
export type SetUrlParameters = (changes: Record<string, string | null>) => void

/** Returns the search parameters of the URL, and a function that changes them without adding a history entry. */
export function useUrlParameters(): [URLSearchParams, SetUrlParameters] {
  const [search, setSearch] = useSearchParams()
  const setParameters: SetUrlParameters = (changes) =>
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
  return [search, setParameters]
}
