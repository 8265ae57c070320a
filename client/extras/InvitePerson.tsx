import { Alert, Button, CopyButton, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { displayDateTime } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { failed } from '../api/notify.tsx'
import type { RecordPart } from './extras.ts'

type Invitation = Awaited<ReturnType<typeof api.users.invite.mutate>>

/** Makes the one-time link by which a person sets a password, and shows it once. */
export function InvitePerson({ record, screen, mayEdit }: RecordPart) {
  const [link, setLink] = useState<Invitation | null>(null)
  const [busy, setBusy] = useState(false)
  if (!mayEdit || !record.active) return null
  const isNew = !record.hasPassword
  const invite = async (): Promise<void> => {
    setBusy(true)
    try {
      setLink(await (screen.own ? api.users.own.invite : api.users.invite).mutate({ id: record.id }))
    } catch (error) {
      failed(error)
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
        <Modal opened onClose={() => setLink(null)} title={link.kind === 'invite' ? 'Invitation' : 'Password reset'} size="lg">
          <Text size="sm" mb="sm">
            {link.sent
              ? `A mail with this link is on its way to ${String(record.email)}.`
              : `No mail was sent. Hand this link to ${String(record.forename)} yourself.`}{' '}
            It can be used once, until {displayDateTime(link.expiresAt)}, and is shown only now.
          </Text>
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
          {link.kind === 'reset' && (
            <Alert color="orange" mt="md">
              The old password works until the link is used. Make the user inactive to shut them out at once.
            </Alert>
          )}
        </Modal>
      )}
    </>
  )
}
