import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { displayCount } from '../../domain/values/format.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Ends all sign-ins of a user, after confirmation. */
export function EndSignIns({ record, screen, mayEdit }: RecordPartProps) {
  const { mutateAsync: end, isPending } = (screen.own ? trpc.users.own.endSignIns : trpc.users.endSignIns).useMutation()
  if (!mayEdit || !record.lastSignIn) return null
  const ask = (): void =>
    void modals.openConfirmModal({
      title: 'Sign out everywhere',
      children: (
        <Text size="sm">
          {String(record.forename)} is signed out of every browser immediately and loses unsaved work there. They can sign in again: if
          someone else may know the password, have it changed or make the user inactive.
          {record.hasPasskey === true && ' Their passkeys still work: if someone else may have one, remove them too.'}
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Sign out everywhere' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          const { ended } = await end({ id: record.id })
          notifySuccess(ended ? `Ended ${displayCount(ended, 'sign-in')}` : `${String(record.forename)} was not signed in anywhere`)
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Button variant="default" onClick={ask} loading={isPending}>
      Sign out everywhere
    </Button>
  )
}
