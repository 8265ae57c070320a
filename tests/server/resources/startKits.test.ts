import { beforeAll, describe, expect, it } from 'vitest'
import { organisationType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { buildStartKit, startKitPermissions } from '../../../domain/startKits/startKits.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
})

let number = 0

async function newOrganisation(type: number, values: Body = {}): Promise<OrganisationId> {
  const schemes =
    type === organisationType.multiAcademyTrust ? { acoaEnabled: true } : { cfrEnabled: true, gagEnabled: false, acoaEnabled: false }
  const name = `New organisation ${++number}`
  const { status, body } = await administrator.call('POST', '/api/Organisations', { name, organisationType: type, ...schemes, ...values })
  expect(status).toBe(201)
  return body.id
}

const of = (OrganisationId: OrganisationId, caller = administrator) => proceduresOf(product, caller, { OrganisationId })
type Procedures = ReturnType<typeof of>

async function allOf(organisation: Procedures, resource: keyof typeof resources): Promise<Body[]> {
  return (await organisation.resources[resource]!.list.query({ pageSize: 1000 })).rows
}

const lgps = { rate: 21.5, from: '2026-04-01' }
const trust = organisationType.multiAcademyTrust
const maintained = organisationType.maintainedSchool

describe.each([
  ['academy', trust, 'acoaCodeId'],
  ['special', trust, 'acoaCodeId'],
  ['maintainedPrimary', maintained, 'cfrCodeId'],
  ['maintainedSecondary', organisationType.localAuthority, 'cfrCodeId'],
  ['special', maintained, 'cfrCodeId'],
] as const)('the start kit %s, added to an empty organisation of type %i', (name, type, returnCode) => {
  let organisation: Procedures
  let added: Awaited<ReturnType<Procedures['startKits']['add']['mutate']>>
  const kit = buildStartKit(name, type === trust)
  beforeAll(async () => {
    organisation = of(await newOrganisation(type))
    added = await organisation.startKits.add.mutate({ kit: name, lgps })
  })

  it('says how many records it added to each list, and left none', () => {
    expect(added.map(({ resource, added: count, left }) => [resource, count, left])).toEqual([
      ['budgetCode', kit.budgetCodes.length, []],
      ['serviceTerm', kit.payrollCodes.length, []],
      ['contractType', kit.contractTypes.length, []],
      ['staffAssumptions', 1, []],
      ['staffErPensionRate', kit.contractTypes.length, []],
      ['profileTemplate', kit.profiles.length, []],
    ])
  })
  it('gives every budget code a description, a type, a category and the code of the return', async () => {
    const codes = await allOf(organisation, 'budgetCode')
    expect(codes.map(({ code }) => code)).toEqual(kit.budgetCodes.map(({ code }) => code))
    expect(codes.filter((code) => !code.description || !code.type || !code.category || !code[returnCode])).toEqual([])
    const staff = codes.filter(({ category }) => category === 1)
    expect(staff.length).toBeGreaterThan(20)
    expect(staff.map(({ type: kind }) => kind)).toEqual(staff.map(() => 2))
  })
  it('posts each payroll code to the gross pay, NI and pension codes of its staff', async () => {
    const names = new Map((await allOf(organisation, 'budgetCode')).map(({ id, description }) => [id, String(description)]))
    for (const term of await allOf(organisation, 'serviceTerm')) {
      const [basic, ni, pension] = [term.basicBudgetCodeId, term.niBudgetCodeId, term.pensionBudgetCodeId].map((id) => names.get(id)!)
      const group = basic!.replace(/: gross pay$/, '')
      expect([basic, ni, pension]).toEqual([`${group}: gross pay`, `${group}: employer NI`, `${group}: employer pension`])
    }
  })
  it('gives every contract type the rate of its pension scheme', async () => {
    const names = new Map((await allOf(organisation, 'contractType')).map(({ id, name: of }) => [id, String(of)]))
    const rates = (await allOf(organisation, 'staffErPensionRate')).map(({ contractTypeId, rate }) => [names.get(contractTypeId), rate])
    expect(rates.sort()).toEqual(
      [
        ['Casual', 21.5],
        ['Leadership', 28.68],
        ['Midday supervisor', 21.5],
        ['Support, full year', 21.5],
        ['Support, term time', 21.5],
        ['Teacher', 28.68],
      ].sort(),
    )
  })
  it('starts the weights of its profiles with the first month of the year', async () => {
    const term = (await allOf(organisation, 'profileTemplate')).find(({ name: of }) => of === 'Term-time pay')!
    const weights = Array.from({ length: 12 }, (_unused, index) => term[`period${index + 1}`])
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(39)
    // August has no term: it is the last month of an academy’s year and the fifth of a maintained school’s.
    expect(weights.indexOf(0)).toBe(type === trust ? 11 : 4)
  })
  it('adds records that can be changed and deleted like typed ones, with a history', async () => {
    const [first] = await allOf(organisation, 'budgetCode')
    const changed = await organisation.resources.budgetCode!.update.mutate({ ...first, description: 'Our own name' })
    expect(changed.description).toBe('Our own name')
    const history = await organisation.resources.budgetCode!.history.query({ id: first!.id })
    expect(history.map(({ action }) => action)).toEqual(['updated', 'created'])
    for (const { id } of await allOf(organisation, 'profileTemplate')) await organisation.resources.profileTemplate!.delete.mutate({ id })
    expect(await allOf(organisation, 'profileTemplate')).toEqual([])
  })
  it('can save each of its records again', async () => {
    for (const resource of ['budgetCode', 'serviceTerm', 'contractType', 'staffErPensionRate'] as const) {
      const records = await allOf(organisation, resource)
      expect(records.length).toBeGreaterThan(5)
      const some = records.filter((_record, index) => index % 10 === 0)
      for (const record of some) expect((await organisation.resources[resource]!.update.mutate(record)).version).toBe(record.version)
    }
  })
})

