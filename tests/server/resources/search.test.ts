import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let places: TrustIds

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
})

const find = (caller: Caller, search: string, where: Record<string, string | number> = { OrganisationId: places.organisationId }) =>
  proceduresOf(product, caller, where).search.find.query({ search })

/** An employee of Northgate and one who works only elsewhere, from the trust’s list. */
async function people() {
  const { rows } = await proceduresOf(product, finance, { OrganisationId: places.organisationId }).staff.list.query({
    pageNumber: 1,
    pageSize: 1000,
  })
  const northgate = places.locations.Northgate!
  const here = rows.find((one) => one.locations.includes(northgate))!
  const elsewhere = rows.find((one) => one.locations.length > 0 && !one.locations.includes(northgate))!
  return { here, elsewhere }
}

describe('a search over everything', () => {
  it('finds an employee by forename and surname in either order, by employee number, and their contracts', async () => {
    const { here } = await people()
    for (const text of [`${here.forename} ${here.surname}`, `${here.surname.toUpperCase()} ${here.forename}`, here.employeeNumber]) {
      const hits = await find(finance, text)
      expect(hits).toContainEqual(expect.objectContaining({ entity: 'staffMember', id: String(here.id) }))
      expect(hits.some((hit) => hit.entity === 'staffContract' && hit.detail.includes(`${here.surname}, ${here.forename}`))).toBe(true)
    }
  })
  it('finds employees, contracts and budgets only of the user’s schools', async () => {
    const { elsewhere, here } = await people()
    const manager = await signInAs(product, 'northgate@harbour.example')
    const other = (await find(manager, elsewhere.employeeNumber)).filter((hit) => ['staffMember', 'staffContract'].includes(hit.entity))
    expect(other).toEqual([])
    expect(await find(manager, here.employeeNumber)).not.toEqual([])
    const all = await find(finance, 'working')
    const own = (await find(manager, 'working')).filter((hit) => hit.entity === 'budget')
    expect(new Set(own.map((hit) => hit.place!.locationId))).toEqual(new Set([places.locations.Northgate]))
    expect(new Set(all.flatMap((hit) => (hit.entity === 'budget' ? [hit.place!.locationId] : []))).size).toBeGreaterThan(1)
  })
  it('finds codes by description, an exact match first, and entries with their school and budget', async () => {
    const { rows } = await proceduresOf(product, finance, { OrganisationId: places.organisationId }).resources.budgetCode!.list.query({
      pageSize: 5,
    })
    const [code] = rows
    const hits = await find(finance, String(code!.code))
    expect(hits.filter((hit) => hit.entity === 'budgetCode')[0]).toMatchObject({ id: String(code!.id) })
    const [entry] = (await find(finance, 'cleaning')).filter((hit) => hit.entity === 'budgetEntry')
    expect(entry).toMatchObject({ name: expect.stringMatching(/cleaning/i), detail: expect.stringMatching(/, \d{4}\/\d\d/) })
  })
  it('puts matches in the open budget before the same in others', async () => {
    const of = proceduresOf(product, finance, { OrganisationId: places.organisationId, LocationId: places.locations.Northgate! })
    for (const { mongoId } of (await of.budgets.listByLocation.query({ ids: [places.locations.Northgate!] })).rows.slice(0, 2)) {
      const where = { OrganisationId: places.organisationId, LocationId: places.locations.Northgate!, BudgetId: mongoId }
      const [first] = (await find(finance, 'teacher', where)).filter((hit) => hit.entity === 'staffContract')
      expect(first!.place!.budgetId).toBe(mongoId)
    }
  })
  it('reveals nothing about employees or their contracts to a user who may not see staff, whether or not they exist', async () => {
    const { here } = await people()
    const governor = await signInAs(product, 'governor@harbour.example')
    for (const text of [here.employeeNumber, `${here.forename} ${here.surname}`, 'teacher'])
      expect((await find(governor, text)).filter((hit) => ['staffMember', 'staffContract'].includes(hit.entity))).toEqual([])
    expect(await find(governor, here.employeeNumber)).toEqual(await find(governor, 'N0-SUCH-NUMBER'))
    expect((await find(governor, 'cleaning')).map((hit) => hit.entity)).toContain('budgetEntry')
  })
  it('finds nothing of another trust, and needs two letters', async () => {
    const { here } = await people()
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = await findTrustIds(meadow)
    expect(await find(meadow, `${here.forename} ${here.surname}`, { OrganisationId: there.organisationId })).not.toContainEqual(
      expect.objectContaining({ id: String(here.id), entity: 'staffMember' }),
    )
    expect((await find(meadow, 'northgate', { OrganisationId: there.organisationId })).map((hit) => hit.name)).toEqual([])
    await expect(find(meadow, 'northgate')).rejects.toThrow()
    await expect(find(finance, 'n')).rejects.toThrow('at least two characters')
  })
})

