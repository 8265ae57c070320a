import { IconBuilding, IconGauge, IconListNumbers, IconWallet } from '@tabler/icons-react'
import { overviewScreen } from '../budget/overviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screen.ts'

const balance = lazyPage(() => import('./OpeningBalancePage.tsx'), 'OpeningBalancePage')

export const overviewScreens: Screen[] = [
  overviewScreen('summary', { text: 'Summary' }, IconGauge, { page: lazyPage(() => import('./SummaryPage.tsx'), 'SummaryPage') }),
  overviewScreen(
    'coding',
    { text: 'Coding' },
    IconListNumbers,
    {
      page: lazyPage(() => import('./CodingPage.tsx'), 'CodingPage'),
      below: [{ path: ':id', page: lazyPage(() => import('./CentrePage.tsx'), 'CentrePage') }],
    },
    true,
  ),
  overviewScreen('location', { text: 'Location' }, IconBuilding, { page: lazyPage(() => import('./LocationPage.tsx'), 'LocationPage') }),
  overviewScreen(
    'opening-balances',
    'OpeningBalance',
    IconWallet,
    {
      page: lazyPage(() => import('./OpeningBalancesPage.tsx'), 'OpeningBalancesPage'),
      below: [
        { path: 'add', page: balance },
        { path: ':id', page: balance },
      ],
    },
    true,
  ),
]
