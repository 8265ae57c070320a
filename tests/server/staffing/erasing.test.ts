import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Job } from 'bullmq'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { type FileJob, openQueues, openRecalculationWorker } from '../../../server/core/queue/queues.ts'
import { tryToMakeFile } from '../../../server/shared/files/commands.ts'
import { connectAsOwner, ownerUrl } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { findProgram } from '../../support/running/programs.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

// A list of all employees takes time under load.
vi.setConfig({ testTimeout: 120_000 })

let product: Product
let store: Store
let finance: Caller
let manager: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let at: { OrganisationId: OrganisationId; LocationId: LocationId; BudgetId: BudgetId }
let northgate: LocationId
let contract: Body
let person: Body

/** Turns 21 in the second year of the demo budgets. Until then there is no employer national insurance below the upper threshold. */
const young = {
  forename: 'Perpetua',
  surname: 'Quillfeather',
  dateOfBirth: '2007-03-15',
  niNumber: 'AB123456C',
  email: 'perpetua@quill.example',
}

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 3)
  atEnd(() => store.close())
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  at = places.at('Northgate')
  northgate = places.locations.Northgate!
  person = (await finance.call('POST', '/api/Staff', { ...young, employeeNumber: 'Q-77', locations: [northgate] }, own)).body
  const given = teacherContract(await idsFor(finance, at), {
    employeeNumber: 'Q-77',
    contractName: 'Cover',
    notes: 'Perpetua asked for Fridays',
  })
  const saved = await manager.call('PUT', '/api/StaffContract', given, at)
  expect(saved.status).toBe(200)
  contract = saved.body
  await browserCall(product, finance, 'staff.addReminder', { id: person.id, description: 'Call Perpetua', when: '2027-01-10' }, at)
  const looks = { filters: [], sort: null, sortDirection: 'asc', hiddenColumns: [] }
  for (const [name, search] of [
    ['Cover of Fridays', 'cover'],
    ['Long-term', 'Quillfeather cover'],
    ['Of Quillfeather', ''],
  ])
    await browserCall(product, finance, 'listViews.keep', { list: 'contracts', name, look: { ...looks, search } }, at)
})

const other = { forename: 'Otto', surname: 'Elsewhere' }
const erase = (caller: Caller, id: number, employeeNumber: string) => caller.call('POST', `/api/Staff/${id}/erase`, { employeeNumber }, own)
const costOf = async (): Promise<Body> => (await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, at)).body

