import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { confirmFindings } from '../../server/audit/verify/confirmFindings.ts'
import { checkDueChain, listBrokenLogs } from '../../server/audit/verify/selfCheck.ts'
import type { AuditFinding } from '../../server/audit/verify/verify.ts'
import { verifyOrganisations } from '../../server/audit/verify/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { readAnchors } from '../../server/core/stream/anchorFiles.ts'
import { anchorChains } from '../../server/core/stream/anchors.ts'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { findProgram } from '../support/running/programs.ts'
import { type Ids, idsFor, teacherContract } from '../support/samples/contract.ts'

vi.setConfig({ testTimeout: 300_000 })

let product: Product
let store: Store
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let codeId: number
let ids: Ids
/** The folder in which anchors are written meanwhile and the tools look for them. */
const folder = mkdtempSync(join(tmpdir(), 'bursar-working-'))
const anchorsFolder = join(folder, 'anchors')
let day = 0

beforeAll(async () => {
  product = await startProduct({ worker: true })
  store = openStore(product.config, 4)
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
  const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, northgate)
  codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
})
afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

const own = () => ({ OrganisationId: places.organisationId })
const entry = (amount: number) => ({ description: 'Work', budgetCodeId: codeId, amount, budgetYearName: '2026/27' })

/** What each simulated user repeats until the day is over. */
const habits: ((turn: number) => Promise<unknown>)[] = [
  async (turn) => {
    const { body } = await finance.call('PUT', '/api/BudgetEntry/save', entry(turn + 1), northgate)
    await finance.call('PUT', '/api/BudgetEntry/save', { ...body, amount: turn + 2 }, northgate)
    const { budgets } = proceduresOf(product, finance, northgate)
    const { body: budget } = await finance.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, northgate)
    await budgets.undo.mutate({ versions: [budget.version] }).catch(() => undefined)
    await finance.call('DELETE', `/api/BudgetEntry/${body.id}`, undefined, northgate)
  },
  async (turn) => {
    const made = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: `Copy ${turn}` }, own())
    const rolled = await finance.call('POST', '/api/Budget/rollforward', { ids: [made.body.mongoId] }, own())
    for (const one of [made.body, ...[rolled.body].flat()]) await finance.call('DELETE', `/api/Budget/${one.mongoId}`, undefined, own())
  },
  async (turn) => {
    const { body } = await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: `Post ${turn}` }), northgate)
    const state = { selectAll: false, toggledNodes: [body.id] }
    await finance.call('POST', '/api/StaffContract/bulkDelete', { state }, northgate)
  },
  async () => {
    await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own())
    await new Promise((done) => setTimeout(done, 500))
  },
  async (turn) => {
    const { body } = await finance.call('POST', '/api/CostCentres', { code: `W${turn}`, description: 'Work' }, northgate)
    await finance.call('DELETE', `/api/CostCentres/${body.id}`, undefined, northgate)
  },
  async (turn) => {
    const paid = [{ EmployeeNumber: 'nobody', PayrollCode: '100', Actual: String(turn + 1) }]
    await finance.call('POST', '/api/monitoring/PayrollRec/actuals/import/2027/3', paid, northgate)
  },
  async () => {
    const anchors = { folder: anchorsFolder, mailTo: null }
    await anchorChains(store, { config: { ...product.config, anchors }, reason: 'start', now: new Date() })
  },
]

/** Keeps all users working during a check. @returns the number of changes saved meanwhile, and the check’s result */
async function whilePeopleWork<T>(look: () => Promise<T>): Promise<{ saved: number; came: T }> {
  const links = async (): Promise<number> => {
    const [row] = await connectAsOwner(product.config.databaseUrl)`
      select count(*)::integer as links from log_chain, set_config('app.organisation_id', '*', false)`
    return row!.links
  }
  const before = await links()
  let isOver = false
  const working = habits.map(async (habit) => {
    for (let turn = 0; !isOver; turn++) {
      // Refusals are expected: two users change the same budget, and rate limits apply.
      await habit(day * 1000 + turn).catch(() => undefined)
      await new Promise((done) => setTimeout(done, 100))
    }
  })
  try {
    const came = await look()
    return { saved: (await links()) - before, came }
  } finally {
    isOver = true
    await Promise.all(working)
  }
}

