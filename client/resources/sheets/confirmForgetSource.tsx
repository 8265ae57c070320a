import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'

/**
 * Asks before deleting what was learned about a source, then deletes it and shows a notice.
 * @param name of the source
 */
export function confirmForgetSource(name: string, forget: () => Promise<unknown>): void {
  modals.openConfirmModal({
    title: `Forget ${name}`,
    children: (
      <Text size="sm">
        This cannot be undone. You will be asked again how files from {name} are read and how their codes are mapped. Months already
        imported are not changed.
      </Text>
    ),
    labels: { cancel: 'Cancel', confirm: 'Forget' },
    confirmProps: { color: 'red' },
    onConfirm: async () => {
      try {
        await forget()
        notifySuccess(`Forgot ${name}`)
      } catch (error) {
        notifyFailure(error)
      }
    },
  })
}
