import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express, Request, Response } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId } from '../../domain/values/ids.ts'
import { principalOf } from '../auth/accounts.ts'
import { signInClaim } from '../auth/signIns.ts'
import { bearerOf, clockToleranceSeconds, type VerifyToken } from '../auth/tokens.ts'
import type { Services } from '../core/calls/context.ts'
import type { Principal } from '../core/calls/principal.ts'
import { databaseSays } from '../core/database/trouble.ts'
import { publish } from '../core/live/announce.ts'
import { log } from '../core/log.ts'
import { type Admission, type ClientRecord, clientRecord, HubConnection, handshakeRecord, type Invocation, records } from './connection.ts'
import { heardBy } from './heard.ts'
import { Presences } from './presence.ts'

const path = '/organisationhub'
const keepAliveMs = 15_000
const messageInput = z.object({ message: z.string().trim().min(1).max(500) })

/** How often it is asked whether a connection may still hear its organisation. */
const askAgainMs = 60_000

/** Milliseconds for which the token of a connection that has ended is remembered, so that nobody takes it up again. */
const rememberedMs = 60_000

/** Close codes of a client that goes on purpose, and not because its line broke. */
const leaves = new Set([1000, 1001])

/** Why somebody is not let in, by the status. */
const refusals = new Map([
  [401, { reason: 'Unauthorized', sentence: 'Sign in to continue.' }],
  [403, { reason: 'Forbidden', sentence: 'You do not have permission to do this.' }],
  [429, { reason: 'Too Many Requests', sentence: 'Too many requests. Try again in a minute.' }],
])

/** Somebody, as the limits know them. */
const whoIs = ({ kind, userId, clientId }: Principal): string => `${kind} ${userId ?? clientId}`

/** What was negotiated travels in the token, so that any server may take the connection that follows. */
function tokenOf(id: string, stateful: boolean): string {
  return `${id}.${randomUUID()}.${stateful ? 'stateful' : 'plain'}`
}

function readToken(token: string): { id: string; stateful: boolean } | null {
  const [id = '', , kind] = token.split('.')
  return token.length < 100 && /^[\w-]{36}$/.test(id) && (kind === 'stateful' || kind === 'plain')
    ? { id, stateful: kind === 'stateful' }
    : null
}

