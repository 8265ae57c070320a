import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { connectAsOwner, createDatabase, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { findProgram } from '../support/running/programs.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { until, Workers } from '../support/running/worker.ts'

let databaseUrl: string
const folder = mkdtempSync(join(tmpdir(), 'bursar-doctor-'))
const at = (name: string) => join(folder, name)
const workers = new Workers()
let server: ServerProcess

/** Runs a tool on the installation. @returns its output and exit code */
function run(
  tool: Parameters<typeof findProgram>[0],
  env: Record<string, string>,
  words: string[],
): Promise<{ said: string; code: number | null }> {
  const child = spawn(process.execPath, [findProgram(tool), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: ownerUrl(databaseUrl), DATA_KEY: testDataKey, DATA_DIR: folder, DEMO: '1', ...env },
  })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  return new Promise((done) => child.once('close', (code) => done({ said, code })))
}
const doctor = (env: Record<string, string> = {}, ...words: string[]) => run('doctor', env, words)

beforeAll(async () => {
  databaseUrl = await createDatabase()
  atEnd(() => removeDataFolders(folder))
  server = await startServerProcess({ databaseUrl, env: { DEMO: '1' } })
  await workers.start(server)
  atEnd(() => workers.killAll())
  for (const word of ['--done', '--rehearsed']) expect((await run('backup', {}, [word])).code).toBe(0)
}, 120_000)

