import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTRPCClient } from '@trpc/client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { createTrpcLinks, IdempotencyKeys } from '../../client/shell/calls/trpcLinks.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { openStore } from '../../server/core/database/database.ts'
import { parseStatementForTrace } from '../../server/core/database/tracedStatements.ts'
import { openQueues } from '../../server/core/queue/queues.ts'
import { openHeartbeat } from '../../server/core/watch/heartbeat.ts'
import { openMetrics } from '../../server/core/watch/metrics.ts'
import { demoPassword, demoUsers } from '../../server/demo/access.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { connectAsOwner, lockLines } from '../support/product/database.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Body, type Caller, findTrustIds, signInAs, signInByPassword, type TrustIds } from '../support/product/http.ts'
import { configOf } from '../support/product/product.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { until, Workers } from '../support/running/worker.ts'
import { idsFor, teacherContract } from '../support/samples/contract.ts'

// The server and a worker as processes, which send traces to an OTLP receiver and log at every level.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string } }[]
  status?: { code?: number }
}

/** The spans that the OTLP receiver was sent. */
const spans: Span[] = []
let received = ''
const receiver = createServer((req, res) => {
  let body = ''
  req.on('data', (data) => (body += data))
  req.on('end', () => {
    received += body
    if (req.url === '/v1/traces')
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
})
const workers = new Workers()
let server: ServerProcess
/** The environment of a process that sends traces. */
let listened: Record<string, string>
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

const newTrace = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') })
const recalculate = (headers: Record<string, string>) =>
  finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, { ...own, ...headers })
const isDone = async () => !(await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  listened = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
  const env = { LOG_LEVEL: 'trace', ...listened }
  server = await startServerProcess({ env })
  await workers.start(server, env)
  finance = await signInAs(server, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})
atEnd(async () => {
  await workers.killAll()
  receiver.closeAllConnections()
  receiver.close()
})

describe('a traced call', () => {
  const mine = newTrace()
  const within = (span: Span): string[] => {
    const parent = spans.find((one) => one.spanId === span.parentSpanId && one.traceId === span.traceId)
    return [span.name, ...(parent ? within(parent) : [])]
  }

  it('belongs to the browser’s trace, and so do its statements and the jobs that it causes', async () => {
    expect((await recalculate({ traceparent: `00-${mine.traceId}-${mine.spanId}-01` })).status).toBe(202)
    await until('it is done', isDone, 60_000)
    const told = () => spans.filter((span) => span.traceId === mine.traceId)
    await until('the jobs are told of', () => told().filter(({ name }) => name === 'job budgets').length >= 6)
    const call = told().find(({ parentSpanId }) => parentSpanId === mine.spanId)!
    expect(call.name).toMatch(/^\w+(\.\w+)+$/)
    expect(call.attributes).toContainEqual({ key: 'bursar.outcome', value: { stringValue: 'ok' } })
    const statement = told().find(({ name }) => name === 'insert recalculations')!
    expect(within(statement)).toEqual(['insert recalculations', call.name])
    const job = told().find(({ name }) => name === 'job budgets')!
    expect(within(job)).toEqual(['job budgets', call.name])
    const event = told().find(({ name }) => name === 'insert budget_events')!
    expect(within(event)).toEqual(['insert budget_events', 'job budgets', call.name])
  })
  it('is a child of the very call that the browser sent, which belongs to the click', async () => {
    let sent = ''
    const client = createTRPCClient<AppRouter>({
      links: createTrpcLinks({
        url: `${server.origin}/trpc`,
        keys: new IdempotencyKeys(),
        selection: () => ({ ApiVersion: '2', OrganisationId: String(places.organisationId) }),
        fetch: (input, init) => {
          const headers = new Headers(init?.headers)
          sent = String(headers.get('traceparent'))
          headers.set('Authorization', `Bearer ${finance.token}`)
          return fetch(input, { ...init, headers })
        },
      }),
    })
    await client.startup.authorisation.query()
    const [, traceId, spanId] = sent.split('-')
    await until('it is told of', () => spans.some((span) => span.traceId === traceId))
    expect(spans.find((span) => span.traceId === traceId)).toMatchObject({ name: 'startup.authorisation', parentSpanId: spanId })
  })
  it('has the code of a refusal, which counts as no failure', async () => {
    const other = newTrace()
    const traceparent = `00-${other.traceId}-${other.spanId}-01`
    const reply = await finance.call('GET', `/api/Budget/id/${'0'.repeat(24)}`, undefined, { ...own, traceparent })
    expect(reply.status).toBe(404)
    await until('it is told of', () => spans.some(({ traceId, name }) => traceId === other.traceId && name === 'budgets.get'))
    const span = spans.find(({ traceId, name }) => traceId === other.traceId && name === 'budgets.get')!
    expect(span.attributes).toContainEqual({ key: 'bursar.outcome', value: { stringValue: 'NOT_FOUND' } })
    expect(span.status?.code ?? 0).toBe(0)
  })
  it('names a statement by its kind and table, never by its text', () => {
    expect(parseStatementForTrace('select "id", \'Ada\' from "staff_members" where x = 1')).toEqual({
      operation: 'select',
      table: 'staff_members',
    })
    expect(parseStatementForTrace('with a as (delete from t returning 1) select 1')).toEqual({ operation: 'delete', table: 't' })
    expect(parseStatementForTrace('begin read only')).toEqual({ operation: 'begin', table: '' })
    expect(parseStatementForTrace("update users set forename = 'Ada'")).toEqual({ operation: 'update', table: 'users' })
  })
})

describe('the traces and logs of calls', () => {
  it('contain no token, name, address or pay, for calls that succeed, are refused or fail', async () => {
    const ids = await idsFor(finance, places.at('Northgate'))
    const northgate = places.at('Northgate')
    const staff = await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 200 }, own)
    expect(staff.status).toBe(200)
    const made = await finance.call(
      'PUT',
      '/api/StaffContract',
      teacherContract(ids, { contractName: 'Zebedee Quill, 8123456.79' }),
      northgate,
    )
    expect(made.status, made.body).toBe(200)
    const entry = { description: 'Pay of Zebedee Quill', budgetCodeId: 1, amount: 8_123_456.79, budgetYearName: '2026/27' }
    await finance.call('PUT', '/api/BudgetEntry/save', entry, northgate)
    await signInByPassword(server, 'zebedee@quill.example', 'Not-the-password-1').catch(() => undefined)
    await fetch(`${server.origin}/api/Staff/list`, { headers: { Authorization: 'Bearer of.somebody.elses' }, method: 'POST' })
    await fetch(`${server.origin}/api/BudgetEntry/save?access_token=${finance.token}`, { method: 'PUT', body: '{"forename": "Zebedee"' })
    // A database error while it stores text that a user typed.
    const owner = connectAsOwner(server.config.databaseUrl)
    await owner.unsafe(`create function fail_now() returns trigger language plpgsql as $$ begin raise exception 'no: %', new; end $$`)
    await owner.unsafe('create trigger fail_now before insert on staff_members for each row execute function fail_now()')
    const person = {
      forename: 'Zebedee',
      surname: 'Quill',
      employeeNumber: 'ZQ1',
      dateOfBirth: '1980-02-03',
      niNumber: 'AB123456C',
    }
    const failed = await finance.call('POST', '/api/Staff', person, own).catch((error) => ({ status: 0, body: String(error) }))
    expect(failed.status, failed.body).not.toBe(201)
    await owner.unsafe('drop trigger fail_now on staff_members')
    expect((await recalculate({})).status).toBe(202)
    await until('it is done', isDone, 60_000)
    await until('what was told has come', () => spans.some(({ name }) => name === 'job budgets'))

    const log = `${server.log()}\n${workers.log()}`
    const lines = log.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.length).toBeGreaterThan(2)
    const secrets = [
      finance.token,
      finance.token.split('.')[2]!,
      demoPassword,
      'Not-the-password-1',
      'Zebedee',
      'Quill',
      '8123456',
      '812345679',
      'AB123456C',
      '1980-02-03',
    ]
    const people = demoUsers.flatMap(({ email, forename, surname }) => [email, `${forename} ${surname}`])
    const rows = staff.body.rows.flatMap(({ forename, surname, email }: Body) => [`${forename} ${surname}`, email]).filter(Boolean)
    expect(rows.length).toBeGreaterThan(20)
    for (const [what, text] of [
      ['the log', log],
      ['what is told of', received],
    ])
      expect(
        [...secrets, ...people, ...rows].filter((word) => text!.toLowerCase().includes(String(word).toLowerCase())),
        what,
      ).toEqual([])
  })
  it('can be found in the log by the id in the reply', async () => {
    const owner = connectAsOwner(server.config.databaseUrl)
    await owner.unsafe('alter table budget_codes rename to away')
    const reply = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 10 }, places.at('Northgate'))
    await owner.unsafe('alter table away rename to budget_codes')
    expect(reply.status).toBe(500)
    const id = reply.headers.get('x-request-id')!
    expect(reply.body).toContain(id)
    await until('it is in the log', () => server.log().includes(id))
    const line = server
      .log()
      .split('\n')
      .find((one) => one.includes(id))!
    expect(JSON.parse(line)).toMatchObject({ level: 50, requestId: id, process: expect.any(String) })
  })
})

