import { IconArrowsSplit } from '@tabler/icons-react'
import { overviewScreen } from '../budget/overviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

export const scenarioScreens: Screen[] = [
  overviewScreen('scenarios', {
    title: { text: 'Scenarios' },
    icon: IconArrowsSplit,
    pages: {
      page: lazyPage(() => import('./ScenariosPage.tsx'), 'ScenariosPage'),
    },
  }),
]