describe('the doctor of an installation', () => {
  it('reports a healthy installation, including every log', async () => {
    const { said, code } = await doctor({ REDIS_URL: process.env.REDIS_URL ?? '' }, '--verify')
    expect(said).not.toMatch(/LOOK|warn/)
    expect(said).toMatch(/Logs\s+\d+ events of \d+ budgets checked, 0 findings/)
    expect(said).toMatch(/Processes\s+1 server and 1 worker running/)
    expect(said).toMatch(/Clocks\s+every clock agrees/)
    expect(said).toMatch(/Backup\s+last made /)
    expect(said).toMatch(/Rehearsal\s+a restore last succeeded /)
    expect(said).toContain('All is well.')
    expect(code).toBe(0)
  })
  it('only warns about an old backup and several versions, in JSON too', async () => {
    const sql = connectAsOwner(databaseUrl)
    await sql`update backups set made_at = now() - interval '3 days'`
    await sql`insert into processes values (gen_random_uuid(), 'worker', '0.9.0', now() + interval '1 minute', 0)`
    const { said, code } = await doctor({}, '--json')
    await sql`update backups set made_at = now()`
    const { state, checks } = JSON.parse(said) as { state: string; checks: { name: string; state: string; remedy?: string }[] }
    expect([state, code]).toEqual(['warning', 2])
    const warned = checks.filter((check) => check.state !== 'well')
    expect(warned.map((check) => [check.name, check.state])).toEqual([
      ['Versions', 'warning'],
      ['Backup', 'warning'],
    ])
    expect(warned.map(({ remedy }) => remedy)).toEqual([
      expect.stringContaining('restart whatever still runs the old version'),
      expect.stringContaining('npm run backup -- --done'),
    ])
  })
  it('finds that a backup could not be restored, and that none has been restored for weeks', async () => {
    const sql = connectAsOwner(databaseUrl)
    await sql`update restore_rehearsals set problem = 'The file is damaged.'`
    const failed = await doctor()
    await sql`update restore_rehearsals set problem = null, made_at = now() - interval '16 days'`
    const old = await doctor()
    await sql`update restore_rehearsals set made_at = now()`
    expect(failed.said).toMatch(/LOOK {2}Rehearsal .*The file is damaged\./)
    expect(old.said).toMatch(/warn {2}Rehearsal/)
    expect([failed.code, old.code]).toEqual([1, 2])
  })
  it('finds a clock that is wrong', async () => {
    const sql = connectAsOwner(databaseUrl)
    await sql`update processes set clock_seconds = -3600 where version = '0.9.0'`
    const { said, code } = await doctor()
    await sql`delete from processes where version = '0.9.0'`
    expect(said).toContain('the clock of one worker differs by 3600 seconds')
    expect(code).toBe(1)
  })
  it('finds a Redis that is gone and one that hangs, within seconds', async () => {
    const hanging = createServer()
    await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', done))
    const { port } = hanging.address() as AddressInfo
    const [gone, hung] = await Promise.all([1, port].map((one) => doctor({ REDIS_URL: `redis://127.0.0.1:${one}` })))
    hanging.close()
    expect(gone!.said).toContain('Redis at 127.0.0.1:1 does not respond (ECONNREFUSED)')
    expect(hung!.said).toContain(`Redis at 127.0.0.1:${port} does not respond (Command timed out)`)
    for (const { said, code } of [gone!, hung!]) {
      expect(said).toContain('1 thing needs attention')
      expect(code).toBe(1)
    }
  })
  it('finds a locked table and who holds it, and gives up checks that wait for it', async () => {
    const holder = await connectAsOwner(databaseUrl).reserve()
    await holder`begin`
    await holder`lock table webhook_deliveries in access exclusive mode`
    const [{ pid }] = (await holder`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
    await new Promise((done) => setTimeout(done, 6000))
    const { said, code } = await doctor()
    await holder`rollback`
    holder.release()
    expect(said).toContain(`by the database’s process ${pid}`)
    expect(said).toContain(`select pg_terminate_backend(${pid})`)
    expect(said).toMatch(/Work\s+could not be checked\s+did not finish within 15 seconds/)
    expect(code).toBe(1)
  }, 90_000)
  it('finds a read-only database', async () => {
    const sql = connectAsOwner(databaseUrl)
    const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }]
    await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
    const { said, code } = await doctor()
    await sql.unsafe(`alter database ${name} reset default_transaction_read_only`)
    expect(said).toContain('The database is read-only, so nothing can be saved.')
    expect(code).toBe(1)
  })
  it('reads the certificate of the site, and finds one that browsers refuse', async () => {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('site.key'), '-addext', 'subjectAltName=DNS:localhost']
    execFileSync('openssl', ['req', '-x509', ...key, '-out', at('site.pem'), '-days', '90', '-subj', '/CN=localhost'], { stdio: 'ignore' })
    const site = createHttpsServer({ key: readFileSync(at('site.key')), cert: readFileSync(at('site.pem')) })
    await new Promise<void>((done) => site.listen(0, done))
    const { port } = site.address() as AddressInfo
    const env = { PUBLIC_URL: `https://localhost:${port}` }
    const refused = await doctor(env)
    const trusted = await doctor({ ...env, NODE_EXTRA_CA_CERTS: at('site.pem') })
    site.close()
    expect(refused.said).toMatch(/LOOK {2}Certificate .*is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
    expect(trusted.said).toMatch(/well {2}Certificate .*valid until/)
    expect([refused.code, trusted.code]).toEqual([1, 0])
  })
  it('finds that no worker runs', async () => {
    await workers.killAll()
    await until('it is said', async () => (await doctor()).said.includes('No worker is running, so nothing is recalculated'), 60_000)
  }, 90_000)
  it('says what to do about published passwords, keys sealed with another secret, and a sign-in rule without effect', async () => {
    const { said, code } = await doctor({
      DEMO: '',
      DATA_KEY: 'another secret of more than 32 characters',
      OIDC_ISSUER: 'http://localhost:1',
      OIDC_CLIENT_ID: 'bursar',
      OIDC_GROUPS: '[{"value":"7","organisation":"Harbour Learning Trust","userGroup":"Pilots"}]',
    })
    expect(said).toContain('OIDC_GROUPS names the user group Pilots of Harbour Learning Trust, but one of the two does not exist.')
    expect(said).toContain('npm run admin -- end-demo')
    expect(said).toContain('were sealed with another DATA_KEY')
    expect(said).toContain('4 things need attention')
    expect(code).toBe(1)
  })
  it('finds a changed log, a missing administrator, work that nobody does and a sign-in that does not respond', async () => {
    const sql = connectAsOwner(databaseUrl)
    await sql.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`set local session_replication_role = replica`
      await tx`update users set is_administrator = false`
      await tx`update budget_events set actor_id = 1 where (budget_id, version) = (select budget_id, version from budget_events order by 1, 2 limit 1)`
      await tx`
        insert into recalculations (organisation_id, id, budget_id, inputs, started_at)
        select organisation_id, gen_random_uuid(), id, repeat('0', 64), now() - interval '1 hour' from budgets limit 1`
    })
    const { said, code } = await doctor({ OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'bursar' }, '--verify')
    expect(said).toContain('npm run admin -- link')
    expect(said).toContain('No issuer with this name responds there')
    expect(said).toContain('1 piece of work waited longer than 10 minutes')
    expect(said).toMatch(/checked, [1-9]\d* findings?/)
    expect(code).toBe(1)
  })
  it('gives a single message if the database is away', async () => {
    const { said, code } = await doctor({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nothing' })
    expect(said).toContain('The database cannot be reached.')
    expect(said).toContain('1 thing needs attention.')
    expect(said).not.toContain('secret')
    expect(code).toBe(1)
  })
})
