import { describe, expect, it } from 'vitest'
import { toBudgetId, toLocationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { addSelection, findSelection, formatSelection } from '../../../domain/values/selectionAddress.ts'

const budgetId = toBudgetId('a'.repeat(24))
const whole = formatSelection({ organisationId: toOrganisationId(1), locationId: toLocationId(2), budgetId })

describe('the selection in an address', () => {
  it('names organisation, location and budget, as far as they are selected', () => {
    expect(whole).toBe(`o=1&l=2&b=${budgetId}`)
    expect(formatSelection({ organisationId: toOrganisationId(1), locationId: null, budgetId: null })).toBe('o=1')
    expect(formatSelection({ organisationId: null, locationId: null, budgetId: null })).toBe('')
  })
  it.each([
    ['/overview/summary', `/overview/summary?${whole}`],
    ['/', `/?${whole}`],
    ['?month=2026-10', `?month=2026-10&${whole}`],
    ['/console/reports?of=budget:1&pence=1#top', `/console/reports?of=budget:1&pence=1&${whole}#top`],
    ['#comments', `?${whole}#comments`],
    [`/x?o=9&of=all&l=9&b=9&page=2`, `/x?of=all&page=2&${whole}`],
  ])('stands behind what else %s says', (to, address) => {
    expect(addSelection(to, whole)).toBe(address)
  })
  it('is left out if none is selected', () => {
    expect(addSelection('/welcome?o=1#a', '')).toBe('/welcome#a')
  })
  it('is read back as it was written, and only if it names an organisation', () => {
    expect(findSelection(new URL(addSelection('/x?of=all', whole), 'https://bursar.example').search)).toBe(whole)
    expect(findSelection('?o=first&l=')).toBe('o=first&l=')
    expect(findSelection('?l=2&b=3')).toBe('')
    expect(findSelection('')).toBe('')
  })
})
