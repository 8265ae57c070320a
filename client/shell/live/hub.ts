import type { HubConnection } from '@microsoft/signalr'
import {
  type Invalidation,
  invalidatedByMessage,
  type LiveArguments,
  type LiveMessage,
  liveTargets,
  type RecalculationTarget,
} from '../../../domain/changes/live.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { isOwnRequest } from '../calls/requestIds.ts'
import { currentCore } from '../core.ts'
import { awaitedFiles } from '../files/awaitedFiles.ts'
import { failedElsewhere, said, told } from '../notify.tsx'
import { currentSelection } from '../selection.ts'
import { accessToken, renew } from '../session/session.ts'
import { store } from '../store.ts'
import { refresh, refreshAll } from './stale.ts'

export type HubState = 'off' | 'connected' | 'lost'
export const hubState = store<HubState>('off')

/** How far a recalculation is, by the group or the budget. */
export const progress = store<Record<string, { done: number; of: number; since: number }>>({})

/** After the pauses of the client's own reconnecting it is tried anew for as long as the page is open. */
const tryAgainMs = 30_000

/** The budget that this page has open, and where in it somebody is: the screen, and the record by its address. */
interface Where {
  locationId: LocationId
  budgetId: BudgetId
  place: string
  record: string
}
let where: Where | null = null

/** Who goes from field to field is told of where they stay: so long it is waited for. */
const fieldMs = 500
/** How long it is waited after it was refused, by the limit of calls or by a server that stops. */
const refusedMs = 20_000
/** The field of the record that the cursor is in; empty: none. */
let field = ''
let fieldWaits: ReturnType<typeof setTimeout> | undefined

let connection: HubConnection | undefined
let again: ReturnType<typeof setTimeout> | undefined
/** How often it was said which organisation is listened to: only the last time counts. */
let turns = 0

/** One connection for the selected organisation, none while none is selected (hub.json H-001 and H-002). */
export async function connectHub(organisationId: OrganisationId | null): Promise<void> {
  clearTimeout(again)
  const turn = ++turns
  const before = connection
  connection = undefined
  hubState.set('off')
  await before?.stop()
  if (organisationId === null || turn !== turns) return
  // The first screen does not wait for the code of the connection.
  const code = await import('./hubConnection.ts').catch(() => null)
  if (turn !== turns) return
  if (!code) {
    hubState.set('lost')
    again = setTimeout(() => void connectHub(organisationId), tryAgainMs)
    return
  }
  const hub = code.connectionTo(`/OrganisationHub?organisationId=${organisationId}`, {
    accessTokenFactory: async () => (await accessToken()) ?? (await renew()) ?? '',
  })
  for (const target of liveTargets) hub.on(target, (argument) => hear({ target, argument }))
  connection = hub
  hub.onreconnecting(() => connection === hub && hubState.set('lost'))
  hub.onreconnected(() => connection === hub && heardAgain())
  hub.onclose(() => connection === hub && lost(hub))
  await begin(hub, false)
}

/** Shows the others of a budget that this page has it open, for as long as it is connected. */
export function setWhere(next: Where | null): void {
  where = next
  field = ''
  sayWhere()
}

/** Shows the others which field of the record the cursor of this page is in; empty: none. */
export function setField(next: string): void {
  if (next === field) return
  field = next
  fieldWaits ??= setTimeout(() => sayWhere(), fieldMs)
}

/** Not being able to say where one is is no news to anybody. */
function sayWhere(isPlain = false): void {
  clearTimeout(fieldWaits)
  fieldWaits = undefined
  if (connection?.state !== 'Connected') return
  const { record, ...place } = where ?? { record: '' }
  const said = where && (isPlain ? place : { ...place, record, field })
  // A server that would not hear it shows what was said before: it is said again, and to one of the version before without the field.
  connection.invoke('Present', said).catch(() => {
    fieldWaits ??= setTimeout(() => sayWhere(!isPlain), refusedMs)
  })
}

async function begin(hub: HubConnection, isAgain: boolean): Promise<void> {
  clearTimeout(again)
  if (hub.state !== 'Disconnected') return
  try {
    await hub.start()
    if (connection !== hub) return
    if (isAgain) heardAgain()
    else {
      hubState.set('connected')
      sayWhere()
    }
  } catch {
    if (connection === hub) lost(hub)
  }
}

/** Nothing is heard for now. It is tried again quietly, pages that wait not all in the same moment. */
function lost(hub: HubConnection): void {
  hubState.set('lost')
  clearTimeout(again)
  again = setTimeout(() => void begin(hub, true), tryAgainMs * (0.75 + Math.random() / 2))
}

