import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Report, ReportRow } from '../../domain/reports/report.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { notices } from '../../domain/words/notices.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import classes from './Reports.module.css'

/** The reason for a change, which the user edits in its cell. Pressing Enter or leaving the field saves it. */
export function ReasonCell({ row, value, reasons }: { row: ReportRow; value: string; reasons: NonNullable<Report['reasons']> }) {
  const { line, version } = assertDefined(row.reason)
  const shown = version ? value : ''
  const [text, setText] = useState(shown)
  const [seen, setSeen] = useState(shown)
  const [problem, setProblem] = useState<string | null>(null)
  const { mutateAsync, isPending } = trpc.returnReasons.save.useMutation()
  // Show the text that another user saved, unless this user has edited the field.
  if (seen !== shown) {
    if (text.trim() === seen) setText(shown)
    setSeen(shown)
  }
  const isChanged = text.trim() !== shown
  useUnsavedChanges(isChanged)
  const save = async (): Promise<void> => {
    if (!isChanged || isPending) return
    setProblem(null)
    try {
      await mutateAsync({ locationId: reasons.locationId, firstYear: reasons.firstYear, line, text: text.trim(), version })
      notifySuccess(text.trim() ? notices.savedReason : notices.removedReason)
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  return (
    <Textarea
      className={classes.reason}
      size="xs"
      autosize
      minRows={1}
      maxLength={1000}
      aria-label={`Reason for ${row.label}`}
      placeholder={version ? undefined : value || 'Reason for the change'}
      value={text}
      error={problem}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setText(shown)
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        void save()
      }}
    />
  )
}
