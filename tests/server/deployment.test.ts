import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, vi } from 'vitest'
import type { OrganisationId } from '../../domain/ids.ts'
import { readCompose } from '../support/compose.ts'
import { Deployment, type Running } from '../support/deployment.ts'
import { asUser, type Body, type Caller, type Places, placesOf } from '../support/http.ts'
import { connect, type Heard } from '../support/hub.ts'
import { configOf, type Product } from '../support/product.ts'
import { killed, until } from '../support/worker.ts'

// What a trust's IT department does: builds the image, starts the services, uses them, and takes parts away from under them.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const deployment = new Deployment({ DEMO: '1' })
const servers: Running[] = []
const workers: Running[] = []
let product: Product
let finance: Caller
let places: Places
let own: { OrganisationId: OrganisationId }
let live: Heard

beforeAll(() => deployment.prepare())
beforeEach(() => onTestFailed(() => console.log([...servers, ...workers].map(({ said }) => said().slice(-2000)).join('\n\n'))))
afterAll(async () => {
  await live?.connection.stop()
  await deployment.end()
})

/** Saves an entry; a call that was cut off, or that the proxy could hand to nobody, is sent again, as whoever gives it a key may. */
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

describe('the image', () => {
  it('holds what runs, as plain JavaScript, and nothing of what it was built with: a fifth of 200 MB', () => {
    const app = join(deployment.image.folder, deployment.image.workdir)
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('node_modules/'))).toEqual([])
    const packages = ['node_modules', ...readdirSync(join(app, 'node_modules')).map((scope) => `node_modules/${scope}`)]
      .flatMap((folder) => (folder.includes('@') ? readdirSync(join(app, folder)).map((name) => `${folder.slice(13)}/${name}`) : []))
      .filter((name) => !/^@node-rs\/argon2-/.test(name))
    expect(packages.sort()).toEqual(['@expo-google-fonts/ibm-plex-sans', '@node-rs/argon2', '@scalar/fastify-api-reference'])
    const megabytes = Number(execFileSync('du', ['-sm', deployment.image.folder], { encoding: 'utf8' }).split('\t')[0])
    expect(megabytes).toBeLessThan(40)
  })
  it('runs as a user of its own, whose files nobody but root may change', () => {
    expect(deployment.image.user).toBe('node')
    for (const name of ['server', 'worker', 'migrate']) {
      expect(deployment.compose.services[name], name).toMatchObject({ init: true, read_only: true, stop_grace_period: '30s' })
    }
  })
})

