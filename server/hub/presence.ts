import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { fieldPattern, type LiveArguments, recordPattern } from '../../domain/changes/live.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { holderIn, type Services } from '../core/calls/context.ts'
import { selectedBudget } from '../core/calls/selectedBudget.ts'
import { publish } from '../core/live/announce.ts'
import { log } from '../core/log.ts'
import { endPresence, keepPresences, setPresence } from '../features/budgets/presence/commands.ts'
import type { HubConnection } from './connection.ts'

/** The budget that a screen has open, and where in it somebody is, to the field; null when it has none open any more. */
const presentInput = z
  .strictObject({
    locationId: z.int().positive().brand<'LocationId'>(),
    budgetId: z
      .string()
      .regex(/^[0-9a-f]{24}$/)
      .brand<'BudgetId'>(),
    place: z.string().max(100),
    record: z.string().regex(recordPattern).default(''),
    field: z.string().regex(fieldPattern).default(''),
  })
  .nullable()
type Where = z.infer<typeof presentInput>

/** How often connected screens are said to be there still: well within the time after which a silent one is not. */
const keepMs = 20_000

interface Screen {
  id: string
  /** Where it was last; null: in no budget. */
  where: Where
  /** What it said is done in the order in which it was said. */
  last: Promise<unknown>
  /** What it said last: what was said before it, and not done by then, is not done any more. */
  wanted: Where
}

/** Who has which budget open: a screen says it once over its connection, and it holds for as long as the connection does. */
export class Presences {
  readonly #screens = new Map<HubConnection, Screen>()
  readonly #services: Pick<Services, 'store' | 'fanOut' | 'limits'>
  readonly #keep: NodeJS.Timeout

  constructor(services: Pick<Services, 'store' | 'fanOut' | 'limits'>) {
    this.#services = services
    this.#keep = setInterval(() => void this.#keepAll(), keepMs)
  }

  /**
   * Takes in what a screen says.
   * @param who says it, as the limits know them
   * @returns what is wrong with it, in one sentence; null where nothing is
   */
  async said(connection: HubConnection, value: unknown, who: string): Promise<string | null> {
    const parsed = presentInput.safeParse(value)
    const screen = this.#screens.get(connection) ?? { id: randomUUID(), where: null, last: Promise.resolve(), wanted: null }
    this.#screens.set(connection, screen)
    if (parsed.success) screen.wanted = parsed.data
    return inTurn(screen, async () => {
      // It reads and writes as a call does, and counts as one, over however many connections.
      const wait = await this.#services.limits.count('calls', who)
      if (wait) return `Too many requests. Try again in ${wait} seconds.`
      if (!parsed.success) return 'Name a location, a budget, and a place in it of at most 100 characters.'
      return screen.wanted === parsed.data ? this.#move(connection, screen, parsed.data) : null
    })
  }

  /** The screen is not there any more. */
  gone(connection: HubConnection): void {
    const screen = this.#screens.get(connection)
    if (!screen) return
    this.#screens.delete(connection)
    inTurn(screen, () => this.#move(connection, screen, null)).catch((error) => log.warn({ err: error }, 'presence was not ended'))
  }

  /** The server stops. Its screens come back at another one, and are forgotten here by their silence. */
  close(): void {
    clearInterval(this.#keep)
    this.#screens.clear()
  }

  async #move({ id, admission }: HubConnection, screen: Screen, where: Where): Promise<string | null> {
    const { principal, organisationId } = admission
    const { userId } = principal
    if (userId === null) return 'Only people are shown to others.'
    const { locationIds } = holderIn(principal, organisationId)
    if (where && locationIds && !locationIds.includes(where.locationId)) return 'You do not have permission to do this.'
    const outcome = await this.#services.store.inOrganisation(organisationId, async (tx) => {
      if (!where) return endPresence(tx, organisationId, screen.id)
      const { locationId, budgetId } = where
      if (!(await selectedBudget(tx, { organisationId, locationId, budgetId }))) return 'The budget was not found.'
      const { place, record, field } = where
      return setPresence({ tx, organisationId, now: new Date() }, { budgetId, place, record, field, screenId: screen.id, userId })
    })
    if (typeof outcome === 'string') return outcome
    const before = screen.where
    screen.where = where
    if (outcome)
      for (const argument of toldOf(before, where))
        await publish(this.#services, { target: 'PresenceChanged', argument }, { organisationId, except: id })
    return null
  }

  async #keepAll(): Promise<void> {
    const byOrganisation = new Map<OrganisationId, string[]>()
    for (const [{ organisationId }, { id, where }] of this.#screens)
      if (where) byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), id])
    for (const [organisationId, ids] of byOrganisation)
      await this.#services.store
        .inOrganisation(organisationId, (tx) => keepPresences({ tx, organisationId, now: new Date() }, ids))
        .catch((error) => log.warn({ err: error }, 'presences were not kept'))
  }
}

/** What the others are told when somebody goes on: of each budget that they were or are in, or only of the record that they stay in. */
function toldOf(before: Where, where: Where): LiveArguments['PresenceChanged'][] {
  if (where && before?.budgetId === where.budgetId && before.place === where.place && before.record === where.record)
    return [{ locationId: where.locationId, budgetId: where.budgetId, record: where.record }]
  const both = [before, where].flatMap((one) => (one ? [one] : []))
  const budgets = new Map(both.map(({ locationId, budgetId }) => [budgetId, { locationId, budgetId, record: null }]))
  return [...budgets.values()]
}

function inTurn<T>(screen: Screen, work: () => Promise<T>): Promise<T> {
  const done = screen.last.then(work)
  screen.last = done.catch(() => undefined)
  return done
}
