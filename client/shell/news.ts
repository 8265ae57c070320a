import { store } from './store.ts'

/** A notice of this visit, kept after it has disappeared. */
export interface NewsItem {
  id: string
  text: string
  at: string
  tone: 'good' | 'bad' | 'plain'
}

const kept = 30

/** The latest notices, newest first, and the number that are unread. */
export const news = store<{ items: NewsItem[]; unread: number }>({ items: [], unread: 0 })

export function keepNews(text: string, tone: NewsItem['tone'], now: Date): void {
  const { items, unread } = news.get()
  news.set({ items: [{ id: crypto.randomUUID(), text, at: now.toISOString(), tone }, ...items].slice(0, kept), unread: unread + 1 })
}

export function newsRead(): void {
  news.set({ ...news.get(), unread: 0 })
}