describe('erasing an employee', () => {
  it('requires the employee number to be typed, and the permission to change staff in the console', async () => {
    const wrong = await erase(finance, person.id, 'Q-78')
    expect([wrong.status, wrong.body]).toEqual([400, 'This is not the employee number of this person. Type it exactly as shown above.'])
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await erase(governor, person.id, 'Q-77')).status).toBe(403)
    const budgeting = await inviteAndSignIn(
      product,
      await signInAs(product, 'admin@bursar.example'),
      'cover@harbour.example',
      ['BudgetingStaffingReadUpdate'],
      own.OrganisationId,
    )
    expect((await erase(budgeting, person.id, 'Q-77')).status).toBe(403)
  })

  it('is refused to a user of one school for an employee who may also work at another', async () => {
    const everywhere = (await finance.call('POST', '/api/Staff', { ...other, employeeNumber: 'R-78', locations: [] }, own)).body
    const reply = await erase(manager, everywhere.id, 'R-78')
    expect([reply.status, reply.body]).toEqual([403, expect.stringMatching(/may also work at other locations/)])
    const elsewhere = Object.values(places.locations).find((id) => id !== northgate)!
    const stranger = (await finance.call('POST', '/api/Staff', { ...other, employeeNumber: 'R-79', locations: [elsewhere] }, own)).body
    expect((await erase(manager, stranger.id, 'R-79')).status).toBe(404)
  })

  it('leaves every penny unchanged, also when the budget is recalculated', async () => {
    const before = await costOf()
    const summary = (await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, at)).body.costYears
    expect((await erase(manager, person.id, 'Q-77')).status).toBe(204)
    expect((await costOf()).costYears).toEqual(before.costYears)
    // Saved by a user who cannot see whose it is, the contract stays the employee’s and costs the same.
    const again = await manager.call('PUT', '/api/StaffContract', { ...(await costOf()), position: 'Cover teacher' }, at)
    expect([again.status, again.body.position]).toEqual([200, 'Cover teacher'])
    expect(again.body.costYears).toEqual(summary)
    expect(again.body.staffId).toBe(before.staffId)
  })

  it('leaves them in no list, search, export, history, reminder or note', async () => {
    const calls = await Promise.all([
      finance.call('GET', `/api/Staff/${person.id}`, undefined, own),
      finance.call('POST', '/api/Staff/list', { pageSize: 500, pageNumber: 1 }, own),
      finance.call('POST', '/api/Staff/export', {}, own),
      manager.call('POST', '/api/Staff/list/location', { pageSize: 500, pageNumber: 1 }, at),
      manager.call('POST', '/api/StaffContract/paginated', { pageSize: 500, pageNumber: 1 }, at),
      manager.call('POST', '/api/StaffContract/Export', {}, at),
      manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, at),
    ])
    const query = async (name: string, input: object): Promise<string> => (await browserAsk(product, finance, name, input, at)).text
    const histories = [
      await query('staff.history', { id: person.id }),
      await query('staff.reminders', { id: person.id }),
      await query('budgets.history', {}),
    ]
    const seen = [...calls.map((reply) => reply.body), ...histories].map((body) => JSON.stringify(body))
    expect(seen[0]).toContain(`person ${person.id}`)
    const said = /Perpetua|Quillfeather|Q-77|2007-03-15|AB123456C|quill\.example/
    expect(seen.map((text) => said.exec(text)?.[0])).toEqual(seen.map(() => undefined))
    const found = await finance.call('POST', '/api/Staff/list', { search: 'Quillfeather' }, own)
    expect(found.body.rows).toEqual([])
  })

  it('deletes saved views that search for them, and renames every other view', async () => {
    const left = await browserQuery('listViews.list', { list: 'contracts' })
    expect(left.map(({ name }: Body) => name)).toEqual(['Cover of Fridays', 'View'])
  })

  it('is in the history with who did it, and no earlier version can be restored', async () => {
    const history = await browserQuery('staff.history', { id: person.id })
    expect(history[0]).toMatchObject({
      action: 'erased',
      sentence: 'erased the personal data',
      actor: 'Sam Turner',
      before: null,
      after: null,
    })
    await expect(browserCall(product, finance, 'staff.restore', { id: person.id, version: 1 }, own)).rejects.toThrow(
      'Version was not found.',
    )
    const change = await finance.call('PUT', '/api/Staff', { ...person, version: null }, own)
    expect([change.status, change.body]).toEqual([409, 'This person was erased and can no longer be changed.'])
    expect((await erase(finance, person.id, '')).status).toBe(409)
  })

  it('makes the employee number available, so that an employee who returns is added as a new one', async () => {
    const again = await finance.call('POST', '/api/Staff', { ...young, employeeNumber: 'Q-77', locations: [northgate] }, own)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(person.id)
    await browserCall(
      product,
      finance,
      'staff.addReminder',
      { id: again.body.id, description: 'Call Perpetua again', when: '2027-01-11' },
      at,
    )
  })

  it('keeps every chain intact, and the budget replays to the penny', async () => {
    for (const words of [['verify'], ['replay', '--budget', at.BudgetId]]) {
      const { code, out } = await audit(...words)
      expect(code, out).toBe(0)
    }
  })

  it('leaves nothing in the database that could identify them', async () => {
    const [row] = await connectAsOwner(product.config.databaseUrl)`
      select vault, (select count(*)::int from vault_keys where subject = staff_members.subject) as keys from staff_members where id = ${person.id}`
    expect(row!.keys).toBe(0)
    const said = await connectAsOwner(product.config.databaseUrl)`
      select resource, action from reference_changes where concat(before::text, after::text) ~ 'Perpetua|Quillfeather'`
    expect(said).toEqual([])
    const { ages } = JSON.parse(row!.vault)
    expect(JSON.stringify(ages)).not.toContain('2007')
    expect(Object.values(ages.reached)).toContain('2028-03-15')
  })
})

