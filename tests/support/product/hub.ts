import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { Caller } from './http.ts'
import type { Product } from './product.ts'

export interface HubListener {
  connection: HubConnection
  messages: { target: string; argument: unknown }[]
  /** The number of attempts to connect. */
  tries(): number
}

const targets = [
  'ReceiveMessage',
  'BudgetsRecalculated',
  'BudgetGroupsRequireContractRecalculation',
  'RecalculationProgress',
  'BudgetsMade',
  'PresenceChanged',
]

/** Connects the official SignalR client to an organisation’s hub. @throws the client’s error if the server refuses */
export async function connect(
  { origin }: Product,
  { token }: Pick<Caller, 'token'>,
  organisationId: OrganisationId,
  stateful = false,
): Promise<HubListener> {
  let tries = 0
  const accessTokenFactory = () => {
    tries++
    return token
  }
  const builder = new HubConnectionBuilder()
    .withUrl(`${origin}/OrganisationHub?organisationId=${organisationId}`, { accessTokenFactory })
    .withAutomaticReconnect([0, 100, 200])
    .configureLogging(LogLevel.None)
  const connection = (stateful ? builder.withStatefulReconnect({ bufferSize: 100_000 }) : builder).build()
  const messages: HubListener['messages'] = []
  for (const target of targets) connection.on(target, (argument) => messages.push({ target, argument }))
  await connection.start()
  return { connection, messages, tries: () => tries }
}
