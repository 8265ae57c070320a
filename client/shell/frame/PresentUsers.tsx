import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { openRecordPattern } from '../../../domain/changes/live.ts'
import { trpc } from '../api.ts'
import { lazyComponent } from '../lazyComponent.ts'
import { focusedField, pagePresence } from '../live/liveState.ts'
import { PageSection } from '../PageSection.tsx'
import { useSelection } from '../selection.ts'
import { useMarkFieldsOfOthers, useReportFocusedField } from './fieldMarks.ts'

const PresenceInitials = lazyComponent(() => import('./PresenceInitials.tsx'), 'PresenceInitials')

/** How often to ask which users are present, in milliseconds. If a server crashes, its users' departure is not reported otherwise. */
const pollMs = 60_000

/** The other users who have this budget open, each with the screen. Users with another budget are not shown. */
export function PresentUsers() {
  const { locationId, budgetId: selected } = useSelection()
  const { pathname } = useLocation()
  // The console and the administrator area do not show a budget, although one remains selected.
  const budgetId = /^\/(console|administrator)(\/|$)/.test(pathname) ? null : selected
  const screenName = pathname.split('/').slice(1, 3).join(', ').replaceAll('-', ' ').slice(0, 100)
  const record = openRecordPattern.test(pathname) ? pathname : ''
  useEffect(() => {
    focusedField.set('')
    pagePresence.set(budgetId === null || locationId === null ? null : { locationId, budgetId, place: screenName, record })
  }, [locationId, budgetId, screenName, record])
  const { data: others = [], isPlaceholderData } = trpc.presence.others.useQuery(
    { record },
    { enabled: budgetId !== null, refetchInterval: pollMs, placeholderData: (before) => before },
  )
  const usersInFields = isPlaceholderData ? [] : others.flatMap(({ name, fields }) => fields.map((field) => ({ name, field })))
  useReportFocusedField(record, usersInFields.length > 0)
  useMarkFieldsOfOthers(budgetId === null ? [] : usersInFields)
  if (budgetId === null || !others.length) return null
  return (
    <PageSection height={0}>
      <PresenceInitials others={others} />
    </PageSection>
  )
}
