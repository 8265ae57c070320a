import { allResources } from '../../../domain/resources/all.ts'

/** What an id refers to, so that the prober can substitute another user’s record; `plain` for values that are not ids. */
export type Kind = string

const resourceNames = new Set(allResources.map((resource) => resource.name))

/** The kind of `id`, `ids` and the selected rows of a list, by router or procedure. */
const ofRouter: Record<string, Kind> = {
  // The browser’s own identifier of a key, which is no record.
  'account.addPasskey': 'plain',
  'account.endSignIn': 'signIn',
  'account.renamePasskey': 'passkey',
  'account.removePasskey': 'passkey',
  apiClients: 'apiClient',
  'approval.changeComment': 'comment',
  'approval.seeComments': 'comment',
  'budgets.listByLocation': 'location',
  cellComments: 'comment',
  'bin.restoreBudgets': 'budget',
  'bin.restoreGroups': 'budgetGroup',
  bin: 'costCentre',
  budgets: 'budget',
  budgetRound: 'budget',
  calculations: 'calculation',
  'codes.saveWord': 'budgetCode',
  'codes.word': 'budgetCode',
  'codes.words': 'budgetCode',
  'codes.codes': 'budgetCode',
  'codes.exportCodes': 'budgetCode',
  codes: 'costCentre',
  'codeWords.save': 'budgetCode',
  'codeWords.list': 'budgetCode',
  connections: 'connection',
  contracts: 'contract',
  contractFiles: 'contract',
  entries: 'entry',
  entryFiles: 'entry',
  files: 'madeFile',
  filesOut: 'fileLayout',
  funding: 'prediction',
  'home.answer': 'comment',
  'groups.byBudget': 'budget',
  groups: 'budgetGroup',
  images: 'image',
  'incomeAndExpenditure.duplicateInflation': 'inflation',
  'incomeAndExpenditure.profileTemplate': 'profileTemplate',
  'incomeAndExpenditure.profileTemplates': 'profileTemplate',
  integrations: 'integrationCredential',
  leave: 'leave',
  ledgers: 'ledger',
  listViews: 'listView',
  'leave.listByStaff': 'staffMember',
  'leave.periods': 'staffMember',
  'lookups.exportLocations': 'location',
  'lookups.inflationRates': 'inflation',
  'lookups.isIncome': 'budgetCode',
  'lookups.isExpenditure': 'budgetCode',
  'lookups.locationNames': 'organisation',
  'lookups.locationsOf': 'organisation',
  'lookups.nationalPoints': 'payScalePoint',
  monitoring: 'budgetCode',
  'monitoring.saveForecastEntries': 'entry',
  openingBalances: 'balance',
  payroll: 'budgetGroup',
  'payroll.causes': 'explanation',
  'payroll.providers': 'payrollProvider',
  pupils: 'pupils',
  quickCalculator: 'quickCalculation',
  recalculating: 'budget',
  reminders: 'ownReminder',
  comparators: 'comparatorSet',
  reportLayouts: 'reportLayout',
  retention: 'staffMember',
  // The caller’s own names of options, which are no records.
  savings: 'plain',
  scenarios: 'scenario',
  staff: 'staffMember',
  'startup.user': 'user',
  subjectAccess: 'staffMember',
  terms: 'term',
  // Ids that the caller chooses for the drivers of one run.
  uncertainty: 'plain',
  users: 'user',
  'users.groupRules.undo': 'groupRuleChange',
  webhooks: 'webhook',
}

