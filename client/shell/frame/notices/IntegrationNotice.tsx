import { Alert, Anchor } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from 'react-router'

/** Tells administrators that another system cannot be reached. The notice stays until the system can be reached again. */
export function IntegrationNotice({
  kind,
  one: { id, name, reason },
}: {
  kind: 'webhook' | 'connection'
  one: { id: number; name: string; reason: string }
}) {
  const isWebhook = kind === 'webhook'
  return (
    <Alert
      color="orange"
      icon={<IconPlugConnectedX size={18} />}
      title={isWebhook ? `The webhook ${name} was switched off` : `The connection ${name} is not working`}
      mb="sm"
      p="xs"
      role="status"
    >
      {reason} {isWebhook && 'Nothing is sent until you resume it. '}
      <Anchor component={Link} to={`/console/integrations/${kind}s/${id}`} size="sm" underline="always">
        {isWebhook ? 'View its messages' : 'View its runs'}
      </Anchor>
    </Alert>
  )
}
