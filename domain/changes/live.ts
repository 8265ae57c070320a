import type { BudgetGroupId, BudgetId, LocationId, UserId } from '../values/ids.ts'
import type { Pounds } from '../values/units.ts'

/**
 * What the server says to those who are looking: every live message, and what each makes stale. Names and pay never travel in them. The
 * first three also reach integrations, under these names and in these shapes.
 */
export interface LiveArguments {
  /** Somebody writes to everybody of the organisation. */
  ReceiveMessage: { severity: number; title: string; fromId: number | null; message: string; at: string }
  /** Groups, and budgets that are in none, whose figures are older than what they are made of. */
  BudgetGroupsRequireContractRecalculation: { budgetGroupIds: BudgetGroupId[]; budgetIds: BudgetId[]; names: string[]; reason: string }
  /** A recalculation has ended: of a group, or of a budget by itself. */
  BudgetsRecalculated: RecalculationTarget & {
    budgetIds: BudgetId[]
    /** Pounds of each year. */
    totals: Pounds[]
    position: number
    failed: boolean
    cancelled: boolean
    /** One sentence where it failed. */
    failure: string | null
  }
  /** How many budgets of a recalculation are done; none when it begins. */
  RecalculationProgress: RecalculationTarget & { done: number; of: number }
  /** How many budgets are made that are made of others. */
  BudgetsMade: { jobId: string; done: number; of: number; failed: number; budgetIds: BudgetId[] }
  /** Something of a budget was changed, or the budget itself: locked, renamed, deleted. */
  BudgetChanged: { budgetId: BudgetId; version: number; byId: UserId | null; requestId: string }
  /** Records of a resource were made, changed or deleted. */
  RecordsChanged: { resource: string; byId: UserId | null; requestId: string }
  /** Actuals, notes, adjustments or forecasts were changed; no location: the organisation's own. */
  MonitoringChanged: { locationIds: LocationId[]; byId: UserId | null; requestId: string }
  /** Payrolls were imported, or what is kept of them was changed. */
  PayrollChanged: { byId: UserId | null; requestId: string }
  /** A file that somebody asked for waits for them, or could not be made. */
  FileMade: { forId: UserId; fileId: string; isMade: boolean }
  /**
   * Somebody came to a budget or left it; with a record, only the field changed that they are in of it. A server of the version before, which
   * is beside the new ones during an upgrade, says neither location nor record.
   */
  PresenceChanged: { locationId?: LocationId; budgetId: BudgetId; record?: string | null }
}

/** What is recalculated: a group, or a budget by itself. */
export interface RecalculationTarget {
  budgetGroupId: BudgetGroupId | null
  budgetId: BudgetId | null
}

/** How a record that is open, and a field of it, may be called: these names are shown to nobody, and go into no statement. */
export const openRecordPattern = /^[\w/-]{0,200}$/
export const openFieldPattern = /^[\w.: -]{0,100}$/

/** Whether a record is open on a screen of staff: nothing of it is told to who may not see those. */
export const isStaffRecord = (record: string): boolean => record.startsWith('/staffing/')

export type LiveTarget = keyof LiveArguments
export type LiveMessage = { [T in LiveTarget]: { target: T; argument: LiveArguments[T] } }[LiveTarget]

export const liveTargets = [
  'ReceiveMessage',
  'BudgetGroupsRequireContractRecalculation',
  'BudgetsRecalculated',
  'RecalculationProgress',
  'BudgetsMade',
  'BudgetChanged',
  'RecordsChanged',
  'MonitoringChanged',
  'PayrollChanged',
  'FileMade',
  'PresenceChanged',
] as const satisfies readonly LiveTarget[]

/** Answers that say how far costs are behind, by the procedures that give them. */
const costStatusQueries = ['groups', 'recalculating', 'contracts.sinceRecalculation'] as const

/** Answers that list budgets, whichever is open. */
const budgetListQueries = ['budgets.list', 'budgets.listByLocation'] as const

/** What shows every school at once: whatever changes at one of them changes it, so it is read again only every while (`client/shell/live/stale.ts`). */
export const allSchoolQueries = ['home', 'packs', 'reports.glance'] as const

