import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { focusFirstField } from '../fields/firstField.ts'
import { Dialog } from './Dialog.tsx'

interface Fields {
  /** What the button says that saves. */
  action?: string
  isSaving: boolean
  /** What is there cannot be saved yet. */
  isDisabled?: boolean
  /** Nothing can be saved, only looked at. */
  isReadOnly?: boolean
  /** Another button, before the two. */
  more?: ReactNode
  children: ReactNode
  onSave: () => Promise<void>
  onClose: () => void
}

/** A dialog of some fields, saved by its button, Enter or Ctrl S, and left without saving by the other. */
export function FormModal({ title, ...fields }: Fields & { title: string }) {
  return (
    <Dialog onClose={fields.onClose} title={title}>
      <DialogForm {...fields} />
    </Dialog>
  )
}

/** The fields of a dialog with its two buttons. */
export function DialogForm({ action = 'Save', isSaving, isDisabled, isReadOnly, more, children, onSave, onClose }: Fields) {
  return (
    <form
      ref={focusFirstField}
      onSubmit={(event) => {
        event.preventDefault()
        // Enter saves too, also where there is no button for it.
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