/** What was said meanwhile nobody repeats: everything that may have changed is read again. */
function heardAgain(): void {
  hubState.set('connected')
  sayWhere()
  progress.set({})
  void refreshAll()
}

/** The network is back, or somebody looks at the page again: there is no reason to wait any longer. */
function tryNow(): void {
  if (connection && hubState.get() === 'lost' && document.visibilityState === 'visible') void begin(connection, true)
}
window.addEventListener('online', tryNow)
document.addEventListener('visibilitychange', tryNow)

/** Takes in what the server says: what it makes stale is read again, and people are told what concerns them. */
function hear(message: LiveMessage): void {
  const userId = currentCore().user.id
  // Others may send any id: one's own call is known by who made it too.
  const requestId = 'requestId' in message.argument && message.argument.byId === userId ? message.argument.requestId : undefined
  const listener = {
    budgetId: currentSelection().budgetId,
    record: window.location.pathname,
    budgetIds: currentCore().budgets.map((one) => one.mongoId),
    isOwnCall: isOwnRequest(requestId),
    userId,
  }
  const stale = invalidatedByMessage(message, listener)
  if (message.target === 'PresenceChanged') lookSoon(stale)
  else void refresh(stale)
  if (message.target === 'ReceiveMessage') told(message.argument.title, { message: message.argument.message })
  else if (message.target === 'BudgetGroupsRequireContractRecalculation') required(message.argument)
  else if (message.target === 'RecalculationProgress') follow(message.argument)
  else if (message.target === 'BudgetsRecalculated') recalculated(message.argument)
  else if (message.target === 'BudgetsMade') made(message.argument)
  else if (message.target === 'FileMade' && message.argument.forId === listener.userId) fileMade(message.argument)
}

/** People who go from field to field are looked for once a second at most, however many they are. */
const lookMs = 1000
let looksSoon = false

function lookSoon(stale: Invalidation): void {
  if (!stale.queries.length || looksSoon) return
  looksSoon = true
  setTimeout(() => {
    looksSoon = false
    void refresh(stale)
  }, lookMs)
}

/** Whoever waits for a file on its page has it saved there. */
function fileMade({ fileId, isMade }: LiveArguments['FileMade']): void {
  if (awaitedFiles.has(fileId)) return
  if (isMade) told('Your file is ready', { message: 'It waits under Notifications for 30 days.' })
  else told('Your file could not be made', { message: 'Notifications say why.', isWarning: true })
}

function required({ names, reason }: LiveArguments['BudgetGroupsRequireContractRecalculation']): void {
  told(`${reason} changed`, {
    message: `Staff contracts in ${names.join(', ') || 'budgets'} need to be recalculated.`,
    isWarning: true,
    topic: 'recalculation required',
  })
}

const nameOf = ({ budgetGroupId, budgetId }: RecalculationTarget): string => budgetGroupId ?? budgetId ?? ''

function follow({ done, of, ...run }: LiveArguments['RecalculationProgress']): void {
  const before = progress.get()
  const since = done === 0 ? Date.now() : (before[nameOf(run)]?.since ?? Date.now())
  progress.set({ ...before, [nameOf(run)]: { done, of, since } })
}

/** At which position of the log the last recalculation of each group and budget ended that people were told of. */
const endsTold = new Map<string, number>()

function recalculated({ failed, cancelled, failure, ...run }: LiveArguments['BudgetsRecalculated']): void {
  const { [nameOf(run)]: _ended, ...rest } = progress.get()
  progress.set(rest)
  // An end is told at least once, by each worker that finds it untold.
  if (run.position && endsTold.get(nameOf(run)) === run.position) return
  endsTold.set(nameOf(run), run.position)
  if (cancelled)
    told('Recalculation cancelled', {
      message: 'Budgets that were done keep their new figures, the others their old ones.',
      isWarning: true,
    })
  else if (failed) failedElsewhere(`The recalculation failed. ${failure ?? ''} Budgets that were done keep their new figures.`)
  else said(run.budgetGroupId ? notices.recalculated : 'Budget recalculated')
}

function made({ done, of, failed }: LiveArguments['BudgetsMade']): void {
  if (done < of || !failed) return
  failedElsewhere(
    `${failed} of ${of} ${of === 1 ? 'budget' : 'budgets'} could not be made. The list of budgets says which; try them again there.`,
  )
}
