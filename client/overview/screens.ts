import { IconBuilding, IconGauge, IconListNumbers, IconWallet } from '@tabler/icons-react'
import { createOverviewScreen } from '../budget/createOverviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const openingBalancePage = lazyPage(() => import('./OpeningBalancePage.tsx'), 'OpeningBalancePage')

export const overviewScreens: Screen[] = [
  createOverviewScreen('summary', {
    title: { text: 'Summary' },
    icon: IconGauge,
    pages: { page: lazyPage(() => import('./SummaryPage.tsx'), 'SummaryPage') },
  }),
  createOverviewScreen('coding', {
    title: { text: 'Coding' },
    icon: IconListNumbers,
    pages: {
      page: lazyPage(() => import('./CodingPage.tsx'), 'CodingPage'),
      subPages: [{ path: ':id', page: lazyPage(() => import('./CostCentrePage.tsx'), 'CostCentrePage') }],
    },
    isEdited: true,
  }),
  createOverviewScreen('location', {
    title: { text: 'Location' },
    icon: IconBuilding,
    pages: { page: lazyPage(() => import('./LocationPage.tsx'), 'LocationPage') },
  }),
  createOverviewScreen('opening-balances', {
    title: 'OpeningBalance',
    icon: IconWallet,
    pages: {
      page: lazyPage(() => import('./OpeningBalancesPage.tsx'), 'OpeningBalancesPage'),
      subPages: [
        { path: 'add', page: openingBalancePage },
        { path: ':id', page: openingBalancePage },
      ],
    },
    isEdited: true,
  }),
]
