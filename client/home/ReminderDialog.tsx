import { resources } from '../../domain/resources/all.ts'
import { buildNewRecord, checkRecord } from '../../domain/resources/schema.ts'
import type { Term } from '../../domain/words/terms.ts'
import { RecordDialog } from '../resources/record/RecordDialog.tsx'
import { type api, trpc } from '../shell/api.ts'
import { createDeletionUndo } from '../shell/notify.tsx'

type Reminder = Awaited<ReturnType<typeof api.reminders.byMonth.query>>[number]

const { reminder } = resources
const { description, when, isRecurring, category, notes } = reminder.fields
const fields = { description, when, isRecurring, category, notes }

/** Adds or changes one of the user's own reminders. */
export function ReminderDialog({
  term,
  saved,
  firstDay,
  onClose,
  onDone,
}: {
  term: Term
  saved: Reminder | null
  /** Default date of a new reminder: the first day of the month on screen. */
  firstDay: string
  onClose: () => void
  onDone: () => void
}) {
  const { mutateAsync: create } = trpc.reminders.create.useMutation()
  const { mutateAsync: update } = trpc.reminders.update.useMutation()
  const { mutateAsync: remove } = trpc.reminders.delete.useMutation()
  return (
    <RecordDialog
      term={term}
      isNew={!saved}
      fields={fields}
      // The list shows the date in this year. Editing a recurring reminder must keep its original date.
      start={saved ? { ...saved, when: saved.since } : { ...buildNewRecord(reminder), when: firstDay }}
      check={(values) => checkRecord(reminder, values).problems}
      save={(values) => (saved ? update({ ...values, id: saved.id, version: saved.version }) : create(values))}
      remove={saved ? () => remove({ id: saved.id }) : undefined}
      removeHint="You can undo this straight away, and the reminder is added again."
      undo={(restored) => (saved && !restored ? createDeletionUndo(() => create({ ...saved, when: saved.since })) : undefined)}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
