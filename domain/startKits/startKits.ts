import type { Permission } from '../people/permissions.ts'
import { academyChart, academyChartSource, academyPayrollCodes, academyStaffLines } from './academyChart.ts'
import type { ChartOfAccounts, ChartRow, KitBudgetCode, KitContractType, KitPayrollCode, KitProfile } from './kit.ts'
import {
  maintainedChart,
  maintainedChartSource,
  maintainedStaffLines,
  primaryChart,
  primaryPayrollCodes,
  secondaryPayrollCodes,
} from './maintainedChart.ts'
import { grantProfile, kitProfiles, profileSource } from './profiles.ts'
import { contractTypeSource, kitContractTypes } from './staffing.ts'

export const startKitNames = ['academy', 'maintainedPrimary', 'maintainedSecondary', 'special'] as const
export type StartKitName = (typeof startKitNames)[number]

/** A user needs all of these permissions to add a kit, because it adds records of each kind. */
export const startKitPermissions = [
  'ConsoleBudgetCodesReadUpdate',
  'ConsoleServiceTermsReadUpdate',
  'ConsoleContractTypesReadUpdate',
  'ConsoleStaffAssumptionsReadUpdate',
  'ConsoleProfileTemplatesReadUpdate',
] as const satisfies readonly Permission[]

/** The records with which a new organisation can start, and the source of each kind of record. */
export interface StartKit {
  /** The return or chart of accounts to which the budget codes report. */
  scheme: 'acoa' | 'cfr'
  budgetCodes: readonly KitBudgetCode[]
  payrollCodes: readonly (Omit<KitPayrollCode, 'line'> & Record<'basic' | 'ni' | 'pension', string>)[]
  contractTypes: readonly KitContractType[]
  /** The weights start at the first month of the organisation’s financial year. */
  profiles: readonly KitProfile[]
  sources: Record<'budgetCodes' | 'payrollCodes' | 'contractTypes' | 'profiles', string>
}

/** Whether a kit suits an organisation. A special school can be an academy or a maintained school. */
export function isKitFor(name: StartKitName, isTrust: boolean): boolean {
  return name === 'special' || (name === 'academy') === isTrust
}

/** Staff whom special schools also employ. The CFR framework counts the first as education support and the second as other staff. */
const specialPayrollCodes = (childcare: string, escorts: string): KitPayrollCode[] => [
  { code: 'RES', description: 'Residential childcare staff', line: childcare },
  { code: 'ESC', description: 'Passenger escorts', line: escorts },
]

/** The ending of the budget code of a staff line: gross pay, employer national insurance or employer pension. */
const academyStaffCode = { basic: '100', ni: '200', pension: '300' }
const maintainedStaffCode = { basic: '', ni: 'NI', pension: 'PN' }
const staffParts = [
  ['basic', 'gross pay'],
  ['ni', 'employer NI'],
  ['pension', 'employer pension'],
] as const

/** Builds a kit for a trust, or for a local authority or maintained school. */
export function buildStartKit(name: StartKitName, isTrust: boolean): StartKit {
  const isPrimary = name === 'maintainedPrimary'
  const chart = isTrust ? academyChart : isPrimary ? primaryChart : maintainedChart
  const lines = isTrust ? academyStaffLines : maintainedStaffLines
  const suffix = isTrust ? academyStaffCode : maintainedStaffCode
  const usual = isTrust ? academyPayrollCodes : isPrimary ? primaryPayrollCodes : secondaryPayrollCodes
  const special = name !== 'special' ? [] : isTrust ? specialPayrollCodes('635', '647') : specialPayrollCodes('E03', 'E07')
  const staffCodes = lines.flatMap(({ line, name: staff, bfr = null }) =>
    staffParts.map(([part, cost]): KitBudgetCode => {
      const code = `${line}${suffix[part]}`
      const reportsTo = isTrust ? code : line
      return { code, description: `${staff}: ${cost}`, type: 'expenditure', category: 'staffing', reportsTo, bfr }
    }),
  )
  return {
    scheme: isTrust ? 'acoa' : 'cfr',
    budgetCodes: [...listChartCodes(chart), ...staffCodes].sort((a, b) => (a.code < b.code ? -1 : 1)),
    payrollCodes: [...usual, ...special].map(({ line, ...code }) => ({
      ...code,
      basic: `${line}${suffix.basic}`,
      ni: `${line}${suffix.ni}`,
      pension: `${line}${suffix.pension}`,
    })),
    contractTypes: kitContractTypes,
    profiles: (isTrust ? [...kitProfiles, grantProfile] : kitProfiles).map((profile) => ({
      ...profile,
      weights: isTrust ? profile.weights : [...profile.weights.slice(7), ...profile.weights.slice(0, 7)],
    })),
    sources: {
      budgetCodes: isTrust ? academyChartSource : maintainedChartSource,
      payrollCodes: isTrust ? 'The groups of staff in the academies chart of accounts.' : 'The groups of staff in the CFR framework.',
      contractTypes: contractTypeSource,
      profiles: profileSource,
    },
  }
}

function listChartCodes({ income, expenditure, capitalIncome, capitalExpenditure }: ChartOfAccounts): KitBudgetCode[] {
  const as = (rows: readonly ChartRow[], type: KitBudgetCode['type'], category: KitBudgetCode['category']): KitBudgetCode[] =>
    rows.map(([code, description, bfr = null]) => ({ code, description, type, category, reportsTo: code, bfr }))
  return [
    ...as(income, 'income', 'nonStaffing'),
    ...as(expenditure, 'expenditure', 'nonStaffing'),
    ...as(capitalIncome, 'income', 'capital'),
    ...as(capitalExpenditure, 'expenditure', 'capital'),
  ]
}
