import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
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
import { idsFor, teacherContract } from '../../support/samples/contract.ts'
import { readPdf } from '../../support/samples/pdf.ts'

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let person: Body

const words = {
  notes: 'Perpetua asked for Fridays',
  reminder: 'Call Perpetua',
  payrollNote: 'Started on the 4th',
  comment: 'Perpetua may go part time',
}

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  const at = places.at('Northgate')
  const young = { forename: 'Perpetua', surname: 'Quillfeather', dateOfBirth: '1987-03-15', niNumber: 'AB123456C' }
  const locations = [places.locations.Northgate!]
  person = (await finance.call('POST', '/api/Staff', { ...young, employeeNumber: '0077', locations }, own)).body
  const given = teacherContract(await idsFor(finance, at), { employeeNumber: '0077', contractName: 'Cover', notes: words.notes })
  expect((await finance.call('PUT', '/api/StaffContract', given, at)).status).toBe(200)
  const contracts = await finance.call('POST', '/api/StaffContract/paginated', { pageNumber: 1, pageSize: 5000 }, at)
  const ref = contracts.body.rows.find((row: Body) => row.contractName === 'Cover').id
  for (const about of [{ kind: 'contract', ref }, { kind: 'budget' }])
    await browserCall(product, finance, 'approval.addComment', { about, text: words.comment }, at)
  const figure = {
    report: 'staffing',
    budgetId: at.BudgetId,
    row: `Data contract=${ref}&budget=${at.BudgetId}`,
    column: 'total 2026/27',
    scheme: 0,
  }
  await browserCall(product, finance, 'cellComments.add', { ...figure, text: words.comment }, at)
  await browserCall(product, finance, 'staff.addReminder', { id: person.id, description: words.reminder, when: '2027-01-10' }, at)
  const paid = [{ EmployeeNumber: '77', PayrollCode: '100', Actual: '2345.67' }]
  expect((await finance.call('POST', '/api/monitoring/PayrollRec/actuals/import/2027/2', paid, at)).status).toBe(200)
  const note = { employeeNumber: '0077', notes: words.payrollNote }
  expect((await finance.call('POST', `/api/monitoring/PayrollRec/note/2027/2/${places.groupId}`, note, own)).status).toBe(200)
  const rows = [{ EmployeeNumber: '0077', Forename: 'Perpetua', Surname: 'Quill' }]
  const taken = await finance.call('PUT', '/api/integrations/staff', { rows, name: 'HR', day: '2026-11-20' }, at)
  expect(taken.status, JSON.stringify(taken.body)).toBe(200)
  await finance.call('PUT', '/api/Staff', { ...person, email: 'perpetua@quill.example' }, own)
}, 120_000)

const packOf = (caller: Caller, id: number) => caller.call('POST', `/api/Staff/${id}/access-pack`, undefined, own)

