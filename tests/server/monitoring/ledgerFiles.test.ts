import { beforeAll, describe, expect, it } from 'vitest'
import type { ColumnMeaning } from '../../../domain/monitoring/ledger/columns.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
/** The ids of the trust’s budget codes, by code. */
let codes: Record<string, number>
let centres: Record<string, number>

const permissions = [
  'ConsoleMonitoringReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleBudgetCodesReadUpdate',
  'ConsoleCostCentresReadUpdate',
]
const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  const lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  finance = await inviteAndSignIn(product, administrator, 'ledger@harbour.example', permissions, places.organisationId)
  const idsOf = async (path: string): Promise<Record<string, number>> => {
    const { body } = await lead.call('POST', `/api/${path}/list`, everything, own)
    return Object.fromEntries(body.rows.map((row: Body) => [row.code, row.id]))
  }
  codes = await idsOf('BudgetCodes')
  centres = await idsOf('CostCentres')
}, 300_000)

const of = (who: Caller = finance, selection: Selection = own) => proceduresOf(product, who, selection)
type Sent = Parameters<ReturnType<typeof of>['ledgers']['compare']['mutate']>[0]

const columns: ColumnMeaning[] = ['location', 'account', 'accountName', 'amount', 'commitment']
const heading = 'School\tCode\tName\tActual\tCommitted'
const none = { account: [], costCentre: [], fund: [], tag: [], location: [] }

/** A budget monitoring report, mapped as in the demo. Rows are text with bars between cells; totals are pennies. */
function file(rows: string[], amount: number, commitment = 0, more: Partial<Sent> = {}): Sent {
  return {
    year: 2026,
    month: 12,
    type: 1,
    ledger: 'Sage',
    headingRow: 1,
    columns,
    sign: 'usual',
    isCumulative: false,
    locationId: null,
    costCentreId: centres.OFF!,
    mapping: {
      ...none,
      account: ['1000', '4000', '4240'].map((text) => ({ text, id: codes[text]! })),
      location: [
        { text: 'S1', id: places.locations.Northgate! },
        { text: 'S2', id: Object.values(places.locations)[1]! },
      ],
    },
    rows: [heading, ...rows.map((row) => row.replaceAll('|', '\t'))],
    total: { amount, commitment },
    monthIsMeant: false,
    ...more,
  }
}
const compare = (sent: Sent, who = finance, selection: Selection = own) => of(who, selection).ledgers.compare.mutate(sent)
const save = (sent: Sent, versions: { locationId: LocationId; version: number }[], again = false, who = finance) =>
  of(who).ledgers.import.mutate({ ...sent, versions, again })
/** Compares a file and saves it as compared. */
async function importFile(sent: Sent, again = false) {
  const seen = await compare(sent)
  return { seen, done: await save(sent, seen.versions, again) }
}
const errorsOf = async (work: Promise<unknown>): Promise<Body[]> =>
  work.then(
    () => [],
    (error: Body) => error.data.problem.details?.errors ?? [{ message: error.message }],
  )
const listed = async (month: number, year = 2026): Promise<Body[]> =>
  (await finance.call('POST', `/api/monitoring/actuals-commitments/list/${year}/${month}`, everything, own)).body.rows
const clear = (month: number) => finance.call('DELETE', `/api/monitoring/actuals-commitments/2026/${month}`, undefined, own)

