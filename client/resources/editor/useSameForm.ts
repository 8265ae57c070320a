import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { sameFormAs } from '../../shell/unsaved.ts'

/** What a page that adds records and edits them shows. */
export interface SameForm<Saved> {
  /** The id in the address; undefined for a new record. */
  id: string | undefined
  /** What its editor is keyed by. */
  key: string
  /** The record its editor made; null when the page was opened at a record. */
  made: Saved | null
  /**
   * Gives the record that was made its address, while its form stands there; what is typed meanwhile, the focus and the caret stay as they are.
   * Where it was left before the answer came, nothing moves.
   */
  goOnAt: (made: Saved) => Promise<void>
}

/**
 * Keeps a form the same form when the record it made gets its address. A form made anew there would lose what is typed between the press of
 * Save and the new address, and every key until it is in focus again.
 * @param path of the list; @param id in the address, undefined for a new record
 * @param start what a new record is made from, such as the id of what it copies
 */
export function useSameForm<Saved extends { id: string | number }>(path: string, id: string | undefined, start = ''): SameForm<Saved> {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const place = id ?? `add ${start}`
  const [form, setForm] = useState<{ place: string; count: number; made: Saved | null }>({ place, count: 0, made: null })
  let { count, made } = form
  if (place !== form.place) {
    if (String(made?.id) !== place) [count, made] = [count + 1, null]
    setForm({ place, count, made })
  }
  /** The form that stands, for what comes back after it was left; null when none does. */
  const standing = useRef<number | null>(null)
  useLayoutEffect(() => {
    standing.current = count
    return () => {
      standing.current = null
    }
  }, [count])
  return {
    id,
    key: String(count),
    made,
    goOnAt: async (record) => {
      // The address is ahead of what stands while the next screen is loaded.
      if (standing.current !== count || window.location.pathname !== pathname) return
      setForm((before) => ({ ...before, made: record }))
      await navigate(`${path}/${record.id}`, { replace: true, state: sameFormAs(pathname) })
    },
  }
}
