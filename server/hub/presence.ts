import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type LiveArguments, openFieldPattern, openRecordPattern } from '../../domain/changes/live.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { buildCallerRights, type Services } from '../core/calls/context.ts'
import { findSelectedBudget } from '../core/calls/selectedBudget.ts'
import { publishLiveMessage } from '../core/live/announce.ts'
import { log } from '../core/log.ts'
import { endPresence, setPresence, storePresences } from '../features/budgets/presence/commands.ts'
import type { HubConnection } from './connection.ts'

/** The budget that a screen shows, with the page, record and field; null if it shows no budget. */
const presentInput = z
  .strictObject({
    locationId: z.int().positive().brand<'LocationId'>(),
    budgetId: z
      .string()
      .regex(/^[0-9a-f]{24}$/)
      .brand<'BudgetId'>(),
    place: z.string().max(100),
    record: z.string().regex(openRecordPattern).default(''),
    field: z.string().regex(openFieldPattern).default(''),
  })
  .nullable()
type ScreenPosition = z.infer<typeof presentInput>

/** How often the rows of open screens are refreshed. A screen counts as closed if its row is not refreshed for much longer than this. */
const refreshMs = 20_000

interface Screen {
  id: string
  /** The position in the database; null if no budget is open. */
  position: ScreenPosition
  /** The last task for this screen. Each task waits for the one before, so that updates run in the order received. */
  lastTask: Promise<unknown>
  /** The latest position received. Earlier updates that are still waiting are skipped. */
  latestPosition: ScreenPosition
}

/** Tracks who has which budget open. A screen reports changes over its connection, and its presence lasts as long as the connection. */
export class PresenceTracker {
  readonly #screens = new Map<HubConnection, Screen>()
  readonly #services: Pick<Services, 'store' | 'fanOut' | 'limits'>
  readonly #refreshTimer: NodeJS.Timeout

  constructor(services: Pick<Services, 'store' | 'fanOut' | 'limits'>) {
    this.#services = services
    this.#refreshTimer = setInterval(() => void this.#refreshAll(), refreshMs)
  }

  /**
   * Stores the position that a screen reports.
   * @param limitKey the caller's key for rate limits
   * @returns a sentence that says what is wrong; null if the position was stored or skipped
   */
  async update(connection: HubConnection, value: unknown, limitKey: string): Promise<string | null> {
    const parsed = presentInput.safeParse(value)
    const screen = this.#screens.get(connection) ?? { id: randomUUID(), position: null, lastTask: Promise.resolve(), latestPosition: null }
    this.#screens.set(connection, screen)
    if (parsed.success) screen.latestPosition = parsed.data
    return runInOrder(screen, async () => {
      // An update queries the database as every API call does, so it counts as a call, across all connections of the caller.
      const wait = await this.#services.limits.count('calls', limitKey)
      if (wait) return `Too many requests. Try again in ${wait} seconds.`
      if (!parsed.success) return 'Send a location, a budget and a field of at most 100 characters.'
      return screen.latestPosition === parsed.data ? this.#move(connection, screen, parsed.data) : null
    })
  }

  /** Removes a screen whose connection has ended. */
  remove(connection: HubConnection): void {
    const screen = this.#screens.get(connection)
    if (!screen) return
    this.#screens.delete(connection)
    runInOrder(screen, () => this.#move(connection, screen, null)).catch((error) =>
      log.warn({ err: error }, 'a presence could not be removed'),
    )
  }

  /** Stops tracking. Clients reconnect to another server, and the rows that this server stored expire. */
  close(): void {
    clearInterval(this.#refreshTimer)
    this.#screens.clear()
  }

  async #move({ id, admission }: HubConnection, screen: Screen, position: ScreenPosition): Promise<string | null> {
    const { principal, organisationId } = admission
    const { userId } = principal
    if (userId === null) return 'Only people, not API clients, can be shown to others.'
    const { locationIds } = buildCallerRights(principal, organisationId)
    if (position && locationIds && !locationIds.includes(position.locationId)) return 'You do not have permission to do this.'
    const outcome = await this.#services.store.inOrganisation(organisationId, async (tx) => {
      if (!position) return endPresence(tx, organisationId, screen.id)
      const { locationId, budgetId } = position
      if (!(await findSelectedBudget(tx, { organisationId, locationId, budgetId }))) return 'The budget was not found.'
      const { place, record, field } = position
      return setPresence({ tx, organisationId, now: new Date() }, { budgetId, place, record, field, screenId: screen.id, userId })
    })
    if (typeof outcome === 'string') return outcome
    const before = screen.position
    screen.position = position
    if (outcome)
      for (const argument of listPresenceChanges(before, position))
        await publishLiveMessage(this.#services, { target: 'PresenceChanged', argument }, { organisationId, except: id })
    return null
  }

  async #refreshAll(): Promise<void> {
    const byOrganisation = new Map<OrganisationId, string[]>()
    for (const [{ organisationId }, { id, position }] of this.#screens)
      if (position) byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), id])
    for (const [organisationId, ids] of byOrganisation)
      await this.#services.store
        .inOrganisation(organisationId, (tx) => storePresences({ tx, organisationId, now: new Date() }, ids))
        .catch((error) => log.warn({ err: error }, 'presences could not be refreshed'))
  }
}

/** Lists what other screens must refresh: the budgets that the person left and opened, or only the record if the page is the same. */
function listPresenceChanges(before: ScreenPosition, position: ScreenPosition): LiveArguments['PresenceChanged'][] {
  if (position && before?.budgetId === position.budgetId && before.place === position.place && before.record === position.record)
    return [{ locationId: position.locationId, budgetId: position.budgetId, record: position.record }]
  const both = [before, position].flatMap((one) => (one ? [one] : []))
  const budgets = new Map(both.map(({ locationId, budgetId }) => [budgetId, { locationId, budgetId, record: null }]))
  return [...budgets.values()]
}

function runInOrder<T>(screen: Screen, work: () => Promise<T>): Promise<T> {
  const done = screen.lastTask.then(work)
  screen.lastTask = done.catch(() => undefined)
  return done
}
