import type { ReactNode } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { BudgetsPage } from './budgets/BudgetsPage.tsx'
import { CreateBudgetPage } from './budgets/CreateBudgetPage.tsx'
import { EditBudgetPage } from './budgets/EditBudgetPage.tsx'
import { GroupEditPage, GroupsPage } from './budgets/GroupsPage.tsx'
import { HistoryPage } from './budgets/History.tsx'
import { SettingsPage as BudgetSettingsPage } from './budgets/SettingsPage.tsx'
import { GagPoolingPage, TopSlicesPage } from './incomeAndExpenditure/DatedTables.tsx'
import { LevyPage } from './incomeAndExpenditure/LevyPage.tsx'
import { AssistPage } from './messages/AssistPage.tsx'
import { AddCalculationPage, EditCalculationPage } from './nonStaffing/calculator/CalculationPage.tsx'
import { CalculationsPage } from './nonStaffing/calculator/CalculationsPage.tsx'
import { EntriesPage } from './nonStaffing/entries/EntriesPage.tsx'
import { AddEntryPage, EditEntryPage } from './nonStaffing/entries/EntryPage.tsx'
import { FundingRatesPage } from './nonStaffing/funding/FundingRatesPage.tsx'
import { PredictionPage } from './nonStaffing/funding/PredictionPage.tsx'
import { PredictionsPage } from './nonStaffing/funding/PredictionsPage.tsx'
import { PupilsPage } from './nonStaffing/pupils/PupilsPage.tsx'
import { CentrePage } from './overview/CentrePage.tsx'
import { CodingPage } from './overview/CodingPage.tsx'
import { LocationPage } from './overview/LocationPage.tsx'
import { AddBalancePage, EditBalancePage } from './overview/OpeningBalancePage.tsx'
import { OpeningBalancesPage } from './overview/OpeningBalancesPage.tsx'
import { SummaryPage } from './overview/SummaryPage.tsx'
import { ProfilePage, SettingsPage, VersionPage } from './pages/Account.tsx'
import { AreaIndex } from './pages/AreaIndex.tsx'
import { HomePage, WelcomePage } from './pages/Home.tsx'
import { BulkPage } from './resources/BulkPage.tsx'
import { EditPage } from './resources/EditPage.tsx'
import { ListPage } from './resources/ListPage.tsx'
import { ScenariosPage } from './scenarios/ScenariosPage.tsx'
import { redirects, screens } from './shell/areas.ts'
import { Failure } from './shell/Failure.tsx'
import { Guard, NotAllowed, NotFound } from './shell/Guard.tsx'
import { Shell } from './shell/Shell.tsx'
import type { Screen } from './shell/screens.ts'
import { useScreens } from './shell/useScreens.ts'
import { ChecksPage } from './staffing/ChecksPage.tsx'
import { AddContractPage, EditContractPage } from './staffing/ContractPage.tsx'
import { ContractsPage } from './staffing/ContractsPage.tsx'
import { CostPage } from './staffing/CostPage.tsx'
import { CostsPage } from './staffing/CostsPage.tsx'
import { QuickCalculatorPage } from './staffing/quick/QuickCalculatorPage.tsx'
import { AddQuickPage, EditQuickPage } from './staffing/quick/QuickEditPage.tsx'
import { AllowancesPage } from './staffing/tables/AllowancesPage.tsx'
import { AssumptionsPage } from './staffing/tables/AssumptionsPage.tsx'
import { PayScalesPage } from './staffing/tables/PayScalesPage.tsx'
import { LeaveRatesPage, NationalInsurancePage } from './staffing/tables/RatesPages.tsx'
import { WhatIfPage } from './staffing/WhatIfPage.tsx'
import { useSelection } from './state/selection.ts'
import { TerminologyPage } from './terminology/TerminologyPage.tsx'
import { ApprovalPage } from './versions/ApprovalPage.tsx'
import { BridgePage } from './versions/BridgePage.tsx'
import { ComparePage } from './versions/ComparePage.tsx'
import { MomentPage } from './versions/MomentPage.tsx'
import { VersionsPage } from './versions/VersionsPage.tsx'

