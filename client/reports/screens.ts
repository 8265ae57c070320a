import { IconReportAnalytics } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screen.ts'

const reports = {
  title: { text: 'Reports' },
  icon: IconReportAnalytics,
  view: ['BudgetingReportsRead'],
  edit: 'nobody',
  page: lazyPage(() => import('./ReportsPage.tsx'), 'ReportsPage'),
} as const

export const reportScreens: Screen[] = [{ ...reports, path: '/reports', area: 'Reports', needs: 'budget' }]

/** The same reports, over the whole organisation to begin with. */
export const consoleReportScreens: Screen[] = [
  { ...reports, path: '/console/reports', area: 'Console', section: 'Reports', needs: 'preferences' },
]
