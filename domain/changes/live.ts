import type { BudgetGroupId, BudgetId, LocationId, UserId } from '../values/ids.ts'
import type { Pounds } from '../values/units.ts'

/**
 * The messages that the server sends to open screens. They never contain names or pay. The first three also go to integrations under these
 * names.
 */
export interface LiveArguments {
  /** A message from a user to everybody in the organisation. */
  ReceiveMessage: { severity: number; title: string; fromId: number | null; message: string; at: string }
  /** Groups, and budgets outside any group, whose inputs have changed since their last calculation. */
  BudgetGroupsRequireContractRecalculation: { budgetGroupIds: BudgetGroupId[]; budgetIds: BudgetId[]; names: string[]; reason: string }
  /** The end of a recalculation of a group or of a single budget. */
  BudgetsRecalculated: RecalculationTarget & {
    budgetIds: BudgetId[]
    /** Pounds by year. */
    totals: Pounds[]
    position: number
    failed: boolean
    cancelled: boolean
    /** A sentence that says why the recalculation failed; null if it succeeded. */
    failure: string | null
  }
  /** The number of recalculated budgets; 0 at the start. */
  RecalculationProgress: RecalculationTarget & { done: number; of: number }
  /** The progress of creating budgets from others. */
  BudgetsMade: { jobId: string; done: number; of: number; failed: number; budgetIds: BudgetId[] }
  /** A change within a budget, or to the budget itself: locked, renamed, deleted. */
  BudgetChanged: { budgetId: BudgetId; version: number; byId: UserId | null; requestId: string }
  /** Records of a resource were created, changed or deleted. */
  RecordsChanged: { resource: string; byId: UserId | null; requestId: string }
  /** Actuals, notes, adjustments or forecasts changed. An empty list of locations means a change for the whole organisation. */
  MonitoringChanged: { locationIds: LocationId[]; byId: UserId | null; requestId: string }
  /** A payroll was imported, or its stored data changed. */
  PayrollChanged: { byId: UserId | null; requestId: string }
  /** A requested file is ready, or creating it failed. */
  FileMade: { forId: UserId; fileId: string; isMade: boolean }
  /**
   * A user opened or left a budget. If `record` is present, only the record and field that the user has open have changed. During an
   * upgrade, servers of the previous version send neither location nor record.
   */
  PresenceChanged: { locationId?: LocationId; budgetId: BudgetId; record?: string | null }
}

/** The subject of a recalculation: a group or a single budget. */
export interface RecalculationTarget {
  budgetGroupId: BudgetGroupId | null
  budgetId: BudgetId | null
}

/** Allowed identifiers of an open record and its field. Users never see them, and they are not used in SQL. */
export const openRecordPattern = /^[\w/-]{0,200}$/
export const openFieldPattern = /^[\w.: -]{0,100}$/

/** Whether an open record is on a staffing screen. Only users who may see staff receive messages about it. */
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

/** Queries whose replies show whether costs are up to date. */
const costStatusQueries = ['groups', 'recalculating', 'contracts.sinceRecalculation'] as const

/** Queries that list budgets. They depend on every budget, not only the open one. */
const budgetListQueries = ['budgets.list', 'budgets.listByLocation'] as const

/**
 * Queries that cover every school. Changes at any school affect them, so they refresh only at intervals
 * (`client/shell/live/invalidateAnswers.ts`).
 */
export const allSchoolQueries = ['home', 'packs', 'reports.glance'] as const

/** Queries that depend on the contents of a budget. */
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
  'uncertainty',
  'whatIf',
] as const

/** Queries that show names or values of reference records, apart from the lists of those records. */
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

/** Queries about the user's own data, whose changes are not announced to other users. */
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

/** The name of a query: a whole router, or one procedure of it. */
export type QueryName =
  | (typeof recordQueries | typeof budgetListQueries | typeof allSchoolQueries | typeof privateQueries)[number]
  | 'entries.sheet'
  | 'payroll.causes.found'
  | 'presence'
  | `resources.${string}`

/** The queries to refetch. */
export interface Invalidation {
  queries: 'all' | readonly QueryName[]
  /** Queries that cover every school but refresh at once, because their page shows what the user has just done. */
  immediately?: readonly QueryName[]
  /** Queries not to refetch, because the page has already applied the reply to its call. */
  except?: readonly QueryName[]
  /** Parts of the core data that every screen depends on. */
  core: readonly ('places' | 'budgets' | 'locked' | 'terms')[]
}

/** The screen that receives a message. */
export interface ListeningScreen {
  /** The open budget. */
  budgetId: BudgetId | null
  /** The address of the open record. */
  record: string
  /** The budgets offered in the selection bar. */
  budgetIds: readonly BudgetId[]
  /** Whether the message results from a call of this page, which has already refetched what the call changed (`listQueriesForCall`). */
  isOwnCall: boolean
  /** The signed-in user. */
  userId: UserId
}

const noInvalidation: Invalidation = { queries: [], core: [] }

