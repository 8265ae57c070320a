/** Storage key. Stores ids and versions, never the text of messages. */
const key = 'seenMessages'
const maximumStored = 50

/** The messages seen in this browser. */
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
    // Without storage, messages always appear as new.
  }
}