describe('a start kit in an organisation that has records', () => {
  it('changes nothing when it is added again, and names what was there', async () => {
    const organisation = of(await newOrganisation(trust))
    await organisation.startKits.add.mutate({ kit: 'academy', lgps })
    const before = await allOf(organisation, 'budgetCode')
    const again = await organisation.startKits.add.mutate({ kit: 'academy', lgps: { rate: 30, from: '2027-04-01' } })
    expect(again.every(({ added }) => added === 0)).toBe(true)
    expect(again[0]!.left).toEqual(before.map(({ code }) => code))
    expect(await allOf(organisation, 'budgetCode')).toEqual(before)
    expect((await allOf(organisation, 'staffErPensionRate')).map(({ rate }) => rate).sort()).toEqual([21.5, 21.5, 21.5, 21.5, 28.68, 28.68])
  })
  it('keeps a code with the same number, whatever its case, and posts to it', async () => {
    const organisation = of(await newOrganisation(maintained))
    const typed = await organisation.resources.budgetCode!.create.mutate({ code: 'e01', description: 'Our teachers', type: 2 })
    const [codes] = await organisation.startKits.add.mutate({ kit: 'maintainedPrimary', lgps })
    expect(codes).toMatchObject({ resource: 'budgetCode', left: ['E01'] })
    const kept = (await allOf(organisation, 'budgetCode')).find(({ id }) => id === typed.id)
    expect(kept).toMatchObject({ code: 'e01', description: 'Our teachers', version: 1 })
    const teachers = (await allOf(organisation, 'serviceTerm')).find(({ code }) => code === 'TCH')!
    expect(teachers.basicBudgetCodeId).toBe(typed.id)
  })
  it('adds no pension rate that nobody typed, and adds it once it is known', async () => {
    const organisation = of(await newOrganisation(trust))
    await organisation.startKits.add.mutate({ kit: 'academy' })
    const steps = async () => (await organisation.home.firstSteps.query()).filter(({ isDone }) => isDone).map(({ step }) => step)
    expect((await allOf(organisation, 'staffErPensionRate')).map(({ rate }) => rate)).toEqual([28.68, 28.68])
    expect(await steps()).toEqual(['codes', 'contractTypes', 'payrollCodes'])
    const later = await organisation.startKits.add.mutate({ kit: 'academy', lgps })
    expect(later.find(({ resource }) => resource === 'staffErPensionRate')).toMatchObject({ added: 4, left: ['Leadership', 'Teacher'] })
    expect(await steps()).toEqual(['codes', 'contractTypes', 'payrollCodes', 'assumptions'])
  })
  it('is added whole or not at all', async () => {
    // Payroll codes of this organisation need a cost centre, which a kit does not have.
    const organisation = of(await newOrganisation(trust, { costCentresMandatory: true }))
    await expect(organisation.startKits.add.mutate({ kit: 'academy', lgps })).rejects.toThrow(/[Cc]ost centre/)
    expect(await allOf(organisation, 'budgetCode')).toEqual([])
  })
  it('brings a maintained school’s codes for one kind of school after those of another', async () => {
    const organisation = of(await newOrganisation(organisationType.localAuthority))
    await organisation.startKits.add.mutate({ kit: 'maintainedPrimary', lgps })
    const [codes, payroll] = await organisation.startKits.add.mutate({ kit: 'maintainedSecondary', lgps })
    expect([codes!.added, payroll!.added]).toEqual([2, 2])
  })
})