describe('a subject-access pack', () => {
  it('contains everything stored about a person: record, contracts and their costs, payroll, notes, reminders and changes', async () => {
    const { status, body } = await packOf(finance, person.id)
    expect(status).toBe(200)
    const value = (field: string) => body.person.find((one: Body) => one.field === field)?.value
    expect([value('Surname'), value('NI number'), value('Date of birth')]).toEqual(['Quillfeather', 'AB123456C', '15 Mar, 1987'])
    expect(body.contracts).toEqual([
      expect.objectContaining({ name: 'Cover', location: 'Northgate Primary School', notes: words.notes, budget: expect.any(String) }),
    ])
    const [{ rows, costs }] = body.contracts
    expect(rows.length).toBeGreaterThan(0)
    expect(costs[0]).toEqual({ year: '2026/27', pounds: expect.any(Number) })
    expect(body.payroll).toEqual([
      expect.objectContaining({ month: '2027-02', location: 'Northgate Primary School', code: '100', pounds: 2345.67, source: 'imported' }),
    ])
    expect(body.payrollNotes).toEqual([{ month: '2027-02', text: words.payrollNote }])
    expect(body.reminders).toEqual([expect.objectContaining({ description: words.reminder, when: '2027-01-10', by: 'Ruth Mensah' })])
    expect(body.comments).toEqual([
      { at: expect.any(String), by: 'Ruth Mensah', contract: 'Cover', budget: expect.any(String), text: words.comment },
      { at: expect.any(String), by: 'Ruth Mensah', contract: 'Cover', budget: expect.any(String), text: words.comment },
    ])
    expect(body.changes.map((change: Body) => change.what).slice(0, 2)).toEqual(['created', 'updated'])
    expect(body.changes[1].fields).toEqual([{ field: 'Email', before: '', after: 'perpetua@quill.example' }])
    expect(body.elsewhere.length).toBeGreaterThan(0)
  })
  it('contains what an HR system sent last', async () => {
    const { body } = await packOf(finance, person.id)
    expect(JSON.stringify(body.hrFile)).toContain('"Quill"')
  })
  it('contains nothing of another employee whose number differs only in leading zeros', async () => {
    const zeno = { forename: 'Zeno', surname: 'Otherwise', employeeNumber: '77', locations: [places.locations.Northgate!] }
    const other = (await finance.call('POST', '/api/Staff', zeno, own)).body
    const rows = [
      { EmployeeNumber: '0077', Forename: 'Perpetua', Surname: 'Quill' },
      { EmployeeNumber: '77', Forename: 'Zeno', Surname: 'Otherwise' },
    ]
    const taken = await finance.call('PUT', '/api/integrations/staff', { rows, name: 'HR', day: '2026-11-21' }, places.at('Northgate'))
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    const namesIn = async (id: number) => {
      const { hrFile } = (await packOf(finance, id)).body
      return hrFile.map(({ values }: Body) => values.find((one: Body) => one.column === 'Forename').value)
    }
    expect([await namesIn(person.id), await namesIn(other.id)]).toEqual([['Perpetua'], ['Zeno']])
  })
  it('is a document to hand over, with the person’s name on it', async () => {
    const reply = await fetch(`${product.origin}/api/Staff/${person.id}/access-pack/paper`, {
      method: 'POST',
      headers: { ApiVersion: '2', Authorization: `Bearer ${finance.token}`, OrganisationId: String(own.OrganisationId) },
    })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const pdf = await readPdf(new Uint8Array(await reply.arrayBuffer()))
    const text = JSON.stringify(pdf.pages)
    for (const said of [
      'Data held about you',
      'Perpetua Quillfeather',
      'AB123456C',
      words.notes,
      words.payrollNote,
      words.reminder,
      words.comment,
    ])
      expect(text).toContain(said)
    expect(pdf.isTagged).toBe(true)
  })
  it('is recorded in the person’s history, with who made it, and restores no earlier version', async () => {
    const { data } = await browserAsk(product, finance, 'staff.history', { id: person.id }, own)
    expect(data[0]).toMatchObject({ sentence: 'created a subject-access pack for this person', actor: 'Ruth Mensah', before: null })
  })
  it('can be made only by users who may erase employees, and see contracts and pay', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await packOf(governor, person.id)).status).toBe(403)
    const people = await inviteAndSignIn(
      product,
      administrator,
      'people@harbour.example',
      ['ConsoleStaffMembersReadUpdate'],
      own.OrganisationId,
    )
    const refused = await packOf(people, person.id)
    expect([refused.status, refused.body]).toEqual([403, expect.stringMatching(/^The pack contains contracts and pay/)])
  })
  it('cannot be made for an employee who may also work elsewhere, of another trust, or erased', async () => {
    const manager = await signInAs(product, 'northgate@harbour.example')
    const other = { forename: 'Otto', surname: 'Elsewhere', employeeNumber: 'R-78', locations: [] }
    const everywhere = (await finance.call('POST', '/api/Staff', other, own)).body
    expect((await packOf(manager, everywhere.id)).body).toMatch(/may also work at other locations/)
    // The employee worked at another school before, and only other users may see that pay.
    const rights = ['ConsoleStaffMembersReadUpdate', 'BudgetingStaffingReadUpdate', 'BudgetingPayrollReconciliationReadUpdate']
    const riverside = [places.locations.Riverside!]
    const there = await inviteAndSignIn(product, administrator, 'riverside.people@harbour.example', rights, own.OrganisationId, riverside)
    await finance.call(
      'PUT',
      '/api/Staff',
      { ...(await finance.call('GET', `/api/Staff/${person.id}`, undefined, own)).body, locations: riverside },
      own,
    )
    expect((await packOf(there, person.id)).body).toMatch(/^Other locations also hold contracts or pay of this person/)
    const meadow = await signInAs(product, 'finance@meadow.example')
    const theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    expect((await meadow.call('POST', `/api/Staff/${person.id}/access-pack`, undefined, theirs)).status).toBe(404)
    await finance.call('POST', `/api/Staff/${everywhere.id}/erase`, { employeeNumber: 'R-78' }, own)
    expect((await packOf(finance, everywhere.id)).status).toBe(409)
  })
})
