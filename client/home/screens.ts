import { IconClipboardList } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

/** The screen that sets up a new installation. */
export const setUpScreens: Screen[] = [
  {
    path: '/administrator/set-up',
    title: { text: 'Set up an organisation' },
    area: 'Administrator',
    icon: IconClipboardList,
    view: 'administrator',
    edit: 'administrator',
    needs: 'nothing',
    page: lazyPage(() => import('./setUp/SetUpPage.tsx'), 'SetUpPage'),
  },
]
