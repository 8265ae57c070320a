import { Button, Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { displayDate } from '../../domain/format.ts'
import { date, longText, text } from '../../domain/resources/fields.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { RecordDialog } from '../resources/RecordDialog.tsx'
import { useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Reminder = Awaited<ReturnType<typeof api.contracts.reminders.query>>[number]

const fields = {
  description: text('What', { required: true, max: 200 }),
  when: date('When', { required: true }),
  notes: longText('Notes', { max: 2000 }),
}

/** What is about: a contract of the budget, or a staff member. */
export type About = { contractId: string } | { staffId: number }

function calls(about: About) {
  if ('contractId' in about) {
    const id = about.contractId
    return {
      list: () => api.contracts.reminders.query({ id }),
      add: (values: Values) => api.contracts.addReminder.mutate({ id, ...values }),
    }
  }
  const id = about.staffId
  return { list: () => api.staff.reminders.query({ id }), add: (values: Values) => api.staff.addReminder.mutate({ id, ...values }) }
}

/** One's own reminders about a contract or a person: nobody else sees them, and each shows on the first page when its day comes. */
export function ItemReminders({ about }: { about: About }) {
  const term = useTerm()('Reminder')
  const { organisationId } = useSelection()
  const { list, add } = calls(about)
  const [open, setOpen] = useState<{ reminder: Reminder | null } | null>(null)
  const query = useQuery({ queryKey: ['itemReminders', organisationId, about], queryFn: list })
  const done = (): void => {
    setOpen(null)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => ['itemReminders', 'reminders'].includes(String(queryKey[0])) })
  }
  const save = (reminder: Reminder | null, values: Values): Promise<unknown> =>
    reminder
      ? api.reminders.update.mutate({ ...reminder, ...values, id: reminder.id, version: reminder.version })
      : (add(values) as Promise<unknown>)
  if (query.isError) return <p role="alert">{problemOf(query.error).message}</p>
  if (!query.data) return <Skeleton height={120} />
  return (
    <section className="card" aria-label={term.plural}>
      <div className="card-head">
        {term.plural} <span className="note">yours alone</span>
        <span style={{ flex: 1 }} />
        <Button size="compact-md" onClick={() => setOpen({ reminder: null })}>
          Add reminder
        </Button>
      </div>
      {query.data.length === 0 ? (
        <div className="empty">
          <h2>No reminders</h2>
          <p>A probation that ends, a contract to renew: it shows on your first page when its day comes.</p>
        </div>
      ) : (
        <Table>
          <Table.Tbody>
            {query.data.map((reminder) => (
              <Table.Tr key={reminder.id}>
                <Table.Td w={130}>{displayDate(reminder.when)}</Table.Td>
                <Table.Td>
                  {reminder.description}
                  {reminder.notes && <div className="dim">{reminder.notes}</div>}
                </Table.Td>
                <Table.Td w={90}>
                  <Button variant="subtle" size="compact-sm" onClick={() => setOpen({ reminder })}>
                    Change
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
          remove={open.reminder ? () => api.reminders.delete.mutate({ id: open.reminder!.id }) : undefined}
          onClose={() => setOpen(null)}
          onDone={done}
        />
      )}
    </section>
  )
}
