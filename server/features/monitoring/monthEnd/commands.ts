import { and, eq, inArray } from 'drizzle-orm'
import type { MonitoringState } from '../../../../domain/monitoring/evolve.ts'
import {
  buildMonthEndKey,
  type CalendarMonth,
  formatIsoMonth,
  formatMonth,
  fromMonthIndex,
  type MonthEndStep,
} from '../../../../domain/monitoring/monitoring.ts'
import {
  abbreviateNameList,
  closeMonthEnd,
  listMonthEndObstacles,
  markMonthEndStep,
  reopenMonthEnd,
} from '../../../../domain/monitoring/monthEnd.ts'
import type { Permission } from '../../../../domain/people/permissions.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { dayInLondon, displayCount } from '../../../../domain/values/format.ts'
import { type LocationId, noUserId, organisationWideLocationId } from '../../../../domain/values/ids.ts'
import { isOneOf } from '../../../../domain/values/keysOf.ts'
import { conflict, DomainError, notFound } from '../../../../domain/words/errors.ts'
import { memberships, userGroups, users } from '../../../../drizzle/accessTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { type MonitoringEditor, refuseHiddenLocation } from '../../../shared/monitoring/commands.ts'
import { type MonitoringFacts, readMonitoringFacts } from '../../../shared/monitoring/facts/queries.ts'
import { type MonthEndState, readMonthEndStates } from '../../../shared/monitoring/monthEnd/queries.ts'
import { deleteRemindersAbout, saveFormReminder } from '../../../shared/reminders/commands.ts'
import type { ReminderSubjectKey } from '../../../shared/reminders/queries.ts'
import { changeMonitoring } from '../../../streams/monitoring/stream.ts'
import { changePayroll } from '../../../streams/payroll/stream.ts'
import { readForecastToStore } from '../trackRecord/queries.ts'

/** The locations selected in one call. */
interface ChosenLocations extends CalendarMonth {
  locationIds: readonly LocationId[]
}

/** The `source` of a reminder about an overdue month end, by which the reminder is found again when the month is closed. */
const reminderOf = (month: CalendarMonth, locationId: LocationId): ReminderSubjectKey => `monthEnd:${formatIsoMonth(month)} ${locationId}`

/**
 * The month-end states of some locations.
 * @throws DomainError 404 for a location that the caller may not see; 409 for one without a budget of record in that month
 */
async function readChosenStates(
  call: Call & MonitoringEditor,
  { locationIds, ...month }: ChosenLocations,
  read?: MonitoringFacts,
): Promise<MonthEndState[]> {
  for (const id of locationIds) await refuseHiddenLocation({ ...call, locationId: id })
  const all = await readMonthEndStates(call, month, { only: locationIds, read })
  const without = all.filter((one) => one.budgetId === null)
  if (without.length)
    throw conflict('noBudget', `${namesOf(without)} ${without.length === 1 ? 'has' : 'have'} no budget for ${formatMonth(month)} to close.`)
  if (all.length < new Set(locationIds).size) throw notFound('Location')
  return all
}

const namesOf = (all: readonly { location: string }[]): string => abbreviateNameList(all.map((one) => one.location))

/**
 * Locks the logs of the organisation and then of some locations, so that what the caller checks next cannot change before it is written.
 */
async function lockLogs({ tx, organisationId, actor }: Call & MonitoringEditor, locationIds: readonly LocationId[]): Promise<void> {
  for (const locationId of [organisationWideLocationId, ...[...new Set(locationIds)].sort((a, b) => a - b)])
    await changeMonitoring({ tx, organisationId, locationId, actor }, [], () => [])
}

/**
 * Marks a step as done at some locations, or as not done.
 * @returns the locations that changed
 * @throws DomainError 409 for payroll if it is reconciled here, or a pack that is completed here: those steps are marked automatically
 */
export async function runMarkMonthStep(
  call: Call & MonitoringEditor,
  { step, isDone, ...chosen }: ChosenLocations & { step: MonthEndStep; isDone: boolean },
): Promise<LocationId[]> {
  const { tx, organisationId, actor } = call
  const changed: LocationId[] = []
  const all = await readChosenStates(call, chosen)
  const following = step === 'payroll' ? all.filter((one) => one.followsPayroll) : []
  if (following.length)
    throw conflict(
      'followsPayroll',
      `The payroll for ${namesOf(following)} is reconciled in Bursar. Complete ${formatMonth(chosen)} in payroll reconciliation instead.`,
    )
  const packed = step === 'pack' ? all.filter((one) => one.followsPack) : []
  if (packed.length)
    throw conflict(
      'followsPack',
      `The pack for ${formatMonth(chosen)} is finished in Bursar for ${namesOf(packed)}, so this step is already done.`,
    )
  for (const { locationId } of inOrder(all)) {
    const decide = (state: Parameters<typeof markMonthEndStep>[0]) => markMonthEndStep(state, { month: chosen, step, isDone })
    if ((await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthEndKey(chosen)], decide)).length)
      changed.push(locationId)
  }
  return changed
}

const inOrder = (all: readonly MonthEndState[]): MonthEndState[] => [...all].sort((a, b) => a.locationId - b.locationId)

/**
 * Closes a month at some locations, all or none.
 * @throws DomainError 409 listing, for each location, what prevents closing
 */
