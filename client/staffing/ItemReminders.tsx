import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { date, longText, text } from '../../domain/resources/fields.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDate } from '../../domain/values/format.ts'
import type { ContractId, StaffId } from '../../domain/values/ids.ts'
import { RecordDialog } from '../resources/record/RecordDialog.tsx'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { createDeletionUndo } from '../shell/notify.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'

type Reminder = Awaited<ReturnType<typeof api.contracts.reminders.query>>[number]

const fields = {
  description: text('What', { required: true, max: 200 }),
  when: date('When', { required: true }),
  notes: longText('Notes', { max: 2000 }),
}

/** The subject of reminders: a contract of the budget, or a staff member. */
export type ReminderSubject = { contractId: ContractId } | { staffId: StaffId }

function useReminders(about: ReminderSubject) {
  const contractId = 'contractId' in about ? about.contractId : null
  const staffId = 'staffId' in about ? about.staffId : null
  const ofContract = trpc.contracts.reminders.useQuery({ id: contractId ?? '' }, { enabled: contractId !== null })
  const ofStaff = trpc.staff.reminders.useQuery({ id: staffId ?? 0 }, { enabled: staffId !== null })
  const addToContract = trpc.contracts.addReminder.useMutation()
  const addToStaff = trpc.staff.addReminder.useMutation()
  return {
    query: contractId === null ? ofStaff : ofContract,
    add: (values: RecordValues): Promise<unknown> =>
      contractId === null
        ? addToStaff.mutateAsync({ id: assertDefined(staffId), ...values })
        : addToContract.mutateAsync({ id: contractId, ...values }),
  }
}

/** The user's own reminders about a contract or a person. Only the user sees them, and each appears on the user's home page on its day. */
export function ItemReminders({ about }: { about: ReminderSubject }) {
  const term = useTerm()('Reminder')
  const { query, add } = useReminders(about)
  const change = trpc.reminders.update.useMutation()
  const [open, setOpen] = useState<{ reminder: Reminder | null } | null>(null)
  const { mutateAsync: remove } = trpc.reminders.delete.useMutation()
  const done = (): void => setOpen(null)
  const save = (reminder: Reminder | null, values: RecordValues): Promise<unknown> =>
    reminder ? change.mutateAsync({ ...reminder, ...values, id: reminder.id, version: reminder.version }) : add(values)
  if (query.isLoadingError) return <p role="alert">{toPublicError(query.error).message}</p>
  if (!query.data) return <Skeleton height={120} />
  return (
    <Card aria-label={term.plural}>
      <CardHead>
        {term.plural} <CardNote>only you see them</CardNote>
        <span style={{ flex: 1 }} />
        <Button size="compact-md" onClick={() => setOpen({ reminder: null })}>
          Add reminder
        </Button>
      </CardHead>
      {query.data.length === 0 ? (
        <EmptyState>
          <h2>No reminders</h2>
          <p>For example, the end of a probation period, or a contract to renew. It appears on your home page when it is due.</p>
        </EmptyState>
      ) : (
        <DataTable
          isHeadless
          isWrapped
          columns={[
            { id: 'when', label: 'When', width: 130, cell: ({ when }) => displayDate(when) },
            {
              id: 'description',
              label: 'Description',
              isRowHead: true,
              cell: ({ description, notes }) => (
                <>
                  {description}
                  {notes && <div className={textStyles.dim}>{notes}</div>}
                </>
              ),
            },
            {
              id: 'change',
              label: 'Change',
              width: 90,
              cell: (reminder) => (
                <Button variant="subtle" size="compact-sm" onClick={() => setOpen({ reminder })}>
                  Change
                </Button>
              ),
            },
          ]}
          rows={query.data}
          keyOf={({ id }) => id}
        />
      )}
      {open && (
        <RecordDialog
          term={term}
          isNew={!open.reminder}
          fields={fields}
          start={open.reminder ? { ...open.reminder } : {}}
          check={(values) =>
            (['description', 'when'] as const).flatMap((field) =>
              values[field] ? [] : [{ field, message: `${fields[field].label} is required.` }],
            )
          }
          save={(values) => save(open.reminder, values)}
          remove={open.reminder ? () => remove({ id: assertDefined(open.reminder).id }) : undefined}
          removeHint="You can undo this straight away, and the reminder is added again."
          undo={(restored) => (open.reminder && !restored ? createDeletionUndo(() => add({ ...open.reminder })) : undefined)}
          onClose={() => setOpen(null)}
          onDone={done}
        />
      )}
    </Card>
  )
}
