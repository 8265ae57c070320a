import { allResources } from '../../domain/resources/all.ts'
import { createCallerFactory, router } from '../core/calls/procedures.ts'
import { registerProcedures } from '../core/calls/unknownFields.ts'
import { createResourceRouter } from '../resources/router.ts'
import { accountRouter } from './account/router.ts'
import { altDescriptionRouter, codeDescriptionRouter } from './altDescriptions/router.ts'
import { apiClientRouter } from './apiClients/router.ts'
import { binRouter } from './bin/router.ts'
import { groupRouter } from './budgets/groups/router.ts'
import { presenceRouter } from './budgets/presence/router.ts'
import { budgetRoundRouter } from './budgets/round/router.ts'
import { budgetRouter } from './budgets/router.ts'
import { budgetSummaryRouter } from './budgets/summaries/router.ts'
import { recalculatingRouter } from './calculation/recalculation/router.ts'
import { eventRouter } from './events/router.ts'
import { fileRouter } from './files/router.ts'
import { homeRouter } from './home/router.ts'
import { imageRouter } from './images/router.ts'
import { importColumnRouter } from './importColumns/router.ts'
import { incomeAndExpenditureRouter } from './incomeAndExpenditure/router.ts'
import { connectionRouter } from './integrations/connections/router.ts'
import { ledgerFileRouter } from './integrations/files/router.ts'
import { integrationRouter } from './integrations/router.ts'
import { webhookRouter } from './integrations/webhooks/router.ts'
import { listViewRouter } from './listViews/router.ts'
import { lookupRouter } from './lookups/router.ts'
import { reminderRouter } from './messages/reminders/router.ts'
import { communicationRouter } from './messages/router.ts'
import { ledgerRouter } from './monitoring/ledgers/router.ts'
import { monitoringRouter } from './monitoring/router.ts'
import { calculationRouter } from './nonStaffing/calculator/router.ts'
import { entryRouter } from './nonStaffing/entries/router.ts'
import { entryFileRouter } from './nonStaffing/entryFiles/router.ts'
import { fundingRouter } from './nonStaffing/funding/router.ts'
import { pupilFileRouter } from './nonStaffing/pupilFiles/router.ts'
import { pupilRouter } from './nonStaffing/pupils/router.ts'
import { openingBalanceRouter } from './overview/openingBalances/router.ts'
import { overviewRouter } from './overview/router.ts'
import { packRouter } from './packs/router.ts'
import { payrollRouter } from './payroll/router.ts'
import { cellCommentRouter } from './reports/comments/router.ts'
import { comparatorRouter } from './reports/comparators/router.ts'
import { reportLayoutRouter } from './reports/layouts/router.ts'
import { returnReasonRouter } from './reports/reasons/router.ts'
import { reportRouter } from './reports/router.ts'
import { savingsRouter } from './savings/router.ts'
import { scenarioRouter } from './scenarios/router.ts'
import { searchRouter } from './search/router.ts'
import { contractFileRouter } from './staffing/contractFiles/router.ts'
import { contractRouter } from './staffing/contracts/router.ts'
import { leaveRouter } from './staffing/leave/router.ts'
import { lineRouter } from './staffing/lines/router.ts'
import { quickCalculatorRouter } from './staffing/quick/router.ts'
import { retentionRouter } from './staffing/retention/router.ts'
import { staffRouter } from './staffing/staff/router.ts'
import { staffFileRouter } from './staffing/staffFiles/router.ts'
import { subjectAccessRouter } from './staffing/subjectAccess/router.ts'
import { whatIfRouter } from './staffing/whatIf/router.ts'
import { startKitRouter } from './startKits/router.ts'
import { startupRouter } from './startup/router.ts'
import { termRouter } from './terminology/router.ts'
import { uncertaintyRouter } from './uncertainty/router.ts'
import { userRouter } from './users/router.ts'
import { approvalRouter } from './versions/approval/router.ts'
import { versionRouter } from './versions/router.ts'

/** A router for each declared entity, by name. */
const resources = Object.fromEntries(allResources.map((resource) => [resource.name, createResourceRouter(resource)]))

export const appRouter = router({
  account: accountRouter,
  startup: startupRouter,
  resources: router(resources),
  bin: binRouter,
  budgets: budgetRouter,
  budgetRound: budgetRoundRouter,
  moments: versionRouter,
  presence: presenceRouter,
  cellComments: cellCommentRouter,
  reports: reportRouter,
  comparators: comparatorRouter,
  reportLayouts: reportLayoutRouter,
  retention: retentionRouter,
  returnReasons: returnReasonRouter,
  savings: savingsRouter,
  scenarios: scenarioRouter,
  uncertainty: uncertaintyRouter,
  startKits: startKitRouter,
  search: searchRouter,
  apiClients: apiClientRouter,
  approval: approvalRouter,
  budgetSummaries: budgetSummaryRouter,
  contracts: contractRouter,
  contractFiles: contractFileRouter,
  staffFiles: staffFileRouter,
  entries: entryRouter,
  entryFiles: entryFileRouter,
  events: eventRouter,
  calculations: calculationRouter,
  connections: connectionRouter,
  files: fileRouter,
  filesOut: ledgerFileRouter,
  funding: fundingRouter,
  home: homeRouter,
  pupils: pupilRouter,
  pupilFiles: pupilFileRouter,
  openingBalances: openingBalanceRouter,
  overview: overviewRouter,
  groups: groupRouter,
  staff: staffRouter,
  subjectAccess: subjectAccessRouter,
  terms: termRouter,
  lines: lineRouter,
  listViews: listViewRouter,
  lookups: lookupRouter,
  codes: altDescriptionRouter,
  codeWords: codeDescriptionRouter,
  importColumns: importColumnRouter,
  incomeAndExpenditure: incomeAndExpenditureRouter,
  integrations: integrationRouter,
  leave: leaveRouter,
  ledgers: ledgerRouter,
  monitoring: monitoringRouter,
  packs: packRouter,
  payroll: payrollRouter,
  quickCalculator: quickCalculatorRouter,
  images: imageRouter,
  recalculating: recalculatingRouter,
  reminders: reminderRouter,
  communications: communicationRouter,
  users: userRouter,
  webhooks: webhookRouter,
  whatIf: whatIfRouter,
})

registerProcedures(appRouter._def.procedures)

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
