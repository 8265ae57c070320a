import { IconArrowsDiff, IconHistory, IconRubberStamp, IconStairs, IconVersions } from '@tabler/icons-react'
import { overviewScreen } from '../budget/overviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screen.ts'

/** How the budget was at a moment, and what came between two of them. */
export const momentScreens: Screen[] = [
  overviewScreen('versions', { text: 'Versions' }, IconVersions, {
    page: lazyPage(() => import('./VersionsPage.tsx'), 'VersionsPage'),
    below: [{ path: ':version', page: lazyPage(() => import('./MomentPage.tsx'), 'MomentPage'), forReaders: true }],
  }),
  overviewScreen('compare', { text: 'Compare' }, IconArrowsDiff, { page: lazyPage(() => import('./ComparePage.tsx'), 'ComparePage') }),
  overviewScreen('bridge', { text: 'Bridge' }, IconStairs, { page: lazyPage(() => import('./BridgePage.tsx'), 'BridgePage') }),
]

/** Who agreed to the budget, and who changed it. */
export const approvalScreens: Screen[] = [
  overviewScreen('approval', { text: 'Approval' }, IconRubberStamp, {
    page: lazyPage(() => import('./ApprovalPage.tsx'), 'ApprovalPage'),
  }),
  overviewScreen('history', { text: 'History' }, IconHistory, { page: lazyPage(() => import('./HistoryPage.tsx'), 'HistoryPage') }),
]
