import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let file: Record<string, string>[]

const path = '/api/integrations/staff'
const day = '2026-11-24'

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  const people = (await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 5000 }, northgate)).body.rows as Body[]
  const byNumber = new Map(people.map((person) => [person.employeeNumber, person]))
  const { body } = await finance.call('POST', '/api/StaffContract/Export', {}, northgate)
  const lines = Papa.parse<Record<string, string>>(body.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data
  // An HR system exports the present state: the last row of each contract.
  file = [...new Map(lines.map((row) => [`${row.EmployeeNumber || row.ContractName} ${row.ContractName}`, row])).values()].map((row) => {
    const { forename, surname, dateOfBirth } = byNumber.get(row.EmployeeNumber) ?? {}
    return { ...row, Forename: forename ?? '', Surname: surname ?? '', DateOfBirth: dateOfBirth ?? '' }
  })
})

const take = (rows: Record<string, string>[], by = finance, where: Required<Selection> = northgate) =>
  by.call('PUT', path, { rows, name: 'HR of tonight', day }, where)
const changes = async (): Promise<Body> => (await finance.call('GET', `${path}/changes`, undefined, northgate)).body
const accept = (items: object[]) => finance.call('POST', `${path}/changes/accept`, { items }, northgate)
const contracts = async (search: string): Promise<Body[]> =>
  (await finance.call('POST', '/api/StaffContract/paginated', { search, pageSize: 100 }, northgate)).body.rows
/** Rows of people with a single contract, who are in post and paid by FTE. */
const plain = (): Record<string, string>[] => {
  const times = new Map<string, number>()
  for (const { EmployeeNumber = '' } of file) times.set(EmployeeNumber, (times.get(EmployeeNumber) ?? 0) + 1)
  return file.filter(
    ({ EmployeeNumber, EndDate, Fte }) => EmployeeNumber && times.get(EmployeeNumber) === 1 && !EndDate && Number(Fte) > 0.1,
  )
}