describe('the Prometheus metrics', () => {
  const file = (name: string): string => readFileSync(join(import.meta.dirname, '../../server/launch', name), 'utf8')
  const expressions = (): string[] => {
    const { groups } = parse(file('alerts.yml')) as { groups: { rules: { expr: string }[] }[] }
    const { panels } = JSON.parse(file('dashboard.json')) as { panels: { targets?: { expr: string }[] }[] }
    return [
      ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ]
  }
  let shown: string

  beforeAll(async () => {
    const config = { ...(await configOf(server.config.databaseUrl)), metrics: { port: await findFreePort(), token: null } }
    const store = openStore(config, 2)
    const queues = await openQueues(config)
    const heartbeat = openHeartbeat(store, 'server')
    const watch = await openMetrics({ config, store, queues, heartbeat, liveConnections: () => 3 })
    const owner = connectAsOwner(config.databaseUrl)
    const release = await lockLines(owner)
    const waiting = owner.begin((tx) => tx`lock table posted_lines in exclusive mode`)
    await until('it waits', async () => (await owner`select from pg_locks where not granted and locktype = 'relation'`).length > 0)
    shown = await (await fetch(`http://127.0.0.1:${config.metrics.port}/metrics`)).text()
    await release()
    await waiting
    await watch?.close()
    await heartbeat.close()
    await queues.close()
    await store.close()
  })

  it('include every one used by the dashboard and the alerts, and none that neither uses', () => {
    const names = [...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    )
    const asked = new Set(expressions().flatMap((text) => text.match(/\b(?:bursar|process|nodejs)_\w+/g) ?? []))
    expect(asked.size).toBeGreaterThan(15)
    expect([...asked].filter((name) => !names.includes(name))).toEqual([])
    const ours = [...shown.matchAll(/^# TYPE (bursar_\w+) /gm)].map(([, name]) => name!)
    expect(ours.filter((name) => ![...asked].some((one) => one === name || one.startsWith(`${name}_`)))).toEqual([])
  })
  it('separate the queues, and show how far the logs are verified', () => {
    for (const queue of ['recalculation', 'outside']) {
      expect(shown).toMatch(new RegExp(`^bursar_queue_jobs\\{queue="${queue}",state="waiting"\\} \\d+$`, 'm'))
      expect(shown).toMatch(new RegExp(`^bursar_queue_oldest_seconds\\{queue="${queue}"\\} [\\d.]+$`, 'm'))
    }
    expect(shown).toMatch(/^bursar_log_verified_links \d+$/m)
  })
  it('say how long somebody has waited for a locked table', () => {
    const readWait = (lock: string) => Number(new RegExp(`^bursar_lock_wait_seconds\\{lock="${lock}"\\} (\\S+)$`, 'm').exec(shown)?.[1])
    expect(readWait('table')).toBeGreaterThan(0)
    expect(readWait('row')).toBe(0)
  })
  it('have only our own names as labels: an unknown procedure counts as none', async () => {
    const before = shown
    for (const name of ['no.such', `x${randomBytes(4).toString('hex')}`]) await fetch(`${server.origin}/trpc/${name}`)
    expect(before).not.toContain('no.such')
    const labels = [...shown.matchAll(/procedure="([^"]*)"/g)].map(([, name]) => name)
    expect(labels.every((name) => /^\w+(\.\w+)*$/.test(name!))).toBe(true)
  })
})

describe('without tracing', () => {
  it('a server loads no tracing code', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-loaded-'))
    atEnd(() => rmSync(folder, { recursive: true, force: true }))
    /** Starts a server, and reads from V8’s coverage which files it had loaded when it had answered. */
    const loaded = async (name: string, env: Record<string, string>): Promise<string> => {
      const one = await startServerProcess({ beside: server, env: { ...env, NODE_V8_COVERAGE: join(folder, name) } })
      expect((await fetch(`${one.origin}/readyz`)).status).toBe(200)
      await one.stop('SIGTERM')
      const files = readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'utf8'))
      return files.flatMap((text) => JSON.parse(text).result.map(({ url }: { url: string }) => url)).join('\n')
    }
    const telling = /\/openTelemetry[.-]\w+|\/@opentelemetry\/sdk/
    expect(await loaded('followed', listened)).toMatch(telling)
    expect(await loaded('alone', {})).not.toMatch(telling)
  })
})
