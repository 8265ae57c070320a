import { IconUserCog } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

/** What gives people their user groups where they sign in elsewhere. */
export const groupRuleScreens: Screen[] = [
  {
    path: '/administrator/sign-in-rules',
    title: { text: 'Sign-in rules' },
    area: 'Administrator',
    icon: IconUserCog,
    view: 'administrator',
    edit: 'administrator',
    needs: 'nothing',
    page: lazyPage(() => import('./GroupRulesPage.tsx'), 'GroupRulesPage'),
  },
]
