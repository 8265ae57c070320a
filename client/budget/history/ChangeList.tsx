import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { displayDateTime } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'

interface Line {
  version: number
  at: string
  actor: string
  sentence: string
  undoable?: boolean
}

/** A list of changes, newest first. The user's own changes have an undo button. */
export function ChangeList({
  history,
  onUndo,
}: {
  history: { data: readonly Line[] | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  /** Undoes a change; leave out for a read-only history. */
  onUndo?: (version: number) => Promise<unknown>
}) {
  const [isUndoing, setUndoing] = useState<number | null>(null)
  const undo = async (version: number): Promise<void> => {
    setUndoing(version)
    try {
      await onUndo?.(version)
      notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    }
    setUndoing(null)
  }
  if (history.isError) return <LoadFailed query={history} />
  if (!history.data) return <Skeleton height={160} />
  if (history.data.length === 0) return <EmptyState>No changes yet.</EmptyState>
  return (
    <Card>
      <ul className={historyStyles.history}>
        {history.data.map((line) => (
          <li key={line.version}>
            <b>{line.actor}</b> {line.sentence}
            <span className={textStyles.dim}> · {displayDateTime(line.at)}</span>
            {onUndo && line.undoable && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                loading={isUndoing === line.version}
                onClick={() => void undo(line.version)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
