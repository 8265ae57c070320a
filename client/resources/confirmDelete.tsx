import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notices } from '../../domain/words/notices.ts'
import type { Term } from '../../domain/words/terms.ts'
import { problemOf } from '../shell/api.ts'
import { failed, said } from '../shell/notify.tsx'

/**
 * Asks before something is deleted, naming how much (behaviour B-104), then does it and says so.
 * @param one a record on its own screen: the notice has the singular; a list has the plural
 * @param after what follows once it is gone
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
  /** What becomes of it; left out: it is gone for good. */
  hint?: string
  /** What is lost for good with it. */
  lost?: string
  run: () => Promise<Done>
  /** The way back, where there is one. @param done what the server answered */
  undo?: (done: Done) => (() => void) | undefined
  after: () => unknown
  /** What follows when something still uses it. */
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
        said(notices.deleted(one ? term.singular : term.plural), undo?.(done))
        await after()
      } catch (error) {
        failed(error)
        if (problemOf(error).code === 'inUse') onRefused?.()
      }
    },
  })
}
