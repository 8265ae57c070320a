import { IconShieldLock, IconUserCog } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

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

export const secondStepScreens: Screen[] = [
  {
    path: '/console/general/second-step',
    title: { text: 'Two-step verification' },
    area: 'Console',
    section: 'General',
    icon: IconShieldLock,
    view: listViewPermissions('ConsoleOrganisations'),
    edit: ['ConsoleOrganisationsReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./SecondStepPage.tsx'), 'SecondStepPage'),
  },
]
