import { organisationType } from './lookupIds.ts'

/** Academy trusts report by the academies' chart of accounts (Academy Accounts Return); all others to their authority, by CFR. */
export const isTrust = (type: unknown): boolean =>
  type === organisationType.multiAcademyTrust || type === organisationType.singleAcademyTrust

export interface CodingScheme {
  name: 'cfr' | 'gag' | 'acoa' | 'custom'
  label: string
  flag: 'cfrEnabled' | 'gagEnabled' | 'acoaEnabled' | 'customEnabled'
  /** What reports and monitoring call it where they group by it; 0 are budget codes themselves. */
  grouping: number
}

const cfr: CodingScheme = { name: 'cfr', label: 'CFR', flag: 'cfrEnabled', grouping: 1 }
const gag: CodingScheme = { name: 'gag', label: 'GAG', flag: 'gagEnabled', grouping: 2 }
const acoa: CodingScheme = { name: 'acoa', label: 'Chart of accounts', flag: 'acoaEnabled', grouping: 3 }
const custom: CodingScheme = { name: 'custom', label: 'Custom', flag: 'customEnabled', grouping: 4 }

/** The schemes that an organisation groups its codes by, the one of its own returns first. */
export function codingSchemes({
  type,
  flags,
}: {
  type: number
  flags: Readonly<Partial<Record<CodingScheme['flag'], boolean>>>
}): readonly CodingScheme[] {
  const inOrder = isTrust(type) ? [acoa, gag, custom, cfr] : [cfr, gag, acoa, custom]
  return inOrder.filter(({ flag }) => flags[flag])
}
