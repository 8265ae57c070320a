import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, vi } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { createTrustingFetch } from '../support/outside/overHttps.ts'
import { type Body, type Caller, findTrustIds, signInByPassword, type TrustIds } from '../support/product/http.ts'
import { connect, type HubListener } from '../support/product/hub.ts'
import { patience } from '../support/product/patience.ts'
import { configOf, type Product } from '../support/product/product.ts'
import { readCompose } from '../support/running/compose.ts'
import {
  checkCaddyfile,
  containerUser,
  Deployment,
  hasCaddy,
  type Running,
  readForwardedAddress,
  startCaddy,
} from '../support/running/deployment.ts'
import { killAndWait, until } from '../support/running/worker.ts'

// The work of a trust’s IT department: build the image, start the services, use them, and take parts away from under them.
vi.setConfig({ testTimeout: patience * 120_000, hookTimeout: patience * 180_000 })

const deployment = new Deployment({ DEMO: '1' })
const servers: Running[] = []
const workers: Running[] = []
/** Servers and workers of other installations, started after this one has stopped. */
const later: Running[] = []
const passphrase = 'a phrase of twelve'
let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let live: HubListener

beforeAll(() => deployment.prepare())
beforeEach(() =>
  onTestFailed(({ task }) => {
    for (const { message } of task.result?.errors ?? []) console.log(message)
    console.log([...servers, ...workers, ...later].map(({ said }) => said().slice(-2000)).join('\n\n'))
  }),
)
afterAll(async () => {
  await live?.connection.stop()
  await deployment.end()
})

/** Saves an entry with an idempotency key. A call that is cut off or that the proxy cannot pass on is therefore sent again. */
async function save(description: string): Promise<void> {
  const entry = { description, budgetCodeId, amount: 1200, budgetYearName: '2026/27' }
  const selection = { ...places.at('Northgate'), 'Idempotency-Key': randomUUID() }
  const refused = new Set<string>()
  await until(`${description} is saved`, async () => {
    const reply = await finance
      .call('PUT', '/api/BudgetEntry/save', entry, selection)
      .catch((error) => ({ status: 0, body: String(error) }))
    if (reply.status !== 200) refused.add(`${reply.status} ${reply.body}`)
    return reply.status === 200
  }).catch((error) => {
    throw new Error(`${error.message}: ${[...refused].join(', ')}`)
  })
}
const recalculate = () => finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
const isLocked = async () =>
  (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked as boolean
let budgetCodeId: number
const backup = () => join(deployment.image.folder, 'data/today.backup')

describe('the image', () => {
  it('contains only what runs, as plain JavaScript and without build tools, in at most 45 MB', () => {
    const app = join(deployment.image.folder, deployment.image.workdir)
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('node_modules/'))).toEqual([])
    const packages = ['node_modules', ...readdirSync(join(app, 'node_modules')).map((scope) => `node_modules/${scope}`)]
      .flatMap((folder) => (folder.includes('@') ? readdirSync(join(app, folder)).map((name) => `${folder.slice(13)}/${name}`) : []))
      .filter((name) => !/^@node-rs\/argon2-/.test(name))
    expect(packages.sort()).toEqual(['@node-rs/argon2', '@scalar/fastify-api-reference'])
    const kilobytes = Number(execFileSync('du', ['-sk', deployment.image.folder], { encoding: 'utf8' }).split('\t')[0])
    expect(kilobytes / 1024).toBeLessThan(45)
  })
  it('runs as a separate user, whose files only root may change', () => {
    expect(deployment.image.user).toBe('node')
    for (const name of ['server', 'worker', 'migrate']) {
      expect(deployment.compose.services[name], name).toMatchObject({ init: true, read_only: true, stop_grace_period: '30s' })
    }
  })
  // Without root the containers’ user is the current user, who owns the image’s files.
  it.skipIf(process.getuid?.() !== 0)(
    'contains nothing writable for this user but its volumes, so that all services can run on a read-only disk',
    () => {
      const writable = execFileSync('find', [deployment.image.folder, '-writable', '!', '-type', 'l'], {
        encoding: 'utf8',
        ...containerUser,
      })
      const folders = ['data', 'exchange'].map((name) => join(deployment.image.folder, name))
      expect(writable.trim().split('\n').sort()).toEqual(folders)
    },
  )
})

