import { type HubConnection, HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr'
import { notices } from '../domain/notices.ts'
import { queries } from './api/api.ts'
import { failedElsewhere, said, told } from './api/notify.tsx'
import { accessToken, renew } from './api/session.ts'
import { currentCore, reloadBudgets, reloadLocked } from './state/core.ts'
import { currentSelection } from './state/selection.ts'
import { store } from './state/store.ts'

export type HubState = 'off' | 'connected' | 'lost'
export const hubState = store<HubState>('off')

/** How far the recalculation of a group is, by group. */
export const progress = store<Record<string, { done: number; of: number; since: number }>>({})

/** Moments at which somebody came to a budget or left it, by budget. */
export const presenceNews = store<{ budgetId: string; at: number } | null>(null)

let connection: HubConnection | undefined

/** One connection for the selected organisation, none while none is selected (hub.json H-001 and H-002). */
export async function connectHub(organisationId: number | null): Promise<void> {
  const before = connection
  connection = undefined
  hubState.set('off')
  await before?.stop()
  if (organisationId === null) return
  const hub = new HubConnectionBuilder()
    .withUrl(`/OrganisationHub?organisationId=${organisationId}`, {
      accessTokenFactory: async () => (await accessToken()) ?? (await renew()) ?? '',
    })
    .withAutomaticReconnect([0, 2000, 10_000, 30_000])
    .withStatefulReconnect({ bufferSize: 100_000 })
    .withServerTimeout(30_000)
    .withKeepAliveInterval(15_000)
    .configureLogging(LogLevel.None)
    .build()
  connection = hub
  hub.on('ReceiveMessage', ({ title, message }: { title: string; message: string }) => told(title, message))
  hub.on('BudgetGroupsRequireContractRecalculation', ({ names, reason }: { names: string[]; reason: string }) => {
    void queries.invalidateQueries({ queryKey: ['groups'] })
    told(`${reason} changed`, `Staff contracts in ${names.join(', ')} need to be recalculated.`, true, 'recalculation required')
  })
  hub.on('RecalculationProgress', ({ budgetGroupId, done, of }: { budgetGroupId: string; done: number; of: number }) => {
    const since = done === 0 ? Date.now() : (progress.get()[budgetGroupId]?.since ?? Date.now())
    progress.set({ ...progress.get(), [budgetGroupId]: { done, of, since } })
    if (done === 0) void reloadLocked()
  })
  hub.on('BudgetsRecalculated', ({ budgetGroupId, failed, cancelled }: { budgetGroupId: string; failed: boolean; cancelled?: boolean }) => {
    const { [budgetGroupId]: _ended, ...rest } = progress.get()
    progress.set(rest)
    void reloadLocked()
    void queries.invalidateQueries()
    if (cancelled) told('Recalculation cancelled', 'Budgets that were done keep their new figures, the others their old ones.', true)
    else if (failed) failedElsewhere('The recalculation failed. The figures are as they were; try again.')
    else said(notices.recalculated)
  })
  hub.on('BudgetsMade', ({ done, of }: { done: number; of: number }) => {
    void queries.invalidateQueries({ queryKey: ['list', 'budgets'] })
    if (done === of) void Promise.all([reloadBudgets(), queries.invalidateQueries()])
  })
  hub.on('BudgetChanged', ({ budgetId, byId }: { budgetId: string; byId: number | null }) => {
    // What one has saved oneself is on the screen already; what others save comes in, and what is being typed stays.
    if (budgetId === currentSelection().budgetId && byId !== currentCore().user.id) void queries.invalidateQueries()
  })
  hub.on('PresenceChanged', ({ budgetId }: { budgetId: string }) => presenceNews.set({ budgetId, at: Date.now() }))
  hub.onreconnecting(() => hubState.set('lost'))
  hub.onreconnected(() => {
    hubState.set('connected')
    void reloadLocked()
  })
  hub.onclose(() => connection === hub && hubState.set('lost'))
  try {
    await hub.start()
    if (connection === hub) hubState.set(hub.state === HubConnectionState.Connected ? 'connected' : 'lost')
  } catch {
    if (connection === hub) hubState.set('lost')
  }
}