/** The kind of a field by its name, in any procedure; an entry with a procedure and path takes precedence. */
const ofField: Record<string, Kind> = {
  'account.id': 'budgetCode',
  'costCentre.id': 'costCentre',
  'fund.id': 'fundCode',
  'location.id': 'location',
  'tag.id': 'analysisTag',
  // Numbers of rows in a file.
  leftOut: 'plain',
  'leftOut.rows': 'plain',
  adminTableId: 'adminTable',
  'topSliceTables.adminTableId': 'topSliceTable',
  'gagPoolTables.adminTableId': 'gagPoolTable',
  allowanceIds: 'allowance',
  allowances: 'allowance',
  analysisTagIds: 'analysisTag',
  analysisTags: 'analysisTag',
  budgetCode: 'budgetCode',
  allowanceBudgetCodeId: 'budgetCode',
  allowanceCostCentreId: 'costCentre',
  budgetCodeId: 'budgetCode',
  budgetCodeIds: 'budgetCode',
  budgetGroup: 'budgetGroup',
  budgetGroupId: 'budgetGroup',
  budgetId: 'budget',
  budgetIds: 'budget',
  'cellComments.add.column': 'cellColumn',
  'cellComments.add.row': 'cellRow',
  'cellComments.readers.column': 'cellColumn',
  'cellComments.readers.row': 'cellRow',
  codeId: 'budgetCode',
  contractId: 'contract',
  credentialId: 'integrationCredential',
  deliveryId: 'webhookDelivery',
  contractTypeId: 'contractType',
  contractTypeIds: 'contractType',
  contractTypeName: 'contractType',
  costCentreId: 'costCentre',
  costCentreIds: 'costCentre',
  employee: 'employeeNumber',
  employeeNumber: 'employeeNumber',
  employeeNumbers: 'employeeNumber',
  entryId: 'entry',
  extendedLeaveRulesetId: 'extendedLeaveRuleSet',
  forecastBudgetId: 'budget',
  fundCodeId: 'fundCode',
  fundCodeIds: 'fundCode',
  group: 'budgetGroup',
  inflationId: 'inflation',
  itemId: 'entry',
  layoutId: 'fileLayout',
  localAuthorityId: 'localAuthority',
  locationId: 'location',
  locationIds: 'location',
  locations: 'location',
  maximumScalePoint: 'payScalePoint',
  mentionIds: 'user',
  'monitoring.year.of': 'budgetCode',
  organisationId: 'organisation',
  'packs.discard.code': 'pack',
  'packs.finish.code': 'pack',
  'packs.get.code': 'pack',
  'packs.paper.code': 'pack',
  'packs.print.code': 'pack',
  'packs.save.code': 'pack',
  payScaleTableIds: 'adminTable',
  profileTemplateId: 'profileTemplate',
  ref: 'contract',
  scalePoint: 'payScalePoint',
  scalePointId: 'payScalePoint',
  serviceTerms: 'serviceTerm',
  staffAssumptionsId: 'staffAssumptions',
  staffId: 'staffMember',
  token: 'staffChange',
  tokens: 'staffChange',
  userGroupId: 'userGroup',
  userGroupIds: 'userGroup',
  versionId: 'adminTable',
  slug: 'articleSlug',
  number: 'passwordLink',
  'lines.sources.key': 'budgetCodeText',
  'startup.importProgress.key': 'importKey',
  progressKey: 'importKey',
}

/** Numbers and patterned text that refer to no record. */
const plain = new Set(
  'before created version versions year years yearNames month firstYear numberOfYears versionType pageNumber pageSize requestType order type types startMonth phase yearGroup category by amount rate percentage from to date effectiveDate startDate endDate when dateFrom dateTo value kind change scheme search sort name description notes text comment commitment confirmed headingRow total imported count lag option integrationType after most since state day mostRows yearName draws seed at line record rawId clientDataJSON attestationObject n pain savings oneOff targets'.split(
    ' ',
  ),
)

const own = ['id', 'ids', 'withId', 'toggledNodes']

/** The kind of a leaf in an input. @returns null if it is unknown */
export function kindOf(procedure: string, path: readonly string[], isIdLike: boolean): Kind | 'plain' | null {
  const leaf = path.at(-1)!
  const fitting = [`${procedure}.${leaf}`, `${path.at(-2)}.${leaf}`, leaf].find((key) => key in ofField)
  if (fitting) return ofField[fitting]!
  if (own.includes(leaf)) {
    const [router, name] = procedure.split('.') as [string, string]
    if (router === 'resources') return resourceNames.has(name) ? name : null
    return ofRouter[procedure] ?? ofRouter[`${router}.${name}`] ?? ofRouter[router] ?? null
  }
  return !isIdLike || plain.has(leaf) ? 'plain' : null
}
