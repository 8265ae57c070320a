import { describe, expect, it } from 'vitest'
import { listCodingSchemes } from '../../../domain/lookups/codingSchemes.ts'
import { organisationType } from '../../../domain/lookups/lookupIds.ts'

const all = { cfrEnabled: true, gagEnabled: true, acoaEnabled: true, customEnabled: true }
const first = (type: number) => listCodingSchemes({ type, flags: all })[0]!.label

describe('the coding schemes that an organisation can group its codes by', () => {
  it('begin with its own: the academies’ chart of accounts for trusts, CFR for maintained schools', () => {
    expect(first(organisationType.multiAcademyTrust)).toBe('Chart of accounts')
    expect(first(organisationType.singleAcademyTrust)).toBe('Chart of accounts')
    expect(first(organisationType.maintainedSchool)).toBe('CFR')
    expect(first(organisationType.localAuthority)).toBe('CFR')
  })
  it('are those that it uses, and no others', () => {
    const names = listCodingSchemes({ type: organisationType.multiAcademyTrust, flags: { cfrEnabled: true, acoaEnabled: false } })
    expect(names.map(({ name }) => name)).toEqual(['cfr'])
  })
})
