/** Storage key. Only paths are stored, because the content of a screen may be confidential. */
const key = 'visited'
const maximumStored = 5

/** Reads the paths of the screens that were last opened in this browser, latest first. */
export function readVisitedPaths(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string').slice(0, maximumStored) : []
  } catch {
    return []
  }
}

export function recordVisitedPath(path: string): void {
  const next = [path, ...readVisitedPaths().filter((one) => one !== path)].slice(0, maximumStored)
  try {
    window.localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // If the storage is not available, the list stays empty.
  }
}
