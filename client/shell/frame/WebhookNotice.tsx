import { Alert, Anchor } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { api } from '../api.ts'

type Disabled = Awaited<ReturnType<typeof api.communications.now.query>>['disabledWebhooks'][number]

/** Says that another system is no longer told of anything, until somebody continues the webhook or deletes it. */
export function WebhookNotice({ webhook: { id, name, reason } }: { webhook: Disabled }) {
  return (
    <Alert
      color="orange"
      icon={<IconPlugConnectedX size={18} />}
      title={`The webhook ${name} was switched off`}
      mb="sm"
      p="xs"
      role="status"
    >
      {reason} Nothing is sent to it until it is continued.{' '}
      <Anchor component={Link} to={`/console/integrations/webhooks/${id}`} size="sm">
        Look at its messages
      </Anchor>
    </Alert>
  )
}
