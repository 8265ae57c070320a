/** Storage key. Only paths are stored, because the content of a screen may be confidential. */
const key = 'visited'
const most = 5

/** Paths of the screens last opened in this browser, latest first. */
export function readVisitedPaths(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((path): path is string => typeof path === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

export function recordVisitedPath(path: string): void {
  const next = [path, ...readVisitedPaths().filter((one) => one !== path)].slice(0, most)
  try {
    window.localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without storage, the list stays empty.
  }
}
