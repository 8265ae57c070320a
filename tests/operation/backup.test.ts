import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import postgres from 'postgres'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { writeDatabaseBackup } from '../../server/backup/dump.ts'
import { restoreBackup } from '../../server/backup/restore.ts'
import { verifyRestoredDatabase } from '../../server/backup/verifyRestored.ts'
import { openStore } from '../../server/core/database/database.ts'
import { writeOutsideAnchor } from '../../server/core/stream/anchors.ts'
import { oldestMigration } from '../../server/launch/databaseChecks.ts'
import { createTablesAsOf, readNewestMigration } from '../../server/launch/migrate.ts'
import { serve } from '../../server/serve.ts'
import { ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { configOf, type Product, startProduct } from '../support/product/product.ts'

// Each test fills a whole database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'bursar-backup-'))
const passphrase = 'kept in the safe of the trust'
const serverPassword = decodeURIComponent(new URL(inject('serverUrl')).password)
// Connects to the `postgres` database, because nobody can copy a template database that has a connection.
const admin = postgres(inject('templateUrl').replace(/\/[^/]*$/, '/postgres'), { max: 1, onnotice: () => undefined })
const at = (name: string): string => join(folder, name)
let product: Product
/** Made while users were saving, and includes the anchors written before. */
let sealed: string
let plain: string

atEnd(async () => {
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates an empty database. @returns its URL as the superuser */
async function emptyDatabase(owner?: string): Promise<string> {
  const name = `t${randomBytes(8).toString('hex')}`
  await admin.unsafe(`create database ${name}${owner ? ` owner ${owner}` : ''}`)
  return inject('templateUrl').replace(/\/[^/]*$/, `/${name}`)
}

/** Creates a database whose owner is no superuser, as hosted databases have. @returns its URL as that owner */
async function hostedDatabase(): Promise<string> {
  const owner = `o${randomBytes(8).toString('hex')}`
  await admin.unsafe(`create role ${owner} login createrole password 'hosted'; grant bursar_app to ${owner} with admin option`)
  const url = new URL(await emptyDatabase(owner))
  url.username = owner
  url.password = 'hosted'
  return url.href
}

const into = (databaseUrl: string, more: { dataKey?: string; folder?: string } = {}) => ({
  databaseUrl,
  serverPassword,
  dataKey: more.dataKey ?? null,
  folder: more.folder ?? null,
})

async function ask<T extends object>(url: string, query: string): Promise<T[]> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { 'app.organisation_id': '*' } as Record<string, string> })
  try {
    return [...(await client.unsafe<T[]>(query))]
  } finally {
    await client.end({ timeout: 1 })
  }
}

const tablesIn = async (url: string): Promise<number> =>
  (await ask<{ count: number }>(url, `select count(*)::int as count from pg_tables where schemaname = 'public'`))[0]!.count

async function verified(databaseUrl: string, dataKey: string | null, anchors: string | null) {
  const store = openStore({ databaseUrl, dataKey }, 2)
  try {
    return await verifyRestoredDatabase(store, anchors)
  } finally {
    await store.close()
  }
}

beforeAll(async () => {
  product = await startProduct()
  const databaseUrl = ownerUrl(product.config.databaseUrl)
  const store = openStore(product.config, 2)
  await writeOutsideAnchor(store, {
    config: { mail: null },
    to: { folder: at('anchors'), mailTo: null },
    reason: 'command',
    now: new Date(),
  })
  await store.close()
  const finance = await signInAs(product, 'finance@harbour.example')
  const { organisationId, ...places } = await findTrustIds(finance)
  let saving = true
  let saved = 0
  const duplicates = (async () => {
    for (; saving; saved++)
      await finance.call(
        'POST',
        `/api/Budget/duplicate/${places.at('Northgate').BudgetId}`,
        { name: `Saved meanwhile ${saved}` },
        { OrganisationId: organisationId },
      )
  })()
  const from = { databaseUrl, dataKey: testDataKey, anchors: at('anchors') }
  sealed = at('sealed.backup')
  plain = at('plain.backup')
  await writeDatabaseBackup(sealed, from, { passphrase })
  saving = false
  await duplicates
  expect(saved).toBeGreaterThan(0)
  await writeDatabaseBackup(plain, from, {})
})

