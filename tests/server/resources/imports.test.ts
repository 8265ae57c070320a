import { beforeAll, describe, expect, it } from 'vitest'
import { buildImportRows, changeSheet, formatColumnFill } from '../../../client/resources/import/importFile.ts'
import { readSheets, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { resources } from '../../../domain/resources/all.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, browserCall, type Caller, findTrustIds, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
})

const file = (content: string | Uint8Array<ArrayBuffer>, name = 'codes.csv') => new File([content], name)
/** Reads a file into the rows that the page sends. */
async function read(chosen: File): Promise<Record<string, string>[]> {
  const sheets = readSheets(chosen.name, new Uint8Array(await chosen.arrayBuffer()), 'records')
  const { table } = changeSheet(
    { name: chosen.name, sheets, sheet: 0 },
    { columns: listColumns(resources.costCentre), labels: {}, learned: new Map(), layouts: [] },
  )
  return buildImportRows(splitRowsIntoCells(sheets[0]!.rows), { table, fills: {}, typed: new Map() }).map((row) => row.cells)
}
const send = (rows: Record<string, string>[]) => finance.call('POST', '/api/CostCentres/import', rows, own)
const found = async (code: string): Promise<Body> =>
  (
    await finance.call(
      'POST',
      '/api/CostCentres/list',
      { filters: [{ filter: 'code', filterType: 'text', type: 'equals', value: code }] },
      own,
    )
  ).body.rows[0]

describe('a column filled from the start dates of contracts, but not before a date', () => {
  it('has the later of the two dates, so that the points of today get no increments of past years', () => {
    const cells = [
      ['Contract name', 'Start date'],
      ['Teacher', '1st September 2012'],
      ['Caretaker', '04/01/2027'],
      ['Cook', 'soon'],
    ]
    const table = { headingRow: 1, columns: ['ContractName', 'StartDate'] }
    const fills = { EffectiveDate: formatColumnFill('Start date', '2026-09-01') }
    expect(fills.EffectiveDate).toBe('As in “Start date”, but not before 01 Sep, 2026')
    const rows = buildImportRows(cells, { table, fills, typed: new Map() })
    expect(rows.map((row) => row.cells.EffectiveDate)).toEqual(['2026-09-01', '04/01/2027', 'soon'])
  })
})

describe('a file', () => {
  it.each([
    [
      'commas, quotes and line breaks in a cell',
      'Code,Description\r\nQ1,"Art, ""fine""\r\nand applied"\r\n',
      'Q1',
      'Art, "fine"\r\nand applied',
    ],
    ['semicolons', 'Code;Description\nS1;Science; maths\n'.replace('; maths', ''), 'S1', 'Science'],
    ['a byte order mark and CRLF', '\uFEFFCode,Description\r\nB1,Bus\r\n', 'B1', 'Bus'],
    ['tabs', 'Code\tDescription\nT1\tTrips\n', 'T1', 'Trips'],
    ['headings in another letter case, with an alias and spaces', ' CODE , description \nH1,Heads\n', 'H1', 'Heads'],
  ])('with %s is read as intended', async (_what, content, code, description) => {
    expect((await send(await read(file(content)))).status).toBe(200)
    expect((await found(code)).description).toBe(description)
  })
  it('in the Windows encoding keeps its pound signs and accents', async () => {
    const bytes = Uint8Array.from([...'Code,Description\nW1,Caf'].map((sign) => sign.charCodeAt(0)).concat([0xe9, 0x20, 0xa3, 0x35, 0x0a]))
    await send(await read(file(bytes)))
    expect((await found('W1')).description).toBe('Café £5')
  })
  it('with a formula in a cell is stored as text, and exported so that no spreadsheet executes it', async () => {
    await send([{ Code: 'FX', Description: '=HYPERLINK("http://evil.example","Pay")' }])
    expect((await found('FX')).description).toBe('=HYPERLINK("http://evil.example","Pay")')
    const exported = (await finance.call('POST', '/api/CostCentres/export', { search: 'FX' }, own)).body as string
    expect(exported).toContain(`"'=HYPERLINK`)
    const again = await send(await read(file(exported)))
    expect(again.body).toMatchObject({ created: 0 })
    expect((await found('FX')).description).toBe('=HYPERLINK("http://evil.example","Pay")')
  })
  it.each([
    ['a damaged workbook', 'codes.xlsx', 'PK\u0003\u0004', 'save it again as .xlsx'],
    ['a program', 'codes.csv', 'MZ\u0000\u0000\u0000', 'or as CSV.'],
    ['nothing', 'codes.csv', '', 'The file has no rows.'],
    ['only headings', 'codes.csv', 'Code,Description\n', 'The file has no rows.'],
  ])('that is %s is refused with one sentence', async (_what, name, content, sentence) => {
    await expect(read(file(content, name))).rejects.toThrow(sentence)
  })
})

