import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { Principal } from '../core/calls/principal.ts'

/** Ends each message of the SignalR JSON protocol. */
const recordSeparator = '\u001e'

/** Bytes retained for resending after a reconnect. */
const maxBufferedBytes = 100_000

/** Bytes. A client that leaves more than this unread is disconnected. */
const maxUnreadBytes = 4_000_000

/** The most messages that a connection may send in a minute; a client that only listens sends four. */
const maxRecordsPerMinute = 1200

export const handshakeMessage = z.object({ protocol: z.string().max(50), version: z.number() })

const sequenceId = z.int().min(0)

/** The messages that a client may send after the handshake; any other message closes its connection. */
export const clientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(1),
    target: z.string().max(100),
    arguments: z.array(z.unknown()).max(10).default([]),
    invocationId: z.string().max(100).optional(),
  }),
  // Messages about streams and completions, which this hub does not offer, are counted and otherwise ignored.
  z.object({ type: z.literal([2, 3, 4, 5]) }),
  z.object({ type: z.literal([6, 7]) }),
  z.object({ type: z.literal([8, 9]), sequenceId }),
])
export type ClientMessage = z.infer<typeof clientMessage>
export type Invocation = Extract<ClientMessage, { type: 1 }>

export interface ServerMessage {
  type: number
  target?: string
  arguments?: unknown[]
  invocationId?: string
  result?: unknown
  error?: string
}

export interface HubAdmission {
  principal: Principal
  organisationId: OrganisationId
  /** The claims of the access token, to check again later whether it still gives access. */
  claims: { sub?: string; exp?: number; [name: string]: unknown }
}

/** A connection, which outlives its sockets: with stateful reconnect, a new socket replaces a lost one. */
export class HubConnection {
  readonly id: string
  readonly stateful: boolean
  admission: HubAdmission
  handshaken = false
  private socket: WebSocket | null = null
  private nextOut = 1
  private unacknowledged: { sequence: number; text: string; bytes: number }[] = []
  private lastIn = 0
  private expectIn = 1
  private forget: NodeJS.Timeout | undefined
  private counted = { since: performance.now(), records: 0 }

  constructor(id: string, admission: HubAdmission, stateful: boolean) {
    this.id = id
    this.admission = admission
    this.stateful = stateful
  }

  get organisationId(): OrganisationId {
    return this.admission.organisationId
  }

  attach(socket: WebSocket): void {
    clearTimeout(this.forget)
    this.socket?.terminate()
    this.socket = socket
    if (!this.handshaken) return
    this.write(JSON.stringify({ type: 9, sequenceId: this.unacknowledged[0]?.sequence ?? this.nextOut }))
    for (const { text } of this.unacknowledged) this.write(text)
  }

  /** Handles a lost socket. @param onGone called if no new socket replaces it in time */
  detach(socket: WebSocket, onGone: () => void): void {
    if (this.socket !== socket) return
    this.socket = null
    clearTimeout(this.forget)
    if (this.stateful && this.handshaken) this.forget = setTimeout(onGone, 30_000)
    else onGone()
  }

  send(message: ServerMessage): void {
    const text = JSON.stringify(message)
    if (this.stateful && message.type <= 5) {
      this.unacknowledged.push({ sequence: this.nextOut++, text, bytes: Buffer.byteLength(text) + recordSeparator.length })
      let bytes = this.unacknowledged.reduce((sum, one) => sum + one.bytes, 0)
      // A client that needs a dropped message notices the gap and starts a new connection.
      while (bytes > maxBufferedBytes) bytes -= this.unacknowledged.shift()?.bytes ?? 0
    }
    this.write(text)
  }

  /**
   * Acknowledges a message.
   * @returns whether the hub should handle the message; false for protocol messages and duplicates
   */
  acknowledge(record: ClientMessage): boolean {
    if (record.type === 8) {
      this.unacknowledged = this.unacknowledged.filter((one) => one.sequence > record.sequenceId)
      return false
    }
    if (record.type === 9) {
      this.expectIn = record.sequenceId
      return false
    }
    if (!this.stateful || record.type > 5) return true
    const sequence = this.expectIn++
    if (sequence <= this.lastIn) return false
    this.lastIn = sequence
    this.write(JSON.stringify({ type: 8, sequenceId: sequence }))
    return true
  }

  /**
   * Counts a message.
   * @returns whether the client has sent too many in this minute
   */
  isFlooding(): boolean {
    const now = performance.now()
    if (now - this.counted.since > 60_000) this.counted = { since: now, records: 0 }
    return ++this.counted.records > maxRecordsPerMinute
  }

  answerHandshake(error?: string): void {
    this.handshaken = error === undefined
    this.write(JSON.stringify(error ? { error } : {}))
    if (error) this.socket?.close()
  }

  /** Ends the connection. @param mayReconnect whether the client may reconnect by itself, as after a server restart */
  close(mayReconnect: boolean, error?: string): void {
    this.write(JSON.stringify({ type: 7, ...(error ? { error } : {}), allowReconnect: mayReconnect }))
    this.socket?.close()
    clearTimeout(this.forget)
  }

  private write(text: string): void {
    if (this.socket?.readyState !== 1) return
    if (this.socket.bufferedAmount > maxUnreadBytes) this.socket.terminate()
    else this.socket.send(text + recordSeparator)
  }
}

/**
 * Parses the messages of a WebSocket frame.
 * @throws SyntaxError if one is not JSON
 */
export function parseMessages(frame: string): unknown[] {
  return frame
    .split(recordSeparator)
    .filter(Boolean)
    .map((text) => JSON.parse(text))
}
