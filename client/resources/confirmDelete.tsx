import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notices } from '../../domain/words/notices.ts'
import type { Term } from '../../domain/words/terms.ts'
import { toPublicError } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/**
 * Asks before a deletion and says how many records it deletes (behaviour B-104), then deletes them and shows a notice.
 * @param one whether the user deletes a single record on its own screen, where the notice is singular; on a list it is plural
 * @param after runs after the deletion
 */
export function confirmDelete<Done>({
  term,
  count,
  one = false,
  hint,
  lost,
  run,
  undo,
  after,
  onRefused,
}: {
  term: Term
  count: number
  one?: boolean
  /** What happens to the records; leave out if the deletion is permanent. */
  hint?: string
  /** What the deletion also removes permanently. */
  lost?: string
  run: () => Promise<Done>
  /**
   * Creates the function that undoes the deletion, if it can be undone.
   * @param done the server's reply
   */
  undo?: (done: Done) => (() => void) | undefined
  after: () => unknown
  /** Runs if the server refuses the deletion because the record is in use. */
  onRefused?: () => void
}): void {
  const things = count === 1 ? term.singular : term.plural
  modals.openConfirmModal({
    title: `Delete ${things}`,
    children: (
      <Text size="sm">
        {hint
          ? `Delete ${count} ${things}? ${hint}`
          : [`This cannot be undone. Delete ${count} ${things}?`, lost].filter(Boolean).join(' ')}
      </Text>
    ),
    labels: { cancel: 'Cancel', confirm: 'Delete' },
    confirmProps: { color: 'red' },
    onConfirm: async () => {
      try {
        const done = await run()
        notifySuccess(notices.deleted(one ? term.singular : term.plural), undo?.(done))
        await after()
      } catch (error) {
        notifyFailure(error)
        if (toPublicError(error).code === 'inUse') onRefused?.()
      }
    },
  })
}