describe('the texts that users wrote', () => {
  const note = `Ask the cleaners first: ${'they come on Mondays and say what it takes. '.repeat(6)}The zeppelin stays in the hall, 50%_off until May. ${'Then we look again at what was agreed. '.repeat(4)}`
  const written = (hits: Awaited<ReturnType<typeof find>>) =>
    hits.filter(({ entity }) => ['comment', 'entryNote', 'monitoringNote'].includes(entity))
  const textsOf = async (caller: Caller, search: string) => written(await find(caller, search)).map(({ name }) => name)
  const inBudget = (caller: Caller, school = 'Northgate') => proceduresOf(product, caller, places.at(school))
  let manager: Caller
  let entryId: string

  async function saveEntry(description: string, notes: string): Promise<string> {
    const { rows } = await inBudget(finance).entries.list.query({ pageNumber: 1, pageSize: 100 })
    const { budgetCodeId } = rows.find(({ source }) => !source)!
    const entry = { description, notes, budgetCodeId, amount: 100, budgetYearName: '2026/27' }
    const saved = await finance.call('PUT', '/api/BudgetEntry/save', entry, places.at('Northgate'))
    expect(saved.status).toBe(200)
    return saved.body.id
  }

  beforeAll(async () => {
    manager = await signInAs(product, 'northgate@harbour.example')
    entryId = await saveEntry('Hire of the airship', note)
  })

  it('are found in an entry’s note, in an excerpt with the entry, the school, the budget and the day, and a link', async () => {
    const [hit] = written(await find(manager, 'HALL zeppelin'))
    expect(hit).toMatchObject({ entity: 'entryNote', id: entryId, place: { locationId: places.locations.Northgate } })
    expect(hit!.name).toMatch(/^….*The zeppelin stays in the hall.*…$/)
    expect(hit!.name.length).toBeLessThan(note.length / 2)
    expect(hit!.detail).toMatch(/^Hire of the airship · Northgate Primary School, \d{4}\/\d\d .+ · \d\d [A-Z][a-z]{2}, \d{4}$/)
  })
  it('are found in a comment, with its subject, and by the name of a mentioned user', async () => {
    const about = { kind: 'entry', ref: entryId, year: null } as const
    const sam = (await inBudget(finance).approval.readers.query({ kind: 'entry' })).find(({ name }) => name === 'Sam Turner')!
    const text = 'Did the quokka agree, @Sam Turner?'
    const id = await inBudget(finance).approval.addComment.mutate({ about, text, mentionIds: [sam.id] })
    const found = { entity: 'comment', id, name: text, about, detail: expect.stringMatching(/^Hire of the airship · Northgate/) }
    expect(written(await find(manager, 'quokka'))).toEqual([expect.objectContaining(found)])
    expect(written(await find(manager, 'turner agree'))).toEqual([expect.objectContaining(found)])
  })
  it('come after all matches by name', async () => {
    await inBudget(finance).approval.addComment.mutate({ about: { kind: 'budget' }, text: 'cleaning' })
    const kinds = (await find(finance, 'cleaning')).map(({ entity }) => entity)
    expect(kinds).toContain('budgetEntry')
    expect(kinds.at(-1)).toBe('comment')
    expect(kinds.indexOf('comment')).toBe(kinds.length - 1)
  })
  it('are searched literally: a % and a _ are no wildcards', async () => {
    expect(await textsOf(finance, '50%_off')).toHaveLength(1)
    for (const other of ['zep%lin', 'zeppeli_', '50%%off', '.*zeppelin', '%%', '__']) expect(await textsOf(finance, other)).toEqual([])
  })
  it('give at most six results of a kind, those of the open budget and the latest first', async () => {
    for (let turn = 1; turn <= 7; turn++)
      await inBudget(finance).approval.addComment.mutate({ about: { kind: 'budget' }, text: `Wombat ${turn}` })
    const elsewhere = Object.keys(places.locations).find((name) => name !== 'Northgate')!
    await inBudget(finance, elsewhere).approval.addComment.mutate({ about: { kind: 'budget' }, text: 'Wombat elsewhere' })
    expect(await textsOf(finance, 'wombat')).toEqual(['Wombat elsewhere', ...[7, 6, 5, 4, 3].map((turn) => `Wombat ${turn}`)])
    const open = written(await find(finance, 'wombat', { ...places.at('Northgate') })).map(({ name }) => name)
    expect(open).toEqual([7, 6, 5, 4, 3, 2].map((turn) => `Wombat ${turn}`))
    expect(await textsOf(manager, 'elsewhere')).toEqual([])
  })
  it('on a contract are found only by users who may see staff', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    const [contract] = (await inBudget(finance).contracts.list.query({ pageSize: 1 })).rows
    const about = { kind: 'contract', ref: contract!.id } as const
    await inBudget(finance).approval.addComment.mutate({ about, text: 'An axolotl of a rise' })
    expect(await textsOf(manager, 'axolotl')).toEqual(['An axolotl of a rise'])
    expect(await find(governor, 'axolotl')).toEqual([])
    expect(await textsOf(governor, 'zeppelin')).toHaveLength(1)
  })
  it('in entries are found only by users who may see entries, and comments only by those who may see budgets', async () => {
    const admin = await signInAs(product, 'admin@bursar.example')
    const none = await inviteAndSignIn(product, admin, 'codes@harbour.example', ['ConsoleBudgetCodesRead'], places.organisationId)
    expect(await find(none, 'zeppelin')).toEqual([])
    expect(await find(none, 'quokka')).toEqual([])
    const staffing = await inviteAndSignIn(product, admin, 'staffing@harbour.example', ['BudgetingStaffingRead'], places.organisationId)
    expect(await textsOf(staffing, 'zeppelin')).toEqual([])
    expect(await textsOf(staffing, 'quokka')).toHaveLength(1)
  })
  it('on a month and a code are found with both by users of that screen: of a group with a budget of theirs, of all locations with access to all', async () => {
    const own = { OrganisationId: places.organisationId }
    const { rows } = await proceduresOf(product, finance, own).resources.budgetCode!.list.query({ pageSize: 1 })
    const explain = (level: string, notes: string, action?: string) =>
      finance.call('POST', `/api/monitoring/note/2026/11${level}`, { budgetCodeId: rows[0]!.id, type: 1, notes, action }, own)
    expect((await explain(`/${places.groupId}`, 'A narwhal was billed early', 'Ask for it back')).status).toBe(200)
    expect((await explain('', 'A narwhal for all')).status).toBe(200)
    const monitored = { versus: 'actuals', month: '2026-11' }
    const ofGroup = {
      entity: 'monitoringNote',
      monitored,
      name: 'A narwhal was billed early Ask for it back',
      place: { locationId: places.locations.Northgate, budgetId: places.budgets.Northgate },
      detail: expect.stringMatching(new RegExp(`^${rows[0]!.code} .*, November 2026 · Northgate Primary School, `)),
    }
    expect(written(await find(manager, 'narwhal back'))).toEqual([expect.objectContaining(ofGroup)])
    expect(await textsOf(manager, 'narwhal')).toEqual([ofGroup.name])
    const all = written(await find(finance, 'narwhal for all'))
    expect(all).toEqual([expect.objectContaining({ monitored, place: null, detail: expect.stringContaining(' · All locations · ') })])
    expect(written(await find(finance, 'narwhal billed', { ...places.at('Northgate') }))).toEqual([expect.objectContaining(ofGroup)])
    const admin = await signInAs(product, 'admin@bursar.example')
    const forecast = await inviteAndSignIn(
      product,
      admin,
      'forecast@harbour.example',
      ['BudgetingMonitoringBudgetForecastRead', 'ConsoleMonitoringBudgetForecastRead'],
      places.organisationId,
    )
    expect(await find(forecast, 'narwhal')).toEqual([])
    const meadow = await signInAs(product, 'finance@meadow.example')
    expect(await find(meadow, 'narwhal', { OrganisationId: (await findTrustIds(meadow)).organisationId })).toEqual([])
    expect((await finance.call('DELETE', `/api/monitoring/note/2026/11/${rows[0]!.id}/1`, undefined, own)).status).toBe(204)
    expect(await textsOf(finance, 'narwhal for all')).toEqual([])
  })
  it('are found in no other trust', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = await findTrustIds(meadow)
    for (const word of ['zeppelin', 'quokka', 'wombat', 'axolotl'])
      expect(await find(meadow, word, { OrganisationId: there.organisationId })).toEqual([])
  })
  it('are gone with a deleted comment, note or entry', async () => {
    const ref = await saveEntry('Passing', 'A numbat came by')
    const { addComment, changeComment } = inBudget(finance).approval
    const about = { kind: 'entry', ref } as const
    await addComment.mutate({ about, text: 'It was a numbat' })
    const id = await addComment.mutate({ about, text: 'No numbat' })
    expect(await textsOf(finance, 'numbat')).toEqual(['No numbat', 'It was a numbat', 'A numbat came by'])
    await changeComment.mutate({ id, change: 'delete' })
    expect(await textsOf(finance, 'numbat')).toEqual(['It was a numbat', 'A numbat came by'])
    await inBudget(finance).entries.delete.mutate({ ids: [ref] })
    expect(await textsOf(finance, 'numbat')).toEqual([])
  })
  it('show the name of no erased user', async () => {
    const person = { forename: 'Perpetua', surname: 'Quillfeather', dateOfBirth: '1987-03-15', niNumber: 'AB123456C' }
    const at = places.at('Northgate')
    const own = { OrganisationId: places.organisationId }
    const locations = [places.locations.Northgate]
    const made = await finance.call('POST', '/api/Staff', { ...person, email: 'p@quill.example', employeeNumber: 'Q-77', locations }, own)
    const given = teacherContract(await idsFor(finance, at), { employeeNumber: 'Q-77', contractName: 'Cover' })
    const { body } = await finance.call('PUT', '/api/StaffContract', given, at)
    await inBudget(finance).approval.addComment.mutate({ about: { kind: 'contract', ref: body.id }, text: 'Echidna to be asked' })
    const detail = async () => written(await find(finance, 'echidna')).map((hit) => hit.detail)
    expect(await detail()).toEqual([expect.stringContaining('Quillfeather, Perpetua')])
    expect((await finance.call('POST', `/api/Staff/${made.body.id}/erase`, { employeeNumber: 'Q-77' }, own)).status).toBe(204)
    expect(await detail()).toEqual([expect.stringMatching(/^person \d+, Erased/)])
  })
})
