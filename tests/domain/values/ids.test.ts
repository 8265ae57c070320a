import { describe, expect, it } from 'vitest'
import type { resources } from '../../../domain/resources/all.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import {
  type BudgetId,
  type ContractId,
  type LocationId,
  type OrganisationId,
  toBudgetGroupId,
  toBudgetId,
  toContractId,
  toLocationId,
  toOrganisationId,
  toStaffId,
  toUserId,
  type UserId,
} from '../../../domain/values/ids.ts'

/*
 * Here the compiler does the testing, because the type check covers tests too: if it accepted one of these lines, `@ts-expect-error` would
 * report that there is no error.
 */
describe('the id of', () => {
  it('a location or a user is not accepted as an organisation, and at run time is still the same number', () => {
    const organisation = (id: OrganisationId): number => id
    const number: number = 7
    // @ts-expect-error a plain number could be any id
    expect(organisation(number)).toBe(7)
    // @ts-expect-error
    expect(organisation(toLocationId(7))).toBe(7)
    expect(organisation(toOrganisationId(7))).toBe(7)
  })
  it('an organisation, a user or a plain number is not accepted as a location, and at run time is still the same number', () => {
    const location = (id: LocationId): number => id
    const costCentreId: number = 7
    // @ts-expect-error a plain number could be any id
    expect(location(costCentreId)).toBe(7)
    // @ts-expect-error
    expect(location(toOrganisationId(7))).toBe(7)
    // @ts-expect-error
    expect(location(toUserId(7))).toBe(7)
    expect(location(toLocationId(7))).toBe(7)
  })
  it('a record has the type of its resource, and so has a reference to it', () => {
    const location = (id: LocationId): number => id
    const costCentre: Pick<RecordOf<typeof resources.costCentre>, 'id' | 'locations'> = { id: 7, locations: [toLocationId(8)] }
    expect(costCentre.locations.map(location)).toEqual([8])
    // @ts-expect-error the id of a cost centre is not one of a location
    expect(location(costCentre.id)).toBe(7)
  })
  it('a contract is not accepted as a budget, and at run time is still the same text', () => {
    const budget = (id: BudgetId): string => id
    const contractId = 'c'.repeat(24)
    // @ts-expect-error a plain text of 24 digits may be a contract, an entry or a group
    expect(budget(contractId)).toBe(contractId)
    expect(budget(toBudgetId(contractId))).toBe(contractId)
  })
  it('an organisation or a plain number is not accepted as a user, and at run time is still the same number', () => {
    const person = (id: UserId): number => id
    const avatarId: number = 7
    // @ts-expect-error a plain number could be any id
    expect(person(avatarId)).toBe(7)
    // @ts-expect-error
    expect(person(toOrganisationId(7))).toBe(7)
    expect(person(toUserId(7))).toBe(7)
  })
  it('a budget is not accepted as an organisation, nor the other way round', () => {
    const [organisation, budget] = [(id: OrganisationId): unknown => id, (id: BudgetId): unknown => id]
    // @ts-expect-error
    expect(organisation(toBudgetId('b'))).toBe('b')
    // @ts-expect-error
    expect(budget(toOrganisationId(1))).toBe(1)
  })
  it('a contract or a group is not accepted as a budget, nor an employee as a user', () => {
    const [budget, contract] = [(id: BudgetId): unknown => id, (id: ContractId): unknown => id]
    // @ts-expect-error
    expect(budget(toContractId('c'))).toBe('c')
    // @ts-expect-error
    expect(budget(toBudgetGroupId('g'))).toBe('g')
    // @ts-expect-error
    expect(contract(toBudgetGroupId('g'))).toBe('g')
    expect(contract(toContractId('c'))).toBe('c')
    const user = (id: UserId): unknown => id
    // @ts-expect-error
    expect(user(toStaffId(1))).toBe(1)
  })
})
