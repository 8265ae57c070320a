import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express, Request, Response } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { type Principal, principalOf } from '../auth/accounts.ts'
import { bearerOf, type VerifyToken } from '../auth/tokens.ts'
import { log } from '../log.ts'
import type { Services } from '../trpc/context.ts'
import { HubConnection, type ProtocolMessage, records } from './connection.ts'

const path = '/organisationhub'
const keepAliveMs = 15_000
const messageInput = z.object({ message: z.string().trim().min(1).max(500) })

/** What was negotiated travels in the token, so that any server may take the connection that follows. */
function tokenOf(id: string, stateful: boolean): string {
  return `${id}.${randomUUID()}.${stateful ? 'stateful' : 'plain'}`
}

function readToken(token: string): { id: string; stateful: boolean } | null {
  const [id, , kind] = token.split('.')
  return /^[\w-]{36}$/.test(id ?? '') && (kind === 'stateful' || kind === 'plain') ? { id: id!, stateful: kind === 'stateful' } : null
}

/** The real-time channel of an organisation, in the SignalR JSON protocol, so that the standard client just connects (spec 2 §7.12). */
export function openHub(app: Express, server: Server, services: Services, verify: VerifyToken): { close(): void } {
  const connections = new Map<string, HubConnection>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })

  /** Who asks, if they may hear that organisation: 401 without a valid token, 403 without access (hub.json H-004). */
  async function admit(
    token: string | null,
    organisation: string | null,
  ): Promise<{ status: number } | { principal: Principal; organisationId: number }> {
    const claims = token ? await verify(token) : null
    const principal = claims && (await principalOf(services.store, claims, services.config.oidc !== null))
    if (!principal) return { status: 401 }
    const organisationId = Number(organisation)
    const belongs = principal.isAdministrator || principal.memberships.some((one) => one.organisationId === organisationId)
    return Number.isInteger(organisationId) && organisationId > 0 && belongs ? { principal, organisationId } : { status: 403 }
  }

  async function negotiate(req: Request, res: Response): Promise<void> {
    const admitted = await admit(
      bearerOf(req.headers.authorization) ?? (req.query.access_token as string) ?? null,
      (req.query.organisationId as string) ?? null,
    )
    if ('status' in admitted)
      return void res
        .status(admitted.status)
        .type('text/plain')
        .send(admitted.status === 401 ? 'Sign in to continue.' : 'You do not have permission to do this.')
    const id = randomUUID()
    const stateful = req.query.useStatefulReconnect === 'true'
    res.json({
      connectionId: id,
      connectionToken: tokenOf(id, stateful),
      negotiateVersion: 1,
      useStatefulReconnect: stateful,
      availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
    })
  }

  app.post('/OrganisationHub/negotiate', (req, res, next) => {
    negotiate(req, res).catch(next)
  })

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://localhost')
    if (url.pathname.toLowerCase() !== path) return refuse(socket, 404)
    const token = url.searchParams.get('id')
    const admitted = await admit(
      url.searchParams.get('access_token') ?? bearerOf(req.headers.authorization),
      url.searchParams.get('organisationId'),
    )
    if ('status' in admitted) return refuse(socket, admitted.status)
    const named = token ? readToken(token) : { id: randomUUID(), stateful: false }
    if (!named) return refuse(socket, 404)
    const key = token ?? named.id
    let connection = connections.get(key)
    // A connection belongs to one organisation for good; its token is worth nothing to anybody else.
    if (connection && (connection.organisationId !== admitted.organisationId || connection.principal.userId !== admitted.principal.userId))
      return refuse(socket, 403)
    connection ??= new HubConnection(named.id, admitted.organisationId, admitted.principal, named.stateful)
    connections.set(key, connection)
    sockets.handleUpgrade(req, socket, head, (ws) => serve(key, connection, ws))
  }

  function refuse(socket: Duplex, status: number): void {
    socket.end(
      `HTTP/1.1 ${status} ${status === 401 ? 'Unauthorized' : status === 403 ? 'Forbidden' : 'Not Found'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
  }

  function serve(key: string, connection: HubConnection, ws: WebSocket): void {
    connection.attach(ws)
    let lastHeard = Date.now()
    // Both sides give up on a silent peer after 30 seconds.
    const silence = setInterval(() => Date.now() - lastHeard > 30_000 && ws.terminate(), 5000)
    ws.on('message', (data) => {
      lastHeard = Date.now()
      try {
        for (const record of records(data.toString()))
          receive(connection, record as ProtocolMessage & { protocol?: string; version?: number })
      } catch (error) {
        log.info({ err: error }, 'hub message refused')
        connection.close('The message is not valid.')
      }
    })
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      clearInterval(silence)
      connection.detach(ws, () => connections.delete(key))
    })
  }

  function receive(connection: HubConnection, message: ProtocolMessage & { protocol?: string; version?: number }): void {
    if (!connection.handshaken) {
      const known = message.protocol === 'json' && (message.version === 1 || message.version === 2)
      connection.answerHandshake(known ? undefined : `The protocol ${message.protocol} is not supported.`)
      return
    }
    if (!connection.receive(message)) return
    if (message.type === 7) connection.close()
    else if (message.type === 1) void invoke(connection, message)
  }

  async function invoke(connection: HubConnection, { target, arguments: args = [], invocationId }: ProtocolMessage): Promise<void> {
    const complete = (outcome: { result?: unknown; error?: string }): void => {
      if (invocationId) connection.send({ type: 3, invocationId, ...outcome })
    }
    if (target?.toLowerCase() !== 'sendmessage') return complete({ error: `There is no ${target}.` })
    const parsed = messageInput.safeParse(typeof args[0] === 'string' ? { message: args[0] } : args[0])
    if (!parsed.success) return complete({ error: 'A message has 1 to 500 characters.' })
    const now = Date.now()
    connection.sent = [...connection.sent.filter((at) => now - at < 60_000), now]
    if (connection.sent.length > 10) return complete({ error: 'Ten messages a minute are enough. Wait a little.' })
    const id = randomUUID()
    const argument = { severity: 1, title: connection.principal.name, message: parsed.data.message, at: new Date(now).toISOString() }
    await services.fanOut
      .publish(connection.organisationId, { target: 'ReceiveMessage', argument, except: connection.id })
      .catch(() => undefined)
    complete({ result: id })
  }

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(req, socket, head).catch(() => socket.destroy())
  })
  const subscribed = services.fanOut.subscribe((organisationId, { target, argument, except }) => {
    for (const connection of connections.values())
      if (connection.organisationId === organisationId && connection.id !== except && connection.handshaken)
        connection.send({ type: 1, target, arguments: [argument] })
  })
  subscribed.catch((error) => log.error({ err: error }, 'hub is deaf'))
  const keepAlive = setInterval(() => {
    for (const connection of connections.values()) if (connection.handshaken) connection.send({ type: 6 })
  }, keepAliveMs)
  return {
    close() {
      clearInterval(keepAlive)
      for (const connection of connections.values()) connection.close()
      sockets.close()
    },
  }
}
