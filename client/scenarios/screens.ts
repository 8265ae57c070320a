import { IconArrowsSplit } from '@tabler/icons-react'
import { overviewScreen } from '../budget/overviewScreen.ts'
import { lazyPage, type Screen } from '../shell/screen.ts'

export const scenarioScreens: Screen[] = [
  overviewScreen('scenarios', { text: 'Scenarios' }, IconArrowsSplit, {
    page: lazyPage(() => import('./ScenariosPage.tsx'), 'ScenariosPage'),
  }),
]