/** Runs a tool as the operator does. */
const run = (tool: 'audit' | 'doctor', ...words: string[]): Promise<{ code: number; said: string }> =>
  new Promise((done) => {
    const env = { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl), DATA_KEY: testDataKey, DATA_DIR: folder, DEMO: '1' }
    execFile(process.execPath, [findProgram(tool), ...words], { env, maxBuffer: 64 * 1024 * 1024 }, (error, said) =>
      done({ code: error ? Number(error.code) : 0, said }),
    )
  })

/** Runs every check that is due on the next day. */
async function nextDay(): Promise<string[]> {
  day++
  const now = new Date(Date.now() + day * 86_400_000)
  const said: string[] = []
  for (;;) {
    const result = await checkDueChain(store, now)
    if (result === 'none') return said
    said.push(result)
  }
}

const verify = async (): Promise<string[]> => {
  const { findings } = await verifyOrganisations(store, {}, () => readAnchors(anchorsFolder, null))
  return findings.map(({ problem }) => problem)
}

it('while users save, delete, undo, recalculate and roll forward, verify, the daily check and the doctor find nothing wrong', async () => {
  await anchorChains(store, {
    config: { ...product.config, anchors: { folder: anchorsFolder, mailTo: null } },
    reason: 'start',
    now: new Date(),
  })
  const { saved, came } = await whilePeopleWork(async () => {
    const found: string[] = []
    for (let look = 0; look < 2; look++) {
      found.push(...(await verify()))
      found.push(...(await nextDay()).filter((said) => said !== 'whole'))
    }
    const audited = await run('audit', 'verify')
    const doctored = await run('doctor', '--verify')
    return { found, audited, doctored }
  })
  expect(saved).toBeGreaterThan(100)
  expect(came.found).toEqual([])
  expect(came.audited.said).toContain('every chain is intact')
  expect(came.audited.code).toBe(0)
  expect(came.doctored.said).toMatch(/Daily check\s+found every log intact/)
  expect(came.doctored.said).toMatch(/Logs\s+[\d,]+ events of \d+ budgets checked, 0 findings/)
})

it('a direct change of the database is found during work, by verify, the daily check and the doctor alike', async () => {
  const sql = connectAsOwner(product.config.databaseUrl)
  const tamper = (requestId: string): Promise<unknown> =>
    sql.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await tx`set local session_replication_role = replica`
      await tx.unsafe(`update budget_events set request_id = ${requestId} where budget_id = '${northgate.BudgetId}' and version = 2`)
    })
  const problem = 'Its content does not match its hash: it was changed after it was written.'
  await tamper(`request_id || 'x'`)
  const { came } = await whilePeopleWork(async () => {
    await finance.call('PUT', '/api/BudgetEntry/save', entry(1), northgate)
    return { verified: await verify(), nightly: await nextDay(), doctored: await run('doctor') }
  })
  expect(came.verified).toEqual([problem])
  expect(came.nightly).toContain('broken')
  expect(came.doctored.said).toMatch(
    /LOOK\s+Daily check\s+found a broken log of Harbour Learning Trust: Budget \w+, version 2: Its content/,
  )
  expect(came.doctored.code).toBe(1)
  await tamper('left(request_id, -1)')
  await nextDay()
  expect(await store.asPlatform(listBrokenLogs)).toEqual([])
  expect((await run('doctor')).said).toMatch(/well\s+Daily check\s+found every log intact/)
})

it('a finding that a second look does not confirm is not reported, nor one whose details change during work', async () => {
  const finding = (problem: string): AuditFinding => ({ budgetId: null, version: null, problem })
  const looks = (...each: string[][]) => {
    const left = [...each]
    return confirmFindings(async () => (left.shift() ?? []).map(finding))
  }
  expect(await looks(['passing'], [])).toEqual([])
  expect(await looks(['passing', 'real'], ['real'])).toEqual([finding('real')])
  expect(await looks(['ends at 1'], ['ends at 2'], ['ends at 2'])).toEqual([finding('ends at 2')])
  expect(await looks(['1'], ['2'], ['3'], ['4'], ['5'])).toEqual([finding('5')])
})
