import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express, Request, Response } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId } from '../../domain/values/ids.ts'
import { findPrincipal } from '../auth/accounts.ts'
import { signInIdClaim } from '../auth/signIns.ts'
import { clockToleranceSeconds, parseBearerToken, type TokenVerifier } from '../auth/tokens.ts'
import type { Services } from '../core/calls/context.ts'
import type { Principal } from '../core/calls/principal.ts'
import { coalesceRuns } from '../core/coalesceRuns.ts'
import { toDatabaseError } from '../core/database/problems.ts'
import { limitConcurrency } from '../core/limitConcurrency.ts'
import { publishLiveMessage } from '../core/live/announce.ts'
import { log } from '../core/log.ts'
import {
  type ClientMessage,
  clientMessage,
  type HubAdmission,
  HubConnection,
  handshakeMessage,
  type Invocation,
  parseMessages,
} from './connection.ts'
import { PresenceTracker } from './presence.ts'
import { toVisibleMessage } from './visibleMessage.ts'

const path = '/organisationhub'
const keepAliveMs = 15_000
const messageInput = z.object({ message: z.string().trim().min(1).max(500) })

const recheckMs = 60_000

/** How many people's permissions are read at the same time, so that a recheck does not take every database connection. */
const recheckConcurrency = 4

/** How long the token of an ended connection is remembered, so that the connection cannot be resumed. */
const endedTokenRetentionMs = 60_000

/** WebSocket close codes of a client that disconnects deliberately. */
const intentionalCloseCodes = new Set([1000, 1001])

const refusals = new Map([
  [401, { reason: 'Unauthorized', sentence: 'Sign in to continue.' }],
  [403, { reason: 'Forbidden', sentence: 'You do not have permission to do this.' }],
  [429, { reason: 'Too Many Requests', sentence: 'Too many requests. Try again in a minute.' }],
])

const limitKeyFor = ({ kind, userId, clientId }: Principal): string => `${kind} ${userId ?? clientId}`

/** Returns a token that contains the negotiated options, so that any server can accept the connection. */
function createConnectionToken(id: string, stateful: boolean): string {
  return `${id}.${randomUUID()}.${stateful ? 'stateful' : 'plain'}`
}

function readToken(token: string): { id: string; stateful: boolean } | null {
  const [id = '', , kind] = token.split('.')
  return token.length < 100 && /^[\w-]{36}$/.test(id) && (kind === 'stateful' || kind === 'plain')
    ? { id, stateful: kind === 'stateful' }
    : null
}

