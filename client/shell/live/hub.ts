import type { HubConnection } from '@microsoft/signalr'
import {
  type Invalidation,
  type LiveArguments,
  type LiveMessage,
  listQueriesForMessage,
  liveTargets,
  type RecalculationTarget,
} from '../../../domain/changes/live.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { isRequestOfThisPage } from '../calls/requestIds.ts'
import { getCoreData } from '../core.ts'
import { awaitedFileIds } from '../files/awaitedFiles.ts'
import { notifyBackgroundFailure, notifyEvent, notifySuccess } from '../notify.tsx'
import { getSelection } from '../selection.ts'
import { getAccessToken, renewToken } from '../session/session.ts'
import { invalidateAnswers, refetchAfterReconnect } from './invalidateAnswers.ts'
import { liveConnectionState, type PagePresence, recalculationProgress } from './liveState.ts'

/**
 * Milliseconds between further attempts to reconnect after the SignalR client has given up. They continue for as long as the page is open.
 */
const reconnectMs = 30_000

let position: PagePresence | null = null

/** Milliseconds before a newly focused field is reported, so that fields that the focus only passes through are not reported. */
const fieldMs = 500
/** Milliseconds before a retry after the server refused a report, because of a rate limit or shutdown. */
const refusedMs = 20_000
/** The focused field of the open record; empty if none. */
let field = ''
let fieldWaits: ReturnType<typeof setTimeout> | undefined

let connection: HubConnection | undefined
let reconnectTimer: ReturnType<typeof setTimeout> | undefined
/** Number of the latest request to connect. An earlier request stops when it finds that the number has changed. */
let connectionRequests = 0

/** Connects to the hub of the selected organisation, and disconnects if none is selected (hub.json H-001 and H-002). */
export async function connectHub(organisationId: OrganisationId | null): Promise<void> {
  clearTimeout(reconnectTimer)
  const thisRequest = ++connectionRequests
  const before = connection
  connection = undefined
  liveConnectionState.set('off')
  await before?.stop()
  if (organisationId === null || thisRequest !== connectionRequests) return
  // Loaded lazily, so that the first screen does not wait for the SignalR code.
  const code = await import('./createHubConnection.ts').catch(() => null)
  if (thisRequest !== connectionRequests) return
  if (!code) {
    liveConnectionState.set('lost')
    reconnectTimer = setTimeout(() => void connectHub(organisationId), reconnectMs)
    return
  }
  const hub = code.createHubConnection(`/OrganisationHub?organisationId=${organisationId}`, {
    accessTokenFactory: async () => (await getAccessToken()) ?? (await renewToken()) ?? '',
  })
  for (const target of liveTargets) hub.on(target, (argument) => handleMessage({ target, argument }))
  connection = hub
  hub.onreconnecting(() => connection === hub && liveConnectionState.set('lost'))
  hub.onreconnected(() => connection === hub && handleReconnected())
  hub.onclose(() => connection === hub && handleLost(hub))
  await startConnection(hub, false)
}

/** Reports to the budget's other users what this page shows, now and after each reconnection. */
export function reportPresence(next: PagePresence | null): void {
  position = next
  field = ''
  reportPosition()
}

/** Tells other users which field has the focus; empty if no field has it. */
export function reportFocusedField(next: string): void {
  if (next === field) return
  field = next
  fieldWaits ??= setTimeout(() => reportPosition(), fieldMs)
}

/** Reports what this page shows. If the report fails, the user is not told. */
function reportPosition(withoutField = false): void {
  clearTimeout(fieldWaits)
  fieldWaits = undefined
  if (connection?.state !== 'Connected') return
  const { record, ...place } = position ?? { record: '' }
  const report = position && (withoutField ? place : { ...place, record, field })
  // Other users still see the last accepted report. Retry without the field, because the server may still run the previous version.
  connection.invoke('Present', report).catch(() => {
    fieldWaits ??= setTimeout(() => reportPosition(!withoutField), refusedMs)
  })
}

async function startConnection(hub: HubConnection, isAgain: boolean): Promise<void> {
  clearTimeout(reconnectTimer)
  if (hub.state !== 'Disconnected') return
  try {
    await hub.start()
    if (connection !== hub) return
    if (isAgain) handleReconnected()
    else {
      liveConnectionState.set('connected')
      reportPosition()
    }
  } catch {
    if (connection === hub) handleLost(hub)
  }
}

/** Handles a lost connection: reconnects without a notice after a random delay, so that not all pages reconnect at the same time. */
function handleLost(hub: HubConnection): void {
  liveConnectionState.set('lost')
  clearTimeout(reconnectTimer)
  reconnectTimer = setTimeout(() => void startConnection(hub, true), reconnectMs * (0.75 + Math.random() / 2))
}