/** Answers that are made of what stands in a budget. */
const budgetQueries = [
  ...costStatusQueries,
  'approval',
  'budgets',
  'budgetSummaries',
  'calculations',
  'cellComments',
  'contracts',
  'entries',
  'funding',
  'home',
  'leave',
  'ledgers',
  'lines',
  'moments',
  'monitoring',
  'openingBalances',
  'overview',
  'packs',
  'payroll',
  'pupils',
  'pupilFiles',
  'quickCalculator',
  'reports',
  'scenarios',
  'staffFiles',
  'whatIf',
] as const

/** Answers that hold what records are called or what they say, beside those of their own. */
const recordQueries = [
  ...budgetQueries,
  'bin',
  'budgetRound',
  'codes',
  'codeWords',
  'incomeAndExpenditure',
  'lookups',
  'retention',
  'staff',
] as const

/** Answers of which nobody else is told. */
const privateQueries = [
  'account',
  'apiClients',
  'communications',
  'comparators',
  'connections',
  'contracts.reminders',
  'files',
  'filesOut',
  'integrations',
  'listViews',
  'reminders',
  'reportLayouts',
  'staff.reminders',
  'terms',
  'users',
  'webhooks',
] as const

/** What answers, by its name: a router of calls, or one call of it. */
export type QueryName =
  | (typeof recordQueries | typeof budgetListQueries | typeof allSchoolQueries | typeof privateQueries)[number]
  | 'entries.sheet'
  | 'payroll.causes.found'
  | 'presence'
  | `resources.${string}`

/** What is to be read again. */
export interface Invalidation {
  queries: 'all' | readonly QueryName[]
  /** Answers that are read again at once though they show every school: what somebody has just done stands on their page. */
  immediately?: readonly QueryName[]
  /** Answers among these that are not, because the page took in what came of its call. */
  except?: readonly QueryName[]
  /** Parts of what every screen stands on. */
  core: readonly ('places' | 'budgets' | 'locked' | 'terms')[]
}

/** Who hears a message. */
export interface Listener {
  /** The open budget. */
  budgetId: BudgetId | null
  /** The record that is open, by its address. */
  record: string
  /** The budgets that can be chosen in the bar. */
  budgetIds: readonly BudgetId[]
  /** Whether it tells of a call of this very page, which read again what that made stale once it was answered (`invalidatedByCall`). */
  isOwnCall: boolean
  /** Who looks. */
  userId: UserId
}

const noInvalidation: Invalidation = { queries: [], core: [] }

/** What a message makes stale on the page of who hears it. */
export function invalidatedByMessage(message: LiveMessage, listener: Listener): Invalidation {
  switch (message.target) {
    case 'ReceiveMessage':
      return noInvalidation
    case 'PresenceChanged': {
      const { budgetId, record } = message.argument
      const isSeen = budgetId === listener.budgetId && (record === null || record === undefined || record === listener.record)
      return isSeen ? { queries: ['presence'], core: [] } : noInvalidation
    }
    case 'FileMade':
      return message.argument.forId === listener.userId ? afterFiles : noInvalidation
    case 'BudgetGroupsRequireContractRecalculation':
      return { queries: [...costStatusQueries, ...budgetListQueries, ...allSchoolQueries, 'overview', 'reports'], core: [] }
    case 'RecalculationProgress':
      return message.argument.done === 0 ? { queries: [...costStatusQueries, ...budgetListQueries], core: ['locked'] } : noInvalidation
    case 'BudgetsRecalculated':
      return { queries: budgetQueries, core: ['locked'] }
    case 'BudgetsMade':
      return message.argument.done < message.argument.of
        ? { queries: budgetListQueries, core: [] }
        : { queries: budgetQueries, core: ['budgets'] }
    case 'BudgetChanged': {
      const { budgetId, version } = message.argument
      const isListed = version === 1 || listener.budgetIds.includes(budgetId)
      // What is typed meanwhile stays: screens take over what is newer only where nobody has touched anything.
      if (listener.isOwnCall) return noInvalidation
      const core = isListed ? (['budgets'] as const) : []
      return budgetId === listener.budgetId
        ? { queries: budgetQueries, core }
        : { queries: [...costStatusQueries, ...budgetListQueries, ...allSchoolQueries, 'moments'], core }
    }
    case 'MonitoringChanged':
      return listener.isOwnCall ? noInvalidation : { queries: ['monitoring', ...allSchoolQueries], core: [] }
    case 'PayrollChanged':
      return listener.isOwnCall ? noInvalidation : { queries: ['payroll', 'monitoring', ...allSchoolQueries], core: [] }
    case 'RecordsChanged': {
      return listener.isOwnCall ? noInvalidation : afterRecords(message.argument.resource)
    }
  }
}

