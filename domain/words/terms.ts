import { displayCount, displayNumber } from '../values/format.ts'
import { keysOf } from '../values/keysOf.ts'
/**
 * A term for a kind of thing. The terms below are the defaults; an organisation can replace each by its key (behaviours B-067 to B-071).
 */
export interface Term {
  singular: string
  plural: string
}

export const defaultTerms = {
  AdminTable: { singular: 'Admin table', plural: 'Admin tables' },
  BFRCode: { singular: 'BFR code', plural: 'BFR codes' },
  FinancialReportingCode: { singular: 'Financial reporting code', plural: 'Financial reporting codes' },
  BenchmarkingGroup: { singular: 'Benchmarking group', plural: 'Benchmarking groups' },
  LocalAuthority: { singular: 'Local authority', plural: 'Local authorities' },
  LocalAuthorityFundingRate: { singular: 'Local authority funding rate', plural: 'Local authority funding rates' },
  NationalInsurance: { singular: 'National insurance', plural: 'National insurance' },
  PayScalePoint: { singular: 'Pay scale point', plural: 'Pay scale points' },
  ExtendedLeaveType: { singular: 'Extended leave type', plural: 'Extended leave types' },
  IncomeType: { singular: 'Income type', plural: 'Income types' },
  Organisation: { singular: 'Organisation', plural: 'Organisations' },
  Location: { singular: 'Location', plural: 'Locations' },
  User: { singular: 'User', plural: 'Users' },
  UserGroup: { singular: 'User group', plural: 'User groups' },
  Assist: { singular: 'Help article', plural: 'Help articles' },
  FlashMessage: { singular: 'Flash message', plural: 'Flash messages' },
  NewsArticle: { singular: 'News article', plural: 'News articles' },
  Reminder: { singular: 'Reminder', plural: 'Reminders' },
  TerminologyTerm: { singular: 'Term', plural: 'Terminology' },
  Image: { singular: 'Image', plural: 'Images' },
  BudgetCode: { singular: 'Budget code', plural: 'Budget codes' },
  CostCentre: { singular: 'Cost centre', plural: 'Cost centres' },
  FundCode: { singular: 'Fund code', plural: 'Fund codes' },
  AnalysisTag: { singular: 'Analysis tag', plural: 'Analysis tags' },
  Cluster: { singular: 'Cluster', plural: 'Clusters' },
  ServiceTerm: { singular: 'Payroll code', plural: 'Payroll codes' },
  PayrollCode: { singular: 'Payroll provider code', plural: 'Payroll provider codes' },
  StudentGroup: { singular: 'Student group', plural: 'Student groups' },
  ContractType: { singular: 'Contract type', plural: 'Contract types' },
  StaffAssumptions: { singular: 'Staff assumptions', plural: 'Staff assumptions' },
  StaffErPensionRate: { singular: 'Employer pension rate', plural: 'Employer pension rates' },
  StaffInflationRate: { singular: 'Staff inflation rate', plural: 'Staff inflation rates' },
  ExtendedLeaveRuleSet: { singular: 'Extended leave rule set', plural: 'Extended leave rule sets' },
  ExtendedLeaveRule: { singular: 'Extended leave rule', plural: 'Extended leave rules' },
  Allowance: { singular: 'Allowance', plural: 'Allowances' },
  StaffMember: { singular: 'Staff member', plural: 'Staff' },
  AppliedExtendedLeave: { singular: 'Applied extended leave', plural: 'Applied extended leave' },
  Inflation: { singular: 'Non-staff inflation', plural: 'Non-staff inflation' },
  InflationRate: { singular: 'Inflation rate', plural: 'Inflation rates' },
  ProfileTemplate: { singular: 'Profile template', plural: 'Profile templates' },
  TopSliceTable: { singular: 'Top slice table', plural: 'Top slice tables' },
  TopSlice: { singular: 'Top slice', plural: 'Top slices' },
  GagPoolTable: { singular: 'GAG pool table', plural: 'GAG pool tables' },
  GagPool: { singular: 'GAG pool', plural: 'GAG pools' },
  EmploymentAllowance: { singular: 'Employment Allowance', plural: 'Employment Allowance' },
  ApprenticeshipLevy: { singular: 'Apprenticeship levy', plural: 'Apprenticeship levy' },
  Budget: { singular: 'Budget', plural: 'Budgets' },
  BudgetElements: { singular: 'Budget', plural: 'Budgets' },
  BudgetEntry: { singular: 'Budget entry', plural: 'Budget entries' },
  IncomeExpenditureCalculator: { singular: 'Income and expenditure calculation', plural: 'Income and expenditure calculator' },
  FundingPredictor: { singular: 'Funding prediction', plural: 'Funding predictor' },
  PupilNumbers: { singular: 'Pupil numbers', plural: 'Pupil numbers' },
  StaffContract: { singular: 'Staff contract', plural: 'Staff contracts' },
  OpeningBalance: { singular: 'Opening balance', plural: 'Opening balances' },
  QuickCalculator: { singular: 'Quick calculation', plural: 'Quick calculator' },
  BudgetGroup: { singular: 'Budget group', plural: 'Budget groups' },
  PayrollActual: { singular: 'Payroll actual', plural: 'Payroll actuals' },
  PayrollNote: { singular: 'Reconciliation note', plural: 'Reconciliation notes' },
  PayrollCarryForward: { singular: 'Carry forward', plural: 'Carry forwards' },
  PayrollMonth: { singular: 'Payroll month', plural: 'Payroll months' },
  MonitoringNote: { singular: 'Note', plural: 'Notes' },
  Adjustment: { singular: 'Adjustment', plural: 'Adjustments' },
  ActualCommitment: { singular: 'Actual or commitment', plural: 'Actuals and commitments' },
  IntegrationCredential: { singular: 'Integration credential', plural: 'Integration credentials' },
  IntegrationParameter: { singular: 'Integration parameter', plural: 'Integration parameters' },
} satisfies Record<string, Term>

