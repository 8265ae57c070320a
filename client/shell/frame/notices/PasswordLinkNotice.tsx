import { Alert, Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { displayDateTime } from '../../../../domain/values/format.ts'
import type { api } from '../../api.ts'

type Link = Awaited<ReturnType<typeof api.communications.now.query>>['passwordLinks'][number]

/** Warns a user that an administrator created a link to set the user's password. The notice stays until the user confirms it. */
export function PasswordLinkNotice({ link, onKnown }: { link: Link; onKnown: () => void }) {
  const { by, at, usedAt, mailed, kind } = link
  const where = mailed ? 'It was sent to your email address.' : `It was shown to ${by} to pass on to you.`
  const used = usedAt
    ? `It was used to set a password on ${displayDateTime(usedAt)}. If you did not use it yourself, tell the person who manages users immediately.`
    : 'It has not been used. If you were not expecting it, tell the person who manages users immediately.'
  return (
    <Alert
      color="orange"
      icon={<IconKey size={18} />}
      title={`${by} created a link on ${displayDateTime(at)} for you to set ${kind === 'invite' ? 'your first' : 'a new'} password`}
      mb="sm"
      p="xs"
      role="status"
    >
      {where} {used}
      <div>
        <Button size="compact-sm" variant="default" mt={6} onClick={onKnown}>
          I know about this
        </Button>
      </div>
    </Alert>
  )
}
