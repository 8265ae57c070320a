import { IconArrowsDiff, IconHistory, IconRubberStamp, IconStairs, IconVersions } from '@tabler/icons-react'
import { createOverviewScreen } from '../budget/createOverviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

export const versionScreens: Screen[] = [
  createOverviewScreen('versions', {
    title: { text: 'Versions' },
    icon: IconVersions,
    pages: {
      page: lazyPage(() => import('./VersionsPage.tsx'), 'VersionsPage'),
      subPages: [{ path: ':version', page: lazyPage(() => import('./MomentPage.tsx'), 'BudgetVersionPage'), forReaders: true }],
    },
  }),
  createOverviewScreen('compare', {
    title: { text: 'Compare' },
    icon: IconArrowsDiff,
    pages: { page: lazyPage(() => import('./ComparePage.tsx'), 'ComparePage') },
  }),
  createOverviewScreen('bridge', {
    title: { text: 'Bridge' },
    icon: IconStairs,
    pages: { page: lazyPage(() => import('./BridgePage.tsx'), 'BridgePage') },
  }),
]

export const approvalScreens: Screen[] = [
  createOverviewScreen('approval', {
    title: { text: 'Approval' },
    icon: IconRubberStamp,
    pages: {
      page: lazyPage(() => import('./ApprovalPage.tsx'), 'ApprovalPage'),
    },
  }),
  createOverviewScreen('history', {
    title: { text: 'History' },
    icon: IconHistory,
    pages: { page: lazyPage(() => import('./HistoryPage.tsx'), 'HistoryPage') },
  }),
]
