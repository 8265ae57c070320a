import { IconLanguage } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

export const terminologyScreens: Screen[] = [
  {
    path: '/console/general/terminology',
    title: { text: 'Terminology' },
    area: 'Console',
    section: 'General',
    icon: IconLanguage,
    view: [],
    edit: ['ConsoleOrganisationsReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./TerminologyPage.tsx'), 'TerminologyPage'),
  },
]
