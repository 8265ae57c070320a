import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { displayDate } from '../../domain/format.ts'
import { resources } from '../../domain/resources/all.ts'
import { checkRecord, newRecord } from '../../domain/resources/schema.ts'
import { inSentence } from '../../domain/terms.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { RecordDialog } from '../resources/RecordDialog.tsx'
import { useCore, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

const { reminder } = resources
type Reminder = Awaited<ReturnType<typeof api.reminders.byMonth.query>>[number]

const { description, when, isRecurring, category, notes } = reminder.fields
const fields = { description, when, isRecurring, category, notes }
const monthName = (year: number, month: number): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(new Date(year, month - 1, 1))

/** The reminders of a month: the user's own, and those meant for them (behaviour B-037). */
export function RemindersCard() {
  const { user } = useCore()
  const { organisationId } = useSelection()
  const term = useTerm()('Reminder')
  const today = new Date()
  const [month, setMonth] = useState(today.getFullYear() * 12 + today.getMonth())
  const [open, setOpen] = useState<{ record: Reminder | null } | null>(null)
  const [year, number] = [Math.floor(month / 12), (month % 12) + 1]
  const list = useQuery({
    queryKey: ['reminders', organisationId, year, number],
    queryFn: () => api.reminders.byMonth.query({ year, month: number }),
    placeholderData: (before) => before,
  })
  const firstDay = `${year}-${String(number).padStart(2, '0')}-01`
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['reminders'] })
  return (
    <section className="card" aria-label={term.plural}>
      <div className="card-head">
        {term.plural}
        <span style={{ flex: 1 }} />
        <ActionIcon variant="subtle" color="gray" aria-label="Month before" onClick={() => setMonth(month - 1)}>
          <IconChevronLeft size={17} />
        </ActionIcon>
        <span className="note" aria-live="polite">
          {monthName(year, number)}
        </span>
        <ActionIcon variant="subtle" color="gray" aria-label="Month after" onClick={() => setMonth(month + 1)}>
          <IconChevronRight size={17} />
        </ActionIcon>
        <Button size="compact-sm" variant="default" onClick={() => setOpen({ record: null })}>
          Add {inSentence(term.singular)}
        </Button>
      </div>
      {list.isError && (
        <p role="alert" style={{ padding: '0 14px' }}>
          {problemOf(list.error).message}
        </p>
      )}
      {list.data?.length === 0 && <div className="empty">Nothing to keep in mind in {monthName(year, number)}.</div>}
      <ul className="reminders">
        {list.data?.map((row) => (
          <li key={row.id}>
            <time dateTime={row.when}>{displayDate(row.when)}</time>
            <span>
              {row.userId === user.id ? (
                <button type="button" onClick={() => setOpen({ record: row })}>
                  {String(row.description)}
                </button>
              ) : (
                String(row.description)
              )}
              {Boolean(row.isRecurring) && (
                <IconRepeat size={14} aria-label="every year" style={{ marginLeft: 6, verticalAlign: '-2px' }} />
              )}
              {row.userId === null && <span className="chip">{row.organisationId === null ? 'Everyone' : 'Organisation'}</span>}
              {Boolean(row.notes) && <p className="dim">{String(row.notes)}</p>}
            </span>
          </li>
        ))}
      </ul>
      {open && (
        <RecordDialog
          term={term}
          isNew={!open.record}
          fields={fields}
          // The day on screen may be this year's; a recurring reminder keeps the day it began.
          start={open.record ? { ...open.record, when: open.record.since } : { ...newRecord(reminder), when: firstDay }}
          check={(values) => checkRecord(reminder, values).problems}
          save={(values) =>
            open.record
              ? api.reminders.update.mutate({ ...values, id: open.record.id, version: open.record.version })
              : api.reminders.create.mutate(values)
          }
          remove={open.record ? () => api.reminders.delete.mutate({ id: open.record!.id }) : undefined}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            void refresh()
          }}
        />
      )}
    </section>
  )
}
