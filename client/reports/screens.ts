import { IconArrowsLeftRight, IconReportAnalytics, IconTable } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'
import { comparatorsPath } from './comparatorsPath.ts'

const reports = {
  title: { text: 'Reports' },
  icon: IconReportAnalytics,
  view: ['BudgetingReportsRead'],
  edit: 'nobody',
  page: lazyPage(() => import('./ReportsPage.tsx'), 'ReportsPage'),
} as const

export const reportScreens: Screen[] = [{ ...reports, path: '/reports', area: 'Reports', needs: 'budget' }]

/** The screen with the overview of all schools, which is the home page of the console. */
export const atAGlanceScreens: Screen[] = [
  {
    path: '/console/at-a-glance',
    title: { text: 'At a glance' },
    area: 'Console',
    section: 'Reports',
    icon: IconTable,
    view: ['BudgetingReportsRead'],
    edit: 'nobody',
    needs: 'organisation',
    page: lazyPage(() => import('./GlancePage.tsx'), 'AtAGlancePage'),
  },
]

export const consoleReportScreens: Screen[] = [
  { ...reports, path: '/console/reports', area: 'Console', section: 'Reports', needs: 'organisation' },
  {
    path: comparatorsPath,
    title: { text: 'Comparators', singular: 'Set of comparators' },
    area: 'Console',
    section: 'Reports',
    icon: IconArrowsLeftRight,
    view: ['BudgetingReportsRead', 'ConsoleOrganisationsReadUpdate'],
    edit: ['ConsoleOrganisationsReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./ComparatorsPage.tsx'), 'ComparatorsPage'),
    subPages: [{ path: ':id', page: lazyPage(() => import('./ComparatorSetPage.tsx'), 'ComparatorSetPage'), forReaders: true }],
  },
]