describe('the compose file', () => {
  it('sets the host name with one variable, and binds only to this machine without it', () => {
    const named = readCompose({ HOST_NAME: 'budgets.example.org' }).services
    expect([named.server!.environment!.PUBLIC_URL, named.proxy!.environment!.SITE]).toEqual([
      'https://budgets.example.org',
      'budgets.example.org',
    ])
    const { services } = readCompose({})
    expect([services.server!.environment!.PUBLIC_URL, services.proxy!.environment!.SITE]).toEqual(['http://localhost', 'http://'])
  })
  it('passes every secret as a file, only to the services that need it', () => {
    const { services, secrets } = deployment.compose
    for (const [name, { environment = {}, secrets: given = [] }] of Object.entries(services)) {
      const files = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(\w+)$/.exec(String(value))?.[1] ?? [])
      expect(
        files.filter((file) => !given.includes(file)),
        name,
      ).toEqual([])
      expect(
        given.filter((file) => !secrets[file]),
        name,
      ).toEqual([])
      const plain = Object.keys(environment).filter((setting) => /PASSWORD$|KEY$|TOKEN$/.test(setting))
      expect(plain, name).toEqual([])
    }
    expect(services.server!.secrets).not.toContain('postgres_password')
    expect(services.worker!.secrets).not.toContain('postgres_password')
  })
  it('waits for the database until it accepts network connections, which it does not during its set-up', () => {
    expect(deployment.compose.services.postgres!.healthcheck!.test.join(' ')).toContain('pg_isready -h 127.0.0.1 ')
  })
  it('lets no log fill the disk, and only the database use all memory', () => {
    for (const [name, { logging, mem_limit }] of Object.entries(deployment.compose.services)) {
      expect(logging?.options, name).toEqual({ 'max-size': '10m', 'max-file': '5' })
      expect(Boolean(mem_limit), name).toBe(name !== 'postgres')
    }
  })
  it('mounts only volumes that it declares', () => {
    const { services, volumes } = deployment.compose
    const named = Object.values(services).flatMap(({ volumes: mounted = [] }) =>
      mounted.map((one) => one.split(':')[0]!).filter((from) => !from.startsWith('.')),
    )
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
  })
})

describe('the Caddyfile', () => {
  it.skipIf(!hasCaddy())('is accepted by Caddy unchanged, with a host name and without', () => {
    for (const site of ['budgets.example.org', 'http://']) expect(checkCaddyfile(site), site).toBe('')
  })
  it.skipIf(!hasCaddy())('passes on the caller’s address from a named outer proxy, and from nobody else', async () => {
    expect(await readForwardedAddress('203.0.113.9', '127.0.0.1/32')).toBe('203.0.113.9, 127.0.0.1')
    expect(await readForwardedAddress('203.0.113.9', '192.0.2.0/24')).toBe('127.0.0.1')
  })
})

describe.skipIf(!hasCaddy())('the proxy in front of a server that is just starting', () => {
  const received: string[] = []
  let port: number
  let caddy: Awaited<ReturnType<typeof startCaddy>>
  const answer: RequestListener = (request, reply) => {
    let body = ''
    request.on('data', (data) => (body += data))
    request.on('end', () => {
      received.push(`${request.method} ${body}`)
      reply.end('saved')
    })
  }
  const server = createServer(answer)

  beforeAll(async () => {
    port = await findFreePort()
    caddy = await startCaddy([port])
  })
  afterAll(() => {
    caddy.stop()
    server.close()
  })

  it('says what to do, and shows people a page that tries again', async () => {
    const ask = (accept: string) => fetch(caddy.origin, { method: 'PUT', body: 'x', headers: { accept } })
    const [page, text] = await Promise.all([ask('text/html,*/*'), ask('application/json')])
    for (const reply of [page, text]) {
      expect([502, 503]).toContain(reply.status)
      expect(reply.headers.get('retry-after')).toBe('5')
    }
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toMatch(/^<!doctype html>.*http-equiv="refresh".*Everything that you have already saved is safe\./s)
    expect(await text.text()).toMatch(/^Bursar cannot be reached at the moment\. Check whether your change was saved, then try again\./)
  })
  it('holds reads until the server answers', async () => {
    const sent = [1, 2, 3].map(() => fetch(caddy.origin))
    await new Promise((done) => setTimeout(done, 1000))
    await new Promise<void>((up) => server.listen(port, '127.0.0.1', up))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(received.splice(0)).toEqual(['GET ', 'GET ', 'GET '])
  })
})

