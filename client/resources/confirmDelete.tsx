import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notices } from '../../domain/words/notices.ts'
import type { Term } from '../../domain/words/terms.ts'
import { toPublicError } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/**
 * Asks before a deletion, stating how many records (behaviour B-104), then deletes and shows a notice.
 * @param one whether a single record is deleted on its own screen, so that the notice is singular; on a list it is plural
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
  /** What happens to it; leave out if the deletion is permanent. */
  hint?: string
  /** What the deletion also removes permanently. */
  lost?: string
  run: () => Promise<Done>
  /**
   * The undo, if there is one.
   * @param done the server's answer
   */
  undo?: (done: Done) => (() => void) | undefined
  after: () => unknown
  /** Runs if the server refuses because the record is in use. */
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
