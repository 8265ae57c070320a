import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { RecordPart } from '../resources/extras.ts'
import { trpc } from '../shell/api.ts'
import { failed, said } from '../shell/notify.tsx'

/** Removes the second sign-in step of a user who has lost their phone, after confirmation. */
export function ResetSecondStep({ record, screen, mayEdit }: RecordPart) {
  const { mutateAsync: reset, isPending } = (screen.own ? trpc.users.own.resetSecondStep : trpc.users.resetSecondStep).useMutation()
  if (!mayEdit || !record.hasSecondStep) return null
  const ask = (): void =>
    void modals.openConfirmModal({
      title: 'Reset second step',
      children: (
        <Text size="sm">
          This cannot be undone: the authenticator app and the recovery codes that {String(record.forename)} has are good for nothing any
          more. {String(record.forename)} signs in with the password alone then, and sets up an authenticator app anew where a user group
          asks for one. Passkeys stay. Make sure that it is {String(record.forename)} who asks. The history says that you did it.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Reset second step' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await reset({ id: record.id })
          said('Reset second step')
        } catch (error) {
          failed(error)
        }
      },
    })
  return (
    <Button variant="default" onClick={ask} loading={isPending}>
      Reset second step
    </Button>
  )
}
