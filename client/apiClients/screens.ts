import { IconApi } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'
import { apiClientsPath } from './apiClientsPath.ts'

const apiClientPage = lazyPage(() => import('./ApiClientPage.tsx'), 'ApiClientPage')

export const apiClientScreens: Screen[] = [
  {
    path: apiClientsPath,
    title: { text: 'API clients' },
    area: 'Console',
    section: 'General',
    icon: IconApi,
    view: listViewPermissions('ConsoleUsers'),
    edit: ['ConsoleUsersReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./ApiClientsPage.tsx'), 'ApiClientsPage'),
    subPages: [
      { path: 'add', page: apiClientPage },
      { path: ':id', page: apiClientPage },
    ],
  },
]
