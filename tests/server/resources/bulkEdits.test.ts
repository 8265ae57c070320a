import { beforeAll, describe, expect, it } from 'vitest'
import { binPermissions } from '../../../domain/changes/bin.ts'
import { allPermissions, type Permission } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { compareReferenceRecords } from '../../../server/audit/verify/registers.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { type OrganisationTx, openStore } from '../../../server/core/database/database.ts'
import { listRestorableResources } from '../../../server/features/bin/queries.ts'
import { readBinRecords } from '../../../server/resources/undoing/deleted.ts'
import { undoChange } from '../../../server/resources/undoing/undo.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, browserAsk, browserCall, type Caller, findTrustIds, inviteAndSignIn, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { until } from '../../support/running/worker.ts'

let product: Product
let finance: Caller
let own: { OrganisationId: OrganisationId }
let northgate: LocationId

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
})

const codes = (count: number, words: string) =>
  Array.from({ length: count }, (_unused, n) => ({
    Type: 'Expenditure',
    Code: `BULK${n}`,
    Description: `${words} ${n}`,
    Category: 'Non-staffing',
  }))
const send = (rows: Record<string, string>[]) => finance.call('POST', '/api/BudgetCodes/import', rows, own)
const list = async (path: string, search: string): Promise<Body[]> =>
  (await finance.call('POST', `/api/${path}/list`, { search, pageNumber: 1, pageSize: 1000 }, own)).body.rows
const edit = (path: string, ids: number[], changes: Record<string, unknown>) =>
  finance.call(
    'PATCH',
    `/api/${path}/edit`,
    {
      state: { selectAll: false, toggledNodes: ids },
      patch: Object.entries(changes).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value })),
    },
    own,
  )
const logged = (resource: string, ids: number[]) =>
  connectAsOwner(product.config.databaseUrl)`
    select record_id::int as id, version, action, before, after from reference_changes
    where resource = ${resource} and record_id = any(${ids.map(String)}) order by reference_changes.id`

async function inDatabase<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const store = openStore(product.config, 1)
  try {
    return await store.asPlatform(work)
  } finally {
    await store.close()
  }
}

