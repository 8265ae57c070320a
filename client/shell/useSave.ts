import { useState } from 'react'
import { toPublicError } from './api.ts'
import { notifySuccess } from './notify.tsx'

/**
 * Returns a function that saves the content of a dialog, shows a notice and calls `onSaved`. If the save fails, the dialog stays open and
 * shows the problem.
 * @param notice null if `onSaved` shows its own notice
 */
export function useDialogSave(work: () => Promise<unknown>, notice: string | null, onSaved: () => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    setProblem(null)
    try {
      await work()
      if (notice !== null) notifySuccess(notice)
      onSaved()
    } catch (error) {
      setProblem(toPublicError(error).message)
      setSaving(false)
    }
  }
  return { problem, isSaving, save }
}
