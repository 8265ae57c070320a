import { IconPlugConnected } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const webhookPage = lazyPage(() => import('./webhooks/WebhookPage.tsx'), 'WebhookPage')
const connectionPage = lazyPage(() => import('./connections/ConnectionPage.tsx'), 'ConnectionPage')
const filesPage = lazyPage(() => import('./files/FilesPage.tsx'), 'FilesPage')
const layoutPage = lazyPage(() => import('./files/LayoutPage.tsx'), 'LayoutPage')
const credentialPage = lazyPage(() => import('./CredentialPage.tsx'), 'CredentialPage')

export const integrationScreens: Screen[] = [
  {
    path: '/console/integrations',
    title: { text: 'Integrations' },
    area: 'Console',
    section: 'Integrations',
    icon: IconPlugConnected,
    view: [],
    edit: ['ConsoleOrganisationsReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./IntegrationsPage.tsx'), 'IntegrationsPage'),
    subPages: [
      { path: 'add', page: credentialPage },
      { path: ':id', page: credentialPage },
      { path: 'connections/add', page: connectionPage },
      { path: 'connections/:id', page: connectionPage },
      { path: 'files', page: filesPage, forReaders: true },
      { path: 'files/layouts/add', page: layoutPage },
      { path: 'files/layouts/:id', page: layoutPage },
      { path: 'webhooks/add', page: webhookPage },
      { path: 'webhooks/:id', page: webhookPage },
    ],
  },
]