describe('an HR system’s staff file', () => {
  it('changes nothing if it agrees with the budget', async () => {
    expect((await take(file)).status).toBe(200)
    const found = await changes()
    expect(found.changes).toEqual([])
    expect(found.same).toBe(
      new Set(file.filter((row) => row.EmployeeNumber).map((row) => `${row.EmployeeNumber} ${row.ContractName}`)).size,
    )
    expect(found.withoutNumber).toBe(file.filter((row) => !row.EmployeeNumber).length)
    expect(found.file).toMatchObject({ name: 'HR of tonight', day, rows: file.length })
  })

  it('is a list of starters, leavers and changes, each applied or dismissed, and calculated once applied', async () => {
    const [hours, gone, named] = plain()
    const rest = file.filter((row) => row !== gone)
    const rows = rest.map((row) => {
      if (row === hours) return { ...row, Fte: '0.5', EffectiveDate: '2026-11-01' }
      return row === named ? { ...row, Surname: 'Newname' } : row
    })
    const starter = {
      ...hours!,
      EmployeeNumber: 'NEW1',
      ContractName: 'Cover teacher',
      Forename: 'Ada',
      Surname: 'Quill',
      StartDate: '2026-11-02',
      EffectiveDate: '2026-11-02',
      DateOfBirth: '1990-05-01',
    }
    await take([...rows, starter])
    const found = (await changes()).changes as Body[]
    expect(found.map(({ kind, employeeNumber }) => [kind, employeeNumber]).sort()).toEqual(
      [
        ['starter', 'NEW1'],
        ['changed', hours!.EmployeeNumber],
        ['leaver', gone!.EmployeeNumber],
        ['person', named!.EmployeeNumber],
      ].sort(),
    )
    const of = (kind: string): Body => found.find((one) => one.kind === kind)
    expect(of('changed').changes).toEqual([
      { field: 'Salary from 01 Nov, 2026', before: 'none', after: expect.stringContaining('FTE 0.5') },
    ])
    expect(of('person').changes).toEqual([{ field: 'Surname', before: named!.Surname, after: 'Newname' }])
    expect(of('starter').personName).toBe('Ada Quill')
    expect(of('starter').changes.find((one: Body) => one.field === 'Start date')).toBeTruthy()

    // A leaver needs a last day. Without it, none of the changes selected with it is applied.
    const tokens = found.map(({ token }) => ({ token }))
    const refused = await accept(tokens)
    expect([refused.status, refused.body.errors?.[0]?.message ?? refused.body]).toEqual([400, 'Enter a last day for the people who left.'])
    expect((await changes()).changes).toHaveLength(4)

    const before = await contracts(hours!.ContractName!)
    const done = await accept(found.map(({ token, kind }) => ({ token, endDate: kind === 'leaver' ? '2026-11-30' : null })))
    expect(done.body).toEqual({ people: 1, created: 1, updated: 1, ended: 1 })
    expect((await changes()).changes).toEqual([])
    const cost = (rowsOf: Body[], number: string): number => rowsOf.find((one) => one.employeeNumber === number)!.costYears[0]
    const after = await contracts(hours!.ContractName!)
    expect(cost(after, hours!.EmployeeNumber!)).toBeLessThan(cost(before, hours!.EmployeeNumber!))
    const [ended] = (await contracts(gone!.ContractName!)).filter((one) => one.employeeNumber === gone!.EmployeeNumber)
    expect(ended!.endDate).toBe('2026-11-30')
    const [made] = await contracts('Cover teacher')
    expect(made).toMatchObject({ employeeNumber: 'NEW1', startDate: '2026-11-02' })
    expect(made!.costYears[0]).toBeGreaterThan(0)

    // The next night’s file says the same: the new row stays, and leavers are no longer in the file.
    await take([...rows, starter])
    expect((await changes()).changes).toEqual([])
  })

  it('can be dismissed for good, until it says something else', async () => {
    const one = plain()[4]!
    const said = (fte: string) => file.map((row) => (row === one ? { ...row, Fte: fte } : row))
    const mine = async (): Promise<Body> =>
      (await changes()).changes.find((found: Body) => found.kind === 'changed' && found.employeeNumber === one.EmployeeNumber)
    await take(said('0.3'))
    const { token } = await mine()
    expect((await finance.call('POST', `${path}/changes/leave`, { tokens: [token], leave: true }, northgate)).status).toBe(204)
    await take(said('0.3'))
    expect(await mine()).toMatchObject({ isLeft: true, token })
    await take(said('0.4'))
    expect(await mine()).toMatchObject({ isLeft: false })
    await take(said('0.3'))
    await finance.call('POST', `${path}/changes/leave`, { tokens: [token], leave: false }, northgate)
    expect(await mine()).toMatchObject({ isLeft: false })
    await take(file)
  })

  it('cannot be applied if it differs from what was seen, or is impossible', async () => {
    const one = plain()[4]!
    const said = (change: Record<string, string>) => file.map((row) => (row === one ? { ...row, ...change } : row))
    await take(said({ Fte: '0.7' }))
    const [{ token }] = (await changes()).changes.filter((found: Body) => found.employeeNumber === one.EmployeeNumber)
    await take(said({ Fte: '0.6' }))
    const reply = await accept([{ token }])
    expect([reply.status, reply.body.message ?? reply.body]).toEqual([
      409,
      'The changes in the file are no longer those you saw. Review them again.',
    ])
    await take(said({ ScalePoint: 'Main M99' }))
    const [broken] = (await changes()).changes.filter((found: Body) => found.employeeNumber === one.EmployeeNumber)
    expect(broken.problems).toEqual([
      { row: file.indexOf(one) + 1, column: 'ScalePoint', value: 'Main M99', message: 'Scale point was not found.' },
    ])
    expect((await accept([{ token: broken.token }])).status).toBe(400)
    await take(file)
  })

  it('may have other systems’ headings, and a missing required column is named', async () => {
    const one = plain()[4]!
    const other = { 'Emp No': one.EmployeeNumber!, 'Job Title': 'TCH-0044', Hours: '', FTE: '0.25' }
    expect((await take([other])).status).toBe(200)
    const found = (await changes()).changes.find((change: Body) => change.kind === 'changed')
    expect(found).toMatchObject({ employeeNumber: one.EmployeeNumber, contractName: one.ContractName })
    const without = await take([{ Surname: 'Nobody' }])
    expect([without.status, without.body.errors?.[0]?.message]).toEqual([400, 'These columns are missing: EmployeeNumber.'])
    const elsewhere = await take([{ EmployeeNumber: '1', Location: 'St Anne’s' }])
    expect(elsewhere.body.errors?.[0]).toMatchObject({ row: 1, column: 'Location' })
    await take(file)
  })

  it('with a starter without a payroll code, a surname or a contract type says what is missing', async () => {
    await take([...file, { EmployeeNumber: 'NEW2', ContractName: 'Mystery' }])
    const starter = (await changes()).changes.find((found: Body) => found.kind === 'starter')
    expect(starter).toMatchObject({ employeeNumber: 'NEW2' })
    expect(starter.problems.length).toBeGreaterThan(0)
    expect((await accept([{ token: starter.token }])).status).toBe(400)
    await take(file)
  })

  it('is stored encrypted, and deleted when somebody is erased or by hand', async () => {
    const stored = await connectAsOwner(product.config.databaseUrl)`select sealed from staff_files`
    expect(stored).toHaveLength(1)
    expect(Buffer.from(stored[0]!.sealed).toString('latin1')).not.toContain(file.find((row) => row.Surname)!.Surname!)
    expect((await finance.call('DELETE', path, undefined, northgate)).status).toBe(204)
    expect(await changes()).toBeNull()
  })

  it('is for users who may change staff, and their own locations', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await take(file, governor)).status).toBe(403)
    const meadow = await signInAs(product, 'finance@meadow.example')
    expect((await take(file, meadow)).status).toBe(403)
    const manager = await signInAs(product, 'northgate@harbour.example')
    expect((await take(file, manager, places.at('Riverside'))).status).toBe(403)
  })
})
