import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { Principal } from '../core/calls/principal.ts'

/** The SignalR JSON protocol: records end with this sign. */
const end = '\u001e'

/** Bytes kept for sending again after a lost connection. */
const bufferBytes = 100_000

/** Bytes a peer that reads nothing may leave unread before it is let go. */
const unreadBytes = 4_000_000

/** Records a minute of one connection; a client that only listens sends four. */
const mostRecords = 1200

/** The first record of a connection. */
export const handshakeRecord = z.object({ protocol: z.string().max(50), version: z.number() })

const sequenceId = z.int().min(0)

/** What a client may send after the handshake; anything else closes its connection. */
export const clientRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(1),
    target: z.string().max(100),
    arguments: z.array(z.unknown()).max(10).default([]),
    invocationId: z.string().max(100).optional(),
  }),
  // Streams and completions: this hub offers none, so they are counted and left alone.
  z.object({ type: z.literal([2, 3, 4, 5]) }),
  z.object({ type: z.literal([6, 7]) }),
  z.object({ type: z.literal([8, 9]), sequenceId }),
])
export type ClientRecord = z.infer<typeof clientRecord>
export type Invocation = Extract<ClientRecord, { type: 1 }>

/** A message of the server. */
export interface ServerRecord {
  type: number
  target?: string
  arguments?: unknown[]
  invocationId?: string
  result?: unknown
  error?: string
}

/** Whose connection it is, and until when the token it was opened with is good. */
export interface Admission {
  principal: Principal
  organisationId: OrganisationId
  /** What its token said, to ask again whether it still holds. */
  claims: { sub?: string; exp?: number; [name: string]: unknown }
}

/** What the hub knows of one connection, over all its sockets: with stateful reconnect a lost socket is followed by another. */
export class HubConnection {
  readonly id: string
  readonly stateful: boolean
  admission: Admission
  handshaken = false
  private socket: WebSocket | null = null
  private nextOut = 1
  private unacknowledged: { sequence: number; text: string; bytes: number }[] = []
  private lastIn = 0
  private expectIn = 1
  private forget: NodeJS.Timeout | undefined
  private counted = { since: performance.now(), records: 0 }

  constructor(id: string, admission: Admission, stateful: boolean) {
    this.id = id
    this.admission = admission
    this.stateful = stateful
  }

  get organisationId(): OrganisationId {
    return this.admission.organisationId
  }

  /** Takes over a new socket; after a loss, what was not acknowledged is sent again. */
  attach(socket: WebSocket): void {
    clearTimeout(this.forget)
    this.socket?.terminate()
    this.socket = socket
    if (!this.handshaken) return
    this.write(JSON.stringify({ type: 9, sequenceId: this.unacknowledged[0]?.sequence ?? this.nextOut }))
    for (const { text } of this.unacknowledged) this.write(text)
  }

  /** The socket is gone. @param onGone what to do when no other follows in time */
  detach(socket: WebSocket, onGone: () => void): void {
    if (this.socket !== socket) return
    this.socket = null
    clearTimeout(this.forget)
    if (this.stateful && this.handshaken) this.forget = setTimeout(onGone, 30_000)
    else onGone()
  }

  send(message: ServerRecord): void {
    const text = JSON.stringify(message)
    if (this.stateful && message.type <= 5) {
      this.unacknowledged.push({ sequence: this.nextOut++, text, bytes: Buffer.byteLength(text) + end.length })
      let bytes = this.unacknowledged.reduce((sum, one) => sum + one.bytes, 0)
      // A client to which one of them is missing then sees a gap, and begins anew.
      while (bytes > bufferBytes) bytes -= this.unacknowledged.shift()?.bytes ?? 0
    }
    this.write(text)
  }

  /** Whether a record from the client is new and for the hub; one that was sent again is dropped. */
  receive(record: ClientRecord): boolean {
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

  /** Counts a record. @returns whether the client sends more than any client has reason to */
  isFlooding(): boolean {
    const now = performance.now()
    if (now - this.counted.since > 60_000) this.counted = { since: now, records: 0 }
    return ++this.counted.records > mostRecords
  }

  answerHandshake(error?: string): void {
    this.handshaken = error === undefined
    this.write(JSON.stringify(error ? { error } : {}))
    if (error) this.socket?.close()
  }

  /** Ends the connection. @param again whether the client may come back by itself, as after a restart of the server */
  close(again: boolean, error?: string): void {
    this.write(JSON.stringify({ type: 7, ...(error ? { error } : {}), allowReconnect: again }))
    this.socket?.close()
    clearTimeout(this.forget)
  }

  private write(text: string): void {
    if (this.socket?.readyState !== 1) return
    if (this.socket.bufferedAmount > unreadBytes) this.socket.terminate()
    else this.socket.send(text + end)
  }
}

/** The records of a frame. @throws SyntaxError when one is not JSON */
export function records(frame: string): unknown[] {
  return frame
    .split(end)
    .filter(Boolean)
    .map((text) => JSON.parse(text))
}