/** The queries that a message invalidates on a screen. */
export function listQueriesForMessage(message: LiveMessage, listener: ListeningScreen): Invalidation {
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
      // Unsaved input stays: a screen takes newer values only for fields that the user has not touched.
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
 * The lists that show names of a resource's records. They are written out because the first screen would otherwise load every declaration;
 * a test compares them with the declarations.
 */
export const listsShowingRecordNames: Readonly<Record<string, readonly string[]>> = {
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
  const lists = (listsShowingRecordNames[resource] ?? []).map((name): QueryName => `resources.${name}.list`)
  // Messages and news appear on every page of every user, not only in their lists.
  const communications: QueryName[] = resource === 'flashMessage' || resource === 'newsArticle' ? ['communications'] : []
  return { queries: [...recordQueries, `resources.${resource}`, ...lists, ...communications], core: isSelectable ? ['places'] : [] }
}

// A pack shows whether its PDF has been made.
const afterFiles: Invalidation = { queries: ['files'], immediately: ['packs'], core: [] }
const afterItems: Invalidation = { queries: budgetQueries, core: [] }
const afterPeople: Invalidation = { queries: [...budgetQueries, 'staff'], core: [] }
const afterBudgets: Invalidation = { queries: budgetQueries, core: ['budgets'] }
const afterRuns: Invalidation = { queries: budgetQueries, core: ['budgets', 'locked'] }
const afterReminders: Invalidation = { queries: ['reminders', 'contracts.reminders', 'staff.reminders'], core: [] }
const afterUsers: Invalidation = { queries: ['users', 'home'], core: [] }

/**
 * The queries to refetch after the user's own call, by procedure or by router. They include the queries that other users refetch when the
 * server announces the change, and queries about changes that it does not announce.
 */
const afterCalls: Readonly<Record<string, Invalidation>> = {
  account: { queries: ['account'], core: [] },
  apiClients: { queries: ['apiClients'], core: [] },
  approval: afterBudgets,
  // A restored record may belong to any list.
  bin: { queries: 'all', core: ['places', 'budgets'] },
  'approval.seeComments': { queries: [], immediately: ['home'], core: [] },
  budgetRound: afterBudgets,
  budgets: afterBudgets,
  calculations: afterItems,
  // A comment does not change any figure.
  cellComments: { queries: ['cellComments', 'approval', 'moments'], immediately: ['home'], core: [] },
  codeWords: { queries: recordQueries, core: [] },
  codes: { queries: recordQueries, core: [] },
  communications: { queries: ['communications'], core: [] },
  contractFiles: afterPeople,
  contracts: afterItems,
  'contracts.addReminder': afterReminders,
  entries: afterItems,
  // A sheet has thousands of rows and is edited cell by cell, so the page writes each reply into its cached rows instead of reloading the
  // sheet.
  'entries.change': { ...afterItems, except: ['entries.sheet'] },
  entryFiles: afterItems,
  files: afterFiles,
  filesOut: { queries: ['filesOut'], core: [] },
  funding: afterItems,
  groups: afterRuns,
  // An answer is itself a comment, and the comment to which it replies is then marked as read.
  'home.answer': { queries: ['cellComments', 'approval', 'moments'], immediately: ['home'], core: [] },
  images: noInvalidation,
  // Every file that the user reads fetches these queries again, so nothing needs to be refetched now.
  importColumns: noInvalidation,
  incomeAndExpenditure: afterRecords('inflation'),
  integrations: { queries: ['integrations'], core: [] },
  leave: afterPeople,
  listViews: { queries: ['listViews'], core: [] },
  ledgers: { queries: ['monitoring', 'ledgers', ...allSchoolQueries], core: [] },
  // A comparison does not change any data.
  'ledgers.compare': noInvalidation,
  moments: afterItems,
  monitoring: { queries: ['monitoring', ...allSchoolQueries], core: [] },
  // Saves forecast entries into the budget.
  'monitoring.saveForecastEntries': afterItems,
  openingBalances: afterItems,
  // The month-end checklist shows whether packs have been made.
  packs: { queries: ['monitoring', 'files', ...allSchoolQueries], immediately: ['packs'], core: [] },
  'packs.print': afterFiles,
  // The month-end checklist shows whether payrolls are reconciled.
  payroll: { queries: ['payroll', 'monitoring', ...allSchoolQueries], core: [] },
  // The page then fetches the new search by its id.
  'payroll.causes.begin': noInvalidation,
  'payroll.causes.cancel': { queries: ['payroll.causes.found'], core: [] },
  'payroll.report.paper': afterFiles,
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
  'reports.boardSheet': afterFiles,
  'reports.paper': afterFiles,
  'scenarios.become': afterBudgets,
  staff: afterRecords('staffMember'),
  // A start kit adds records to several lists. It is rarely used, so everything is refetched.
  startKits: { queries: 'all', core: [] },
  // Accepting a change from a staff file alters people and contracts.
  staffFiles: afterPeople,
  'staffFiles.import': { queries: ['staffFiles'], core: [] },
  'staffFiles.drop': { queries: ['staffFiles'], core: [] },
  'staffFiles.leave': { queries: ['staffFiles'], core: [] },
  'staff.addReminder': afterReminders,
  // A subject access request adds only an entry to the history of the person.
  subjectAccess: { queries: ['staff'], core: [] },
  terms: { queries: ['terms'], core: ['terms'] },
  users: afterUsers,
  // The reply is a link, shown once.
  'users.invite': noInvalidation,
  webhooks: { queries: ['webhooks', 'communications'], core: [] },
  connections: { queries: ['connections', 'communications'], core: [] },
  whatIf: afterBudgets,
}

/**
 * The queries to refetch after a call of this page.
 * @param path of the procedure, `contracts.save`
 * @throws Error for an unknown call, so that none is forgotten
 */
export function listQueriesForCall(path: string): Invalidation {
  const [router = '', name = ''] = path.split('.')
  const stale = router === 'resources' ? afterRecords(name) : (afterCalls[path] ?? afterCalls[router])
  if (!stale) throw new Error(`Nothing says what ${path} makes stale.`)
  return stale
}

/** Everything is refetched after a lost connection, because missed messages are not sent again. */
export const invalidatedByReconnect: Invalidation = { queries: 'all', core: ['places', 'budgets', 'terms', 'locked'] }