describe('the compose file', () => {
  it('makes one variable the name of the host, and knows this machine only without it', () => {
    const named = readCompose({ HOST_NAME: 'budgets.example.org' }).services
    expect([named.server!.environment!.PUBLIC_URL, named.proxy!.environment!.SITE]).toEqual([
      'https://budgets.example.org',
      'budgets.example.org',
    ])
    const { services } = readCompose({})
    expect([services.server!.environment!.PUBLIC_URL, services.proxy!.environment!.SITE]).toEqual(['http://localhost', 'http://'])
  })
  it('hands every secret over as a file, to those alone who need it', () => {
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
  it('mounts volumes that it declares', () => {
    const { services, volumes } = deployment.compose
    const named = Object.values(services).flatMap(({ volumes: mounted = [] }) =>
      mounted.map((one) => one.split(':')[0]!).filter((from) => !from.startsWith('.')),
    )
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
  })
})

describe('the services of the compose file', () => {
  it('start on an empty database and say that they are well', async () => {
    const migrated = await deployment.runOnce('migrate')
    expect(migrated.code, migrated.said).toBe(0)
    expect(migrated.said).toContain('The database is ready')
    for (const list of [servers, servers]) list.push(await deployment.start('server'))
    for (const list of [workers, workers]) list.push(await deployment.start('worker'))
    await deployment.startProxy()
    await until('all are ready', () => [...servers, ...workers].every(({ said }) => said().includes('"ready"')))
    for (const one of servers) expect(deployment.isHealthy('server', one), one.said()).toBe(true)
    for (const one of workers) expect(deployment.isHealthy('worker', one), one.said()).toBe(true)
    expect(deployment.isHealthy('worker', { ...workers[0]!, port: 1 })).toBe(false)
  })
  it('let somebody sign in behind the proxy, who changes a budget', async () => {
    product = { config: await configOf('postgres://nobody@localhost/none'), origin: deployment.origin }
    finance = await asUser(product, 'finance@harbour.example')
    places = await placesOf(finance)
    own = { OrganisationId: places.organisationId }
    live = await connect(product, finance, places.organisationId)
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate'))
    budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
    await save('Behind the proxy')
  })
  it('have a worker killed in the middle of a recalculation, and start it again', async () => {
    expect((await recalculate()).status).toBe(202)
    await killed(workers[0]!.child)
    workers[0] = await deployment.start('worker', workers[0]!.port)
  })
  it('make a file on paper meanwhile, another of a report, and show every page that there is beside the product', async () => {
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
  it('go on when a server is killed, and take it back when it is started again', async () => {
    await killed(servers[0]!.child)
    await Promise.all(Array.from({ length: 6 }, (_one, place) => save(`A server less ${place}`)))
    servers[0] = await deployment.start('server', servers[0]!.port)
    await until('it is back', () => deployment.isHealthy('server', servers[0]!))
  })
  it('wait for a database that is started again, and go on with the same processes', async () => {
    await deployment.restartDatabase()
    await save('After the database')
    for (const { child } of servers) expect(child.exitCode).toBeNull()
    const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 5000 }, places.at('Northgate')))
      .body
    const kept = rows.filter(({ description }: Body) => /^(Behind the proxy|A server less \d|After the database)$/.test(description))
    expect(kept).toHaveLength(8)
  })
  it('are proved and backed up by the tools of the same image', async () => {
    const proved = await deployment.runOnce('migrate', ['node', 'run/audit.mjs', 'verify'])
    expect(proved.code, proved.said).toBe(0)
    const file = join(deployment.image.folder, 'data/today.backup')
    const made = await deployment.runOnce('migrate', ['node', 'run/backup.mjs', file], { BACKUP_PASSPHRASE: 'a phrase of twelve' })
    expect(made.code, made.said).toBe(0)
    expect(existsSync(file)).toBe(true)
    const link = await deployment.runOnce('migrate', ['node', 'run/admin.mjs', 'link'])
    expect(link.said).toMatch(/administrator/)
  })
  it('finish the recalculation whose worker was killed, and take the next', async () => {
    await until('the lock is off', async () => !(await isLocked()), 60_000)
    live.messages.length = 0
    expect((await recalculate()).status).toBe(202)
    await until('everybody hears that it is done', () => live.messages.some(({ target }) => target === 'BudgetsRecalculated'))
    // What is heard may be of the one before.
    await until('the lock is off again', async () => !(await isLocked()), 60_000)
  })
  it('stop when they are asked to, within their 30 seconds: a live page comes back elsewhere, and work that was begun is finished', async () => {
    expect((await recalculate()).status).toBe(202)
    const began = performance.now()
    for (const { child } of [servers[0]!, workers[0]!]) child.kill('SIGTERM')
    expect(await Promise.all([servers[0]!.ended, workers[0]!.ended])).toEqual([0, 0])
    expect(performance.now() - began).toBeLessThan(30_000)
    await until('the page is back', () => live.connection.state === 'Connected')
    await until('the lock is off', async () => !(await isLocked()), 60_000)
    for (const { child } of [servers[1]!, workers[1]!]) child.kill('SIGTERM')
    expect(await Promise.all([servers[1]!.ended, workers[1]!.ended])).toEqual([0, 0])
  })
})
