import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { clearUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import type { RecordPartProps } from '../entityExtras.ts'

/** The text that the user types to confirm an erasure. */
interface Confirmation {
  /** The field of the call that sends the typed text. */
  field: string
  /** The name of the text within a sentence, such as `email address`. */
  name: string
  value: string
}

interface EraseButtonProps extends Pick<RecordPartProps, 'record' | 'screen'> {
  confirmation: Confirmation
  /** The end of a sentence that begins with the person’s name and says what happens to the person. */
  consequence: string
  /** What is erased, as list items. */
  erased: ReactNode
  /** What is not erased, as list items. */
  kept: ReactNode
  onErase: (typed: string) => Promise<unknown>
  children?: ReactNode
}

/** A button that permanently erases a person's identity. Before, a dialog lists what is erased and what remains. */
export function EraseButton(props: EraseButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setOpen(true)}>
        Erase personal data
      </Button>
      {isOpen && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function EraseDialog({
  record,
  screen,
  confirmation: { field, name, value },
  consequence,
  erased,
  kept,
  onErase,
  onClose,
  children,
}: EraseButtonProps & { onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [isBusy, setBusy] = useState(false)
  const isSame = typed.trim().toLowerCase() === value.trim().toLowerCase()
  const erase = async (): Promise<void> => {
    setBusy(true)
    try {
      await onErase(typed)
      notifySuccess('Erased personal data')
      clearUnsavedChanges()
      await navigate(screen.path)
    } catch (error) {
      setProblems(toPublicError(error).fields)
      notifyFailure(error)
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title="Erase personal data" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSame && !isBusy) void erase()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            <b>
              {String(record.forename)} {String(record.surname)}
            </b>{' '}
            {consequence}
          </Text>
          {children}
          <Part title="What is erased">{erased}</Part>
          <Part title="What is kept">{kept}</Part>
          <TextInput
            label={`Type the ${name} ${value} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={problems.find((problem) => problem.field === field)?.message}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isSame} loading={isBusy}>
              Erase permanently
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">{children}</List>
    </div>
  )
}
