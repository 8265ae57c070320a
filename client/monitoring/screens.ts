import {
  IconBooks,
  IconCalendarEvent,
  IconChartHistogram,
  IconFileImport,
  IconTargetArrow,
  IconTrendingUp,
  IconWallet,
} from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const versusActuals = {
  title: { text: 'Budgets versus actuals' },
  icon: IconChartHistogram,
  page: lazyPage(() => import('./MonitoringPage.tsx'), 'ActualsMonitoringPage'),
}
const versusForecast = {
  title: { text: 'Budgets versus forecast' },
  icon: IconTrendingUp,
  page: lazyPage(() => import('./MonitoringPage.tsx'), 'ForecastMonitoringPage'),
}

const monthEnd = {
  title: { text: 'Month end' },
  icon: IconCalendarEvent,
  page: lazyPage(() => import('./MonthEndPage.tsx'), 'MonthEndPage'),
}

const cash = {
  title: { text: 'Cash forecast' },
  icon: IconWallet,
  page: lazyPage(() => import('./CashPage.tsx'), 'CashPage'),
}

export const monitoringScreens: Screen[] = [
  {
    ...versusActuals,
    path: '/monitoring/budget-actuals',
    area: 'Monitoring',
    view: listViewPermissions('BudgetingMonitoringBudgetActuals'),
    edit: ['BudgetingMonitoringBudgetActualsReadUpdate'],
    needs: 'budget',
  },
  {
    ...versusForecast,
    path: '/monitoring/budget-forecast',
    area: 'Monitoring',
    view: listViewPermissions('BudgetingMonitoringBudgetForecast'),
    edit: ['BudgetingMonitoringBudgetForecastReadUpdate'],
    needs: 'budget',
  },
  {
    ...monthEnd,
    path: '/monitoring/month-end',
    area: 'Monitoring',
    view: listViewPermissions('BudgetingMonitoringBudgetActuals'),
    edit: ['BudgetingMonitoringBudgetActualsReadUpdate'],
    needs: 'budget',
  },
  {
    ...cash,
    path: '/monitoring/cash',
    area: 'Monitoring',
    view: listViewPermissions('BudgetingMonitoringBudgetForecast'),
    edit: ['BudgetingMonitoringBudgetForecastReadUpdate'],
    needs: 'budget',
  },
]

const console = { area: 'Console', section: 'Monitoring', needs: 'organisation' } as const

export const actualsScreens: Screen[] = [
  {
    ...console,
    path: '/console/monitoring/actuals-commitments',
    title: 'ActualCommitment',
    icon: IconFileImport,
    view: listViewPermissions('ConsoleMonitoring'),
    edit: ['ConsoleMonitoringReadUpdate'],
    page: lazyPage(() => import('./ActualsPage.tsx'), 'ActualsPage'),
  },
  {
    ...console,
    path: '/console/monitoring/ledgers',
    title: { text: 'Ledgers' },
    icon: IconBooks,
    view: ['ConsoleMonitoringReadUpdate'],
    edit: ['ConsoleMonitoringReadUpdate'],
    page: lazyPage(() => import('./ledgers/LedgersPage.tsx'), 'LedgersPage'),
  },
  {
    ...console,
    ...versusActuals,
    path: '/console/monitoring/budget-actuals',
    view: listViewPermissions('ConsoleMonitoringBudgetActuals'),
    edit: ['ConsoleMonitoringBudgetActualsReadUpdate'],
  },
  {
    ...console,
    ...versusForecast,
    path: '/console/monitoring/budget-forecast',
    view: listViewPermissions('ConsoleMonitoringBudgetForecast'),
    edit: ['ConsoleMonitoringBudgetForecastReadUpdate'],
  },
  {
    ...console,
    ...monthEnd,
    path: '/console/monitoring/month-end',
    view: listViewPermissions('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals'),
    edit: ['ConsoleMonitoringReadUpdate'],
  },
  {
    ...console,
    ...cash,
    path: '/console/monitoring/cash',
    view: listViewPermissions('ConsoleMonitoringBudgetForecast'),
    edit: ['ConsoleMonitoringBudgetForecastReadUpdate'],
  },
  {
    ...console,
    path: '/console/monitoring/track-record',
    title: { text: 'Track record' },
    icon: IconTargetArrow,
    view: listViewPermissions('ConsoleMonitoringBudgetForecast'),
    edit: ['ConsoleMonitoringBudgetForecastReadUpdate'],
    page: lazyPage(() => import('./TrackRecordPage.tsx'), 'TrackRecordPage'),
  },
]