describe('many records at once', () => {
  it('are imported, and imported again with changes: only the changed ones get a version and a log entry', async () => {
    expect((await send(codes(700, 'First'))).body).toMatchObject({ imported: 700, created: 700, updated: 0 })
    const again = codes(700, 'First').map((row, n) => (n % 2 ? { ...row, Description: `Second, with "quotes" and £ ${n}` } : row))
    expect((await send(again)).body).toMatchObject({ imported: 700, created: 0, updated: 350 })
    const rows = await list('BudgetCodes', 'BULK')
    expect(rows).toHaveLength(700)
    expect(rows.filter((row) => row.version === 2)).toHaveLength(350)
    expect(rows.find((row) => row.code === 'BULK1')).toMatchObject({ description: 'Second, with "quotes" and £ 1', version: 2 })
    const log = await logged(
      'budgetCode',
      rows.map((row) => row.id),
    )
    expect(log.filter((line) => line.version === 1)).toHaveLength(700)
    const second = log.filter((line) => line.version === 2)
    expect(second).toHaveLength(350)
    for (const line of second) {
      expect(line.action).toBe('imported')
      expect(line.after).toMatchObject({ id: line.id, version: 2, code: line.before.code })
      expect(line.before.description).not.toBe(line.after.description)
    }
  })
  it('are edited: every record gets the value and a new version, and the log has the former and the new value', async () => {
    const before = await list('BudgetCodes', 'BULK')
    const ids = before.map((row) => row.id)
    expect((await edit('BudgetCodes', ids, { locations: [northgate], description: 'All the same' })).body).toMatchObject({ updated: 700 })
    const after = await list('BudgetCodes', 'BULK')
    for (const row of after) {
      const was = before.find((one) => one.id === row.id)!
      expect(row).toEqual({ ...was, locations: [northgate], description: 'All the same', version: was.version + 1 })
    }
    const log = await logged('budgetCode', ids)
    for (const row of after) {
      const line = log.findLast((one) => one.id === row.id)!
      expect(line).toMatchObject({ action: 'updated', version: row.version })
      expect(line.after).toEqual(row)
      expect(line.before).toEqual(before.find((one) => one.id === row.id))
    }
  })
  it('that already have a value are not changed and not logged', async () => {
    const ids = (await list('BudgetCodes', 'BULK')).map((row) => row.id)
    const lines = (await logged('budgetCode', ids)).length
    expect((await edit('BudgetCodes', ids, { description: 'All the same' })).status).toBe(200)
    expect((await logged('budgetCode', ids)).length).toBe(lines)
  })
  it('are all refused if two would get the same name, a value is invalid, or a reference is missing', async () => {
    const before = await list('BudgetCodes', 'BULK')
    const ids = before.map((row) => row.id)
    const same = await edit('BudgetCodes', ids.slice(0, 3), { code: 'bulk9' })
    expect([same.status, same.body]).toEqual([409, 'Code is already used.'])
    const among = await edit('BudgetCodes', ids.slice(0, 3), { code: 'NOBODY' })
    expect([among.status, among.body]).toEqual([409, 'Code is already used.'])
    const wrong = await edit('BudgetCodes', ids, { description: 'x'.repeat(300) })
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('can have at most')])
    const nowhere = await edit('BudgetCodes', ids, { locations: [999_999] })
    expect([nowhere.status, nowhere.body]).toEqual([400, expect.stringContaining('was not found')])
    expect(await list('BudgetCodes', 'BULK')).toEqual(before)
  })
  it('keep what is stored as a list of items, as rates or as rows', async () => {
    const types = (await list('ContractTypes', '')).filter((row) => row.organisationId !== null).slice(0, 2)
    const before = types.map(({ payScaleTypes }) => payScaleTypes)
    const ids = types.map((row) => row.id)
    expect((await edit('ContractTypes', ids, { incrementMonth: 7 })).status).toBe(200)
    const now = (await list('ContractTypes', '')).filter((row) => ids.includes(row.id))
    for (const row of now) expect(row).toMatchObject({ incrementMonth: 7, payScaleTypes: before[ids.indexOf(row.id)] })
    const allowances = (await list('Allowances', '')).slice(0, 2)
    const rates = [{ effectiveDate: '2026-09-01', value: 12.34 }]
    expect(
      (
        await edit(
          'Allowances',
          allowances.map((row) => row.id),
          { rates },
        )
      ).status,
    ).toBe(200)
    for (const { id } of allowances) expect((await finance.call('GET', `/api/Allowances/${id}`, undefined, own)).body.rates).toEqual(rates)
  })
})

