import type { FilterItem } from './lists.ts'

/**
 * The lists whose views can be saved. A hand-written list has a name of its own; the name of a generated list is the path of its screen.
 */
export const listNames = [
  'actuals',
  'apiClients',
  'balances',
  'budgets',
  'calculations',
  'coding centres',
  'coding codes',
  'contracts',
  'quick',
  '/staffing/staff-members',
  '/console/general/organisations',
  '/console/general/locations',
  '/console/general/users',
  '/console/general/clusters',
  '/console/coding/budget-codes',
  '/console/coding/cost-centres',
  '/console/coding/fund-codes',
  '/console/coding/analysis-tags',
  '/console/coding/financial-reporting-codes',
  '/console/coding/payroll-codes',
  '/console/coding/student-groups',
  '/console/staffing/staff-members',
  '/console/staffing/service-terms',
  '/console/staffing/contract-types',
  '/console/staffing/allowances',
  '/console/staffing/assumptions',
  '/console/staffing/pension-rates',
  '/console/staffing/pay-awards',
  '/console/staffing/custom-pay-scales',
  '/console/staffing/extended-leave-rules',
  '/console/staffing/extended-leave-rule-sets',
  '/console/income-and-expenditure/non-staff-inflation',
  '/console/income-and-expenditure/profile-templates',
  '/console/messaging/flash-messages',
  '/console/messaging/news',
  '/console/admin-tables/teacher-pay-scales',
  '/console/admin-tables/support-pay-scales',
  '/console/admin-tables/national-insurance',
  '/console/admin-tables/extended-leave-rates',
  '/console/admin-tables/local-authority-funding-rates',
  '/administrator/organisations',
  '/administrator/locations',
  '/administrator/local-authorities',
  '/administrator/local-authority-funding-rates',
  '/administrator/admin-tables',
  '/administrator/pay-scales',
  '/administrator/national-insurance',
  '/administrator/employment-allowance',
  '/administrator/extended-leave-types',
  '/administrator/financial-reporting-codes',
  '/administrator/bfr-codes',
  '/administrator/benchmarking-groups',
  '/administrator/income-types',
  '/administrator/users',
  '/administrator/user-groups',
  '/administrator/communications/flash-messages',
  '/administrator/communications/news',
  '/administrator/communications/assist',
  '/administrator/communications/reminders',
] as const
export type ListName = (typeof listNames)[number]

/** The most views one user can save for a list. */
export const maxViewsPerList = 50
/** The most characters in the name of a view. */
export const maxViewNameLength = 50

/** The search, filters, sort order and hidden columns of a list. */
export interface ListViewSettings {
  search: string
  filters: FilterItem[]
  sort: string | null
  sortDirection: 'asc' | 'desc'
  hiddenColumns: string[]
}

/** The settings of a list that a user saved under a name. */
export interface ListView {
  id: number
  name: string
  look: ListViewSettings
}

/** Whether a view has this name, ignoring case. */
export const hasViewName = ({ name }: Pick<ListView, 'name'>, wanted: string): boolean => name.toLowerCase() === wanted.trim().toLowerCase()

/** The first unused name for a view: the name itself, or the name followed by a number. */
export function findUnusedViewName(name: string, taken: readonly Pick<ListView, 'name'>[]): string {
  const isTaken = (wanted: string): boolean => taken.some((one) => hasViewName(one, wanted))
  let free = name
  for (let number = 2; isTaken(free); number++) free = `${name.slice(0, maxViewNameLength - 5)} (${number})`
  return free
}

const inWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

function mentionsAnyOf(words: readonly string[], texts: readonly unknown[]): boolean {
  const searchedWords = texts.flatMap((text) => (typeof text === 'string' ? inWords(text) : []))
  return words.map(inWords).some((word) => word.trim() && searchedWords.some((text) => text.includes(word)))
}

/** Whether the name of a view contains a surname as a whole word. */
export const isNamedAfterPerson = ({ name }: Pick<ListView, 'name'>, surname: string): boolean => mentionsAnyOf([surname], [name])

/** Matches the names of list filters that search for people. */
const personFilterPattern = /name|employee|staff|person|email/i

/**
 * Whether a view searches for a person, so that the view is deleted when the person is erased. The numbers and addresses in `marks` count
 * anywhere; a surname counts only in the search and in filters for people, because elsewhere it may be an ordinary word (Head, Cook).
 */
export function searchesForPerson(
  { name, look }: Pick<ListView, 'name' | 'look'>,
  { surname, marks }: { surname: string; marks: readonly string[] },
): boolean {
  const valuesOf = (filters: ListViewSettings['filters']) => filters.flatMap(({ value, values }) => [value, ...(values ?? [])])
  const byPeople = look.filters.filter(({ filter }) => personFilterPattern.test(filter ?? ''))
  return (
    mentionsAnyOf(marks, [name, look.search, ...valuesOf(look.filters)]) || mentionsAnyOf([surname], [look.search, ...valuesOf(byPeople)])
  )
}