/** A promise that the test resolves with `open`. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { open: () => open(), opened }
}

describe('a file that is being made', () => {
  const paper = { title: 'Staffing', subtitle: '', author: '', head: '', foot: '', blocks: [] }
  const asked = async (): Promise<string> =>
    (await finance.call('POST', '/api/Reporting/paper', { report: 'staffing', budgetId: at.BudgetId }, own)).body.id
  const make = (id: string, read: () => Promise<void>) =>
    tryToMakeFile(store, {
      organisationId: places.organisationId,
      id,
      makers: {
        report: async () => {
          await read()
          return { paper, fileName: 'Staffing', locationIds: [northgate], namesStaff: true }
        },
      },
    })
  const isMade = async (id: string): Promise<boolean | undefined> => {
    const [row] = await connectAsOwner(product.config.databaseUrl)`select made_at is not null as made from made_files where id = ${id}`
    return row?.made
  }
  /** Starts making a file, and pauses once its content has been read. */
  const begin = async (id: string) => {
    const reading = gate()
    const goesOn = gate()
    const ended = make(id, () => {
      reading.open()
      return goesOn.opened
    })
    await reading.opened
    const end = (): Promise<boolean> => {
      goesOn.open()
      return ended
    }
    return { end }
  }

  it('while somebody is erased is not stored, because it may contain their name, and is made again', async () => {
    const leaving = (await finance.call('POST', '/api/Staff', { ...other, employeeNumber: 'R-80', locations: [northgate] }, own)).body
    const [made, begun] = [await asked(), await asked()]
    expect(await make(made, async () => undefined)).toBe(true)
    const first = await begin(begun)
    expect((await erase(finance, leaving.id, 'R-80')).status).toBe(204)
    expect(await first.end()).toBe(false)
    expect([await isMade(made), await isMade(begun)]).toEqual([undefined, false])
    expect(await make(begun, async () => undefined)).toBe(true)
    expect(await isMade(begun)).toBe(true)
  })

  it('is stored by the worker that started it last, and given to one worker at a time', async () => {
    const id = await asked()
    const first = await begin(id)
    const second = await begin(id)
    expect([await first.end(), await isMade(id)]).toEqual([false, false])
    expect([await second.end(), await isMade(id)]).toEqual([true, true])
    const queues = await openQueues(product.config)
    const given: string[] = []
    const working = gate()
    const goesOn = gate()
    const worker = openRecalculationWorker(
      product.config,
      async ({ data }: Job<FileJob>) => {
        if (data.fileId === 'last') goesOn.open()
        if (data.fileId !== id) return
        given.push(id)
        working.open()
        await goesOn.opened
      },
      2,
    )
    atEnd(() => Promise.all([worker.close(), queues.close()]))
    await queues.wakeFile({ organisationId: places.organisationId, fileId: id })
    await working.opened
    await queues.wakeFile({ organisationId: places.organisationId, fileId: id })
    await queues.wakeFile({ organisationId: places.organisationId, fileId: 'last' })
    await goesOn.opened
    expect(given).toEqual([id])
  })
})

const browserQuery = async (name: string, input: object): Promise<Body> => (await browserAsk(product, finance, name, input, own)).data

function audit(...words: string[]): Promise<{ code: number; out: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [findProgram('audit'), ...words],
      { cwd: join(import.meta.dirname, '../../..'), env: { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl) } },
      (error, out, problem) => done({ code: error ? Number(error.code) : 0, out: out + problem }),
    )
  })
}
