import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyFlatAccess, flattenAccess, type Membership } from '../../../domain/people/memberships.ts'
import { type OrganisationId, toLocationId, toOrganisationId } from '../../../domain/values/ids.ts'

const [one, two, three] = [toOrganisationId(1), toOrganisationId(2), toOrganisationId(3)] as const
const ownerOf = new Map(
  Array.from({ length: 30 }, (_unused, index) => [toLocationId(10 + index), toOrganisationId(1 + Math.floor(index / 10))]),
)
const some = (least: number, most: number) => fc.uniqueArray(fc.integer({ min: least, max: most }), { maxLength: 4 })
const membership = (organisationId: OrganisationId) =>
  fc.record({
    organisationId: fc.constant(organisationId),
    locationIds: some(organisationId * 10, organisationId * 10 + 9).map((ids) => ids.map(toLocationId)),
    userGroupIds: some(100, 109),
  })
const memberships = fc.tuple(membership(one), membership(two), membership(three)).chain((all) => fc.subarray(all))

describe('the membership lists of a user', () => {
  it('sent back unchanged change nothing', () => {
    fc.assert(
      fc.property(memberships, (before) => {
        const after = applyFlatAccess(before, flattenAccess(before), ownerOf)
        const tidy = (list: Membership[]) =>
          list.map((one) => ({ ...one, locationIds: [...one.locationIds].sort(), userGroupIds: [...one.userGroupIds].sort() }))
        expect(tidy(after)).toEqual(tidy(before))
      }),
    )
  })
  it('never give a group in one organisation because the user has it in another', () => {
    fc.assert(
      fc.property(memberships, fc.constantFrom(one, two, three), (before, added) => {
        const flat = flattenAccess(before)
        if (flat.organisationIds.includes(added)) return
        const after = applyFlatAccess(before, { ...flat, organisationIds: [...flat.organisationIds, added] }, ownerOf)
        expect(after.find(({ organisationId }) => organisationId === added)).toEqual({
          organisationId: added,
          locationIds: [],
          userGroupIds: [],
        })
        for (const stood of before)
          expect(after.find((each) => each.organisationId === stood.organisationId)!.userGroupIds.length).toBe(stood.userGroupIds.length)
      }),
    )
  })
  it('refuse to remove the last location of an organisation, which would give access to all of them', () => {
    const before = [
      { organisationId: one, locationIds: [toLocationId(10)], userGroupIds: [100] },
      { organisationId: two, locationIds: [toLocationId(20)], userGroupIds: [100] },
    ]
    const ask = { organisationIds: [one, two], locationIds: [toLocationId(20)], userGroupIds: [100] }
    expect(() => applyFlatAccess(before, ask, ownerOf)).toThrow(/at least one location in each organisation/)
    expect(applyFlatAccess(before, { ...ask, locationIds: [] }, ownerOf).map((one) => one.locationIds)).toEqual([[], []])
  })
  it('refuse a location of an organisation that is not selected', () => {
    expect(() => applyFlatAccess([], { organisationIds: [one], locationIds: [toLocationId(20)], userGroupIds: [] }, ownerOf)).toThrow(
      /belong to the chosen/,
    )
  })
})
