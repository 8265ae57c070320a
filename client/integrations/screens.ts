import { IconPlugConnected } from '@tabler/icons-react'
import { lazyPage, type Screen } from '../shell/screen.ts'

const webhook = lazyPage(() => import('./webhooks/WebhookPage.tsx'), 'WebhookPage')
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
    below: [
      { path: 'add', page: editor },
      { path: ':id', page: editor },
      { path: 'webhooks/add', page: webhook },
      { path: 'webhooks/:id', page: webhook },
    ],
  },
]
