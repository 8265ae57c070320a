import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { findCurrentMonth, toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { displayDate } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, useTerm } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Chip } from '../ui/labels/Chip.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

const ReminderDialog = lazyComponent(() => import('./ReminderDialog.tsx'), 'ReminderDialog')

type Reminder = Awaited<ReturnType<typeof api.reminders.byMonth.query>>[number]

const monthName = (year: number, month: number): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(new Date(year, month - 1, 1))

/** The reminders of a month: the user's own reminders, and those that others sent to the user (behaviour B-037). */
export function RemindersCard() {
  const { user } = useCoreData()
  const term = useTerm()('Reminder')
  const [month, setMonth] = useState(() => toMonthIndex(findCurrentMonth(new Date())))
  const [open, setOpen] = useState<{ record: Reminder | null } | null>(null)
  const [year, number] = [Math.floor(month / 12), (month % 12) + 1]
  const list = trpc.reminders.byMonth.useQuery({ year, month: number }, { placeholderData: (before) => before })
  const firstDay = `${year}-${String(number).padStart(2, '0')}-01`
  return (
    <Card aria-label={term.plural}>
      <CardHead>
        {term.plural}
        <span style={{ flex: 1 }} />
        <ActionIcon variant="subtle" color="gray" aria-label="Previous month" onClick={() => setMonth(month - 1)}>
          <IconChevronLeft size={17} />
        </ActionIcon>
        <CardNote aria-live="polite">{monthName(year, number)}</CardNote>
        <ActionIcon variant="subtle" color="gray" aria-label="Next month" onClick={() => setMonth(month + 1)}>
          <IconChevronRight size={17} />
        </ActionIcon>
        <Button size="compact-sm" variant="default" onClick={() => setOpen({ record: null })}>
          Add {toMidSentence(term.singular)}
        </Button>
      </CardHead>
      {list.isError && (
        <p role="alert" style={{ padding: '0 14px' }}>
          {toPublicError(list.error).message}
        </p>
      )}
      {list.data?.length === 0 && <EmptyState>No reminders in {monthName(year, number)}.</EmptyState>}
      <ul className={classes.reminders}>
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
              {row.userId === null && ' '}
              {row.userId === null && <Chip>{row.organisationId === null ? 'Everyone' : 'Organisation'}</Chip>}
              {Boolean(row.notes) && <p className={textStyles.dim}>{String(row.notes)}</p>}
            </span>
          </li>
        ))}
      </ul>
      {open && (
        <PageSection height={0}>
          <ReminderDialog term={term} saved={open.record} firstDay={firstDay} onClose={() => setOpen(null)} onDone={() => setOpen(null)} />
        </PageSection>
      )}
    </Card>
  )
}
