import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { notices } from '../../domain/words/notices.ts'
import { useDialogSave } from '../shell/useSave.ts'
import { FormModal } from '../ui/dialogs/FormModal.tsx'

/** Reopens a completed or closed month. The reason is recorded in the history. */
export function ReopenMonthDialog({
  words,
  locationNames,
  reopen,
  onClose,
  onDone,
}: {
  /** The month as text, such as `October 2026`. */
  words: string
  /** Names of the locations to reopen; leave out to reopen all locations. */
  locationNames?: string
  reopen: (reason: string) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}) {
  const [reason, setReason] = useState('')
  const { problem, isSaving, save } = useDialogSave(() => reopen(reason), notices.reopened(words), onDone)
  return (
    <FormModal title={`Reopen ${words}`} action="Reopen" isSaving={isSaving} isDisabled={!reason.trim()} onSave={save} onClose={onClose}>
      {locationNames && <p style={{ marginTop: 0 }}>{locationNames}</p>}
      <Textarea
        label="Reason"
        description="The reason is kept in the month’s history."
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={problem}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormModal>
  )
}