/** Handles a restored connection. Messages sent during the outage are lost, so everything that may have changed is loaded again. */
function handleReconnected(): void {
  liveConnectionState.set('connected')
  reportPosition()
  recalculationProgress.set({})
  void refetchAfterReconnect()
}

/** Reconnects at once when the network is available again or the user returns to the page. */
function reconnectNow(): void {
  if (connection && liveConnectionState.get() === 'lost' && document.visibilityState === 'visible') void startConnection(connection, true)
}
window.addEventListener('online', reconnectNow)
document.addEventListener('visibilitychange', reconnectNow)

/** Handles a live message: marks the cached replies that it concerns as stale, and shows notices. */
function handleMessage(message: LiveMessage): void {
  const userId = getCoreData().user.id
  // Request ids can be forged, so a message counts as caused by this page only if it also names this user.
  const requestId = 'requestId' in message.argument && message.argument.byId === userId ? message.argument.requestId : undefined
  const listener = {
    budgetId: getSelection().budgetId,
    record: window.location.pathname,
    budgetIds: getCoreData().budgets.map((one) => one.mongoId),
    isOwnCall: isRequestOfThisPage(requestId),
    userId,
  }
  const stale = listQueriesForMessage(message, listener)
  if (message.target === 'PresenceChanged') refetchPresenceSoon(stale)
  else void invalidateAnswers(stale)
  if (message.target === 'ReceiveMessage') notifyEvent(message.argument.title, { message: message.argument.message })
  else if (message.target === 'BudgetGroupsRequireContractRecalculation') notifyRecalculationRequired(message.argument)
  else if (message.target === 'RecalculationProgress') recordProgress(message.argument)
  else if (message.target === 'BudgetsRecalculated') notifyRecalculated(message.argument)
  else if (message.target === 'BudgetsMade') notifyBudgetsMade(message.argument)
  else if (message.target === 'FileMade' && message.argument.forId === listener.userId) notifyFileMade(message.argument)
}

/** Minimum number of milliseconds between two requests for the users who are present, however often these change. */
const presenceRefetchMs = 1000
let isPresenceRefetchDue = false

function refetchPresenceSoon(stale: Invalidation): void {
  if (!stale.queries.length || isPresenceRefetchDue) return
  isPresenceRefetchDue = true
  setTimeout(() => {
    isPresenceRefetchDue = false
    void invalidateAnswers(stale)
  }, presenceRefetchMs)
}

/** Notifies the user of a finished file, unless this page is waiting for the file and downloads it. */
function notifyFileMade({ fileId, isMade }: LiveArguments['FileMade']): void {
  if (awaitedFileIds.has(fileId)) return
  if (isMade) notifyEvent('Your file is ready', { message: 'You can find the file under Notifications for 30 days.' })
  else notifyEvent('Your file could not be created', { message: 'See Notifications for the reason.', isWarning: true })
}

function notifyRecalculationRequired({ names, reason }: LiveArguments['BudgetGroupsRequireContractRecalculation']): void {
  notifyEvent(`${reason} changed`, {
    message: `Staff contracts in ${names.join(', ') || 'budgets'} need to be recalculated.`,
    isWarning: true,
    topic: 'recalculation required',
  })
}

const nameOf = ({ budgetGroupId, budgetId }: RecalculationTarget): string => budgetGroupId ?? budgetId ?? ''

function recordProgress({ done, of, ...run }: LiveArguments['RecalculationProgress']): void {
  const before = recalculationProgress.get()
  const since = done === 0 ? Date.now() : (before[nameOf(run)]?.since ?? Date.now())
  recalculationProgress.set({ ...before, [nameOf(run)]: { done, of, since } })
}

/** By group or budget, the log position at which the last announced recalculation ended. */
const announcedEnds = new Map<string, number>()

function notifyRecalculated({ failed, cancelled, failure, ...run }: LiveArguments['BudgetsRecalculated']): void {
  const { [nameOf(run)]: _ended, ...rest } = recalculationProgress.get()
  recalculationProgress.set(rest)
  // Several workers may announce the end of the same recalculation.
  if (run.position && announcedEnds.get(nameOf(run)) === run.position) return
  announcedEnds.set(nameOf(run), run.position)
  if (cancelled)
    notifyEvent('Recalculation cancelled', {
      message: 'Budgets already recalculated keep their new figures; the others keep their old ones.',
      isWarning: true,
    })
  else if (failed)
    notifyBackgroundFailure(`The recalculation failed. ${failure ?? ''} Budgets already recalculated keep their new figures.`)
  else notifySuccess(run.budgetGroupId ? notices.recalculated : 'Budget recalculated')
}

function notifyBudgetsMade({ done, of, failed }: LiveArguments['BudgetsMade']): void {
  if (done < of || !failed) return
  notifyBackgroundFailure(
    `${failed} of ${displayCount(of, 'budget')} could not be created. See the list of budgets, where you can try again.`,
  )
}
