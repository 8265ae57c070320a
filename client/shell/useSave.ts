import { useState } from 'react'
import { problemOf } from './api.ts'
import { said } from './notify.tsx'

/**
 * Saves what a dialog holds, says so and goes on; what is wrong is said in the dialog, which stays as it is.
 * @param notice null where what follows says it
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