describe('a ledger file', () => {
  const rows = ['S1|4000|Supply|300.00|40.00', 'S1|1000|Grant|1,000.00|', 'S2|4240|Energy|(20.50)|', '|Total||1,279.50|40.00']
  it('is compared without saving anything, then imported for each of its schools', async () => {
    const sent = file(rows, 127_950, 4000)
    const seen = await compare(sent)
    expect(seen).toMatchObject({ kept: 4, added: { lines: 4, value: 131_950 }, gone: { lines: 0 }, same: { lines: 0 }, alreadyIn: null })
    expect(seen.proof.imported).toEqual({ rows: 3, amount: 127_950, commitment: 4000 })
    expect(await listed(12)).toEqual([])
    expect(await save(sent, seen.versions)).toEqual({ imported: 4, created: 4, updated: 0 })
    expect((await listed(12)).map((row) => [row.budgetCode, row.type, row.value, row.description]).sort((a, b) => a[2] - b[2])).toEqual([
      [codes['4240'], 1, -20.5, '4240 Energy'],
      [codes['4000'], 2, 40, '4000 Supply'],
      [codes['4000'], 1, 300, '4000 Supply'],
      [codes['1000'], 1, 1000, '1000 Grant'],
    ])
  })
  it('imported again shows line by line what is added, removed and changed', async () => {
    const sent = file(['S1|4000|Supply|325.00|40.00', 'S1|4240|Energy|9.00|', 'S2|4240|Energy|(20.50)|'], 31_350, 4000)
    const seen = await compare(sent)
    expect(seen.changes.map(({ kind, budgetCodeId, before, after }) => [kind, budgetCodeId, before, after])).toEqual([
      ['gone', codes['1000'], 100_000, null],
      ['changed', codes['4000'], 30_000, 32_500],
      ['added', codes['4240'], null, 900],
    ])
    expect(seen.same).toEqual({ lines: 2, value: 4000 - 2050 })
    await save(sent, seen.versions)
    expect(await listed(12)).toHaveLength(4)
  })
  it('that was already imported is reported, and imported again on confirmation', async () => {
    const sent = file(rows, 127_950, 4000)
    await importFile(sent)
    const seen = await compare(sent)
    expect(seen.alreadyIn).toMatchObject({ year: 2026, month: 12 })
    await expect(save(sent, seen.versions)).rejects.toThrow('The same file was imported for December 2026')
    expect(await save(sent, seen.versions, true)).toMatchObject({ imported: 4 })
  })
  it('whose rows are not mapped is refused with each of them, and imported when they are left out on purpose', async () => {
    const more = [...rows.slice(0, 3), 'S1|9100|Bank|5.00|', 'S7|4000|Supply|6.00|']
    const sent = file(more, 129_050, 4000)
    expect((await errorsOf(compare(sent))).map(({ row, column, value }) => [row, column, value])).toEqual([
      [5, 'Code', '9100'],
      [6, 'School', 'S7'],
    ])
    expect((await errorsOf(save(sent, [])))[0].message).toBe('This is not mapped to a budget code. Map it, or leave it out on purpose.')
    const mapping = {
      ...sent.mapping,
      account: [...sent.mapping.account, { text: '9100', id: null }],
      location: [...sent.mapping.location, { text: 'S7', id: null }],
    }
    expect((await compare({ ...sent, mapping })).proof.leftOut).toEqual({ rows: 2, amount: 1100, commitment: 0 })
  })
  it('that differs from the proved total is refused, and so is one that was tampered with on the way', async () => {
    const before = await listed(12)
    await expect(save(file(rows, 127_951, 4000), [])).rejects.toThrow(
      'The file has actuals of £1,279.50 and commitments of £40.00, but £1,279.51 and £40.00 were confirmed. Choose the file again.',
    )
    await expect(save(file(rows.slice(0, 2), 127_950, 4000), [])).rejects.toThrow('Choose the file again.')
    expect(await listed(12)).toEqual(before)
  })
  it('has an invalid cell named by row, column, value and what to do, and nothing saved', async () => {
    const before = await listed(12)
    const dated: ColumnMeaning[] = ['date', 'location', 'account', 'amount']
    const dates = ['Transactions of December 2025', 'Date\tSchool\tCode\tAmount', '31/02/2026\tS1\t4000\t1.00']
    const errors = await errorsOf(save(file([], 0, 0, { columns: dated, rows: dates, headingRow: 2 }), []))
    expect(errors.map(({ row, column, value }) => [row, column, value])).toEqual([
      [3, 'Date', '31/02/2026'],
      [1, null, 'Transactions of December 2025'],
    ])
    for (const { message } of errors) expect(message).toMatch(/\.$/)
    const [far] = await errorsOf(compare(file(['S1|4000||1.00|'], 100, 0, { year: 2050 })))
    expect([far.row, far.column, far.value, far.message]).toEqual([
      2,
      'School',
      'S1',
      'December 2050 is not covered by any budget for Northgate Primary School. Add a budget for that year, or choose another month.',
    ])
    expect(await listed(12)).toEqual(before)
  })
  it('that is cumulative is stored as the month: the file less what was imported before', async () => {
    const next = { year: 2027 }
    await importFile(file(['S1|4000||90.00|'], 9000, 0, { ...next, month: 9 }))
    const sent = file(['S1|4000||220.00|40.00', 'S1|4240||7.00|'], 22_700, 4000, { ...next, month: 10, isCumulative: true })
    const { seen } = await importFile(sent)
    expect(seen.proof.imported.amount).toBe(22_700)
    const kept = (await listed(10, 2027)).map((row) => [row.budgetCode, row.type, row.value])
    expect(kept.sort((a, b) => a[2] - b[2])).toEqual([
      [codes['4240'], 1, 7],
      [codes['4000'], 2, 40],
      [codes['4000'], 1, 130],
    ])
    // A late journal into September: October was calculated from the former cumulative amounts.
    const late = await compare(file(['S1|4000||95.00|'], 9500, 0, { ...next, month: 9, isCumulative: true }))
    expect(late.later).toEqual([{ year: 2027, month: 10 }])
  })
  it('keeps reference, supplier and day of each line, which are shown behind a figure', async () => {
    const dated: ColumnMeaning[] = ['date', 'reference', 'supplier', 'location', 'account', 'amount']
    const lines = [
      'Date\tRef\tSupplier\tSchool\tCode\tAmount',
      '03/11/2027\tINV1\tTotal Gas & Power\tS1\t4000\t61.25',
      '\t\t\tS1\t4000\t1.00',
    ]
    await importFile(file([], 6225, 0, { month: 11, year: 2027, columns: dated, rows: lines }))
    const asked = { year: 2027, month: 11, budgetId: places.budgets.Northgate }
    const { body } = await finance.call('POST', `/api/monitoring/ActualsYTD/${codes['4000']}`, asked, own)
    const shown = body.lines.filter((line: Body) => line.month === 11)
    expect(shown.map(({ date, reference, supplier, value }: Body) => [date, reference, supplier, value])).toEqual([
      ['2027-11-03', 'INV1', 'Total Gas & Power', 61.25],
      [null, null, null, 1],
    ])
  })
  it('for a closed month is refused', async () => {
    const sent = file(['S2|4000||1.00|'], 100, 0, { month: 9 })
    // The comparison is refused too, not only the save.
    await expect(compare(sent)).rejects.toThrow(/September 2026 is closed/)
    await expect(save(sent, [])).rejects.toThrow(/September 2026 is closed/)
  })
  it('is imported without the rows that the user leaves out, and the history of the month names them', async () => {
    await clear(12)
    const broken = ['S1|4000|Supply|300.00|', 'S1|4240|Energy|#REF!|', 'S1|1000|Grant|50.00|']
    expect((await errorsOf(compare(file(broken, 35_000)))).map(({ row }) => row)).toEqual([3])
    const sent = file(broken, 30_000, 0, { leftOut: [3, 4] })
    const { seen } = await importFile(sent)
    expect(seen.proof.imported).toEqual({ rows: 1, amount: 30_000, commitment: 0 })
    expect(await listed(12)).toHaveLength(1)
    const [newest] = await of().monitoring.history.query({ locationId: places.locations.Northgate! })
    // The file is for several locations, so the history of one names no amounts of others.
    expect(newest?.sentence).toBe('imported 1 line for December 2026, leaving out 2 rows of the file (3 and 4)')
  })
  it('teaches codes that only an uploaded list of old codes has', async () => {
    await clear(12)
    const sent = file(['S1|4000|Supply|7.00|'], 700)
    const account = [...sent.mapping.account, { text: 'OLD 17', id: codes['4240']! }]
    await importFile({ ...sent, mapping: { ...sent.mapping, account } })
    const sage = (await of().ledgers.open.query()).ledgers.find((one) => one.name === 'Sage')!
    expect(sage.texts.account).toContainEqual({ text: 'old 17', id: codes['4240'] })
  })
  it('imported by two users at once is saved for one, and the other must compare again', async () => {
    await clear(12)
    const [a, b] = [file(['S1|4000||1.00|'], 100), file(['S1|4000||2.00|'], 200)]
    const { versions } = await compare(a)
    const said = await Promise.allSettled([save(a, versions), save(b, versions)])
    expect(said.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    const [refused] = said.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
    expect(refused).toBe('December 2026 has changed since you last looked. Check the changes again.')
    expect(await listed(12)).toHaveLength(1)
  })
  it('leaves logs that replay, intact chains, and can be undone in the history', async () => {
    const store = openStore(product.config, 1)
    const findings = await store.asPlatform(async (tx) => (await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings)
    await store.close()
    expect(findings).toEqual([])
    const at = { locationId: places.locations.Northgate! }
    const [newest] = await of().monitoring.history.query(at)
    expect(newest).toMatchObject({ sentence: 'imported 1 line for December 2026', undoable: true })
    await of().monitoring.undo.mutate({ ...at, version: newest!.version })
    expect(await listed(12)).toEqual([])
  })
})

describe('the remembered mapping of a ledger', () => {
  it('is used for the next file, changed by it, and stored per organisation and ledger', async () => {
    await importFile(file(['S1|4000||11.00|'], 1100))
    const ledgers = (await of().ledgers.open.query()).ledgers
    const sage = ledgers.find((one) => one.name === 'Sage')!
    expect(sage).toMatchObject({ layout: 'budgetReport', sign: 'usual', isCumulative: false, costCentreId: centres.OFF })
    expect(sage.columns[1]).toEqual({ heading: 'code', meaning: 'account' })
    expect(sage.texts.account).toContainEqual({ text: '4240', id: codes['4240'] })
    const other = file(['S1|4240||12.00|'], 1200, 0, { ledger: 'sage' })
    other.mapping = { ...other.mapping, account: [{ text: '4240', id: codes['4000']! }] }
    await importFile(other)
    const again = (await of().ledgers.open.query()).ledgers
    expect(again.filter((one) => one.name.toLowerCase() === 'sage')).toHaveLength(1)
    expect(again.find((one) => one.name === 'Sage')!.texts.account).toContainEqual({ text: '4240', id: codes['4000'] })
  })
  it('does not include decisions on rows without a code, which apply to their file alone', async () => {
    const sent = file(['S1|4000||13.00|', '|Total||99.00|'], 11_200)
    const [row] = await errorsOf(compare(sent))
    expect([row.row, row.value]).toEqual([3, 'Total (row 3)'])
    const mapping = {
      ...sent.mapping,
      account: [...sent.mapping.account, { text: 'Total (row 3)', id: null }],
      location: sent.mapping.location,
    }
    await importFile({ ...sent, mapping })
    const [sage] = (await of().ledgers.open.query()).ledgers
    expect(sage!.texts.account.filter(({ text }) => text.startsWith('total'))).toEqual([])
  })
  it('is changed without a file: columns, signs and texts; the next file is read accordingly, and the history says who did what', async () => {
    const before = (await of().ledgers.open.query()).ledgers.find((one) => one.name === 'Sage')!
    const { id, version, columns: known, sign, isCumulative, costCentreId } = before
    const change = { id, version, columns: known, sign, isCumulative, costCentreId, mapping: none, forgotten: [] }
    await of().ledgers.change.mutate({
      ...change,
      sign: 'debit',
      columns: known.filter((one) => one.meaning !== 'commitment'),
      mapping: { ...none, account: [{ text: '4240', id: null }] },
      forgotten: [{ kind: 'location', text: 's2' }],
    })
    const now = (await of().ledgers.open.query()).ledgers.find((one) => one.id === id)!
    expect(now).toMatchObject({ version: version + 1, sign: 'debit', isCumulative: false })
    expect(now.columns.map((one) => one.meaning)).toEqual(columns.filter((one) => one !== 'commitment'))
    expect(now.texts.account).toContainEqual({ text: '4240', id: null })
    expect(now.texts.account).toHaveLength(before.texts.account.length)
    expect(now.texts.location.some(({ text }) => text === 's2')).toBe(false)
    const [last, ...earlier] = await of().ledgers.history.query({ id })
    expect(last!.version).toBe(version + 1)
    expect(last!.sentence).toMatch(
      /^changed what columns hold; chose that income is negative; mapped “4240” to nothing: left out on purpose instead of 4.*; forgot “s2”$/,
    )
    expect(earlier.at(-1)!.sentence).toContain('imported its first file')
    await expect(of().ledgers.change.mutate(change)).rejects.toThrow('have changed since you last looked')
    const again = { ...change, version: version + 1, columns: now.columns }
    await expect(of().ledgers.change.mutate({ ...again, columns: now.columns.slice(0, 1) })).rejects.toThrow(
      'Choose the column of account codes',
    )
    await expect(
      of().ledgers.change.mutate({ ...again, mapping: { ...none, account: [{ text: '4240', id: 99_999_999 }] } }),
    ).rejects.toThrow('Budget code')
    expect(await of().ledgers.change.mutate(again)).toEqual({ version: version + 2 })
    expect((await of().ledgers.history.query({ id }))[0]!.version).toBe(version + 2)
    expect(await of().ledgers.change.mutate({ ...again, version: version + 2 }), 'the same once more').toEqual({ version: version + 2 })
  })
  it('loses an entry with its deleted code, and is forgotten on request', async () => {
    const { body: made } = await finance.call(
      'POST',
      '/api/BudgetCodes',
      { code: 'LEDG', type: 2, description: 'Mapped', locations: [] },
      own,
    )
    const sent = file(['S1|4000||14.00|'], 1400)
    await importFile({ ...sent, mapping: { ...sent.mapping, account: [...sent.mapping.account, { text: 'X1', id: made.id }] } })
    expect((await finance.call('DELETE', `/api/BudgetCodes/${made.id}`, undefined, own)).status).toBe(204)
    const sage = (await of().ledgers.open.query()).ledgers.find((one) => one.name === 'Sage')!
    expect(sage.texts.account.some(({ text }) => text === 'x1')).toBe(false)
    await of().ledgers.forget.mutate({ id: sage.id })
    expect((await of().ledgers.open.query()).ledgers).toEqual([])
    await expect(of().ledgers.forget.mutate({ id: sage.id })).rejects.toThrow('Ledger')
  })
})

describe('the permission', () => {
  it('to import is the one to change actuals and commitments', async () => {
    const reader = await inviteAndSignIn(product, administrator, 'reads@harbour.example', ['ConsoleMonitoringRead'], places.organisationId)
    await expect(of(reader).ledgers.open.query()).rejects.toThrow()
    await expect(compare(file(['S1|4000||1.00|'], 100), reader)).rejects.toThrow('permission')
    await expect(save(file(['S1|4000||1.00|'], 100), [], false, reader)).rejects.toThrow('permission')
    await expect(of(reader).ledgers.forget.mutate({ id: 1 })).rejects.toThrow('permission')
    await expect(of(reader).ledgers.history.query({ id: 1 })).rejects.toThrow('permission')
    const change = {
      id: 1,
      version: 1,
      columns: [],
      sign: 'usual',
      isCumulative: false,
      costCentreId: null,
      mapping: none,
      forgotten: [],
    } as const
    await expect(of(reader).ledgers.change.mutate({ ...change, columns: [], forgotten: [] })).rejects.toThrow('permission')
  })
  it('for one school allows importing, and adding to the others’ mappings without changing them', async () => {
    await importFile(file(['S1|4000||21.00|'], 2100))
    const school = await inviteAndSignIn(product, administrator, 'own@harbour.example', permissions, places.organisationId, [
      places.locations.Northgate!,
    ])
    await expect(compare(file(['S1|4000||1.00|'], 100), school)).rejects.toThrow('Location')
    const onlyOwn = file(['S1|4000||22.00|'], 2200)
    onlyOwn.mapping = {
      ...none,
      account: [
        { text: '4000', id: codes['4240']! },
        { text: 'NEW', id: codes['4240']! },
      ],
      location: [{ text: 'S1', id: places.locations.Northgate! }],
    }
    const seen = await compare(onlyOwn, school)
    await save(onlyOwn, seen.versions, false, school)
    expect((await listed(12)).map((row) => row.budgetCode)).toEqual([codes['4240']])
    const sage = (await of().ledgers.open.query()).ledgers.find((one) => one.name === 'Sage')!
    expect(sage.texts.account).toContainEqual({ text: '4000', id: codes['4000'] })
    expect(sage.texts.account).toContainEqual({ text: 'new', id: codes['4240'] })
    const opened = await of(school).ledgers.open.query()
    expect(opened.targets.location.map((one) => one.id)).toEqual([places.locations.Northgate])
    expect(opened.ledgers[0]!.texts.location).toEqual([{ text: 's1', id: places.locations.Northgate }])
    await expect(of(school).ledgers.forget.mutate({ id: sage.id })).rejects.toThrow('This applies to the whole organisation.')
  })
  it('gives no access to another organisation', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const elsewhere = await findTrustIds(meadow)
    const theirs = { OrganisationId: elsewhere.organisationId }
    expect((await of(meadow, theirs).ledgers.open.query()).ledgers).toEqual([])
    await expect(compare(file(['S1|4000||1.00|'], 100), meadow, theirs)).rejects.toThrow('Budget code')
    await expect(compare(file(['S1|4000||1.00|'], 100), meadow)).rejects.toThrow()
    const sage = (await of().ledgers.open.query()).ledgers.find((one) => one.name === 'Sage')!
    await expect(of(meadow, theirs).ledgers.forget.mutate({ id: sage.id })).rejects.toThrow('Ledger')
    const owner = connectAsOwner(product.config.databaseUrl)
    await expect(
      owner`insert into ledger_texts (organisation_id, ledger_id, kind, text) values (${elsewhere.organisationId}, ${sage.id}, 'account', 'x')`,
    ).rejects.toThrow('ledger_texts_ledger_fk')
  })
})
