import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { failed, said } from '../../shell/notify.tsx'

/**
 * Asks before forgetting what was learned about a source, then does it and shows a notice.
 * @param name of the source
 */
export function confirmForget(name: string, forget: () => Promise<unknown>): void {
  modals.openConfirmModal({
    title: `Forget ${name}`,
    children: (
      <Text size="sm">
        This cannot be undone. How the files of {name} are read and what their codes are mapped to is asked again with the next file; the
        months that are in stay as they are.
      </Text>
    ),
    labels: { cancel: 'Cancel', confirm: 'Forget' },
    confirmProps: { color: 'red' },
    onConfirm: async () => {
      try {
        await forget()
        said(`Forgot ${name}`)
      } catch (error) {
        failed(error)
      }
    },
  })
}