describe('a bulk change is undone', () => {
  const aLocation = async (by: Caller): Promise<Body> => {
    const {
      id: _id,
      version: _version,
      created: _created,
      ...values
    } = (await by.call('GET', `/api/Locations/${northgate}`, undefined, own)).body
    return { ...values, dfeNumber: null, referenceNumber: null, budgetCodeFilter: null, payrollRecId: null }
  }
  const undo = (entity: string, change: { id: number; version: number | null }, by = finance): Promise<Body> =>
    browserCall(product, by, `resources.${entity}.undo`, change, own)
  const all = async (path: string): Promise<Body[]> => (await list(path, '')).sort((a, b) => a.id - b.id)
  const plain = (rows: Body[]) => rows.map(({ version: _version, ...row }) => row)
  const make = async (path: string, body: Body): Promise<Body> => {
    const made = await finance.call('POST', `/api/${path}`, body, own)
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body
  }
  const remove = (path: string, ids: number[]) =>
    finance.call('POST', `/api/${path}/delete`, { state: { selectAll: false, toggledNodes: ids } }, own)

  it('for an import as a whole: its new records are deleted, its changes reversed', async () => {
    const before = await all('BudgetCodes')
    const { body } = await send([
      ...codes(300, 'Imported anew'),
      { Type: 'Expenditure', Code: 'UNDO1', Description: 'New by the file', Category: 'Non-staffing' },
    ])
    expect(body).toMatchObject({ created: 1, updated: 300 })
    expect((await undo('budgetCode', body.change)).count).toBe(301)
    expect(plain(await all('BudgetCodes'))).toEqual(plain(before))
    await expect(undo('budgetCode', body.change)).rejects.toThrow(/has since been (changed|deleted) by .+ on .+ Nothing was undone\./)
  })
  it('for a bulk edit, and undoing the undo', async () => {
    const before = await all('BudgetCodes')
    const ids = before.filter(({ code }) => code.startsWith('BULK')).map((row) => row.id)
    const { body } = await edit('BudgetCodes', ids, { description: 'Edited' })
    const lines = (await logged('budgetCode', ids)).length
    const { record } = await undo('budgetCode', body.change)
    expect(plain(await all('BudgetCodes'))).toEqual(plain(before))
    expect((await logged('budgetCode', ids)).length).toBe(lines + ids.length)
    expect(await undo('budgetCode', { id: record.id, version: record.version })).toMatchObject({ count: ids.length })
    expect((await list('BudgetCodes', 'BULK')).every(({ description }) => description === 'Edited')).toBe(true)
  })
  it('for a bulk deletion: the same records exist again under their ids, and can be referred to again', async () => {
    const before = await list('BudgetCodes', 'BULK')
    const { body } = await remove(
      'BudgetCodes',
      before.map((row) => row.id),
    )
    expect(body).toMatchObject({ deleted: 700 })
    expect(await list('BudgetCodes', 'BULK')).toEqual([])
    expect((await undo('budgetCode', body.change)).count).toBe(700)
    const after = await list('BudgetCodes', 'BULK')
    expect(plain(after)).toEqual(plain(before))
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 2))
    const history = await browserAsk(product, finance, 'resources.budgetCode.history', { id: after[0].id }, own)
    expect(history.data.slice(0, 2)).toMatchObject([{ action: 'restored' }, { action: 'deleted' }])
  })
  it('except for a code that somebody else has used since, which is reported with its record', async () => {
    const one = await make('FundCodes', { code: 'SW1', description: 'One', locations: [] })
    const two = await make('FundCodes', { code: 'SW2', description: 'Two', locations: [] })
    const put = (row: Body, code: string) => finance.call('PUT', '/api/FundCodes', { ...row, code }, own)
    const away = (await put(one, 'SW3')).body
    expect((await put(two, 'SW1')).status).toBe(200)
    await expect(undo('fundCode', { id: away.id, version: away.version })).rejects.toThrow(
      'SW3 One cannot be changed back: Code is already used.',
    )
    expect((await finance.call('GET', `/api/FundCodes/${one.id}`, undefined, own)).body.code).toBe('SW3')
  })
  it('with the rows of a deleted table, but an added table is not removed once it has newer rows', async () => {
    const table = await make('Inflation', { name: 'Undone prices' })
    const code = (await all('BudgetCodes'))[0].id
    const row = await make('InflationRate', { inflationId: table.id, budgetCodeId: code, rates: [1, 2, 3, 4, 5] })
    await expect(undo('inflation', { id: table.id, version: 1 })).rejects.toThrow(
      'Non-staff inflation now has inflation rates. Delete it instead.',
    )
    expect((await finance.call('DELETE', `/api/Inflation/${table.id}`, undefined, own)).status).toBe(204)
    await expect(undo('inflationRate', { id: row.id, version: null })).rejects.toThrow('is part of a larger change')
    expect(await undo('inflation', { id: table.id, version: null })).toMatchObject({ count: 2, record: { name: 'Undone prices' } })
    expect((await finance.call('GET', `/api/InflationRate/${row.id}`, undefined, own)).body).toMatchObject({ rates: [1, 2, 3, 4, 5] })
  })
  it('unless a deleted record refers to something that is gone, or its code was given to another', async () => {
    const [code, other] = [await make('CostCentres', { code: 'GONE', description: 'Gone' }), { code: 'gone', description: 'Another' }]
    await finance.call('DELETE', `/api/CostCentres/${code.id}`, undefined, own)
    const taking = await make('CostCentres', other)
    await expect(undo('costCentre', { id: code.id, version: null })).rejects.toThrow('GONE Gone cannot be restored: Code is already used.')
    await finance.call('DELETE', `/api/CostCentres/${taking.id}`, undefined, own)
    expect((await undo('costCentre', { id: code.id, version: null })).record).toMatchObject({ id: code.id, code: 'GONE' })
  })
  it('but not by a user who could not have made the change, here or elsewhere', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const made = await make('CostCentres', { code: 'RIGHTS', description: 'Rights', locations: [northgate] })
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'undo.reader@harbour.example',
      ['ConsoleCostCentresRead'],
      own.OrganisationId,
    )
    const write = ['ConsoleCostCentresReadUpdate', 'ConsoleLocationsReadUpdate']
    const elsewhere = Object.values((await findTrustIds(finance)).locations).find((id) => id !== northgate)!
    const far = await inviteAndSignIn(product, administrator, 'undo.far@harbour.example', write, own.OrganisationId, [elsewhere])
    const change = { id: made.id, version: made.version }
    await expect(undo('costCentre', change, reader)).rejects.toThrow('You do not have permission')
    await expect(undo('costCentre', change, far)).rejects.toThrow('Cost centre was not found.')
    await finance.call('DELETE', `/api/CostCentres/${made.id}`, undefined, own)
    await expect(undo('costCentre', { id: made.id, version: null }, far)).rejects.toThrow('Cost centre was not found.')
    const other = await signInAs(product, 'finance@meadow.example')
    const there = { OrganisationId: (await findTrustIds(other)).organisationId }
    await expect(browserCall(product, other, 'resources.costCentre.undo', { id: made.id, version: null }, there)).rejects.toThrow(
      'The change was not found.',
    )
    // A user who may change an organisation’s locations cannot create or delete them.
    const location = await administrator.call(
      'POST',
      '/api/Locations',
      { ...(await aLocation(administrator)), name: 'Undone school', alias: 'Undone' },
      own,
    )
    expect([location.status, location.body]).toEqual([201, expect.anything()])
    await expect(
      browserCall(product, far, 'resources.location.own.undo', { id: location.body.id, version: location.body.version }, own),
    ).rejects.toThrow('You do not have permission')
  })
  it('once if two users undo the same deletion at once, and the other is told', async () => {
    const made = await make('CostCentres', { code: 'TWICE', description: 'Twice', locations: [] })
    expect((await finance.call('DELETE', `/api/CostCentres/${made.id}`, undefined, own)).status).toBe(204)
    const outcomes = await Promise.allSettled([1, 2].map(() => undo('costCentre', { id: made.id, version: null })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((one) => one.status === 'rejected')?.reason.message).toContain('has since been changed by')
    expect(await list('CostCentres', 'TWICE')).toHaveLength(1)
  })
  it('but never removes what somebody saves at that very moment', async () => {
    const made = await make('CostCentres', { code: 'RACED', description: 'First', locations: [] })
    const saved = (await finance.call('PUT', '/api/CostCentres', { ...made, description: 'Second' }, own)).body
    const anew = await make('CostCentres', { code: 'RACEDNEW', description: 'New', locations: [] })
    const owner = connectAsOwner(product.config.databaseUrl)
    for (const change of [saved, anew]) {
      let undone: Promise<unknown> = Promise.resolve()
      // Another save of the record is not yet committed: the undo does not see it and waits for the row.
      await owner.begin(async (other) => {
        await other`update cost_centres set description = 'By somebody else', version = version + 1 where id = ${change.id}`
        undone = undo('costCentre', { id: change.id, version: change.version }).then(
          () => 'undone',
          (error) => error.message,
        )
        await until('the undo waits', async () => {
          const [waiting] =
            await owner`select count(*)::int as count from pg_locks where not granted and locktype in ('transactionid', 'tuple')`
          return waiting!.count > 0
        })
      })
      expect(await undone).toMatch(/has just been changed by someone else. Nothing was undone.$/)
      expect((await finance.call('GET', `/api/CostCentres/${change.id}`, undefined, own)).body.description).toBe('By somebody else')
      // The test changes the row without logging it, which the product never does.
      await owner`update cost_centres set description = ${change.description}, version = version - 1 where id = ${change.id}`
    }
  })
})