export async function runCloseMonth(call: Call & MonitoringEditor, chosen: ChosenLocations): Promise<LocationId[]> {
  const { tx, organisationId, actor } = call
  await lockLogs(call, chosen.locationIds)
  // Lock the organisation's payroll log, so that nobody can reopen a payroll until this commits.
  await changePayroll({ tx, organisationId, locationId: organisationWideLocationId, actor }, [], () => [])
  const { locationIds: chosenIds, ...month } = chosen
  const facts = await readMonitoringFacts(call, { ...month, locationIds: [...chosenIds] }, { way: 'byLocation' })
  const all = await readChosenStates(call, chosen, facts)
  const behind = all.filter((one) => !one.end.closed && listMonthEndObstacles(one.ticks, one.readiness).length)
  if (behind.length)
    throw conflict(
      'notReady',
      [
        `${formatMonth(chosen)} cannot be closed yet.`,
        ...behind.slice(0, 5).map((one) => `${one.location}: ${listMonthEndObstacles(one.ticks, one.readiness).join(', ')}.`),
        ...(behind.length > 5 ? [`${displayCount(behind.length - 5, 'other location')} too.`] : []),
      ].join(' '),
      { locationIds: behind.map((one) => one.locationId) },
    )
  const closed: LocationId[] = []
  for (const { locationId, adjusted } of inOrder(all)) {
    const index = facts.locations.findIndex((location) => location.locationId === locationId)
    const closingRecord = {
      adjusted,
      forecast: readForecastToStore(facts, index),
      start: fromMonthIndex(assertDefined(facts.locations[index]).start),
    }
    const decide = (state: MonitoringState) => closeMonthEnd(state, chosen, closingRecord)
    if ((await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthEndKey(chosen)], decide)).length)
      closed.push(locationId)
  }
  return closed
}

/**
 * Removes the reminders about closed month ends.
 * @param call its transaction must have platform scope, because reminders belong to users
 */
export async function runRemoveMonthEndReminders(call: Call & MonitoringEditor, { locationIds, ...month }: ChosenLocations): Promise<void> {
  if (locationIds.length)
    await deleteRemindersAbout(
      call,
      locationIds.map((id) => reminderOf(month, id)),
    )
}

/**
 * Reopens a closed month at some locations. Later months depend on it, so later closed months of the year must be
 * reopened first.
 * @throws DomainError 409 for a month followed by a closed one
 */
export async function runReopenMonth(
  call: Call & MonitoringEditor,
  { reason, ...chosen }: ChosenLocations & { reason: string },
): Promise<LocationId[]> {
  const { tx, organisationId, actor } = call
  await lockLogs(call, chosen.locationIds)
  const all = await readChosenStates(call, chosen)
  const later = all.filter((one) => one.end.closed && one.closedAfter)
  if (later.length)
    throw conflict(
      'closedAfter',
      `${formatMonth(assertDefined(assertDefined(later[0]).closedAfter))} is closed at ${namesOf(later)}. Reopen it first.`,
    )
  const key = await ensureOrganisationKey(tx, organisationId)
  const opened: LocationId[] = []
  for (const { locationId } of inOrder(all)) {
    const decide = (state: MonitoringState) => reopenMonthEnd(state, chosen, encryptText(key, reason))
    if ((await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthEndKey(chosen)], decide)).length)
      opened.push(locationId)
  }
  return opened
}

/**
 * The permissions of the people who do a school's month end. Only people limited to that school are reminded, not those of the whole
 * organisation.
 */
const stepPermissions: readonly Permission[] = ['BudgetingMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringReadUpdate']

/**
 * Reminds the people of schools with an overdue month end which steps are missing.
 * @param tx with platform scope, because users are stored outside the tenants
 * @returns how many people were reminded, and the schools without anyone to remind
 */
export async function runRemindSchools(
  { tx, organisationId, actor }: Call & MonitoringEditor,
  month: CalendarMonth,
  behind: readonly { locationId: LocationId; location: string; inTheWay: readonly string[] }[],
): Promise<{ people: number; without: string[] }> {
  const groups = await tx.select({ id: userGroups.id, permissions: userGroups.permissions }).from(userGroups)
  const able = new Set(
    groups.filter((group) => group.permissions.some((item) => isOneOf(stepPermissions, item.name))).map((group) => group.id),
  )
  const members = await tx.select().from(memberships).where(eq(memberships.organisationId, organisationId))
  const ids = members.map((member) => member.userId)
  const active = new Set(
    (
      await tx
        .select({ id: users.id })
        .from(users)
        .where(and(inArray(users.id, ids.length ? ids : [noUserId]), eq(users.active, true)))
    ).map((user) => user.id),
  )
  const reminded = new Set<number>()
  const without: string[] = []
  for (const { locationId, location, inTheWay: missing } of behind) {
    const recipients = members.filter(
      (member) =>
        active.has(member.userId) && member.locationIds.includes(locationId) && member.userGroupIds.some((group) => able.has(group)),
    )
    if (!recipients.length) without.push(location)
    const description = `Month end ${formatMonth(month)}, ${location}: ${missing.join(', ')}`.slice(0, 200)
    for (const { userId } of recipients) {
      const when = dayInLondon(actor.now)
      await saveFormReminder(tx, { organisationId, userId, source: reminderOf(month, locationId), actor }, { when, description })
      reminded.add(userId)
    }
  }
  return { people: reminded.size, without }
}

/**
 * Refuses to send reminders if every location is up to date.
 * @throws DomainError 409
 */
export function refuseWithoutRecipients(behind: readonly unknown[]): void {
  if (!behind.length) throw new DomainError('conflict', 'nothingBehind', 'Every location is up to date: there is no one to remind.')
}