test('a backup made during work is restored into an empty database whose owner is no superuser, whole and to the penny', async () => {
  const url = await hostedDatabase()
  const { dataKey, anchors, head, rows } = await restoreBackup(sealed, into(url, { folder: at('moved') }), { passphrase })
  expect(head.migration).toBe(readNewestMigration())
  expect(dataKey).toBe(testDataKey)
  const result = await verified(url, dataKey, anchors)
  expect(result.findings).toEqual([])
  expect(result).toMatchObject({ replayed: 5 })
  expect(result.events).toBeGreaterThan(600)
  expect(rows).toBeGreaterThan(result.events)
  // Backing up a restored database gives the same rows.
  const { rows: again } = await writeDatabaseBackup(at('again.backup'), { databaseUrl: url, dataKey, anchors }, {})
  expect(again).toBe(rows)
  expect(statSync(sealed).mode & 0o777).toBe(0o600)
  expect(statSync(join(at('moved'), 'anchors/signing-key.pem')).mode & 0o777).toBe(0o600)
})

test('people sign in to the restored product, find what they saved, and continue; earlier sign-ins are no longer valid', async () => {
  const url = await emptyDatabase()
  await restoreBackup(plain, into(url, { dataKey: testDataKey }), {})
  expect((await ask<{ count: number }>(url, 'select count(*)::int as count from oidc_payloads'))[0]!.count).toBe(0)
  const asServer = new URL(inject('serverUrl'))
  asServer.pathname = new URL(url).pathname
  const config = await configOf(asServer.href)
  const server = await serve(config)
  try {
    const [before, now] = await Promise.all([
      signInAs(product, 'finance@harbour.example'),
      signInAs({ config, origin: config.origin }, 'finance@harbour.example'),
    ])
    const places = await findTrustIds(before)
    const selection = places.at('Northgate')
    const list = ['POST', '/api/StaffContract/paginated', { pageSize: 20 }, selection] as const
    const [were, are] = await Promise.all([before.call(...list), now.call(...list)])
    expect(are.status).toBe(200)
    expect(are.body).toEqual(were.body)
    const made = await now.call('POST', `/api/Budget/duplicate/${selection.BudgetId}`, { name: 'After it was restored' }, selection)
    expect(made.status).toBe(201)
  } finally {
    await server.close()
  }
})

test('a row that was changed in the backup file is found during the restore', async () => {
  const text = gunzipSync(readFileSync(plain)).toString('latin1')
  const [start, end] = [text.indexOf('{"table":"staff_costs"'), text.indexOf('\n\\.\n', text.indexOf('{"table":"staff_costs"'))]
  const rows = text.slice(start, end)
  const changed = rows.replace(
    /([[:] ?)(\d{4,})(?=[,\]}])/,
    (_all, before: string, pennies: string) => before + String(Number(pennies) + 1),
  )
  expect(changed).not.toBe(rows)
  writeFileSync(at('changed.backup'), gzipSync(Buffer.from(text.slice(0, start) + changed + text.slice(end), 'latin1')))
  const url = await emptyDatabase()
  const { anchors } = await restoreBackup(at('changed.backup'), into(url, { dataKey: testDataKey, folder: at('changed') }), {})
  const store = openStore({ databaseUrl: url, dataKey: testDataKey }, 2)
  try {
    expect((await verifyRestoredDatabase(store, anchors, 1000)).findings).not.toEqual([])
  } finally {
    await store.close()
  }
})

