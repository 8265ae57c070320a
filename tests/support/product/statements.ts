import type { Config } from '../../../server/core/config.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { openLine } from '../running/line.ts'
import { atEnd } from './endings.ts'

/** A statement as it went over the wire, and whether it began a transaction: a statement outside of one is one by itself. */
interface Statement {
  text: string
  beginsTransaction: boolean
  /** Whose rows row-level security showed it: those of one organisation, of all of them, or of none. */
  rowsOf: 'one' | 'all' | 'none'
}

/** What a piece of work asked of the database. */
interface Counted {
  statements: string[]
  transactions: number
}

/** A line to the database on which every statement of the product is counted. */
interface CountedLine {
  /** The address of the database by this line. */
  url: string
  /** Every statement sent through this connection so far. */
  heard: readonly Statement[]
  /** Counts the least that is asked of the database while some work is done, over some turns; nothing else may be going on. */
  count(work: () => Promise<unknown>): Promise<Counted>
  close(): Promise<void>
}

/** What belongs to no one call: what a connection asks when it opens, and the counter of calls that is told of every twentieth. */
const ofNoCall = /from pg_catalog\.pg_type|"rate_limits"/

/** Who calls is asked anew every few seconds: of so many turns one is without it. */
const turns = 3

/** Milliseconds after which nothing more comes of a call that was answered: its messages to others, the end of its transaction. */
const settleMs = 60

/**
 * Stands between the product and PostgreSQL and reads the statements off the protocol, so that nothing in the product is there for counting.
 * The queue's own connections pass by: with Redis there are none.
 */
export async function openCountedLine(databaseUrl: string): Promise<CountedLine> {
  const target = new URL(databaseUrl)
  const heard: Statement[] = []
  const line = await openLine(target.hostname, Number(target.port || 5432), () => reader((statement) => heard.push(statement)))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(line.port)
  return {
    url: url.href,
    heard,
    async count(work) {
      let least: Counted | undefined
      for (let turn = 0; turn < turns; turn++) {
        const counted = await once(work)
        if (!least || counted.statements.length < least.statements.length) least = counted
      }
      return least!
    },
    close: line.close,
  }

  async function once(work: () => Promise<unknown>): Promise<Counted> {
    await settled()
    const start = heard.length
    await work()
    await settled()
    const statements = heard.slice(start).filter(({ text }) => !ofNoCall.test(text))
    return {
      statements: statements.map(({ text }) => text),
      transactions: statements.filter(({ beginsTransaction }) => beginsTransaction).length,
    }
  }

  /** Waits until nothing more is asked. */
  async function settled(): Promise<void> {
    for (let before = -1; before !== heard.length; ) {
      before = heard.length
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    }
  }
}

/** By this a transaction, or a statement that is asked alone, says whose rows it sees. */
const scoping = /set_config\('app\.organisation_id', \$(\d+), true\)/

/** Reads what one connection sends: the messages of protocol 3 that carry statements. */
function reader(hear: (statement: Statement) => void): (bytes: Buffer) => void {
  let left: Buffer = Buffer.alloc(0)
  let isGreeted = false
  let isCounted = false
  let isInside = false
  let rowsOf: Statement['rowsOf'] = 'none'
  /** What it was where a part of the transaction began, which may be taken back. */
  const before = new Map<string, Statement['rowsOf']>()
  const named = new Map<string, string>()
  const say = (text: string, values: readonly string[] = []): void => {
    if (!isCounted) return
    const begins = /^begin\b/i.test(text)
    const told = values[Number(scoping.exec(text)?.[1]) - 1]
    if (told !== undefined) rowsOf = told.startsWith('*') ? 'all' : 'one'
    const [, part, name] = /^(savepoint|rollback to(?: savepoint)?) (\w+)/i.exec(text) ?? []
    if (name && part === 'savepoint') before.set(name, rowsOf)
    else if (name) rowsOf = before.get(name) ?? rowsOf
    hear({ text, beginsTransaction: begins || !isInside, rowsOf })
    if (begins) isInside = true
    else if (/^(commit|rollback)\s*$/i.test(text)) isInside = false
    if (!isInside) rowsOf = 'none'
  }
  return (bytes) => {
    left = left.length ? Buffer.concat([left, bytes]) : bytes
    for (;;) {
      const head = isGreeted ? 1 : 0
      if (left.length < head + 4) return
      const end = head + left.readUInt32BE(head)
      if (left.length < end) return
      const kind = isGreeted ? String.fromCharCode(left[0]!) : ''
      const body = left.subarray(head + 4, end)
      left = left.subarray(end)
      if (!isGreeted) {
        isGreeted = true
        isCounted = body.toString().includes('postgres.js')
      } else if (kind === 'Q') say(textAt(body, 0).text)
      else if (kind === 'P') {
        const { text: name, next } = textAt(body, 0)
        named.set(name, textAt(body, next).text)
      } else if (kind === 'B') {
        const { text: name, next } = textAt(body, textAt(body, 0).next)
        say(named.get(name) ?? '', valuesAt(body, next))
      }
    }
  }
}

/** The values of a statement, as text: after their formats, each with its length, which is -1 where there is none. */
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

/** A text of the protocol, which ends with a zero. */
function textAt(body: Buffer, start: number): { text: string; next: number } {
  const end = body.indexOf(0, start)
  return { text: body.toString('utf8', start, end), next: end + 1 }
}

/** The product's own store on such a line, for what is done without a server; both are closed with the file. */
export async function openCountedStore(config: Config): Promise<{ store: Store; count: CountedLine['count'] }> {
  const line = await openCountedLine(config.databaseUrl)
  const store = openStore({ ...config, databaseUrl: line.url })
  atEnd(async () => {
    await store.close()
    await line.close()
  })
  return { store, count: line.count }
}
