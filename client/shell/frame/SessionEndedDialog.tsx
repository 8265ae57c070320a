import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { signInAgain } from '../session/session.ts'
import { hasSessionEnded } from '../session/sessionEnd.ts'

/** Asks the user to sign in again after the session has ended. The page stays as it is. */
export function SessionEndedDialog() {
  const [busy, setBusy] = useState(false)
  const signInNow = async (): Promise<void> => {
    setBusy(true)
    if (await signInAgain()) hasSessionEnded.set(false)
    setBusy(false)
  }
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      title="Your session has ended"
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Text mb="md">Sign in again to continue. What you have typed on this page is kept.</Text>
      <Button loading={busy} onClick={() => void signInNow()} data-autofocus>
        Sign in again
      </Button>
    </Dialog>
  )
}
