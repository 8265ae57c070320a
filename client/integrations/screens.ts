import { IconPlugConnected } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const webhook = lazyPage(() => import('./webhooks/WebhookPage.tsx'), 'WebhookPage')
const connection = lazyPage(() => import('./connections/ConnectionPage.tsx'), 'ConnectionPage')
const files = lazyPage(() => import('./files/FilesPage.tsx'), 'FilesPage')
const layout = lazyPage(() => import('./files/LayoutPage.tsx'), 'LayoutPage')
const editor = lazyPage(() => import('./CredentialPage.tsx'), 'CredentialPage')

export const integrationScreens: Screen[] = [
  {
    path: '/console/integrations',
    title: { text: 'Integrations' },
    area: 'Console',
    section: 'Integrations',
    icon: IconPlugConnected,
    view: [],
    edit: ['ConsoleOrganisationsReadUpdate'],
    needs: 'preferences',
    page: lazyPage(() => import('./IntegrationsPage.tsx'), 'IntegrationsPage'),
    subPages: [
      { path: 'add', page: editor },
      { path: ':id', page: editor },
      { path: 'connections/add', page: connection },
      { path: 'connections/:id', page: connection },
      { path: 'files', page: files, forReaders: true },
      { path: 'files/layouts/add', page: layout },
      { path: 'files/layouts/:id', page: layout },
      { path: 'webhooks/add', page: webhook },
      { path: 'webhooks/:id', page: webhook },
    ],
  },
]
