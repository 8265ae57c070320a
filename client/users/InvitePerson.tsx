import { Alert, Button, CopyButton, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { displayDateTime } from '../../domain/values/format.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { type api, trpc } from '../shell/api.ts'
import { notifyFailure } from '../shell/notify.tsx'
import { useIdentityProviderName } from '../shell/session/useIdentityProviderName.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'

type Invitation = Awaited<ReturnType<typeof api.users.invite.mutate>>

/** Creates a one-time link for setting a password, and shows it once. Renders nothing if users sign in without passwords. */
export function InvitePerson({ record, screen, mayEdit }: RecordPartProps) {
  const [link, setLink] = useState<Invitation | null>(null)
  const [busy, setBusy] = useState(false)
  const { mutateAsync: make } = (screen.own ? trpc.users.own.invite : trpc.users.invite).useMutation()
  const outside = useIdentityProviderName()
  if (!mayEdit || !record.active || outside !== null) return null
  const isNew = !record.hasPassword
  const invite = async (): Promise<void> => {
    setBusy(true)
    try {
      setLink(await make({ id: record.id }))
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" onClick={() => void invite()} loading={busy}>
        {isNew ? 'Invite' : 'Reset password'}
      </Button>
      {link && (
        <Dialog onClose={() => setLink(null)} title={link.kind === 'invite' ? 'Invitation' : 'Password reset'} size="lg">
          <Text size="sm" mb="sm">
            {link.link
              ? `No email was sent. Give this link to ${String(record.forename)} yourself. It can be used once, until ${displayDateTime(link.expiresAt)}, and is shown only now.`
              : `An email with a one-time link is on its way to ${String(record.email)}. It can be used until ${displayDateTime(link.expiresAt)}.`}{' '}
            The history shows that you created it, and {String(record.forename)} is notified at the next sign-in.
          </Text>
          {link.link && (
            <>
              <TextInput
                aria-label="One-time link"
                value={link.link}
                readOnly
                onFocus={(event) => event.currentTarget.select()}
                data-autofocus
              />
              <CopyButton value={link.link}>
                {({ copied, copy }) => (
                  <Button mt="sm" onClick={copy}>
                    {copied ? 'Copied' : 'Copy link'}
                  </Button>
                )}
              </CopyButton>
            </>
          )}
          {link.kind === 'reset' && (
            <Alert color="orange" mt="md">
              The old password works until the link is used. To lock the user out immediately, make them inactive.
              {record.hasPasskey === true && ` A new password does not affect passkeys: if someone else may have one, remove them too.`}
            </Alert>
          )}
        </Dialog>
      )}
    </>
  )
}
