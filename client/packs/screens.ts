import { IconNotebook } from '@tabler/icons-react'
import { monthEndPermissions } from '../../domain/monitoring/rights.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'
import { packsPath } from './packsPath.ts'

export const packScreens: Screen[] = [
  {
    path: packsPath,
    title: { text: 'Governors’ packs' },
    area: 'Console',
    section: 'Reports',
    icon: IconNotebook,
    view: ['BudgetingReportsRead'],
    edit: monthEndPermissions,
    needs: 'organisation',
    page: lazyPage(() => import('./PacksPage.tsx'), 'PacksPage'),
    subPages: [{ path: ':id', page: lazyPage(() => import('./PackPage.tsx'), 'PackPage'), forReaders: true }],
  },
]
