/** Counts calls in windows. @returns a function that says how many seconds to wait; 0: go on */
export function limiter(most: number, windowMs: number): (key: string) => number {
  let began = Date.now()
  let counts = new Map<string, number>()
  return (key) => {
    const now = Date.now()
    if (now - began >= windowMs) {
      began = now
      counts = new Map()
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > most ? Math.max(1, Math.ceil((began + windowMs - now) / 1000)) : 0
  }
}
