import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { createSameFormState } from '../../shell/unsavedChanges.ts'

/** State of a page that adds and edits records. */
export interface StableForm<Saved> {
  /** The id in the URL; undefined for a new record. */
  id: string | undefined
  /** React key of the editor. */
  key: string
  /** The record that this editor has created; null if the page opened an existing record. */
  created: Saved | null
  /**
   * Puts the id of a new record into the URL without remounting the form, so that text, focus and cursor stay. Does nothing if the user has
   * already left the page.
   */
  moveToUrlOf: (created: Saved) => Promise<void>
}

/**
 * Keeps a form mounted when the record that it created gets its URL. Remounting would lose what the user types between pressing Save and
 * the change of the URL.
 * @param path of the list
 * @param id in the URL; undefined for a new record
 * @param start what a new record is based on, such as the id of the record that it copies
 */
export function useStableForm<Saved extends { id: string | number }>(path: string, id: string | undefined, start = ''): StableForm<Saved> {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const formKey = id ?? `add ${start}`
  const [form, setForm] = useState<{ key: string; count: number; created: Saved | null }>({ key: formKey, count: 0, created: null })
  let { count, created } = form
  if (formKey !== form.key) {
    if (String(created?.id) !== formKey) [count, created] = [count + 1, null]
    setForm({ key: formKey, count, created })
  }
  /** Number of the mounted form, from which a late reply can tell whether its form is still mounted; null if none is. */
  const mountedForm = useRef<number | null>(null)
  useLayoutEffect(() => {
    mountedForm.current = count
    return () => {
      mountedForm.current = null
    }
  }, [count])
  return {
    id,
    key: String(count),
    created,
    moveToUrlOf: async (record) => {
      // While another screen is loading, the URL is already that of the other screen.
      if (mountedForm.current !== count || window.location.pathname !== pathname) return
      setForm((before) => ({ ...before, created: record }))
      await navigate(`${path}/${record.id}`, { replace: true, state: createSameFormState(pathname) })
    },
  }
}
