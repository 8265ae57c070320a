import type { Config } from '../../../server/core/config.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { openTcpProxy } from '../running/line.ts'
import { atEnd } from './endings.ts'

/** A statement sent to PostgreSQL, and whether it began a transaction. A statement outside a transaction is one by itself. */
interface Statement {
  text: string
  beginsTransaction: boolean
  /** Whose rows row-level security showed it: those of one organisation, of all, or of none. */
  rowsOf: 'one' | 'all' | 'none'
}

/** The statements and the number of transactions of some work. */
interface Counted {
  statements: string[]
  transactions: number
}

/** A connection to the database through a proxy that counts the product’s statements. */
interface CountingProxy {
  /** The URL of the database through the proxy. */
  url: string
  /** Every statement sent through this connection so far. */
  statements: readonly Statement[]
  /** Counts the statements of some work, the fewest of several turns. Nothing else may use the connection meanwhile. */
  count(work: () => Promise<unknown>): Promise<Counted>
  close(): Promise<void>
}

/**
 * Statements of no particular call: what a new connection requests, the counter for rate limits, written once for every twenty calls, and
 * the row of the process, written every five seconds.
 */
const unattributed = /from pg_catalog\.pg_type|"rate_limits"|into processes/

/** The caller is looked up again every few seconds, so one of this many turns is without that. */
const turns = 3

/** Milliseconds after which an answered call sends no more statements: it still notifies others and ends its transaction. */
const settleMs = 60

/**
 * Stands between the product and PostgreSQL and reads the statements off the protocol, so that the product contains no code for counting.
 * The queue’s own connections are not counted; with Redis there are none.
 */
export async function openCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl)
  const sent: Statement[] = []
  const line = await openTcpProxy(target.hostname, Number(target.port || 5432), () =>
    createStatementReader((statement) => sent.push(statement)),
  )
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(line.port)
  return {
    url: url.href,
    statements: sent,
    async count(work) {
      let least: Counted | undefined
      for (let turn = 0; turn < turns; turn++) {
        const counted = await countOnce(work)
        if (!least || counted.statements.length < least.statements.length) least = counted
      }
      return least!
    },
    close: line.close,
  }

  async function countOnce(work: () => Promise<unknown>): Promise<Counted> {
    await waitUntilSettled()
    const start = sent.length
    await work()
    await waitUntilSettled()
    const statements = sent.slice(start).filter(({ text }) => !unattributed.test(text))
    return {
      statements: statements.map(({ text }) => text),
      transactions: statements.filter(({ beginsTransaction }) => beginsTransaction).length,
    }
  }

  /** Waits until no more statements are sent. */
  async function waitUntilSettled(): Promise<void> {
    for (let before = -1; before !== sent.length; ) {
      before = sent.length
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    }
  }
}

/** With this call a transaction, or a single statement, sets whose rows it sees. */
const scoping = /set_config\('app\.organisation_id', \$(\d+), true\)/

/** Parses what one connection sends: the messages of protocol 3 that carry statements. */
function createStatementReader(onStatement: (statement: Statement) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isGreeted = false
  let isCounted = false
  let isInside = false
  let rowsOf: Statement['rowsOf'] = 'none'
  /** The value at each savepoint, to which a rollback returns. */
  const before = new Map<string, Statement['rowsOf']>()
  const named = new Map<string, string>()
  const record = (text: string, values: readonly string[] = []): void => {
    if (!isCounted) return
    const begins = /^begin\b/i.test(text)
    const scope = values[Number(scoping.exec(text)?.[1]) - 1]
    if (scope !== undefined) rowsOf = scope.startsWith('*') ? 'all' : 'one'
    const [, part, name] = /^(savepoint|rollback to(?: savepoint)?) (\w+)/i.exec(text) ?? []
    if (name && part === 'savepoint') before.set(name, rowsOf)
    else if (name) rowsOf = before.get(name) ?? rowsOf
    onStatement({ text, beginsTransaction: begins || !isInside, rowsOf })
    if (begins) isInside = true
    else if (/^(commit|rollback)\s*$/i.test(text)) isInside = false
    if (!isInside) rowsOf = 'none'
  }
  return (bytes) => {
    rest = rest.length ? Buffer.concat([rest, bytes]) : bytes
    for (;;) {
      const head = isGreeted ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      const kind = isGreeted ? String.fromCharCode(rest[0]!) : ''
      const body = rest.subarray(head + 4, end)
      rest = rest.subarray(end)
      if (!isGreeted) {
        isGreeted = true
        isCounted = body.toString().includes('postgres.js')
      } else if (kind === 'Q') record(textAt(body, 0).text)
      else if (kind === 'P') {
        const { text: name, next } = textAt(body, 0)
        named.set(name, textAt(body, next).text)
      } else if (kind === 'B') {
        const { text: name, next } = textAt(body, textAt(body, 0).next)
        record(named.get(name) ?? '', valuesAt(body, next))
      }
    }
  }
}

/** The parameter values of a Bind message, as text. They follow the format codes, each after its length, which is -1 for null. */
function valuesAt(body: Buffer, start: number): string[] {
  const values: string[] = []
  let at = start + 2 + 2 * body.readUInt16BE(start)
  const count = body.readUInt16BE(at)
  at += 2
  while (values.length < count) {
    const length = Math.max(0, body.readInt32BE(at))
    values.push(body.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  return values
}

/** A zero-terminated string of the protocol. */
function textAt(body: Buffer, start: number): { text: string; next: number } {
  const end = body.indexOf(0, start)
  return { text: body.toString('utf8', start, end), next: end + 1 }
}

/** Opens the product’s store through such a proxy, for work without a server. Both are closed with the test file. */
export async function openCountingStore(config: Config): Promise<{ store: Store; count: CountingProxy['count'] }> {
  const line = await openCountingProxy(config.databaseUrl)
  const store = openStore({ ...config, databaseUrl: line.url })
  atEnd(async () => {
    await store.close()
    await line.close()
  })
  return { store, count: line.count }
}