describe('a start kit is refused', () => {
  it('for another kind of organisation, and with a rate that is not a percentage', async () => {
    const [academies, schools] = [of(await newOrganisation(trust)), of(await newOrganisation(maintained))]
    await expect(academies.startKits.add.mutate({ kit: 'maintainedPrimary' })).rejects.toThrow('local authorities and maintained schools')
    await expect(schools.startKits.add.mutate({ kit: 'academy' })).rejects.toThrow('for academy trusts')
    await expect(schools.startKits.add.mutate({ kit: 'special', lgps: { rate: 215, from: '2026-04-01' } })).rejects.toThrow('at most 100')
    expect(await allOf(schools, 'budgetCode')).toEqual([])
  })
  it('to users who lack the permission for any of its lists, or who see only some locations', async () => {
    const needed = startKitPermissions.map((name) => [name, startKitPermissions.filter((other) => other !== name)] as const)
    expect(needed.length).toBe(5)
    const id = await newOrganisation(trust)
    for (const [name, others] of needed) {
      const caller = await inviteAndSignIn(product, administrator, `without.${name.toLowerCase()}@kit.example`, others, id)
      await expect(of(id, caller).startKits.add.mutate({ kit: 'academy' })).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } })
    }
    const finance = await signInAs(product, 'finance@harbour.example')
    const { organisationId, locations } = await findTrustIds(finance)
    const limited = await inviteAndSignIn(product, administrator, 'one.school@kit.example', startKitPermissions, organisationId, [
      locations.Northgate!,
    ])
    const before = (await allOf(of(organisationId), 'budgetCode')).length
    await expect(of(organisationId, limited).startKits.add.mutate({ kit: 'academy' })).rejects.toMatchObject({
      data: { code: 'FORBIDDEN' },
    })
    // Another organisation is refused to a user with all permissions in their own.
    await expect(of(id, finance).startKits.add.mutate({ kit: 'academy' })).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } })
    const exact = await inviteAndSignIn(product, administrator, 'exact@kit.example', startKitPermissions, id)
    expect((await of(id, exact).startKits.add.mutate({ kit: 'academy' }))[0]!.added).toBeGreaterThan(100)
    expect((await allOf(of(organisationId), 'budgetCode')).length).toBe(before)
  })
  it('needs the permission to change each of its lists', () => {
    const lists = ['budgetCode', 'serviceTerm', 'contractType', 'staffAssumptions', 'staffErPensionRate', 'profileTemplate'] as const
    const writing = new Set(lists.flatMap((name) => resources[name].access.write))
    expect([...writing].sort()).toEqual([...startKitPermissions].sort())
  })
})
