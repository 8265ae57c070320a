import { type HubConnection, HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr'
import { notices } from '../domain/notices.ts'
import { queries } from './api/api.ts'
import { failedElsewhere, said, told } from './api/notify.tsx'
import { accessToken, renew } from './api/session.ts'
import { reloadLocked } from './state/core.ts'
import { store } from './state/store.ts'

export type HubState = 'off' | 'connected' | 'lost'
export const hubState = store<HubState>('off')

/** How far the recalculation of a group is, by group. */
export const progress = store<Record<string, { done: number; of: number }>>({})

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
    told(`${reason} changed`, `Staff contracts in ${names.join(', ')} need to be recalculated.`, true)
  })
  hub.on('RecalculationProgress', ({ budgetGroupId, done, of }: { budgetGroupId: string; done: number; of: number }) => {
    progress.set({ ...progress.get(), [budgetGroupId]: { done, of } })
    if (done === 0) void reloadLocked()
  })
  hub.on('BudgetsRecalculated', ({ budgetGroupId, failed }: { budgetGroupId: string; failed: boolean }) => {
    const { [budgetGroupId]: _ended, ...rest } = progress.get()
    progress.set(rest)
    void reloadLocked()
    void queries.invalidateQueries()
    if (failed) failedElsewhere('The recalculation failed. The figures are as they were; try again.')
    else said(notices.recalculated)
  })
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
