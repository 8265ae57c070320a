import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { toPublicError } from '../shell/api.ts'
import { notifyFailure } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'

/** Renames a scenario. If the name is already in use, the field says so. */
export function RenameScenarioDialog({
  start,
  onClose,
  onSave,
}: {
  start: string
  onClose: () => void
  onSave: (name: string) => Promise<unknown>
}) {
  const [name, setName] = useState(start)
  const [error, setError] = useState<string | undefined>()
  const save = (): void =>
    void onSave(name).then(onClose, (failure) => {
      setError(toPublicError(failure).fields.find((field) => field.field === 'name')?.message)
      notifyFailure(failure)
    })
  return (
    <Dialog onClose={onClose} title="Rename scenario">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error}
          maxLength={100}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save</Button>
        </Group>
      </form>
    </Dialog>
  )
}
