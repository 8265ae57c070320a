/** Storage key. Stores ids and versions, never the text of messages. */
const key = 'seenMessages'
const most = 50

/** The messages seen in this browser. */
export function readSeenMessages(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Records messages as seen. */
export function recordSeenMessages(messages: readonly string[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify([...new Set([...readSeenMessages(), ...messages])].slice(-most)))
  } catch {
    // Without storage, messages always appear as new.
  }
}