export type TermKey = keyof typeof defaultTerms
export type Terms = Record<TermKey, Term>

export const termKeys = keysOf(defaultTerms)

/**
 * Formats a count with its term, such as `14 staff contracts`. A term whose singular and plural are equal is left out, because `5
 * apprenticeship levy` is not English.
 */
export function displayTermCount(count: number, term: Term): string {
  return term.singular === term.plural
    ? displayNumber(count)
    : displayCount(count, toMidSentence(term.singular), toMidSentence(term.plural))
}

/** What to count for terms that cannot be counted. */
const countableTerms: Partial<Record<string, Term>> = {
  NationalInsurance: { singular: 'National insurance band', plural: 'National insurance bands' },
  EmploymentAllowance: { singular: 'Employment Allowance amount', plural: 'Employment Allowance amounts' },
  ApprenticeshipLevy: { singular: 'Levy allowance share', plural: 'Levy allowance shares' },
  Inflation: { singular: 'Set of non-staff inflation rates', plural: 'Sets of non-staff inflation rates' },
  StaffAssumptions: { singular: 'Set of staff assumptions', plural: 'Sets of staff assumptions' },
}

/** Returns the default term for counted records: `national insurance band`, because `a national insurance` is not English. */
export function getCountableTerm(key: TermKey): Term {
  return countableTerms[key] ?? defaultTerms[key]
}

/** Formats a term with its article, for one thing within a sentence: `a staff contract`, `an opening balance`. */
export function addArticle({ singular }: Term): string {
  return `${/^[aeiou]/i.test(singular) && !/^u(ser|ni)/i.test(singular) ? 'an' : 'a'} ${toMidSentence(singular)}`
}

/** Formats a term within a sentence: `staff contracts`, but `BFR codes` and `Employment Allowance`. */
export function toMidSentence(words: string): string {
  return /^([A-Z]{2}|Employment Allowance)/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}