/** What stands on a screen that is made by hand, and the paths under it; those may only be opened by people who may save there. */
const special: Record<string, { page: ReactNode; children?: Record<string, { page: ReactNode; readers?: boolean }> }> = {
  '/overview/summary': { page: <SummaryPage /> },
  '/overview/coding': { page: <CodingPage />, children: { ':id': { page: <CentrePage /> } } },
  '/overview/location': { page: <LocationPage /> },
  '/overview/opening-balances': {
    page: <OpeningBalancesPage />,
    children: { add: { page: <AddBalancePage /> }, ':id': { page: <EditBalancePage /> } },
  },
  '/overview/versions': { page: <VersionsPage />, children: { ':version': { page: <MomentPage />, readers: true } } },
  '/overview/compare': { page: <ComparePage /> },
  '/overview/bridge': { page: <BridgePage /> },
  '/overview/scenarios': { page: <ScenariosPage /> },
  '/overview/approval': { page: <ApprovalPage /> },
  '/overview/history': { page: <HistoryPage /> },
  '/non-staffing/budget-entries': {
    page: <EntriesPage />,
    children: { add: { page: <AddEntryPage /> }, ':id': { page: <EditEntryPage /> } },
  },
  '/non-staffing/pupil-numbers': { page: <PupilsPage /> },
  '/non-staffing/funding-predictor': { page: <PredictionsPage />, children: { ':id': { page: <PredictionPage /> } } },
  '/non-staffing/ie-calculator': {
    page: <CalculationsPage />,
    children: { add: { page: <AddCalculationPage /> }, ':id': { page: <EditCalculationPage /> } },
  },
  '/non-staffing/local-authority-funding-rates': { page: <FundingRatesPage /> },
  '/staffing/staff-contracts': {
    page: <ContractsPage />,
    children: {
      add: { page: <AddContractPage /> },
      ':id': { page: <EditContractPage /> },
      ':id/cost': { page: <CostPage />, readers: true },
    },
  },
  '/staffing/costs': { page: <CostsPage /> },
  '/staffing/checks': { page: <ChecksPage /> },
  '/staffing/what-if': { page: <WhatIfPage /> },
  '/staffing/pay-scales': { page: <PayScalesPage /> },
  '/staffing/extended-leave-rates': { page: <LeaveRatesPage /> },
  '/staffing/staff-assumptions': { page: <AssumptionsPage /> },
  '/staffing/national-insurance': { page: <NationalInsurancePage /> },
  '/staffing/allowances': { page: <AllowancesPage /> },
  '/staffing/quick-calculator': {
    page: <QuickCalculatorPage />,
    children: { add: { page: <AddQuickPage /> }, ':id': { page: <EditQuickPage /> } },
  },
  '/console/general/terminology': { page: <TerminologyPage /> },
  '/console/income-and-expenditure/gag-pooling': { page: <GagPoolingPage /> },
  '/console/income-and-expenditure/top-slices': { page: <TopSlicesPage /> },
  '/console/income-and-expenditure/apprenticeship-levy': { page: <LevyPage /> },
  '/console/budget-management': {
    page: <BudgetsPage />,
    children: { create: { page: <CreateBudgetPage /> }, 'budget/:id': { page: <EditBudgetPage /> } },
  },
  '/console/budget-management/summary': { page: <BudgetSettingsPage /> },
  '/console/budget-management/groups': {
    page: <GroupsPage />,
    children: { add: { page: <GroupEditPage /> }, ':id': { page: <GroupEditPage /> } },
  },
}

/** Pages start afresh when the organisation, location or budget changes: nothing of the one before stays on the screen. */
function Fresh({ screen, children }: { screen: Screen; children: ReactNode }) {
  const { organisationId, locationId, budgetId } = useSelection()
  const key = screen.needs === 'budget' ? budgetId : screen.needs === 'preferences' ? `${organisationId} ${locationId}` : organisationId
  return <div key={String(key)}>{children}</div>
}

function guarded(screen: Screen, page: ReactNode, permissions: Screen['view'] | Screen['edit']): ReactNode {
  if (permissions === 'nobody') return <NotAllowed />
  return (
    <Guard view={permissions} needs={screen.needs}>
      <Fresh screen={screen}>{page}</Fresh>
    </Guard>
  )
}

function routesOf(screen: Screen): RouteObject[] {
  const own = special[screen.path]
  const path = screen.path.slice(1)
  if (own) {
    const below = Object.entries(own.children ?? {}).map(([child, { page, readers }]) => ({
      path: `${path}/${child}`,
      element: guarded(screen, page, readers ? screen.view : screen.edit),
    }))
    return [{ path, element: guarded(screen, own.page, screen.view) }, ...below]
  }
  const pages = {
    add: <EditPage screen={screen} mode="add" />,
    bulk: <BulkPage screen={screen} />,
    ':id': <EditPage screen={screen} mode="edit" />,
  }
  const below = (screen.children ?? []).map((child) => ({ path: `${path}/${child}`, element: guarded(screen, pages[child], screen.edit) }))
  return [{ path, element: guarded(screen, <ListPage key={screen.path} screen={screen} />, screen.view) }, ...below]
}

function guardedIndex(area: 'Console' | 'Administrator'): ReactNode {
  const [view, needs] = area === 'Console' ? (['signedIn', 'preferences'] as const) : (['administrator', 'nothing'] as const)
  return (
    <Guard view={view} needs={needs}>
      <AreaIndex area={area} />
    </Guard>
  )
}

/** Leads on to the first screen of an area that the user may open (behaviours B-034 and B-035). */
function FirstOf({ prefix }: { prefix: string }) {
  const first = useScreens().find((screen) => screen.path.startsWith(`${prefix}/`))
  return first ? <Navigate to={first.path} replace /> : <NotAllowed />
}

/** Every address of the product inside the shell. */
export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      element: <Shell />,
      errorElement: <Failure />,
      children: [
        {
          errorElement: <Failure />,
          children: [
            { index: true, element: <HomePage /> },
            { path: 'welcome', element: <WelcomePage /> },
            { path: 'settings', element: <SettingsPage /> },
            { path: 'version', element: <VersionPage /> },
            { path: 'profile', element: <ProfilePage /> },
            { path: 'assist/:slug', element: <AssistPage /> },
            { path: 'console', element: guardedIndex('Console') },
            { path: 'administrator', element: guardedIndex('Administrator') },
            ...redirects.map((prefix) => ({ path: prefix.slice(1), element: <FirstOf prefix={prefix} /> })),
            ...screens.flatMap(routesOf),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ])
}