test('a file that is cut off, damaged, foreign or sealed for others is refused with a sentence, and the database stays empty', async () => {
  const url = await emptyDatabase()
  const whole = readFileSync(plain)
  const refused = (file: string, seal = {}, dataKey: string | undefined = testDataKey) =>
    expect(restoreBackup(at(file), into(url, { dataKey }), seal)).rejects
  writeFileSync(at('cut.backup'), whole.subarray(0, whole.length / 2))
  await refused('cut.backup').toThrow(/damaged|too early/)
  const text = gunzipSync(whole)
  writeFileSync(at('short.backup'), gzipSync(text.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1)))
  await refused('short.backup').toThrow('The file ends too early: it is incomplete.')
  writeFileSync(at('foreign.backup'), 'no backup at all, and longer than a mark')
  await refused('foreign.backup').toThrow('is not a Bursar backup')
  await refused('nothing.backup').toThrow('There is no file')
  await refused('sealed.backup').toThrow('The backup is sealed')
  await refused('sealed.backup', { passphrase: 'guessed by somebody' }).toThrow('BACKUP_PASSPHRASE does not open this backup.')
  await refused('sealed.backup', { passphrase }, 'x'.repeat(40)).toThrow('sealed with a different DATA_KEY')
  await expect(restoreBackup(plain, into(url), {})).rejects.toThrow('This backup does not include the DATA_KEY')
  const newer = text.toString('latin1').replace(/"migration":\d+/, `"migration":${readNewestMigration() + 1}`)
  writeFileSync(at('newer.backup'), gzipSync(Buffer.from(newer, 'latin1')))
  await refused('newer.backup').toThrow('newer version of Bursar')
  const older = text.toString('latin1').replace(/"migration":\d+/, `"migration":${oldestMigration - 1}`)
  writeFileSync(at('older.backup'), gzipSync(Buffer.from(older, 'latin1')))
  await refused('older.backup').toThrow('made by a version of Bursar from before 24 November 2026')
  // The missing end showed only after rows had been restored. They were rolled back, so a complete backup can now be restored.
  const { rows, anchors } = await restoreBackup(plain, into(url, { dataKey: testDataKey, folder: at('after damage') }), {})
  expect(rows).toBeGreaterThan(1000)
  const store = openStore({ databaseUrl: url, dataKey: testDataKey }, 2)
  try {
    expect((await verifyRestoredDatabase(store, anchors, 1000)).findings).toEqual([])
  } finally {
    await store.close()
  }
  await refused('plain.backup').toThrow('This database already contains data.')
})

test('an unsealed file contains no secret, and a passphrase that can be guessed is refused', async () => {
  const text = gunzipSync(readFileSync(plain)).toString('latin1')
  expect(text).toContain('"keyMark":"')
  expect(text).not.toContain(testDataKey)
  expect(text).not.toContain('PRIVATE KEY')
  const from = { databaseUrl: ownerUrl(product.config.databaseUrl), dataKey: testDataKey, anchors: null }
  const asServer = { databaseUrl: product.config.databaseUrl, dataKey: testDataKey, anchors: null }
  await expect(writeDatabaseBackup(at('blind.backup'), asServer, {})).rejects.toThrow('Set DATABASE_URL as for migrate.')
  expect(existsSync(at('blind.backup'))).toBe(false)
  await expect(writeDatabaseBackup(at('weak.backup'), from, { passphrase: 'short' })).rejects.toThrow('BACKUP_PASSPHRASE is too short')
  expect(existsSync(at('weak.backup'))).toBe(false)
})

test.skipIf(!existsSync('/dev/full'))(
  'a full disk during a backup is reported in a sentence, and no incomplete file gets the backup’s name',
  async () => {
    const from = { databaseUrl: ownerUrl(product.config.databaseUrl), dataKey: testDataKey, anchors: null }
    for (const seal of [{}, { passphrase }]) {
      // The backup is first written to a temporary name, which here leads to a device without space.
      symlinkSync('/dev/full', at('much.backup.part'))
      await expect(writeDatabaseBackup(at('much.backup'), from, seal)).rejects.toThrow(
        `There is no room for ${at('much.backup')}: its disk is full. No backup was written. Free some space there, or choose another disk.`,
      )
      expect(readdirSync(folder).filter((name) => name.startsWith('much'))).toEqual([])
    }
    expect((await writeDatabaseBackup(at('much.backup'), from, {})).rows).toBeGreaterThan(1000)
  },
)

test('a backup of an earlier version, sealed with another installation’s key, is migrated during the restore', async () => {
  const from = await emptyDatabase()
  await createTablesAsOf(from, serverPassword, oldestMigration)
  await ask(
    from,
    `insert into terms (organisation_id, term, singular, plural) values (1, 'of an earlier version', 'it\\stays', E'as\\nit is')`,
  )
  const identity = await generateIdentity()
  await writeDatabaseBackup(
    at('earlier.backup'),
    { databaseUrl: from, dataKey: null, anchors: null },
    { recipient: await identityToRecipient(identity) },
  )
  const url = await emptyDatabase()
  const { head } = await restoreBackup(at('earlier.backup'), into(url), { identity })
  expect(head.migration).toBe(oldestMigration)
  expect(await ask(url, 'select singular, plural from terms')).toEqual([{ singular: 'it\\stays', plural: 'as\nit is' }])
  expect(await tablesIn(url)).toBeGreaterThan(await tablesIn(from))
})
