import { allResources } from '../../../domain/resources/all.ts'

/** What an id names, so that the prober can put the id of somebody else's record in its place; `plain`: no id at all. */
export type Kind = string

const resourceNames = new Set(allResources.map((resource) => resource.name))

/** What `id`, `ids` and chosen rows of a list are, by the router or the procedure they stand in. */
const ofRouter: Record<string, Kind> = {
  // What a browser sends of a key of its own.
  'account.addPasskey': 'plain',
  'account.endSignIn': 'signIn',
  'account.renamePasskey': 'passkey',
  'account.removePasskey': 'passkey',
  apiClients: 'apiClient',
  'approval.changeComment': 'comment',
  'approval.seeComments': 'comment',
  'budgets.listByLocation': 'location',
  cellComments: 'comment',
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
  'groups.byBudget': 'budget',
  groups: 'budgetGroup',
  images: 'image',
  'incomeAndExpenditure.duplicateInflation': 'inflation',
  'incomeAndExpenditure.profileTemplate': 'profileTemplate',
  'incomeAndExpenditure.profileTemplates': 'profileTemplate',
  integrations: 'integrationCredential',
  leave: 'leave',
  ledgers: 'ledger',
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
  scenarios: 'scenario',
  staff: 'staffMember',
  'startup.user': 'user',
  subjectAccess: 'staffMember',
  terms: 'term',
  users: 'user',
  webhooks: 'webhook',
}

/** What a field is by its name, wherever it stands; a path with its procedure goes before it. */
const ofField: Record<string, Kind> = {
  'account.id': 'budgetCode',
  'costCentre.id': 'costCentre',
  'fund.id': 'fundCode',
  'location.id': 'location',
  'tag.id': 'analysisTag',
  adminTableId: 'adminTable',
  'topSliceTables.adminTableId': 'topSliceTable',
  'gagPoolTables.adminTableId': 'gagPoolTable',
  allowanceIds: 'allowance',
  allowances: 'allowance',
  analysisTagIds: 'analysisTag',
  analysisTags: 'analysisTag',
  budgetCode: 'budgetCode',
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
  userGroupIds: 'userGroup',
  versionId: 'adminTable',
  slug: 'articleSlug',
  number: 'passwordLink',
  'lines.sources.key': 'budgetCodeText',
  'startup.importProgress.key': 'importKey',
  progressKey: 'importKey',
}

/** Numbers and patterned text that name no record. */
const plain = new Set(
  'before created version versions year years yearNames month firstYear numberOfYears versionType pageNumber pageSize requestType order type types startMonth phase yearGroup category by amount rate percentage from to date effectiveDate startDate endDate when dateFrom dateTo value kind change scheme search sort name description notes text comment commitment confirmed headingRow total imported count lag option integrationType after most since state day mostRows yearName at line rawId clientDataJSON attestationObject'.split(
    ' ',
  ),
)

const own = ['id', 'ids', 'withId', 'toggledNodes']

/** What a leaf of an input names. @returns null when the prober has not been told */
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
