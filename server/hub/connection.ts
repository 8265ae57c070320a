import type { WebSocket } from 'ws'
import type { Principal } from '../auth/accounts.ts'

/** The SignalR JSON protocol: records end with this sign. */
const end = '\u001e'

/** Bytes kept for sending again after a lost connection (spec 2 §9). */
const bufferBytes = 100_000

/** A message of the protocol; only the parts this hub speaks. */
export interface ProtocolMessage {
  type: number
  target?: string
  arguments?: unknown[]
  invocationId?: string
  result?: unknown
  error?: string
  sequenceId?: number
  allowReconnect?: boolean
}

/** What the hub knows of one connection, over all its sockets: with stateful reconnect a lost socket is followed by another. */
export class HubConnection {
  readonly id: string
  readonly organisationId: number
  readonly principal: Principal
  readonly stateful: boolean
  handshaken = false
  /** Messages a minute it has sent; more than ten are refused (hub.json). */
  sent: number[] = []
  private socket: WebSocket | null = null
  private nextOut = 1
  private unacknowledged: { sequence: number; text: string }[] = []
  private lastIn = 0
  private expectIn = 1
  private forget: NodeJS.Timeout | undefined

  constructor(id: string, organisationId: number, principal: Principal, stateful: boolean) {
    this.id = id
    this.organisationId = organisationId
    this.principal = principal
    this.stateful = stateful
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

  send(message: ProtocolMessage): void {
    const text = JSON.stringify(message)
    if (this.stateful && message.type <= 5) {
      this.unacknowledged.push({ sequence: this.nextOut++, text })
      let bytes = this.unacknowledged.reduce((sum, one) => sum + one.text.length, 0)
      while (bytes > bufferBytes && this.unacknowledged.length > 1) bytes -= this.unacknowledged.shift()!.text.length
    }
    this.write(text)
  }

  /** Whether a message from the client is new; one that was sent again is dropped. */
  receive(message: ProtocolMessage): boolean {
    if (message.type === 8) {
      this.unacknowledged = this.unacknowledged.filter((one) => one.sequence > message.sequenceId!)
      return false
    }
    if (message.type === 9) {
      this.expectIn = message.sequenceId!
      return false
    }
    if (!this.stateful || message.type > 5) return true
    const sequence = this.expectIn++
    if (sequence <= this.lastIn) return false
    this.lastIn = sequence
    this.write(JSON.stringify({ type: 8, sequenceId: sequence }))
    return true
  }

  answerHandshake(error?: string): void {
    this.handshaken = error === undefined
    this.write(JSON.stringify(error ? { error } : {}))
  }

  close(error?: string): void {
    this.write(JSON.stringify({ type: 7, ...(error ? { error } : {}), allowReconnect: false }))
    this.socket?.close()
    clearTimeout(this.forget)
  }

  private write(text: string): void {
    if (this.socket?.readyState === 1) this.socket.send(text + end)
  }
}

/** The records of a frame. @throws SyntaxError when one is not JSON */
export function records(frame: string): unknown[] {
  return frame
    .split(end)
    .filter(Boolean)
    .map((text) => JSON.parse(text))
}
