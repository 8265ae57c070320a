import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})

const call = (method: string, path: string, body?: unknown) => finance.call(method, `/api/StaffContract/${path}`, body, northgate)
const importing = (rows: Record<string, string>[]) => call('PUT', 'Import', rows)
const count = async (): Promise<number> => (await call('POST', 'paginated', {})).body.total
const exported = async (request: object = {}): Promise<Record<string, string>[]> =>
  Papa.parse<Record<string, string>>((await call('POST', 'Export', request)).body.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data

/** A vacancy as a row of a file. */
const vacancy = (n: number, change: Record<string, string> = {}): Record<string, string> => ({
  ContractName: `Imported ${n}`,
  ContractTypeName: 'Teacher',
  ServiceTerm: 'TCH',
  StartDate: '01/09/2026',
  Apprentice: 'No',
  AttritionContract: 'No',
  EffectiveDate: '2026-09-01',
  ErPension: 'Yes',
  ScalePoint: 'Main M3',
  Fte: '0.6',
  FundCodes: 'GEN 60; PPG 40',
  ...change,
})

describe('a file of staff contracts', () => {
  it('B-149 is exported with one line for each salary row, and imported again without a change', async () => {
    const rows = await exported()
    const listed = (await call('POST', 'paginated', { pageSize: 5000 })).body.rows as Body[]
    expect(rows).toHaveLength(listed.reduce((sum, row) => sum + row.salary.length, 0))
    const again = await importing(rows)
    expect(again.body).toEqual({ imported: rows.length, created: 0, updated: 0 })
    expect(await exported()).toEqual(rows)
  })
  it('B-135 is refused before any line is read when a required column is missing, and names it', async () => {
    const { ErPension: _pension, ...row } = vacancy(1)
    const reply = await importing([row])
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([{ row: 0, column: null, value: null, message: 'These columns are missing: ErPension.' }])
  })
  it('B-132 B-140 with 7 invalid lines of 500 saves nothing and reports row, column, value and what to do', async () => {
    const before = await count()
    const rows = Array.from({ length: 500 }, (_unused, n) => vacancy(n))
    rows[9] = vacancy(9, { StartDate: '31/02/2027' })
    rows[49] = vacancy(49, { ContractTypeName: 'Astronaut' })
    rows[99] = vacancy(99, { ScalePoint: 'Main M9' })
    rows[149] = vacancy(149, { FundCodes: 'GEN 60; PPG 30' })
    rows[199] = vacancy(199, { EmployeeNumber: '999999' })
    rows[249] = vacancy(249, { Fte: '' })
    rows[299] = vacancy(299, { EndDate: '2026-01-01' })
    const reply = await importing(rows)
    expect(reply.status).toBe(400)
    expect(reply.body.message ?? reply.body.errors.length).toBeTruthy()
    expect(reply.body.errors.map((error: Body) => [error.row, error.column, error.message])).toEqual([
      [10, 'StartDate', 'Start date is not a valid date. This day does not exist. Correct the date, day before month, such as 30/11/2026.'],
      [50, 'ContractTypeName', 'Contract type was not found.'],
      [100, 'ScalePoint', 'Scale point was not found.'],
      [150, 'FundCodes', 'The fund code shares must add up to 100.'],
      [200, 'EmployeeNumber', 'Employee number was not found.'],
      [250, 'Fte', 'FTE is required.'],
      [300, 'EndDate', 'End date must not be before Start date.'],
    ])
    expect(await count()).toBe(before)
  })
  it('imports 500 contracts, each costed and posted, and reads several lines as the salary rows of one', async () => {
    const before = await count()
    const rows = Array.from({ length: 500 }, (_unused, n) => vacancy(n))
    rows.push(vacancy(0, { EffectiveDate: '2027-09-01', Fte: '1', ScalePoint: 'M4' }))
    const reply = await importing(rows)
    expect(reply.body).toEqual({ imported: 501, created: 500, updated: 0, withoutMaximum: 500 })
    expect(await count()).toBe(before + 500)
    const [first] = (await call('POST', 'paginated', { search: 'Imported 0', pageSize: 1 })).body.rows
    expect(first.salary.map((row: Body) => [row.effectiveDate, row.fte])).toEqual([
      ['2026-09-01', 0.6],
      ['2027-09-01', 1],
    ])
    expect(first.costYears[1]).toBeGreaterThan(first.costYears[0] * 1.5)
    const twice = await importing(rows)
    expect(twice.body).toMatchObject({ created: 0, updated: 0 })
  })
  it('keep a maximum scale point that only other rows of the file change', async () => {
    const given = vacancy(961)
    expect((await importing([vacancy(960, { MaximumScalePoint: 'Main M5' }), given])).body).toMatchObject({ created: 2, withoutMaximum: 1 })
    const later = vacancy(960, { Position: 'Year lead' })
    expect((await importing([later, { ...given, MaximumScalePoint: 'Main M6' }])).body).toMatchObject({ updated: 2 })
    const lines = (await exported({ search: 'Imported 96' })).filter(({ ContractName }) => /96[01]$/.test(ContractName!))
    expect(lines.map((line) => [line.ContractName, line.Position, line.MaximumScalePoint]).sort()).toEqual([
      ['Imported 960', 'Year lead', 'Main M5'],
      ['Imported 961', '', 'Main M6'],
    ])
  })
  it('finds the pay scale type of a contract by its contract type and point when the file has no column for it', async () => {
    const row = vacancy(950, {
      ContractTypeName: 'Support',
      ServiceTerm: 'ADM',
      ScalePoint: 'SCP5',
      Fte: '',
      HoursPerWeek: '20',
      WeeksPerYear: '44.86',
    })
    expect((await importing([row])).body).toEqual({ imported: 1, created: 1, updated: 0, withoutMaximum: 1 })
    const [made] = (await call('POST', 'paginated', { search: 'Imported 950' })).body.rows
    expect([made.type, made.pointNames]).toEqual([4, ['NJC SCP5']])
  })
  it('lists everything that is missing for a row at once', async () => {
    const empty = { ServiceTerm: '', StartDate: '', ErPension: '', ScalePoint: '', Fte: '', HoursPerWeek: '', WeeksPerYear: '' }
    const { body } = await importing([vacancy(1, { ...empty, ContractTypeName: 'Support' })])
    const columns = new Set(body.errors.map((error: Body) => error.column))
    for (const column of ['ServiceTerm', 'StartDate', 'ScalePoint', 'HoursPerWeek', 'WeeksPerYear']) expect(columns).toContain(column)
  })
  it('reads a scale and a number as the point with that number in its name, not as the increment', async () => {
    const support = { ContractTypeName: 'Support', HoursPerWeek: '37', WeeksPerYear: '52', Fte: '' }
    expect((await importing([vacancy(7001, { ...support, ScalePoint: 'NJC 5' })])).body).toMatchObject({ created: 1 })
    const line = (await exported()).find(({ ContractName }) => ContractName === 'Imported 7001')
    expect(line?.ScalePoint).toBe('NJC SCP5')
    const { body } = await importing([vacancy(7002, { ...support, ScalePoint: 'NJC 1' })])
    expect(body.errors).toMatchObject([{ row: 1, column: 'ScalePoint', message: 'Scale point was not found.' }])
  })
  it('says when two lines of one contract disagree about it', async () => {
    const reply = await importing([vacancy(900), vacancy(900, { EffectiveDate: '2027-09-01', StartDate: '2025-09-01' })])
    expect(reply.body.errors).toMatchObject([{ row: 2, column: 'StartDate', message: expect.stringContaining('differs from row 1') }])
  })
})

describe('a bulk edit of staff contracts', () => {
  it('changes the same fields of all selected ones, or of none', async () => {
    const rows = (await call('POST', 'paginated', { search: 'Imported 1', pageSize: 5000 })).body.rows as Body[]
    const edit = (patch: object) =>
      proceduresOf(product, finance, northgate).contracts.edit.mutate({
        state: { selectAll: true, toggledNodes: [rows[0].id] },
        search: 'Imported 1',
        patch,
      })
    expect(await edit({ department: 'Mathematics', endDate: '2028-08-31' })).toEqual({ updated: rows.length - 1 })
    const after = (await call('POST', 'paginated', { search: 'Mathematics', pageSize: 5000 })).body.rows as Body[]
    expect(after.filter((row) => row.endDate === '2028-08-31')).toHaveLength(rows.length - 1)
    // Rows that were not ticked stay unchanged.
    const before = new Map(rows.map((row) => [row.id, row]))
    for (const { id, position, apprentice, serviceTerms, analysisTags, fundCodes, salary } of after)
      expect({ position, apprentice, serviceTerms, analysisTags, fundCodes, salary }).toEqual(
        Object.fromEntries(
          ['position', 'apprentice', 'serviceTerms', 'analysisTags', 'fundCodes', 'salary'].map((name) => [name, before.get(id)[name]]),
        ),
      )
    expect(after[0].fundCodes).toHaveLength(2)
    await expect(edit({ endDate: '2020-01-01' })).rejects.toThrow('End date must not be before Start date.')
    await expect(edit({ fundCodes: [{ fundCodeId: 1, percentage: 50 }] })).rejects.toThrow()
  })
})

describe('contracts that get no increments', () => {
  it('are counted if a missing maximum scale point is the only reason', async () => {
    const reply = await importing([vacancy(760), vacancy(761, { MaximumScalePoint: 'Main M6' }), vacancy(762, { ScalePoint: 'Main M6' })])
    expect(reply.body).toEqual({ imported: 3, created: 3, updated: 0, withoutMaximum: 1 })
  })
})

describe('the contract lines of a budget', () => {
  it('add up to the contracts’ cost to the penny, and open down to each contract', async () => {
    await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Posted' }), northgate)
    const { lines } = proceduresOf(product, finance, northgate)
    const rows = (await call('POST', 'paginated', { pageSize: 5000 })).body.rows as Body[]
    const pennies = (pounds: number): number => Math.round(pounds * 100)
    for (const by of ['budgetCode', 'costCentre', 'fundCode', 'component'] as const) {
      const sums = await lines.sums.query({ by })
      const levy = (await lines.sums.query({ by: 'component' })).find((sum) => sum.key === 'levy')!
      for (let year = 0; year < 5; year++) {
        const cost = rows.reduce((sum, row) => sum + pennies(row.costYears[year] ?? 0), 0)
        const posted = sums.reduce((sum, line) => sum + pennies(line.years[year]!.total), 0)
        expect(posted).toBe(cost + pennies(levy.years[year]!.total))
      }
    }
    const [first] = await lines.sums.query({ by: 'fundCode' })
    const sources = await lines.sources.query({ by: 'fundCode', key: first!.key, year: 1 })
    expect(sources.reduce((sum, source) => sum + pennies(source.total), 0)).toBe(pennies(first!.years[1]!.total))
  })
})

describe('employees in a file of contracts', () => {
  const person = (n: number, change: Record<string, string> = {}) =>
    vacancy(n, { EmployeeNumber: `HR${n}`, Forename: `Ann ${n}`, Surname: 'Newcomer', DateOfBirth: '03/04/1985', ...change })
  const staff = async (search: string): Promise<Body[]> =>
    (await finance.call('POST', '/api/Staff/list/location', { search, pageSize: 50 }, northgate)).body.rows

  it('are added if unknown, at the school of the budget, with their contracts', async () => {
    const reply = await importing([
      person(700, { NiNumber: 'AB123456C', Email: 'ann@northgate.example' }),
      person(700, { EffectiveDate: '2027-09-01', Forename: '', Surname: '', DateOfBirth: '' }),
      person(701, { ContractName: 'Teacher' }),
      person(701, { ContractName: 'Head of year', Fte: '0.2' }),
    ])
    expect(reply.body).toEqual({ imported: 4, created: 3, updated: 0, people: 2, withoutMaximum: 3 })
    const [first] = await staff('HR700')
    expect(first).toMatchObject({ forename: 'Ann 700', surname: 'Newcomer', dateOfBirth: '1985-04-03', niNumber: 'AB123456C' })
    expect(first!.locations).toEqual([Number(northgate.LocationId)])
    const rows = (await call('POST', 'paginated', { search: 'HR701', pageSize: 50 })).body.rows as Body[]
    expect(rows.map((row) => row.contractName).sort()).toEqual(['Head of year', 'Teacher'])
    const elsewhere = (await finance.call('POST', '/api/Staff/list/location', { search: 'HR700' }, places.at('Beacon'))).body.rows
    expect(elsewhere).toEqual([])
  })
  it('who are known stay unchanged, whatever the file says about them', async () => {
    const before = await staff('HR700')
    const reply = await importing([person(700, { ContractName: 'Cover', Surname: 'Otherwise', Fte: '0.1' })])
    expect(reply.body).toEqual({ imported: 1, created: 1, updated: 0, withoutMaximum: 1 })
    expect(await staff('HR700')).toEqual(before)
  })
  it('without a name, with one that differs from line to line or an invalid number are reported at their cells, and nothing is saved', async () => {
    const before = await count()
    const reply = await importing([
      person(710, { Surname: '' }),
      person(711),
      person(711, { ContractName: 'Second', Surname: 'Changed' }),
      person(712, { NiNumber: 'none' }),
      vacancy(713, { EmployeeNumber: 'HR713' }),
    ])
    expect(reply.status).toBe(400)
    expect(reply.body.errors.map((one: Body) => [one.row, one.column, one.value])).toEqual([
      [1, 'Surname', null],
      [3, 'Surname', 'Changed'],
      [4, 'NiNumber', 'none'],
      [5, 'EmployeeNumber', 'HR713'],
    ])
    expect(reply.body.errors[1].message).toBe('Surname differs from row 2, which is about the same person.')
    expect(await count()).toBe(before)
    expect(await staff('HR71')).toEqual([])
  })
  it('who exist at another school are not added again', async () => {
    const [other] = (await finance.call('POST', '/api/Staff/list/location', { pageSize: 1, pageNumber: 1 }, places.at('Beacon'))).body.rows
    expect(await staff(other.employeeNumber)).toEqual([])
    const reply = await importing([person(720, { EmployeeNumber: other.employeeNumber })])
    expect([reply.status, reply.body.errors[0].column]).toEqual([400, 'EmployeeNumber'])
  })
  it('whose number already belongs to somebody else are refused by name, and without a name if the caller may not see the school', async () => {
    const known = { EmployeeNumber: 'HR700', Forename: 'Rosa', Surname: 'Quinn' }
    const named = await importing([person(721, known), person(722, { EmployeeNumber: 'hr700', Surname: 'Wed', DateOfBirth: '1999-01-01' })])
    const sentence = (who: string, row: string): string =>
      `Employee number already belongs to ${who}, but this row is about ${row}. Give each person a different number.`
    expect(named.body.errors.map((one: Body) => [one.row, one.column, one.message])).toEqual([
      [1, 'EmployeeNumber', sentence('Ann 700 Newcomer', 'Rosa Quinn')],
      [2, 'EmployeeNumber', sentence('Ann 700 Newcomer', 'Ann 722 Wed')],
    ])
    const [other] = (await finance.call('POST', '/api/Staff/list/location', { pageSize: 1, pageNumber: 1 }, places.at('Beacon'))).body.rows
    const manager = await signInAs(product, 'northgate@harbour.example')
    const refused = await manager.call(
      'PUT',
      '/api/StaffContract/Import',
      [person(723, { ...known, EmployeeNumber: other.employeeNumber })],
      northgate,
    )
    expect(refused.body.errors.map((one: Body) => one.message)).toEqual([sentence('someone at another location', 'Rosa Quinn')])
  })
  it('have everything wrong with their row reported at once', async () => {
    const reply = await importing([
      person(724, { EmployeeNumber: 'HR700', Forename: 'Rosa', Surname: 'Quinn', ScalePoint: 'Mian M6', Fte: '' }),
      person(725, { StartDate: '31/02/2026', ScalePoint: 'Mian M6' }),
      // The scale to which the point belongs cannot be known.
      person(726, { ContractTypeName: 'Teecher', ScalePoint: 'SCP5' }),
      person(727, { Surname: '', ScalePoint: 'Mian M6' }),
    ])
    expect(reply.body.errors.map((one: Body) => [one.row, one.column])).toEqual([
      [1, 'EmployeeNumber'],
      [1, 'ScalePoint'],
      [1, 'Fte'],
      [2, 'StartDate'],
      [2, 'ScalePoint'],
      [3, 'ContractTypeName'],
      [4, 'Surname'],
      [4, 'ScalePoint'],
    ])
  })
  it('have columns in the template beside those of a contract', async () => {
    const { columns } = await proceduresOf(product, finance, northgate).contractFiles.template.query()
    expect(columns.slice(0, 4).map(({ heading }) => heading)).toEqual(['EmployeeNumber', 'Title', 'Forename', 'Surname'])
    const offered = Object.fromEntries(columns.map(({ heading, choices }) => [heading, choices.map(({ value }) => value)]))
    expect(offered.Apprentice).toEqual(['Yes', 'No'])
    expect(offered.ContractTypeName).toContain('Apprentice')
    expect(offered.ServiceTerm?.length).toBeGreaterThan(3)
    // It contains no employee’s number or name, and no school.
    expect(offered.EmployeeNumber).toEqual([])
  })
})