describe('the bin', () => {
  const bin = async (search: string, by = finance, selection = own) =>
    (await browserAsk(product, by, 'bin.list', { search, pageNumber: 1, pageSize: 100 }, selection)).data
  const restore = (records: { kind: string; id: number }[], further: { withNeeded?: boolean } = {}, by = finance): Promise<Body> =>
    browserCall(product, by, 'bin.restore', { records, ...further }, own)
  const make = async (path: string, body: Body): Promise<Body> => {
    const made = await finance.call('POST', `/api/${path}`, body, own)
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body
  }
  const drop = async (path: string, { id }: Body): Promise<void> =>
    expect((await finance.call('DELETE', `/api/${path}/${id}`, undefined, own)).status).toBe(204)

  it('lists what was deleted, by whom and how long it stays, until it is restored under its id', async () => {
    const made = await make('CostCentres', { code: 'BIN1', description: 'In the bin', locations: [northgate] })
    expect(await bin('BIN1')).toMatchObject({ total: 0, rows: [] })
    await drop('CostCentres', made)
    const { rows, kinds } = await bin('in the BIN')
    expect(rows).toEqual([
      {
        kind: 'costCentre',
        id: made.id,
        name: 'BIN1 In the bin',
        parts: 0,
        deletedBy: expect.stringMatching(/^\w+ \w+$/),
        deletedAt: expect.any(String),
        until: expect.any(String),
      },
    ])
    expect(Date.parse(rows[0].until) - Date.parse(rows[0].deletedAt)).toBe(30 * 86_400_000)
    expect(kinds).toContain('budgetCode')
    expect(await restore([{ kind: 'costCentre', id: made.id }])).toEqual({ restored: 1 })
    expect((await finance.call('GET', `/api/CostCentres/${made.id}`, undefined, own)).body).toEqual({ ...made, version: made.version + 2 })
    expect((await bin('BIN1')).total).toBe(0)
    await expect(restore([{ kind: 'costCentre', id: made.id }])).rejects.toThrow('no longer in the bin')
  })
  it('restores a table with its rows, which it does not list separately', async () => {
    const table = await make('Inflation', { name: 'Binned prices' })
    const code = await make('BudgetCodes', { type: 2, code: 'BINNED', description: 'Binned', category: 2 })
    const row = await make('InflationRate', { inflationId: table.id, budgetCodeId: code.id, rates: [1, 2, 3, 4, 5] })
    await drop('Inflation', table)
    await drop('BudgetCodes', code)
    expect((await bin('binned')).rows).toMatchObject([
      { kind: 'budgetCode', name: 'BINNED Binned' },
      { kind: 'inflation', name: 'Binned prices', parts: 1 },
    ])
    const wanted = [{ kind: 'inflation', id: table.id }]
    await expect(restore(wanted)).rejects.toThrow(
      'This belongs to budget code BINNED Binned, which was deleted too. Restore that first, or restore both.',
    )
    expect(await restore(wanted, { withNeeded: true })).toEqual({ restored: 3 })
    expect((await finance.call('GET', `/api/InflationRate/${row.id}`, undefined, own)).body).toMatchObject({ inflationId: table.id })
  })
  it('restores nothing whose code was given to another', async () => {
    const made = await make('CostCentres', { code: 'BIN2', description: 'First' })
    await drop('CostCentres', made)
    await make('CostCentres', { code: 'bin2', description: 'Second' })
    await expect(restore([{ kind: 'costCentre', id: made.id }])).rejects.toThrow('BIN2 First cannot be restored: Code is already used.')
    expect((await bin('BIN2')).total).toBe(1)
  })
  it('lists and restores only what the user could create, of their own locations and organisation', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const places = Object.values((await findTrustIds(finance)).locations)
    const [here, there] = [northgate, places.find((id) => id !== northgate)!]
    const [mine, theirs] = [
      await make('CostCentres', { code: 'BIN3', description: 'Here', locations: [here] }),
      await make('CostCentres', { code: 'BIN4', description: 'There', locations: [there] }),
    ]
    await drop('CostCentres', mine)
    await drop('CostCentres', theirs)
    const limited = await inviteAndSignIn(
      product,
      administrator,
      'bin.here@harbour.example',
      ['ConsoleCostCentresReadUpdate'],
      own.OrganisationId,
      [here],
    )
    const other = await inviteAndSignIn(
      product,
      administrator,
      'bin.other@harbour.example',
      ['ConsoleFundCodesReadUpdate'],
      own.OrganisationId,
    )
    expect((await bin('BIN', limited)).rows.map((row: Body) => row.id)).toContain(mine.id)
    expect((await bin('BIN4', limited)).total).toBe(0)
    expect(await bin('BIN3', other)).toEqual({ rows: [], total: 0, kinds: ['fundCode'] })
    await expect(restore([{ kind: 'costCentre', id: theirs.id }], {}, limited)).rejects.toThrow('no longer in the bin')
    await expect(restore([{ kind: 'costCentre', id: mine.id }], {}, other)).rejects.toThrow('You do not have permission')
    const meadow = await signInAs(product, 'finance@meadow.example')
    const away = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    expect((await bin('BIN3', meadow, away)).total).toBe(0)
    const reader = await signInAs(product, 'governor@harbour.example')
    expect((await browserAsk(product, reader, 'bin.list', {}, own)).status).toBe(403)
    expect(await restore([{ kind: 'costCentre', id: mine.id }], {}, limited)).toEqual({ restored: 1 })
  })
  it('is open to users who may create records in one of its lists, and to nobody else', () => {
    const lists = (permissions: readonly Permission[]) =>
      listRestorableResources({ isAdministrator: false, permissions, locationIds: null })
    // A user who manages budgets and their groups restores those from the bin.
    const ofBudgets: readonly Permission[] = ['ConsoleBudgetManagementReadUpdate', 'ConsoleBudgetGroupReadUpdate']
    const ofLists: readonly Permission[] = binPermissions.filter((permission) => !ofBudgets.includes(permission))
    for (const permission of ofLists) expect([permission, lists([permission]).length > 0]).toEqual([permission, true])
    const others = allPermissions.filter((permission) => !ofLists.includes(permission))
    expect(lists(others).map(({ name }) => name)).toEqual([])
    expect(lists([])).toEqual([])
  })
  it('contains no employees: one who is deleted is gone for good', async () => {
    const { kinds } = await bin('', await signInAs(product, 'admin@bursar.example'))
    expect(kinds).toContain('location')
    expect(kinds).not.toContain('staffMember')
    expect(kinds).not.toContain('user')
  })
  it('deletes everything after thirty days', async () => {
    const made = await make('CostCentres', { code: 'BIN5', description: 'Old' })
    await drop('CostCentres', made)
    const rows = { organisationId: own.OrganisationId, locationIds: null, isAdministrator: false }
    const seenAfter = (days: number) =>
      inDatabase((tx) => {
        const now = new Date(Date.now() + days * 86_400_000)
        return readBinRecords({ tx, resources: [resources.costCentre], rows, now }, resources.costCentre, [made.id])
      })
    expect(await seenAfter(29)).toHaveLength(1)
    expect(await seenAfter(31)).toEqual([])
    const store = openStore(product.config, 1)
    const later = new Date(Date.now() + 31 * 86_400_000)
    const undoer = {
      resource: resources.costCentre,
      scope: rows,
      actor: { userId: null, requestId: 'later', now: later },
      store,
      may: () => true,
    }
    await expect(inDatabase((tx) => undoChange(tx, undoer, { id: made.id, version: null }))).rejects.toThrow('30 days, which have passed')
    await store.close()
  })
  it('agrees with the log of changes, which proves every undone or restored record', async () => {
    expect(await inDatabase((tx) => compareReferenceRecords(tx, own.OrganisationId))).toEqual([])
    const { findings } = await inDatabase((tx) => verifyAllOnce(tx, { organisation: own.OrganisationId }, []))
    expect(findings).toEqual([])
  })
})