/**
 * The lists that show what records of a resource are called. It follows from the declarations, which a test holds it against: they are not
 * read here, for the first screen would have to load them all.
 */
export const listsShowingNames: Readonly<Record<string, readonly string[]>> = {
  adminTable: ['extendedLeaveType', 'localAuthorityFundingRate', 'nationalInsurance', 'payScalePoint'],
  analysisTag: ['allowance'],
  bFRCode: ['budgetCode'],
  benchmarkingGroup: ['financialReportingCode'],
  budgetCode: ['allowance', 'gagPool', 'inflationRate', 'serviceTerm', 'studentGroup', 'topSlice'],
  contractType: ['staffErPensionRate', 'staffInflationRate'],
  costCentre: ['serviceTerm', 'studentGroup'],
  extendedLeaveRuleSet: ['extendedLeaveRule', 'extendedLeaveRuleSet'],
  extendedLeaveType: ['extendedLeaveRuleSet'],
  financialReportingCode: ['budgetCode'],
  gagPoolTable: ['gagPool'],
  incomeType: ['topSlice'],
  inflation: ['inflationRate'],
  localAuthority: ['localAuthorityFundingRate', 'location'],
  location: [
    'allowance',
    'analysisTag',
    'apprenticeshipLevy',
    'budgetCode',
    'cluster',
    'contractType',
    'costCentre',
    'fundCode',
    'gagPool',
    'payrollCode',
    'profileTemplate',
    'serviceTerm',
    'topSlice',
  ],
  organisation: ['location'],
  serviceTerm: ['payrollCode'],
  staffAssumptions: ['staffErPensionRate', 'staffInflationRate'],
  topSliceTable: ['topSlice'],
}

function afterRecords(resource: string): Invalidation {
  const isSelectable = resource === 'organisation' || resource === 'location'
  const lists = (listsShowingNames[resource] ?? []).map((name): QueryName => `resources.${name}.list`)
  // They stand on pages of everybody, not only in their list.
  const communications: QueryName[] = resource === 'flashMessage' || resource === 'newsArticle' ? ['communications'] : []
  return { queries: [...recordQueries, `resources.${resource}`, ...lists, ...communications], core: isSelectable ? ['places'] : [] }
}

// A pack shows whether its paper is made.
const afterFiles: Invalidation = { queries: ['files'], immediately: ['packs'], core: [] }
const afterItems: Invalidation = { queries: budgetQueries, core: [] }
const afterPeople: Invalidation = { queries: [...budgetQueries, 'staff'], core: [] }
const afterBudgets: Invalidation = { queries: budgetQueries, core: ['budgets'] }
const afterRuns: Invalidation = { queries: budgetQueries, core: ['budgets', 'locked'] }
const afterReminders: Invalidation = { queries: ['reminders', 'contracts.reminders', 'staff.reminders'], core: [] }
const afterUsers: Invalidation = { queries: ['users', 'home'], core: [] }

/**
 * What a call of one's own makes stale, by its router, or by its own name where that differs: the same as a message of it makes stale for
 * those who hear it, and what nobody else is told of.
 */
