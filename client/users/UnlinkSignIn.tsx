import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Lets a user who was re-created at the external identity provider be linked again, after confirmation. */
export function UnlinkSignIn({ record, screen, mayEdit }: RecordPartProps) {
  const { mutateAsync: unlink, isPending } = trpc.users.unlinkOutside.useMutation()
  if (screen.own || !mayEdit || !record.isLinkedOutside) return null
  const ask = (): void =>
    void modals.openConfirmModal({
      title: 'Unlink sign-in',
      children: (
        <Text size="sm">
          {String(record.forename)} is signed out everywhere. The next person who signs in with the address {String(record.email)} is
          treated as {String(record.forename)} from then on. Do this only if {String(record.forename)} was given a new account in your
          sign-in service. The history shows that you did this.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Unlink sign-in' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await unlink({ id: record.id })
          notifySuccess('Unlinked sign-in')
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Button variant="default" onClick={ask} loading={isPending}>
      Unlink sign-in
    </Button>
  )
}
