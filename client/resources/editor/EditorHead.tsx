import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { type ConcurrentChange, ConcurrentChangeNotice } from './ConcurrentChangeNotice.tsx'

/** The parts of an editor that its header shows. */
interface Shown<Name extends string> {
  isUnsaved: boolean
  isChanged: boolean
  isReadOnly: boolean
  obstacle: string | null
  busy: boolean
  save: () => unknown
  discard: () => void
  remove: (() => void) | undefined
  newer: ConcurrentChange<Name> | null
}

/** The header of every editor: title, state, actions, and any reason why the record cannot be saved. */
export function EditorHeader<Name extends string>({
  editor,
  title,
  documentTitle,
  pills,
  facts,
  saveLabel = 'Save',
  canSave = true,
  after,
  children,
}: {
  editor: Shown<Name>
  title: string
  documentTitle: string
  pills?: ReactNode
  facts?: ReactNode
  saveLabel?: string
  /** Whether there are changes to save. */
  canSave?: boolean
  /** The main button, if it is not Save. */
  after?: ReactNode
  /** Further actions on the record. */
  children?: ReactNode
}) {
  const { isUnsaved, isChanged, isReadOnly, obstacle, busy, save, discard, remove, newer } = editor
  return (
    <>
      <PageHead
        title={title}
        documentTitle={documentTitle}
        pills={
          <>
            {pills}
            {isUnsaved && <Pill tone="warn">Unsaved</Pill>}
          </>
        }
        facts={facts}
      >
        {children}
        {remove && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {isChanged && !isReadOnly && (
          <Button variant="default" onClick={discard}>
            Discard
          </Button>
        )}
        {canSave && !isReadOnly && (
          <Button
            variant={after ? 'default' : 'filled'}
            onClick={() => void save()}
            loading={busy}
            disabled={Boolean(obstacle)}
            rightSection={<ShortcutHint>Ctrl S</ShortcutHint>}
          >
            {saveLabel}
          </Button>
        )}
        {after}
      </PageHead>
      {obstacle && (
        <Alert color="orange" mb="md" role="status">
          {obstacle}
        </Alert>
      )}
      {newer && <ConcurrentChangeNotice newer={newer} busy={busy} />}
    </>
  )
}
