import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Removes all passkeys of a user who has lost a device, after confirmation. */
export function RemovePasskeys({ record, screen, mayEdit }: RecordPartProps) {
  const { mutateAsync: remove, isPending } = (screen.own ? trpc.users.own.removePasskeys : trpc.users.removePasskeys).useMutation()
  if (!mayEdit || !record.hasPasskey) return null
  const ask = (): void =>
    void modals.openConfirmModal({
      title: 'Remove passkeys',
      children: (
        <Text size="sm">
          This cannot be undone. None of {String(record.forename)}’s passkeys can be used to sign in any more, on any device. Their password
          still works, and they can add passkeys again. If someone else may have the device, sign them out everywhere too. The history shows
          that you did this.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Remove passkeys' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await remove({ id: record.id })
          notifySuccess('Removed passkeys')
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Button variant="default" onClick={ask} loading={isPending}>
      Remove passkeys
    </Button>
  )
}