/** One value of a query; a name that stands there twice is none. */
function one(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The real-time channel of an organisation, in the SignalR JSON protocol, so that the standard client just connects. */
export function openHub(
  app: Express,
  server: Server,
  { services, verify }: { services: Services; verify: VerifyToken },
): { size(): number; close(): void } {
  const connections = new Map<string, HubConnection>()
  const ended = new Set<string>()
  const presences = new Presences(services)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  let stopping = false

  /** Whether these claims may hear that organisation, by the rights as they are now. */
  async function admissionOf(claims: Admission['claims'], organisationId: OrganisationId): Promise<Admission | null> {
    const principal = await principalOf(services.store, claims)
    const belongs = principal?.isAdministrator || principal?.memberships.some((membership) => membership.organisationId === organisationId)
    return principal && belongs ? { principal, organisationId, claims } : null
  }

  /** Who asks, if they may hear that organisation: 401 without a valid token, 403 without access (hub.json H-004), 429 for too many in a while. */
  async function admit(token: string | null, organisation: string | null): Promise<{ status: number } | Admission> {
    const claims = token ? await verify(token) : null
    const principal = claims && (await principalOf(services.store, claims))
    if (!claims || !principal) return { status: 401 }
    // It asks the database as a call does, and counts as one.
    if (await services.limits.count('calls', whoIs(principal))) return { status: 429 }
    const organisationId = toOrganisationId(/^\d{1,9}$/.test(organisation ?? '') ? Number(organisation) : 0)
    return (organisationId > 0 && (await admissionOf(claims, organisationId))) || { status: 403 }
  }

  async function negotiate(req: Request, res: Response): Promise<void> {
    const admitted = await admit(bearerOf(req.headers.authorization) ?? one(req.query.access_token), one(req.query.organisationId))
    if ('status' in admitted)
      return void res
        .status(admitted.status)
        .type('text/plain')
        .send(assertDefined(refusals.get(admitted.status)).sentence)
    const id = randomUUID()
    const stateful = req.query.useStatefulReconnect === 'true'
    res.set('Cache-Control', 'no-store').json({
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
    if (stopping || url.pathname.toLowerCase() !== path) return refuse(socket, 404)
    const token = url.searchParams.get('id')
    const admitted = await admit(
      url.searchParams.get('access_token') ?? bearerOf(req.headers.authorization),
      url.searchParams.get('organisationId'),
    )
    if ('status' in admitted) return refuse(socket, admitted.status)
    const named = token ? readToken(token) : { id: randomUUID(), stateful: false }
    if (!named || (token && ended.has(token))) return refuse(socket, 404)
    if (socket.destroyed) return
    const key = token ?? named.id
    let connection = connections.get(key)
    // A connection belongs to one person and organisation for good; its token is worth nothing to anybody else.
    const before = connection?.admission
    if (before && (before.organisationId !== admitted.organisationId || before.claims.sub !== admitted.claims.sub))
      return refuse(socket, 403)
    if (connection) connection.admission = admitted
    connection ??= new HubConnection(named.id, admitted, named.stateful)
    connections.set(key, connection)
    sockets.handleUpgrade(req, socket, head, (ws) => serve(key, connection, ws))
  }

  function refuse(socket: Duplex, status: number): void {
    socket.end(`HTTP/1.1 ${status} ${refusals.get(status)?.reason ?? 'Not Found'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, () =>
      socket.destroy(),
    )
  }

  /** Forgets a connection for good: a client that would take it up again is refused, and so begins anew. */
  function forget(key: string): void {
    const connection = connections.get(key)
    if (connection && !stopping) presences.gone(connection)
    connections.delete(key)
    ended.add(key)
    setTimeout(() => ended.delete(key), rememberedMs).unref()
  }

  function end(key: string, { connection, again, error }: { connection: HubConnection; again: boolean; error?: string }): void {
    forget(key)
    connection.close(again, error)
  }

  function serve(key: string, connection: HubConnection, ws: WebSocket): void {
    ws.on('error', () => ws.terminate())
    let lastHeard = performance.now()
    // Both sides give up on a silent peer after 30 seconds.
    const silence = setInterval(() => performance.now() - lastHeard > 30_000 && ws.terminate(), 5000)
    ws.on('message', (data) => {
      lastHeard = performance.now()
      try {
        for (const record of records(data.toString())) receive(key, connection, record)
      } catch {
        log.info({ connection: connection.id }, 'hub message refused')
        end(key, { connection, again: false, error: 'The message is not valid.' })
      }
    })
    ws.on('close', (code) => {
      clearInterval(silence)
      // Whoever takes leave, as a page does that is closed, does not come back on this connection.
      if (leaves.has(code)) presences.gone(connection)
      connection.detach(ws, () => forget(key))
    })
    connection.attach(ws)
  }

  /** One record of a client. @throws ZodError for one that has not the shape of the protocol */
  function receive(key: string, connection: HubConnection, record: unknown): void {
    // Its socket stays open until the client answers the goodbye; what is said meanwhile would be said with rights that are over.
    if (connections.get(key) !== connection) return
    if (connection.isFlooding()) return void end(key, { connection, again: false, error: 'Too many messages.' })
    if (!connection.handshaken) {
      const greeted = handshakeRecord.safeParse(record)
      // A client that goes on where it was speaks of what this server has never heard: the connection was another's, or is over.
      if (!greeted.success) return void end(key, { connection, again: true, error: 'This connection is over.' })
      const { protocol, version } = greeted.data
      const known = protocol === 'json' && (version === 1 || version === 2)
      return void connection.answerHandshake(known ? undefined : `The protocol ${protocol} is not supported.`)
    }
    const message: ClientRecord = clientRecord.parse(record)
    if (!connection.receive(message)) return
    if (message.type === 7) return void end(key, { connection, again: false })
    if (message.type === 1)
      invoke(connection, message).catch((error) => {
        const said = databaseSays(error)
        if (said) log.warn({ err: error, connection: connection.id }, said.message)
        else log.error({ err: error, connection: connection.id }, 'hub call failed')
        complete(connection, message, { error: said?.message ?? 'Something went wrong. Try again.' })
      })
  }

  /** Answers a call that waits for it. */
  function complete(connection: HubConnection, { invocationId }: Invocation, outcome: { result?: unknown; error?: string }): void {
    if (invocationId) connection.send({ type: 3, invocationId, ...outcome })
  }

  async function invoke(connection: HubConnection, call: Invocation): Promise<void> {
    const { target, arguments: args } = call
    const answer = (outcome: { result?: unknown; error?: string }): void => complete(connection, call, outcome)
    const { principal, organisationId } = connection.admission
    const who = whoIs(principal)
    if (target.toLowerCase() === 'present') {
      const refused = await presences.said(connection, args[0], who)
      return answer(refused === null ? { result: null } : { error: refused })
    }
    if (target.toLowerCase() !== 'sendmessage') return answer({ error: `There is no ${target}.` })
    const parsed = messageInput.safeParse(typeof args[0] === 'string' ? { message: args[0] } : args[0])
    if (!parsed.success) return answer({ error: 'A message has 1 to 500 characters.' })
    if (await services.limits.count('messages', who)) return answer({ error: 'Ten messages a minute are enough. Wait a little.' })
    const id = randomUUID()
    const argument = {
      severity: 1,
      title: principal.name,
      fromId: principal.userId,
      message: parsed.data.message,
      at: new Date().toISOString(),
    }
    log.info({ organisationId, who }, 'message to everybody')
    await publish(services, { target: 'ReceiveMessage', argument }, { organisationId, except: connection.id })
    answer({ result: id })
  }

  /** Ends the connections of people who may no longer hear what they hear, and of tokens that are out of date. */
  async function askAgain(): Promise<void> {
    const now = Date.now() / 1000
    const asked = new Map<string, Promise<Admission | null>>()
    for (const [key, connection] of [...connections]) {
      const { claims, organisationId } = connection.admission
      // With a new token the client is welcome again.
      if (claims.exp !== undefined && claims.exp + clockToleranceSeconds < now) {
        end(key, { connection, again: true })
        continue
      }
      const who = [claims.sub, claims.client_id, claims[signInClaim], organisationId].join(' ')
      const answer = asked.get(who) ?? admissionOf(claims, organisationId)
      asked.set(who, answer)
      const admission = await answer
      if (admission) connection.admission = { ...admission, claims }
      else end(key, { connection, again: false, error: 'You can no longer see this organisation.' })
    }
  }
  const ask = (): void => {
    askAgain().catch((error) => log.warn({ err: error }, 'the rights of live connections could not be asked'))
  }

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer may reset the connection at any moment, before anything else listens.
    socket.on('error', () => socket.destroy())
    upgrade(req, socket, head).catch((error) => {
      log.warn({ err: error }, 'live connection refused')
      socket.destroy()
    })
  })
  const subscribed = services.fanOut.subscribe((organisationId, { except, ...message }) => {
    if (message.target === '#rightsChanged') return void ask()
    for (const connection of connections.values()) {
      if (connection.organisationId !== organisationId || connection.id === except || !connection.handshaken) continue
      const heard = heardBy(connection.admission, message)
      if (heard) connection.send({ type: 1, target: heard.target, arguments: [heard.argument] })
    }
  })
  subscribed.catch((error) => log.error({ err: error }, 'hub is deaf'))
  const keepAlive = setInterval(() => {
    for (const connection of connections.values()) if (connection.handshaken) connection.send({ type: 6 })
  }, keepAliveMs)
  const again = setInterval(ask, askAgainMs)
  return {
    size: () => connections.size,
    /** Lets every client go, so that it comes back to a server that runs. */
    close() {
      stopping = true
      clearInterval(keepAlive)
      clearInterval(again)
      presences.close()
      for (const [key, connection] of connections) end(key, { connection, again: true })
      sockets.close()
    },
  }
}
