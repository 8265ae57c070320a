/** Storage key. Only ids and versions of messages are stored, never their text. */
const key = 'seenMessages'
const maximumStored = 50

/** Reads which messages were seen in this browser. */
export function readSeenMessages(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Records messages as seen. */
export function recordSeenMessages(messages: readonly string[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify([...new Set([...readSeenMessages(), ...messages])].slice(-maximumStored)))
  } catch {
    // If the storage is not available, messages always appear as new.
  }
}
