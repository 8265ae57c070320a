import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Removes the second sign-in step of a user who has lost their phone, after confirmation. */
export function ResetSecondStep({ record, screen, mayEdit }: RecordPartProps) {
  const { mutateAsync: reset, isPending } = (screen.own ? trpc.users.own.resetSecondStep : trpc.users.resetSecondStep).useMutation()
  if (!mayEdit || !record.hasSecondStep) return null
  const ask = (): void =>
    void modals.openConfirmModal({
      title: 'Reset two-step verification',
      children: (
        <Text size="sm">
          This cannot be undone. {String(record.forename)}’s authenticator app and recovery codes stop working. {String(record.forename)}{' '}
          then signs in with only the password, and sets up an authenticator app again if a user group requires one. Passkeys still work.
          Make sure that the request really comes from {String(record.forename)}. The history shows that you did this.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Reset two-step verification' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await reset({ id: record.id })
          notifySuccess('Reset two-step verification')
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Button variant="default" onClick={ask} loading={isPending}>
      Reset two-step verification
    </Button>
  )
}
