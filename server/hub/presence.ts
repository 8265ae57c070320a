import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { BudgetId, OrganisationId } from '../../domain/ids.ts'
import { selectedBudget } from '../core/budget/queries.ts'
import { holderIn, type Services } from '../core/calls/context.ts'
import { publish } from '../core/live/announce.ts'
import { log } from '../core/log.ts'
import { endPresence, keepPresences, setPresence } from '../features/budgets/presence/commands.ts'
import type { HubConnection } from './connection.ts'

/** The budget that a screen has open, and where in it somebody is; null when it has none open any more. */
const presentInput = z
  .strictObject({
    locationId: z.int().positive().brand<'LocationId'>(),
    budgetId: z
      .string()
      .regex(/^[0-9a-f]{24}$/)
      .brand<'BudgetId'>(),
    place: z.string().max(100),
  })
  .nullable()
type Where = z.infer<typeof presentInput>

/** How often connected screens are said to be there still: well within the time after which a silent one is not. */
const keepMs = 20_000

interface Screen {
  id: string
  budgetId: BudgetId | null
  /** What it said is done in the order in which it was said. */
  last: Promise<unknown>
}

/** Who has which budget open: a screen says it once over its connection, and it holds for as long as the connection does. */
export class Presences {
  readonly #screens = new Map<HubConnection, Screen>()
  readonly #services: Pick<Services, 'store' | 'fanOut'>
  readonly #keep: NodeJS.Timeout

  constructor(services: Pick<Services, 'store' | 'fanOut'>) {
    this.#services = services
    this.#keep = setInterval(() => void this.#keepAll(), keepMs)
  }

  /** Takes in what a screen says. @returns what is wrong with it, in one sentence; null where nothing is */
  async said(connection: HubConnection, value: unknown): Promise<string | null> {
    const parsed = presentInput.safeParse(value)
    if (!parsed.success) return 'Name a location, a budget and a place of at most 100 characters.'
    const screen = this.#screens.get(connection) ?? { id: randomUUID(), budgetId: null, last: Promise.resolve() }
    this.#screens.set(connection, screen)
    return inTurn(screen, () => this.#move(connection, screen, parsed.data))
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
      const { locationId, budgetId, place } = where
      if (!(await selectedBudget(tx, { organisationId, locationId, budgetId }))) return 'The budget was not found.'
      return setPresence({ tx, organisationId, now: new Date() }, { budgetId, place, screenId: screen.id, userId })
    })
    if (typeof outcome === 'string') return outcome
    const concerned = new Set([screen.budgetId, where?.budgetId ?? null])
    screen.budgetId = where?.budgetId ?? null
    if (outcome)
      for (const budgetId of concerned)
        if (budgetId) await publish(this.#services, { target: 'PresenceChanged', argument: { budgetId } }, { organisationId, except: id })
    return null
  }

  async #keepAll(): Promise<void> {
    const byOrganisation = new Map<OrganisationId, string[]>()
    for (const [{ organisationId }, { id, budgetId }] of this.#screens)
      if (budgetId) byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), id])
    for (const [organisationId, ids] of byOrganisation)
      await this.#services.store
        .inOrganisation(organisationId, (tx) => keepPresences({ tx, organisationId, now: new Date() }, ids))
        .catch((error) => log.warn({ err: error }, 'presences were not kept'))
  }
}

function inTurn<T>(screen: Screen, work: () => Promise<T>): Promise<T> {
  const done = screen.last.then(work)
  screen.last = done.catch(() => undefined)
  return done
}
