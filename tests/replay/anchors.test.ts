import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resources } from '../../domain/resources/all.ts'
import type { BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import { verifyAllOnce } from '../../server/audit/verify/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { type OutsideAnchor, readAnchors, readPublicKey } from '../../server/core/stream/anchorFiles.ts'
import { anchorChains, writeOutsideAnchor } from '../../server/core/stream/anchors.ts'
import { createRecord } from '../../server/resources/commands.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'

let product: Product
let store: Store
let organisationId: OrganisationId
/** A budget that is in no group and from which no other budget was made. */
let budgetId: BudgetId
const folder = mkdtempSync(join(tmpdir(), 'bursar-anchors-'))
const at = new Date('2026-11-22T09:30:00Z')
const file = join(folder, '2026-11-22.jsonl')

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 2)
  const finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  organisationId = places.organisationId
  const made = await finance.call(
    'POST',
    `/api/Budget/duplicate/${places.at('Northgate').BudgetId}`,
    { name: 'To be removed' },
    { OrganisationId: organisationId },
  )
  budgetId = made.body.mongoId
})
afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = () => writeOutsideAnchor(store, { config: { mail: null }, to: { folder, mailTo: null }, reason: 'command', now: at })
const problemsWith = async (outside: readonly OutsideAnchor[]): Promise<string[]> =>
  (await store.asPlatform((tx) => verifyAllOnce(tx, { organisation: organisationId }, outside))).findings.map((one) => one.problem)

it('an anchor contains the heads of all chains and is signed with a key that only this installation has', async () => {
  await write()
  await write()
  expect(statSync(join(folder, 'signing-key.pem')).mode & 0o777).toBe(0o600)
  expect(readPublicKey(folder)).toContain('BEGIN PUBLIC KEY')
  const { anchors, problems } = readAnchors(folder, null)
  expect(problems).toEqual([])
  expect(anchors).toHaveLength(2)
  expect(anchors[0]!.budgets.some((budget) => budget.id === budgetId)).toBe(true)
  expect(anchors[0]!.counts.events).toBeGreaterThan(600)
  expect(await problemsWith(anchors)).toEqual([])
})

it('the changes of one transaction are linked once and in order, without those rolled back within it', async () => {
  const change = (record: string) => sql`
    insert into reference_changes (organisation_id, resource, record_id, version, action, request_id)
    select ${organisationId}, 'chained', ${record} || n, 1, 'updated', 'chain' from generate_series(1, 3) n`
  await store.inOrganisation(organisationId, async (tx) => {
    await tx.execute(change('first'))
    await tx.execute(sql`savepoint part`)
    await tx.execute(change('taken back'))
    await tx.execute(sql`rollback to savepoint part`)
    await tx.execute(change('second'))
    await tx.execute(sql`set constraints all immediate`)
    await tx.execute(sql`set constraints all deferred`)
    await tx.execute(change('third'))
  })
  const links = await store.inOrganisation(organisationId, (tx) =>
    tx.execute<{ record: string }>(sql`
      select change.record_id as record from log_chain link join reference_changes change on change.id::text = link.subject
      where link.organisation_id = ${organisationId} and link.kind = 'reference' and change.request_id = 'chain' order by link.sequence`),
  )
  expect(links.map((link) => link.record)).toEqual(['first', 'second', 'third'].flatMap((name) => [1, 2, 3].map((n) => `${name}${n}`)))
  expect(await problemsWith([])).toEqual([])
})

it('an anchor that was changed, removed or signed by somebody else is detected', async () => {
  const whole = readFileSync(file, 'utf8')
  const [first, second] = whole.trim().split('\n') as [string, string]
  const told = (text: string, key: string | null = null): string => {
    writeFileSync(file, text)
    const { problems } = readAnchors(folder, key)
    writeFileSync(file, whole)
    return problems.join()
  }
  expect(told(`${first.replace('"version":', '"version":1')}\n${second}\n`)).toContain('is not signed by the key of this installation')
  expect(told(`${second}\n`)).toContain('does not follow the one before')
  expect(told(`${first.slice(0, -9)}\n${second}\n`)).toContain('is not an anchor')
  const other = mkdtempSync(join(tmpdir(), 'bursar-anchors-'))
  expect(() => readPublicKey(other)).toThrow(`There is no signing key in ${other}.`)
  expect(readdirSync(other)).toEqual([])
  await writeOutsideAnchor(store, { config: { mail: null }, to: { folder: other, mailTo: null }, reason: 'command', now: at })
  expect(told(whole, readPublicKey(other))).toContain('is not signed by the key of this installation')
  rmSync(other, { recursive: true })
  // A mail that contains the line, stored elsewhere, proves the same.
  const mail = join(folder, 'mail.txt')
  writeFileSync(mail, `Keep this mail.\n\n${second}\n`)
  expect(readAnchors(mail, readPublicKey(folder))).toMatchObject({ anchors: [{ reason: 'command' }], problems: [] })
})