describe('the services of the compose file', () => {
  it('start on an empty database and report that they are healthy', async () => {
    const migrated = await deployment.runOnce('migrate')
    expect(migrated.code, migrated.said).toBe(0)
    expect(migrated.said).toContain('The database is ready')
    for (const list of [servers, servers]) list.push(await deployment.start('server'))
    for (const list of [workers, workers, workers, workers]) list.push(await deployment.start('worker'))
    await deployment.startProxy()
    await until('all are ready', () => [...servers, ...workers].every(({ said }) => said().includes('"ready"')))
    for (const one of servers) expect(deployment.isHealthy('server', one), one.said()).toBe(true)
    for (const one of workers) expect(deployment.isHealthy('worker', one), one.said()).toBe(true)
    expect(deployment.isHealthy('worker', { ...workers[0]!, port: 1 })).toBe(false)
  })
  it('let somebody sign in behind the proxy and change a budget', async () => {
    product = { config: await configOf('postgres://nobody@localhost/none'), origin: deployment.origin }
    finance = await signInByPassword(product, 'finance@harbour.example')
    places = await findTrustIds(finance)
    own = { OrganisationId: places.organisationId }
    live = await connect(product, finance, places.organisationId)
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
    budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
    await save('Behind the proxy')
  })
  it('restart a worker that was killed during a recalculation', async () => {
    expect((await recalculate()).status).toBe(202)
    await killAndWait(workers[0]!.child)
    workers[0] = await deployment.start('worker', workers[0]!.port)
  })
  it('make two PDFs meanwhile, and serve every page of the product’s website', async () => {
    const asked = await finance.call('POST', '/api/Reporting/Paper', { budgetId: places.budgets.Northgate, report: 'budgetAnalysis' }, own)
    expect(asked.status).toBe(200)
    const headers = { ApiVersion: '2', Authorization: `Bearer ${finance.token}`, OrganisationId: String(own.OrganisationId) }
    const file = () => fetch(`${deployment.origin}/api/Files/${asked.body.id}`, { headers })
    await until('the file is made', async () => (await file()).status === 200)
    expect(Buffer.from(await (await file()).arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/)
    const csv = await finance.call('POST', '/api/Reporting/Csv', { budgetId: places.budgets.Northgate, report: 'budgetAnalysis' }, own)
    expect(csv.status, csv.body).toBe(200)
    for (const path of ['/', '/api/docs', '/api/docs/scalar.js', '/api/openapi.json', '/icon.svg'])
      expect([path, (await fetch(deployment.origin + path)).status]).toEqual([path, 200])
  })
  it('continue when a server is killed, and use it again once it is restarted', async () => {
    await killAndWait(servers[0]!.child)
    await Promise.all(Array.from({ length: 6 }, (_one, place) => save(`A server less ${place}`)))
    servers[0] = await deployment.start('server', servers[0]!.port)
    await until('it is back', () => deployment.isHealthy('server', servers[0]!))
  })
  it('continue while a server does not respond: its calls are carried out by another, once, and its live pages reconnect there', async () => {
    // Each server has one of two pages, because the proxy gives a connection to the server with the fewest.
    const both = [live, await connect(product, finance, places.organisationId)]
    // The client gives up a silent server after 30 seconds. Shortened here to just over the server’s 15-second ping interval.
    for (const { connection } of both) connection.serverTimeoutInMilliseconds = 17_000
    let lost = 0
    for (const { connection } of both) connection.onreconnecting(() => lost++)
    const gone = servers[1]!.child
    gone.kill('SIGSTOP')
    const names = Array.from({ length: 6 }, (_one, place) => `Not heard ${place}`)
    await Promise.all([...names.map(save), until('a page has noticed', () => lost > 0)])
    await until('the pages are back', () => both.every(({ connection }) => connection.state === 'Connected'))
    // The server now carries out the calls it had received, except those that were sent again to another.
    gone.kill('SIGCONT')
    await until('it answers again', () => deployment.isHealthy('server', servers[1]!))
    await save('Heard again')
    const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate')))
      .body
    const kept = rows.map(({ description }: Body) => description).filter((one: string) => /^Not heard/.test(one))
    expect(kept.sort()).toEqual(names)
    await both[1]!.connection.stop()
  })
  it('wait for a database that is restarted, and continue with the same processes', async () => {
    await deployment.restartDatabase()
    await save('After the database')
    for (const { child } of servers) expect(child.exitCode).toBeNull()
    const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate')))
      .body
    const kept = rows.filter(({ description }: Body) => /^(Behind the proxy|A server less \d|After the database)$/.test(description))
    expect(kept).toHaveLength(8)
  })
  it('are backed up with the tools in the same image', async () => {
    const made = await deployment.runOnce('migrate', ['node', 'run/backup.mjs', backup()], { BACKUP_PASSPHRASE: passphrase })
    expect(made.code, made.said).toBe(0)
    expect(existsSync(backup())).toBe(true)
    const link = await deployment.runOnce('migrate', ['node', 'run/admin.mjs', 'link'])
    expect(link.said).toMatch(/administrator/)
  })
  it('finish the recalculation of the killed worker, and start the next', async () => {
    await until('the lock is off', async () => !(await isLocked()), 60_000)
    live.messages.length = 0
    expect((await recalculate()).status).toBe(202)
    await until('everybody hears that it is done', () => live.messages.some(({ target }) => target === 'BudgetsRecalculated'))
    // The message may belong to the previous recalculation.
    await until('the lock is off again', async () => !(await isLocked()), 60_000)
  })
  it('recalculate one organisation before another’s earlier pile of work is done, and give up none of the waiting work', async () => {
    const meadow = await signInByPassword(product, 'finance@meadow.example')
    const there = await findTrustIds(meadow)
    const small = { OrganisationId: there.organisationId }
    const isWaiting = async () =>
      (await meadow.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, small)).body.locked as boolean
    const toggledNodes = Object.values(places.budgets)
    const names = ['Pile 1', 'Pile 2', 'Pile 3', 'Pile 4']
    const pile = async (): Promise<Body[]> => {
      const { body } = await finance.call('POST', '/api/Budget/paginated', { pageNumber: 1, pageSize: 5000 }, own)
      return body.rows.filter(({ name }: Body) => names.includes(name))
    }
    const unmade = async () => (await pile()).filter(({ isBeingMade }) => isBeingMade).length
    const send = (signal: NodeJS.Signals) => workers.map(({ child }) => child.kill(signal))
    send('SIGSTOP')
    const all = names.length * toggledNodes.length
    try {
      for (const name of names) {
        const asked = await finance.call('POST', '/api/Budget/duplicate', { state: { selectAll: false, toggledNodes }, name }, own)
        expect(asked.status).toBe(201)
      }
      expect(await unmade()).toBe(all)
      const asked = await meadow.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${there.groupId}`, undefined, small)
      expect(asked.status).toBe(202)
      // A worker makes four budgets at a time. If organisations did not take turns, at most those four would still be unmade.
      workers[0]!.child.kill('SIGCONT')
      await until('the other has its figures', async () => !(await isWaiting()))
      expect(await unmade()).toBeGreaterThan(4)
    } finally {
      // A stopped process would not react to the request to end.
      send('SIGCONT')
    }
    await until('all are made', async () => !(await unmade()), 60_000)
    expect((await pile()).map(({ notMade }) => notMade)).toEqual(Array(all).fill(null))
  })
  it('reply within two seconds while Redis is away, and do the work once when Redis is back empty', async ({ skip }) => {
    if (!(await deployment.loseRedis())) skip('There is no Redis on this machine.')
    const late = new Promise<null>((done) => setTimeout(done, patience * 2000, null))
    expect((await Promise.race([recalculate(), late]))?.status).toBe(202)
    // By now a worker may have found the recalculation itself: each looks every few seconds.
    await deployment.startRedis()
    await until('the lock is off', async () => !(await isLocked()), 60_000)
  })
  it('let a page whose server was killed start a new connection on another, at once and with few attempts, and receive messages', async () => {
    const pages: HubListener[] = []
    // Retry after a refusal, as a page does: Redis has only just come back.
    await until('two pages are connected', async () => {
      const page = await connect(product, finance, places.organisationId, true).catch(() => null)
      if (page) pages.push(page)
      return pages.length === 2
    })
    const before = pages.map(({ tries }) => tries())
    await killAndWait(servers[0]!.child)
    const heard = ({ messages }: HubListener) => messages.some(({ target }) => target === 'BudgetsRecalculated')
    // A page does not receive messages sent while it was reconnecting.
    await until(
      'both hear of a recalculation',
      async () => {
        // A call to the killed server fails without a reply.
        if (!(await isLocked().catch(() => true))) await recalculate().catch(() => null)
        return pages.every(heard)
      },
      20_000,
    )
    for (const [turn, { tries }] of pages.entries()) expect(tries() - before[turn]!).toBeLessThan(10)
    for (const { connection } of pages) await connection.stop()
    servers[0] = await deployment.start('server', servers[0]!.port)
    await until('it is back', () => deployment.isHealthy('server', servers[0]!))
    await until('the lock is off again', async () => !(await isLocked()), 60_000)
  })
  it('stop within their 30 seconds when asked: a live page reconnects elsewhere, and started work is finished', async () => {
    expect((await recalculate()).status).toBe(202)
    const began = performance.now()
    for (const { child } of [servers[0]!, workers[0]!]) child.kill('SIGTERM')
    expect(await Promise.all([servers[0]!.ended, workers[0]!.ended])).toEqual([0, 0])
    expect(performance.now() - began).toBeLessThan(30_000)
    await until('the page is back', () => live.connection.state === 'Connected')
    await until('the lock is off', async () => !(await isLocked()), 60_000)
    const others = [servers[1]!, ...workers.slice(1)]
    for (const { child } of others) child.kill('SIGTERM')
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(others.map(() => 0))
  })
})

/** Starts a server of another installation, and its proxy. */
async function open(other: Deployment): Promise<void> {
  const server = await other.start('server')
  later.push(server)
  await until('the server is ready', () => server.said().includes('"ready"'))
  await other.startProxy()
}

describe('a backup on a new machine', () => {
  let machine: Deployment
  const restore = () => machine.runOnce('migrate', ['node', 'run/restore.mjs', backup()], { BACKUP_PASSPHRASE: passphrase })

  it('is refused beside a new data key, with where the old one goes, and what to do without a copy of it', async () => {
    machine = await deployment.createAnother({ DEMO: '1' }, 'restored')
    const { code, said } = await restore()
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/a different DATA_KEY\. .*its data_key into secrets\/.* the backup contains it/),
    ])
  })
  it('is restored beside the old installation, verified, and accepts the old passwords', async () => {
    machine.takeSecret('data_key', deployment)
    const restored = await restore()
    expect(restored.code, restored.said).toBe(0)
    const proved = await machine.runOnce('migrate', ['node', 'run/audit.mjs', 'verify'])
    expect(proved.code, proved.said).toBe(0)
    await open(machine)
    const again = await signInByPassword({ origin: machine.origin }, 'finance@harbour.example')
    const entries = await again.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
    expect(entries.body.rows.map(({ description }: Body) => description)).toContain('After the database')
  })
})

describe.skipIf(!hasCaddy())('a newcomer’s first hour, over HTTPS', () => {
  const cookies: string[] = []
  let own: Deployment
  let link: string
  afterAll(() => vi.unstubAllGlobals())

  it('starts with an empty database and a link with the host name', async () => {
    own = await deployment.createAnother({ HOST_NAME: 'localhost' }, 'stranger')
    const { code, said } = await own.runOnce('migrate')
    expect(code, said).toBe(0)
    link = /https:\/\/localhost:\d+\/first-administrator\/\S+/.exec(said)![0]
    expect(new URL(link).origin).toBe(own.origin)
    await open(own)
    // Plain HTTP is redirected to HTTPS.
    const plain = await fetch(`http://localhost:${own.httpPort}/`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([308, expect.stringMatching(/^https:\/\/localhost/)])
    const trusting = createTrustingFetch(await own.authority())
    vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
      const reply = await trusting(...asked)
      cookies.push(...reply.headers.getSetCookie())
      return reply
    })
  })
  it('finds an issuer at that address, and pages that submit forms nowhere else', async () => {
    const discovery = (await (await fetch(`${own.origin}/oidc/.well-known/openid-configuration`)).json()) as Record<string, unknown>
    expect(discovery.issuer).toMatch(own.origin)
    const addresses = Object.entries(discovery).filter(([name]) => /(_endpoint|_uri)$/.test(name))
    expect(addresses.length).toBeGreaterThan(4)
    for (const [name, address] of addresses) expect(address, name).toMatch(new RegExp(`^${own.origin}/`))
    const { headers } = await fetch(link)
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${own.origin};`)
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
  })
  it('makes the first administrator, who signs in and adds the first organisation', async () => {
    const password = 'correct horse battery'
    const ada = { forename: 'Ada', surname: 'First', email: 'ada@trust.example', password, again: password }
    expect(await (await fetch(link)).text()).toContain('first administrator')
    const made = await fetch(link, { method: 'POST', body: new URLSearchParams(ada), redirect: 'manual' })
    expect(made.status, await made.text()).toBe(303)
    const first = await signInByPassword({ origin: own.origin }, ada.email, password)
    expect(cookies.length).toBeGreaterThan(1)
    for (const cookie of cookies) expect(cookie).toMatch(/; secure/i)
    const trust = { name: 'First Trust', organisationType: 1 }
    expect(await first.call('POST', '/api/Organisations', trust)).toMatchObject({ status: 201, body: { name: 'First Trust' } })
    const { body } = await first.call('POST', '/api/Organisations/list', {})
    expect(body.rows.map(({ name }: Body) => name)).toEqual(['First Trust'])
  })
})
