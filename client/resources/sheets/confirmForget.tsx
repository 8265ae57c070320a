import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { failed, said } from '../../shell/notify.tsx'

/** Asks before what was learned of a source of files is forgotten, then does it and says so. @param name of the source */
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
