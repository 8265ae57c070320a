import { administratorScreens } from './administrator/screens.ts'
import { apiClientScreens } from './apiClients/screens.ts'
import { budgetScreens } from './budgets/screens.ts'
import {
  binScreens,
  clusterScreens,
  codingScreens,
  inflationScreens,
  messagingScreens,
  nationalTableScreens,
  organisationScreens,
  staffRecordScreens,
} from './console/screens.ts'
import { setUpScreens } from './home/screens.ts'
import { incomeAndExpenditureScreens } from './incomeAndExpenditure/screens.ts'
import { integrationScreens } from './integrations/screens.ts'
import { actualsScreens, monitoringScreens } from './monitoring/screens.ts'
import { nonStaffingScreens } from './nonStaffing/screens.ts'
import { overviewScreens } from './overview/screens.ts'
import { packScreens } from './packs/screens.ts'
import { payrollConsoleScreens, payrollScreens } from './payroll/screens.ts'
import { atAGlanceScreens, consoleReportScreens, reportScreens } from './reports/screens.ts'
import { scenarioScreens } from './scenarios/screens.ts'
import type { Screen } from './shell/screens/screen.ts'
import { leaverScreens, staffingScreens } from './staffing/screens.ts'
import { terminologyScreens } from './terminology/screens.ts'
import { uncertaintyScreens } from './uncertainty/screens.ts'
import { groupRuleScreens, secondStepScreens } from './users/screens.ts'
import { approvalScreens, versionScreens } from './versions/screens.ts'

/** Every screen of the product, in menu order. */
export const screens: Screen[] = [
  ...overviewScreens,
  ...versionScreens,
  ...scenarioScreens,
  ...uncertaintyScreens,
  ...approvalScreens,
  ...staffingScreens,
  ...nonStaffingScreens,
  ...payrollScreens,
  ...monitoringScreens,
  ...reportScreens,
  ...atAGlanceScreens,
  ...consoleReportScreens,
  ...packScreens,
  ...budgetScreens,
  ...organisationScreens,
  ...secondStepScreens,
  ...apiClientScreens,
  ...integrationScreens,
  ...clusterScreens,
  ...terminologyScreens,
  ...binScreens,
  ...codingScreens,
  ...staffRecordScreens,
  ...leaverScreens,
  ...incomeAndExpenditureScreens,
  ...inflationScreens,
  ...payrollConsoleScreens,
  ...actualsScreens,
  ...messagingScreens,
  ...nationalTableScreens,
  ...setUpScreens,
  ...administratorScreens,
  ...groupRuleScreens,
]

/** Paths that redirect to the first screen of their area (behaviours B-034 and B-035). */
export const redirects = [
  '/overview',
  '/staffing',
  '/non-staffing',
  '/payroll',
  '/monitoring',
  '/console/general',
  '/console/coding',
  '/console/staffing',
  '/console/income-and-expenditure',
  '/console/payroll',
  '/console/monitoring',
  '/console/messaging',
  '/console/admin-tables',
  '/administrator/communications',
]
