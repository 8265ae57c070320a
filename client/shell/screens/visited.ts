/** Under this name the browser keeps them: addresses of screens alone, for what stands on them is nobody else's business. */
const key = 'visited'
const most = 5

/** The addresses of the screens that were opened last in this browser, the latest first. */
export function visitedPaths(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((path): path is string => typeof path === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

/** Remembers a screen that is opened. */
export function keepVisited(path: string): void {
  const next = [path, ...visitedPaths().filter((one) => one !== path)].slice(0, most)
  try {
    window.localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // A browser that keeps nothing shows none.
  }
}
