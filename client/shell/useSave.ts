import { useState } from 'react'
import { problemOf } from './api.ts'
import { said } from './notify.tsx'

/**
 * Saves a dialog's content, shows a notice and continues. If the save fails, the dialog stays open and shows the
 * problem.
 * @param notice null if `onSaved` shows one
 */
export function useSave(work: () => Promise<unknown>, notice: string | null, onSaved: () => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    setProblem(null)
    try {
      await work()
      if (notice !== null) said(notice)
      onSaved()
    } catch (error) {
      setProblem(problemOf(error).message)
      setSaving(false)
    }
  }
  return { problem, isSaving, save }
}
