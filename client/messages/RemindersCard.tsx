import { ActionIcon, Button, Group, Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldProblem } from '../../domain/errors.ts'
import { displayDate } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { resources } from '../../domain/resources/all.ts'
import { checkRecord, newRecord, type Values } from '../../domain/resources/schema.ts'
import { inSentence } from '../../domain/terms.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { FieldInput } from '../resources/FieldInput.tsx'
import { useCore, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

const { reminder } = resources
type Reminder = Awaited<ReturnType<typeof api.reminders.byMonth.query>>[number]

const fields = ['description', 'when', 'isRecurring', 'category', 'notes'] as const
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
        <Editor
          key={open.record?.id ?? 'new'}
          record={open.record}
          day={`${year}-${String(number).padStart(2, '0')}-01`}
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

function Editor({ record, day, onClose, onDone }: { record: Reminder | null; day: string; onClose: () => void; onDone: () => void }) {
  const term = useTerm()('Reminder')
  // The day on screen may be this year's; a recurring reminder keeps the day it began.
  const [values, setValues] = useState<Values>(record ? { ...record, when: record.since } : { ...newRecord(reminder), when: day })
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const checked = checkRecord(reminder, values)
    setProblems(checked.problems)
    if (checked.problems.length) return
    setBusy(true)
    try {
      if (record) await api.reminders.update.mutate({ ...values, id: record.id, version: record.version })
      else await api.reminders.create.mutate(values)
      said(record ? notices.updated(term.singular) : notices.created(term.singular))
      onDone()
    } catch (error) {
      setProblems(problemOf(error).fields)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={record ? term.singular : `Add ${inSentence(term.singular)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        {fields.map((name) => (
          <FieldInput
            key={name}
            field={reminder.fields[name]}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
            error={problems.find((problem) => problem.field === name)?.message}
          />
        ))}
        <Group justify="flex-end">
          {record && (
            <Button
              variant="default"
              c="var(--bad)"
              mr="auto"
              onClick={() =>
                confirmDelete({ term, count: 1, one: true, run: () => api.reminders.delete.mutate({ id: record.id }), after: onDone })
              }
            >
              Delete
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
