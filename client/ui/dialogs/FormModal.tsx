import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { focusFirstField } from '../fields/focusFirstField.ts'
import { Dialog } from './Dialog.tsx'

interface Fields {
  /** Label of the save button. */
  action?: string
  isSaving: boolean
  /** Whether the content cannot be saved yet. */
  isDisabled?: boolean
  /** Whether the content cannot be edited. */
  isReadOnly?: boolean
  /** A further button before Cancel and the save button. */
  more?: ReactNode
  children: ReactNode
  onSave: () => Promise<void>
  onClose: () => void
}

/** A dialog with a form. Its button, Enter and Ctrl+S save; Cancel closes it without saving. */
export function FormModal({ title, ...fields }: Fields & { title: string }) {
  return (
    <Dialog onClose={fields.onClose} title={title}>
      <DialogForm {...fields} />
    </Dialog>
  )
}

/** The form of a dialog with its two buttons. */
export function DialogForm({ action = 'Save', isSaving, isDisabled, isReadOnly, more, children, onSave, onClose }: Fields) {
  return (
    <form
      ref={focusFirstField}
      onSubmit={(event) => {
        event.preventDefault()
        // Enter also submits a form that has no save button.
        if (!isReadOnly) void onSave()
      }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (!isReadOnly && !isDisabled && !isSaving) void onSave()
      }}
    >
      {children}
      <Group justify="flex-end" mt="md">
        {more}
        <Button variant="default" onClick={onClose}>
          {isReadOnly ? 'Close' : 'Cancel'}
        </Button>
        {!isReadOnly && (
          <Button type="submit" loading={isSaving} disabled={isDisabled}>
            {action}
          </Button>
        )}
      </Group>
    </form>
  )
}
