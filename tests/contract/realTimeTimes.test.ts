import * as signalR from '@microsoft/signalr'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket as ServerSocket } from 'ws'
import { createHubConnection } from '../../client/shell/live/createHubConnection.ts'
import { type HubAdmission, HubConnection } from '../../server/hub/connection.ts'

/** The record separator of the SignalR JSON protocol. */
const end = '\u001e'

/** A fake WebSocket for the standard client, whose server is played by the test. */
class Line {
  static readonly OPEN = 1
  static all: Line[] = []
  readyState = 1
  sent: string[] = []
  onopen: () => void = () => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onerror: (event: unknown) => void = () => undefined
  onclose: (event: { wasClean: boolean; code: number; reason: string }) => void = () => undefined

  constructor() {
    Line.all.push(this)
    queueMicrotask(() => this.onopen())
  }
  send(data: string): void {
    this.sent.push(data)
    // Replies to the handshake.
    if (data.includes('"protocol"')) this.says({})
  }
  says(record: object): void {
    this.onmessage({ data: JSON.stringify(record) + end })
  }
  close(): void {
    this.onclose({ wasClean: true, code: 1000, reason: '' })
  }
  breaks(): void {
    this.onclose({ wasClean: false, code: 1006, reason: '' })
  }
}

/** Replies to the client’s HTTP requests. */
class Answers extends signalR.HttpClient {
  readonly asked: signalR.HttpRequest[] = []
  private readonly answer: (request: signalR.HttpRequest) => object
  constructor(answer: (request: signalR.HttpRequest) => object) {
    super()
    this.answer = answer
  }
  async send(request: signalR.HttpRequest): Promise<signalR.HttpResponse> {
    this.asked.push(request)
    return new signalR.HttpResponse(200, 'OK', JSON.stringify(this.answer(request)))
  }
}

const negotiated = (transport: string, useStatefulReconnect = false): object => ({
  connectionId: 'a',
  connectionToken: 'b',
  negotiateVersion: 1,
  useStatefulReconnect,
  availableTransports: [{ transport, transferFormats: ['Text'] }],
})

/** The product’s connection in the standard client with fake sockets, an option that the client’s types do not declare. */
function connectionWith(httpClient: signalR.HttpClient): signalR.HubConnection {
  const options = { httpClient, WebSocket: Line, accessTokenFactory: () => 'token' }
  return createHubConnection('http://localhost/OrganisationHub?organisationId=1', options)
}

beforeEach(() => {
  Line.all = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

describe('the live connection of a page, with the standard client', () => {
  it('B-203 is retried after 0, 2, 10 and 30 seconds when it is lost, and then no more', async () => {
    let isUp = true
    const tries: number[] = []
    const hub = connectionWith(
      new Answers(() => {
        if (isUp) return negotiated('WebSockets')
        tries.push(Date.now())
        throw new Error('There is no server.')
      }),
    )
    await hub.start()
    isUp = false
    const lostAt = Date.now()
    Line.all[0]!.breaks()
    await vi.advanceTimersByTimeAsync(3_600_000)
    const pauses = tries.map((at, index) => at - (tries[index - 1] ?? lostAt))
    expect(pauses).toEqual([0, 2000, 10_000, 30_000])
    expect(hub.state).toBe('Disconnected')
  })
  it('B-204 sends a ping every 15 seconds, and gives up a server that is silent for 30', async () => {
    const hub = connectionWith(new Answers(() => negotiated('WebSockets')))
    const lost = vi.fn()
    hub.onreconnecting(lost)
    await hub.start()
    Line.all[0]!.says({ type: 6 })
    const pings = (): number => Line.all[0]!.sent.filter((text) => text === JSON.stringify({ type: 6 }) + end).length
    // The first ping may belong to the handshake.
    const first = pings()
    await vi.advanceTimersByTimeAsync(14_900)
    expect(pings()).toBe(first)
    await vi.advanceTimersByTimeAsync(200)
    expect(pings()).toBe(first + 1)
    await vi.advanceTimersByTimeAsync(14_800)
    expect(lost).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect(lost).toHaveBeenCalledOnce()
    await hub.stop()
  })
  it('B-205 keeps at most 100,000 bytes of unacknowledged calls, and then waits', async () => {
    const hub = connectionWith(new Answers(() => negotiated('WebSockets', true)))
    await hub.start()
    const gone: string[] = []
    const say = (name: string, length: number): void => void hub.send('SendMessage', 'x'.repeat(length)).then(() => gone.push(name))
    say('first', 99_000)
    await vi.advanceTimersByTimeAsync(10)
    expect(gone).toEqual(['first'])
    say('second', 1000)
    await vi.advanceTimersByTimeAsync(10)
    expect(gone).toEqual(['first'])
    Line.all[0]!.says({ type: 8, sequenceId: 1 })
    await vi.advanceTimersByTimeAsync(10)
    expect(gone).toEqual(['first', 'second'])
    await hub.stop()
  })
  it('B-206 follows at most 100 redirects of the negotiation', async () => {
    const answers = new Answers(() => ({ url: 'http://localhost/elsewhere', accessToken: 'other' }))
    await expect(connectionWith(answers).start()).rejects.toThrow('redirection limit')
    expect(answers.asked).toHaveLength(100)
  })
  it('B-206 waits at most 100 seconds for the reply to a long poll', async () => {
    const answers = new Answers(({ method }) => {
      if (method === 'GET') throw new Error('The poll has been seen.')
      return negotiated('LongPolling')
    })
    await expect(connectionWith(answers).start()).rejects.toThrow()
    expect(answers.asked.filter(({ method }) => method === 'GET').map(({ timeout }) => timeout)).toEqual([100_000])
  })
})

describe('the live connection on the server', () => {
  it('B-205 keeps at most 100,000 bytes to send again, counted in bytes and not in letters', () => {
    const lines: string[][] = []
    const socket = (): ServerSocket => {
      const sent: string[] = []
      lines.push(sent)
      return {
        readyState: 1,
        bufferedAmount: 0,
        send: (text: string) => void sent.push(text),
        close() {},
        terminate() {},
      } as unknown as ServerSocket
    }
    const connection = new HubConnection('a', { organisationId: 1 } as HubAdmission, true)
    const first = socket()
    connection.attach(first)
    connection.answerHandshake()
    connection.detach(first, () => undefined)
    // Each letter takes three bytes.
    for (let count = 0; count < 200; count++) connection.send({ type: 1, target: 'ReceiveMessage', arguments: ['€'.repeat(300)] })
    connection.attach(socket())
    const again = lines[1]!.filter((text) => text.includes('ReceiveMessage'))
    const bytes = Buffer.byteLength(again.join(''))
    expect(bytes).toBeLessThanOrEqual(100_000)
    expect(bytes).toBeGreaterThan(90_000)
    // The client receives the number of the first message sent again, so it can tell that earlier ones are lost.
    expect(lines[1]![0]).toBe(JSON.stringify({ type: 9, sequenceId: 200 - again.length + 1 }) + end)
    connection.close(false)
  })
})
