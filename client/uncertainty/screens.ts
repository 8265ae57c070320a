import { IconChartHistogram } from '@tabler/icons-react'
import { createOverviewScreen } from '../budget/createOverviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

export const uncertaintyScreens: Screen[] = [
  createOverviewScreen('how-sure', {
    title: { text: 'How sure are we' },
    icon: IconChartHistogram,
    pages: { page: lazyPage(() => import('./HowSurePage.tsx'), 'HowSurePage') },
  }),
]
