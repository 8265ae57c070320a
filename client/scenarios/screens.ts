import { IconArrowsSplit } from '@tabler/icons-react'
import { createOverviewScreen } from '../budget/createOverviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

export const scenarioScreens: Screen[] = [
  createOverviewScreen('scenarios', {
    title: { text: 'Scenarios' },
    icon: IconArrowsSplit,
    pages: {
      page: lazyPage(() => import('./ScenariosPage.tsx'), 'ScenariosPage'),
    },
  }),
]
