import { createStore } from './store.ts'

/** A notice since the page was loaded, which is kept after it has disappeared. */
export interface PastNotice {
  id: string
  text: string
  at: string
  tone: 'good' | 'bad' | 'plain'
}

const maximumKept = 30

/** The latest notices, newest first, and the number of unread notices. */
export const pastNotices = createStore<{ items: PastNotice[]; unread: number }>({ items: [], unread: 0 })

export function recordNotice(text: string, tone: PastNotice['tone'], now: Date): void {
  const { items, unread } = pastNotices.get()
  pastNotices.set({
    items: [{ id: crypto.randomUUID(), text, at: now.toISOString(), tone }, ...items].slice(0, maximumKept),
    unread: unread + 1,
  })
}

export function markNoticesRead(): void {
  pastNotices.set({ ...pastNotices.get(), unread: 0 })
}
