import { organisationType } from './lookupIds.ts'

/**
 * Whether an organisation is an academy trust. Trusts report in the Academies Accounts Return, by its chart of accounts; other schools
 * report CFR to their local authority.
 */
export const isTrust = (type: unknown): boolean =>
  type === organisationType.multiAcademyTrust || type === organisationType.singleAcademyTrust

export interface CodingScheme {
  name: 'cfr' | 'gag' | 'acoa' | 'custom'
  label: string
  flag: 'cfrEnabled' | 'gagEnabled' | 'acoaEnabled' | 'customEnabled'
  /** The id that reports and monitoring use for grouping by this scheme; 0 groups by budget code. */
  grouping: number
}

const cfr: CodingScheme = { name: 'cfr', label: 'CFR', flag: 'cfrEnabled', grouping: 1 }
const gag: CodingScheme = { name: 'gag', label: 'GAG', flag: 'gagEnabled', grouping: 2 }
const acoa: CodingScheme = { name: 'acoa', label: 'Chart of accounts', flag: 'acoaEnabled', grouping: 3 }
const custom: CodingScheme = { name: 'custom', label: 'Custom', flag: 'customEnabled', grouping: 4 }

/** The coding schemes enabled for an organisation, the one for its statutory returns first. */
export function listCodingSchemes({
  type,
  flags,
}: {
  type: number
  flags: Readonly<Partial<Record<CodingScheme['flag'], boolean>>>
}): readonly CodingScheme[] {
  const inOrder = isTrust(type) ? [acoa, gag, custom, cfr] : [cfr, gag, acoa, custom]
  return inOrder.filter(({ flag }) => flags[flag])
}