it('a worker writes an anchor when it starts and stops if something changed, and one a day', async () => {
  const config = { ...product.config, anchors: { folder: join(folder, 'of a worker'), mailTo: null } }
  const count = () => readAnchors(config.anchors.folder, null).anchors.length
  await anchorChains(store, { config, reason: 'start', now: at })
  await anchorChains(store, { config, reason: 'stop', now: at })
  expect(count()).toBe(1)
  await anchorChains(store, { config, reason: 'day', now: at })
  expect(count()).toBe(1)
  await anchorChains(store, { config, reason: 'day', now: new Date('2026-11-23T00:00:05Z') })
  expect(count()).toBe(2)
  expect(existsSync(join(config.anchors.folder, '2026-11-23.jsonl'))).toBe(true)
})

it('simultaneous changes follow each other in the chain without gaps', async () => {
  const many = openStore(product.config, 12)
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const actor = { userId: null, requestId: 'side by side', now: at }
  const one = (number: number) =>
    many.inOrganisation(organisationId, async (tx) => {
      const saved = await createRecord(
        { tx, resource: resources.cluster, scope, actor },
        { name: `Cluster ${number}`, description: '', textColor: '000000', backgroundColor: 'cccccc' },
      )
      // A save that fails at the end leaves no gap in the chain.
      if (number % 3 === 0) throw new Error(`${saved.id} is taken back`)
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_unused, number) => one(number)))
  await many.close()
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20)
  expect(await problemsWith([])).toEqual([])
})

it('the server’s role can neither write an anchor or a chain link by hand nor change one', async () => {
  for (const statement of [
    `insert into chain_anchors values (1, '${budgetId}', '2026-11-22', 1, 'x')`,
    'update chain_anchors set version = 1',
    'delete from chain_anchors',
    `insert into log_chain values (1, 1, 'budget', 'x', 1, 'x', now(), 'x', 'x')`,
    'update log_chain set version = 1',
    'delete from log_chain',
    `select add_link(1, 'budget', 'x', 1, 'x')`,
  ])
    await expect(store.asPlatform((tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') },
    })
})

it('an external anchor reveals the removal of a whole budget, even if its rows, its anchors in the database and the chain were rewritten', async () => {
  const outside = readAnchors(folder, null).anchors
  const owner = connectAsOwner(product.config.databaseUrl)
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`select set_config('app.organisation_id', '*', true)`
    for (const table of [
      'staff_contracts',
      'staff_costs',
      'posted_lines',
      'budget_items',
      'quick_calculations',
      'budget_days',
      'chain_anchors',
      'budget_events',
    ])
      await tx`delete from ${tx(table)} where budget_id = ${budgetId}`
    await tx`delete from budget_job_items where budget_id = ${budgetId}`
    await tx`delete from budgets where id = ${budgetId}`
  })
  expect(await problemsWith([])).toContain('Its whole log is missing, but other records still refer to the budget.')
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`select set_config('app.organisation_id', '*', true)`
    const kept = await tx`select * from log_chain where organisation_id = ${organisationId} and subject <> ${budgetId} order by sequence`
    await tx`delete from log_chain where organisation_id = ${organisationId}`
    for (const link of kept) await tx`select add_link(${organisationId}, ${link.kind}, ${link.subject}, ${link.version}, ${link.content})`
  })
  expect(await problemsWith([])).toEqual([])
  const found = await problemsWith(outside)
  expect(found).toContain('Its whole log is missing, but other records still refer to the budget.')
  expect(found.join()).toContain(`of the chain of organisation ${organisationId}`)
})
