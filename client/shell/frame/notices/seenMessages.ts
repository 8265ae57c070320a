/** Under this name the browser keeps them: which messages in which version, never what they say. */
const key = 'seenMessages'
const most = 50

/** The messages that were seen in this browser. */
export function seenMessages(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Notes that messages were seen. */
export function keepSeen(messages: readonly string[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify([...new Set([...seenMessages(), ...messages])].slice(-most)))
  } catch {
    // A browser that keeps nothing shows them as new.
  }
}
