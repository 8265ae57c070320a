/** Storage key. Stores ids and versions, never the text of messages. */
const key = 'seenMessages'
const most = 50

/** The messages seen in this browser. */
export function seenMessages(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Records messages as seen. */
export function keepSeen(messages: readonly string[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify([...new Set([...seenMessages(), ...messages])].slice(-most)))
  } catch {
    // Without storage, messages always appear as new.
  }
}