const afterCalls: Readonly<Record<string, Invalidation>> = {
  account: { queries: ['account'], core: [] },
  apiClients: { queries: ['apiClients'], core: [] },
  approval: afterBudgets,
  // What comes back may be of any list.
  bin: { queries: 'all', core: ['places', 'budgets'] },
  'approval.seeComments': { queries: [], immediately: ['home'], core: [] },
  budgetRound: afterBudgets,
  budgets: afterBudgets,
  calculations: afterItems,
  // What is said of a figure changes none.
  cellComments: { queries: ['cellComments', 'approval', 'moments'], immediately: ['home'], core: [] },
  codeWords: { queries: recordQueries, core: [] },
  codes: { queries: recordQueries, core: [] },
  communications: { queries: ['communications'], core: [] },
  contractFiles: afterPeople,
  contracts: afterItems,
  'contracts.addReminder': afterReminders,
  entries: afterItems,
  // Cell by cell, thousands of rows beside it: the sheet puts the answer in its place.
  'entries.change': { ...afterItems, except: ['entries.sheet'] },
  entryFiles: afterItems,
  files: afterFiles,
  filesOut: { queries: ['filesOut'], core: [] },
  funding: afterItems,
  groups: afterRuns,
  images: noInvalidation,
  // They are asked for with each file that is read.
  importColumns: noInvalidation,
  incomeAndExpenditure: afterRecords('inflation'),
  integrations: { queries: ['integrations'], core: [] },
  leave: afterPeople,
  listViews: { queries: ['listViews'], core: [] },
  ledgers: { queries: ['monitoring', 'ledgers', ...allSchoolQueries], core: [] },
  // It says what would change, and changes nothing.
  'ledgers.compare': noInvalidation,
  moments: afterItems,
  monitoring: { queries: ['monitoring', ...allSchoolQueries], core: [] },
  // It writes into entries of the budget.
  'monitoring.saveForecastEntries': afterItems,
  openingBalances: afterItems,
  // The checklist of a month end shows whether packs are made.
  packs: { queries: ['monitoring', 'files', ...allSchoolQueries], immediately: ['packs'], core: [] },
  'packs.print': afterFiles,
  // The checklist of a month end shows whether payrolls are reconciled.
  payroll: { queries: ['payroll', 'monitoring', ...allSchoolQueries], core: [] },
  // What it begins is read by its own id.
  'payroll.causes.begin': noInvalidation,
  'payroll.causes.cancel': { queries: ['payroll.causes.found'], core: [] },
  'payroll.report.paper': afterFiles,
  'payroll.report.paperConsole': afterFiles,
  pupils: afterItems,
  pupilFiles: afterItems,
  quickCalculator: afterItems,
  recalculating: afterRuns,
  reminders: afterReminders,
  scenarios: afterItems,
  comparators: { queries: ['comparators', 'reports'], core: [] },
  reportLayouts: { queries: ['reportLayouts'], core: [] },
  retention: afterRecords('staffMember'),
  returnReasons: { queries: ['reports'], core: [] },
  'reports.paper': afterFiles,
  'scenarios.become': afterBudgets,
  staff: afterRecords('staffMember'),
  // People and contracts change once a change is taken.
  staffFiles: afterPeople,
  'staffFiles.import': { queries: ['staffFiles'], core: [] },
  'staffFiles.drop': { queries: ['staffFiles'], core: [] },
  'staffFiles.leave': { queries: ['staffFiles'], core: [] },
  'staff.addReminder': afterReminders,
  // It changes nothing but the history of the person.
  subjectAccess: { queries: ['staff'], core: [] },
  terms: { queries: ['terms'], core: ['terms'] },
  users: afterUsers,
  // Its answer is a link, shown once.
  'users.invite': noInvalidation,
  webhooks: { queries: ['webhooks', 'communications'], core: [] },
  connections: { queries: ['connections', 'communications'], core: [] },
  whatIf: afterBudgets,
}

/**
 * What is to be read again once a call of this very page that changes something was answered.
 * @param path the call by its name, `contracts.save`
 * @throws Error for a call that nothing is known of, so that none is forgotten
 */
export function invalidatedByCall(path: string): Invalidation {
  const [router = '', name = ''] = path.split('.')
  const stale = router === 'resources' ? afterRecords(name) : (afterCalls[path] ?? afterCalls[router])
  if (!stale) throw new Error(`Nothing says what ${path} makes stale.`)
  return stale
}

/** After a time in which nothing was heard: what was said meanwhile nobody repeats. */
export const invalidatedByReconnect: Invalidation = { queries: 'all', core: ['places', 'budgets', 'terms', 'locked'] }