/** Returns the value of a query parameter; null if it is missing or repeated. */
function readSingleValue(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Opens the hub that sends live messages to the users of each organisation. It uses the SignalR JSON protocol and its standard client. */
export function openHub(
  app: Express,
  server: Server,
  { services, verify }: { services: Services; verify: TokenVerifier },
): { size(): number; close(): void } {
  const connections = new Map<string, HubConnection>()
  const ended = new Set<string>()
  const presences = new PresenceTracker(services)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  let stopping = false

  /**
   * Checks a caller's access to an organisation.
   * @returns null if the current permissions give no access
   */
  async function findAdmission(claims: HubAdmission['claims'], organisationId: OrganisationId): Promise<HubAdmission | null> {
    const principal = await findPrincipal(services.store, claims)
    const belongs = principal?.isAdministrator || principal?.memberships.some((membership) => membership.organisationId === organisationId)
    return principal && belongs ? { principal, organisationId, claims } : null
  }

  /**
   * Admits a caller to an organisation's channel. Status 401 means no valid token, 403 no access (hub.json H-004), 429 too many attempts.
   */
  async function admit(token: string | null, organisation: string | null): Promise<{ status: number } | HubAdmission> {
    const claims = token ? await verify(token) : null
    const principal = claims && (await findPrincipal(services.store, claims))
    if (!claims || !principal) return { status: 401 }
    // Admission queries the database as every API call does, so it counts as a call.
    if (await services.limits.count('calls', limitKeyFor(principal))) return { status: 429 }
    const organisationId = toOrganisationId(/^\d{1,9}$/.test(organisation ?? '') ? Number(organisation) : 0)
    return (organisationId > 0 && (await findAdmission(claims, organisationId))) || { status: 403 }
  }

  async function negotiate(req: Request, res: Response): Promise<void> {
    const admitted = await admit(
      parseBearerToken(req.headers.authorization) ?? readSingleValue(req.query.access_token),
      readSingleValue(req.query.organisationId),
    )
    if ('status' in admitted)
      return void res
        .status(admitted.status)
        .type('text/plain')
        .send(assertDefined(refusals.get(admitted.status)).sentence)
    const id = randomUUID()
    const stateful = req.query.useStatefulReconnect === 'true'
    res.set('Cache-Control', 'no-store').json({
      connectionId: id,
      connectionToken: createConnectionToken(id, stateful),
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
      url.searchParams.get('access_token') ?? parseBearerToken(req.headers.authorization),
      url.searchParams.get('organisationId'),
    )
    if ('status' in admitted) return refuse(socket, admitted.status)
    const negotiated = token ? readToken(token) : { id: randomUUID(), stateful: false }
    if (!negotiated || (token && ended.has(token))) return refuse(socket, 404)
    if (socket.destroyed) return
    const key = token ?? negotiated.id
    let connection = connections.get(key)
    // A connection can be resumed only by the same user in the same organisation, so its token is useless to anyone else.
    const before = connection?.admission
    if (before && (before.organisationId !== admitted.organisationId || before.claims.sub !== admitted.claims.sub))
      return refuse(socket, 403)
    if (connection) connection.admission = admitted
    connection ??= new HubConnection(negotiated.id, admitted, negotiated.stateful)
    connections.set(key, connection)
    sockets.handleUpgrade(req, socket, head, (ws) => serve(key, connection, ws))
  }

  function refuse(socket: Duplex, status: number): void {
    socket.end(`HTTP/1.1 ${status} ${refusals.get(status)?.reason ?? 'Not Found'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, () =>
      socket.destroy(),
    )
  }

  /** Removes a connection for good: a client that tries to resume it is refused and starts a new one. */
  function forget(key: string): void {
    const connection = connections.get(key)
    if (connection && !stopping) presences.remove(connection)
    connections.delete(key)
    ended.add(key)
    setTimeout(() => ended.delete(key), endedTokenRetentionMs).unref()
  }

  function endConnection(
    key: string,
    { connection, mayReconnect, error }: { connection: HubConnection; mayReconnect: boolean; error?: string },
  ): void {
    forget(key)
    connection.close(mayReconnect, error)
  }

  function serve(key: string, connection: HubConnection, ws: WebSocket): void {
    ws.on('error', () => ws.terminate())
    let lastMessageAt = performance.now()
    // Client and server both end a connection that has been silent for 30 seconds.
    const silenceTimer = setInterval(() => performance.now() - lastMessageAt > 30_000 && ws.terminate(), 5000)
    ws.on('message', (data) => {
      lastMessageAt = performance.now()
      try {
        for (const record of parseMessages(data.toString())) receive(key, connection, record)
      } catch {
        log.info({ connection: connection.id }, 'an invalid hub message was refused')
        endConnection(key, { connection, mayReconnect: false, error: 'The message is not valid.' })
      }
    })
    ws.on('close', (code) => {
      clearInterval(silenceTimer)
      // A page that closes disconnects deliberately and will not resume this connection.
      if (intentionalCloseCodes.has(code)) presences.remove(connection)
      connection.detach(ws, () => forget(key))
    })
    connection.attach(ws)
  }

  /**
   * Handles one message from a client.
   * @throws ZodError for a message that the protocol does not allow
   */
  function receive(key: string, connection: HubConnection, record: unknown): void {
    // The socket of an ended connection stays open until the client closes it. Ignore what arrives meanwhile, because the client's
    // permissions may have been revoked.
    if (connections.get(key) !== connection) return
    if (connection.isFlooding()) return void endConnection(key, { connection, mayReconnect: false, error: 'Too many messages.' })
    if (!connection.handshaken) {
      const greeted = handshakeMessage.safeParse(record)
      // A client that resumes a connection skips the handshake. This connection is unknown here: it was on another server, or has ended.
      if (!greeted.success) return void endConnection(key, { connection, mayReconnect: true, error: 'This connection has ended.' })
      const { protocol, version } = greeted.data
      const isSupported = protocol === 'json' && (version === 1 || version === 2)
      return void connection.answerHandshake(isSupported ? undefined : `The protocol ${protocol} is not supported.`)
    }
    const message: ClientMessage = clientMessage.parse(record)
    if (!connection.acknowledge(message)) return
    if (message.type === 7) return void endConnection(key, { connection, mayReconnect: false })
    if (message.type === 1)
      invoke(connection, message).catch((error) => {
        const databaseError = toDatabaseError(error)
        if (databaseError) log.warn({ err: error, connection: connection.id }, databaseError.message)
        else log.error({ err: error, connection: connection.id }, 'a hub invocation failed')
        complete(connection, message, { error: databaseError?.message ?? 'Something went wrong. Try again.' })
      })
  }

  function complete(connection: HubConnection, { invocationId }: Invocation, outcome: { result?: unknown; error?: string }): void {
    if (invocationId) connection.send({ type: 3, invocationId, ...outcome })
  }

  async function invoke(connection: HubConnection, call: Invocation): Promise<void> {
    const { target, arguments: args } = call
    const answer = (outcome: { result?: unknown; error?: string }): void => complete(connection, call, outcome)
    const { principal, organisationId } = connection.admission
    const limitKey = limitKeyFor(principal)
    if (target.toLowerCase() === 'present') {
      const refused = await presences.update(connection, args[0], limitKey)
      return answer(refused === null ? { result: null } : { error: refused })
    }
    if (target.toLowerCase() !== 'sendmessage') return answer({ error: `There is no ${target}.` })
    const parsed = messageInput.safeParse(typeof args[0] === 'string' ? { message: args[0] } : args[0])
    if (!parsed.success) return answer({ error: 'A message must have 1 to 500 characters.' })
    if (await services.limits.count('messages', limitKey)) return answer({ error: 'You can send ten messages a minute. Wait a moment.' })
    const id = randomUUID()
    const argument = {
      severity: 1,
      title: principal.name,
      fromId: principal.userId,
      message: parsed.data.message,
      at: new Date().toISOString(),
    }
    log.info({ organisationId, who: limitKey }, 'a message was sent to everyone in the organisation')
    await publishLiveMessage(services, { target: 'ReceiveMessage', argument }, { organisationId, except: connection.id })
    answer({ result: id })
  }

  /** Rechecks the permissions behind every connection, once for each person. Ends connections without access or with an expired token. */
  const recheckAdmissions = coalesceRuns(async () => {
    const now = Date.now() / 1000
    const turn = limitConcurrency(recheckConcurrency)
    const lookups = new Map<string, Promise<HubAdmission | null>>()
    const recheck = async (key: string, connection: HubConnection): Promise<void> => {
      const { claims, organisationId } = connection.admission
      // The client may reconnect with a new token.
      if (claims.exp !== undefined && claims.exp + clockToleranceSeconds < now)
        return endConnection(key, { connection, mayReconnect: true })
      const lookupKey = [claims.sub, claims.client_id, claims[signInIdClaim], organisationId].join(' ')
      const answer = lookups.get(lookupKey) ?? turn(() => findAdmission(claims, organisationId))
      lookups.set(lookupKey, answer)
      const admission = await answer
      if (admission) connection.admission = { ...admission, claims }
      else endConnection(key, { connection, mayReconnect: false, error: 'You can no longer see this organisation.' })
    }
    await Promise.all([...connections].map(([key, connection]) => recheck(key, connection)))
  })
  const startRecheck = (): void => {
    recheckAdmissions().catch((error) => log.warn({ err: error }, 'the permissions of live connections could not be rechecked'))
  }

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Attach this listener first: the peer may reset the connection at any time, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy())
    upgrade(req, socket, head).catch((error) => {
      log.warn({ err: error }, 'a live connection failed to open')
      socket.destroy()
    })
  })
  const subscription = services.fanOut.subscribe((organisationId, { except, ...message }) => {
    if (message.target === '#rightsChanged') return void startRecheck()
    for (const connection of connections.values()) {
      if (connection.organisationId !== organisationId || connection.id === except || !connection.handshaken) continue
      const visible = toVisibleMessage(connection.admission, message)
      if (visible) connection.send({ type: 1, target: visible.target, arguments: [visible.argument] })
    }
  })
  subscription.catch((error) => log.error({ err: error }, 'the hub could not subscribe to live messages'))
  const keepAlive = setInterval(() => {
    for (const connection of connections.values()) if (connection.handshaken) connection.send({ type: 6 })
  }, keepAliveMs)
  const recheckTimer = setInterval(startRecheck, recheckMs)
  return {
    size: () => connections.size,
    /** Tells every client to reconnect; the proxy then connects it to another server. */
    close() {
      stopping = true
      clearInterval(keepAlive)
      clearInterval(recheckTimer)
      presences.close()
      for (const [key, connection] of connections) endConnection(key, { connection, mayReconnect: true })
      sockets.close()
    },
  }
}