describe('an import', () => {
  it('B-139 B-140 saves all rows or none, and reports row, column, value and reason of each problem', async () => {
    const reply = await send([
      { Code: 'OK1', Description: 'Right' },
      { Code: '', Description: 'No code' },
      { Code: 'X'.repeat(21), Description: 'Too long' },
      { Code: 'OK1', Description: 'Twice' },
      { Code: 'OK2', Description: 'Right', Locations: 'Nowhere School' },
    ])
    expect(reply.status).toBe(400)
    expect(reply.body.imported).toBe(0)
    const rows = reply.body.errors.map((error: Body) => error.row)
    expect(rows).toEqual(expect.arrayContaining([2, 3, 4, 5]))
    expect(reply.body.errors.find((error: Body) => error.row === 5)).toMatchObject({
      column: 'Locations',
      value: 'Nowhere School',
      message: expect.stringContaining('not found'),
    })
    expect(await found('OK1')).toBeUndefined()
  })
  it('B-135 without a required column says which one is missing', async () => {
    const reply = await send([{ Description: 'x' }])
    expect(reply.status).toBe(400)
    expect(reply.body.errors[0].message).toContain('Code')
  })
  it('B-141 of 5,000 rows is one transaction, and importing them again updates them by their codes', async () => {
    const rows = Array.from({ length: 5000 }, (_unused, index) => ({ Code: `N${index}`, Description: `Centre ${index}` }))
    expect((await send(rows)).body).toMatchObject({ imported: 5000, created: 5000 })
    expect((await send(rows.map((row) => ({ ...row, Description: `${row.Description} again` })))).body).toMatchObject({
      imported: 5000,
      created: 0,
      updated: 5000,
    })
    expect((await found('N4999')).description).toBe('Centre 4999 again')
  }, 180_000)
  it('is refused with a sentence if a row or a cell is a list or an object', async () => {
    const importing = (rows: unknown) => finance.call('POST', '/api/CostCentres/import', rows, own)
    for (const cell of [{ toString: 1 }, {}, ['X9']]) {
      const reply = await importing([{ Code: 'X9', Description: cell }])
      expect(reply.status).toBe(400)
      expect(reply.body).toBe('Description must be text, a number, or true or false.')
    }
    for (const row of [null, 7, 'X9', ['X9']]) {
      const reply = await importing([row])
      expect(reply.status).toBe(400)
      expect(reply.body).toBe('Each row must be an object with a value for each column.')
    }
    expect(await found('X9')).toBeUndefined()
  })
  it('B-282 of more than 20,000 rows is refused', async () => {
    const reply = await send(Array.from({ length: 20_001 }, (_unused, index) => ({ Code: `C${index}`, Description: 'x' })))
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
  }, 60_000)
})

it('the choices for a file’s headings are remembered for the organisation, by users who may import it and for no other', async () => {
  const of = (caller: Caller, where = own) => proceduresOf(product, caller, where).importColumns
  const entity = 'fundCode'
  await of(finance).keep.mutate({ entity, columns: [{ heading: 'fund', column: 'Description' }] })
  const two = [
    { heading: 'nominal', column: 'Code' },
    { heading: 'fund', column: null },
  ]
  await of(finance).keep.mutate({ entity, columns: two })
  const manager = await signInAs(product, 'northgate@harbour.example')
  const columns = async (caller: Caller, wanted = entity, where = own) => (await of(caller, where).chosen.query({ entity: wanted })).columns
  expect(await columns(manager)).toEqual(two)
  expect(await columns(manager, 'costCentre')).toEqual([])
  const meadow = await signInAs(product, 'finance@meadow.example')
  const theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
  expect(await columns(meadow, entity, theirs)).toEqual([])
  const auditor = await signInAs(product, 'auditor@harbour.example')
  await expect(of(auditor).keep.mutate({ entity, columns: two })).rejects.toThrow('permission')
  await expect(of(finance).keep.mutate({ entity: 'nothing', columns: two })).rejects.toThrow('permission')
})

describe('the rows that a person leaves out of a file', () => {
  const entity = 'costCentre'
  const leftOut = { fileName: 'centres.xlsx', rows: [4, 9] }
  const listed = async (caller: Caller, where = own) =>
    (await proceduresOf(product, caller, where).importColumns.chosen.query({ entity })).leftOut
  it('are listed with the file and the person, for those who may import the same records', async () => {
    const rows = [{ Code: 'LEFT1', Description: 'Left out' }]
    expect((await finance.call('POST', '/api/CostCentres/import', { rows, leftOut }, own)).body).toMatchObject({ imported: 1 })
    const [line] = await listed(finance)
    expect(line).toMatchObject({ ...leftOut, actor: expect.stringMatching(/\S+ \S+/) })
    expect(await listed(await signInAs(product, 'auditor@harbour.example'))).toEqual([])
    const meadow = await signInAs(product, 'finance@meadow.example')
    expect(await listed(meadow, { OrganisationId: (await findTrustIds(meadow)).organisationId })).toEqual([])
  })
  it('are not listed for a refused file', async () => {
    const before = await listed(finance)
    const refused = { rows: [{ Code: '', Description: 'No code' }], leftOut: { fileName: 'refused.xlsx', rows: [2] } }
    expect((await finance.call('POST', '/api/CostCentres/import', refused, own)).status).toBe(400)
    expect(await listed(finance)).toEqual(before)
  })
  it('do not prevent the import from being undone', async () => {
    const rows = [{ Code: 'LEFT2', Description: 'Undone' }]
    const { body } = await finance.call('POST', '/api/CostCentres/import', { rows, leftOut }, own)
    expect(body.change).toBeDefined()
    await browserCall(product, finance, 'resources.costCentre.undo', body.change, own)
    expect(await found('LEFT2')).toBeUndefined()
  })
})
