import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FieldProblem } from '../../domain/errors.ts'
import { numbersOf } from '../../domain/values.ts'
import type { RecordPart } from '../resources/extras.ts'
import { useNames } from '../resources/resourceApi.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { failed, said } from '../shell/notify.tsx'
import { forgetUnsaved } from '../shell/unsaved.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Erases who a user is, for ever, once their email address has been typed again. */
export function EraseUser({ record, screen, mayEdit }: RecordPart) {
  const [isOpen, setOpen] = useState(false)
  const isSelf = useCore().user.id === record.id
  if (!mayEdit || isSelf || record.isErased) return null
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setOpen(true)}>
        Erase personal data
      </Button>
      {isOpen && <EraseDialog record={record} screen={screen} onClose={() => setOpen(false)} />}
    </>
  )
}

function EraseDialog({ record, screen, onClose }: Pick<RecordPart, 'record' | 'screen'> & { onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const email = String(record.email)
  const isSame = typed.trim().toLowerCase() === email.trim().toLowerCase()
  const { mutateAsync: eraseForEver } = (screen.own ? trpc.users.own.erase : trpc.users.erase).useMutation()
  const erase = async (): Promise<void> => {
    setBusy(true)
    try {
      await eraseForEver({ id: record.id, email: typed })
      said('Erased personal data')
      forgetUnsaved()
      await navigate(screen.path)
    } catch (error) {
      setProblems(problemOf(error).fields)
      failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title="Erase personal data" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSame && !busy) void erase()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            <b>
              {String(record.forename)} {String(record.surname)}
            </b>{' '}
            is signed out everywhere at once and can never sign in again. You cannot undo this.
          </Text>
          {!screen.own && <Organisations record={record} />}
          <Part title="What is erased">
            <List.Item>Name, email address, position, telephone number and picture, in the history too</List.Item>
            <List.Item>Password, passkeys, authenticator app and the list of sign-ins</List.Item>
            <List.Item>Access to organisations, and what only the user had: reminders, list views, unshared report layouts</List.Item>
          </Part>
          <Part title="What stays">
            <List.Item>Everything the user did, as “Erased user {record.id}”</List.Item>
            <List.Item>Backups, files and emails made before the user was erased</List.Item>
            <List.Item>Comments and notes that mention the user: check these yourself</List.Item>
          </Part>
          <TextInput
            label={`Type the email address ${email} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={problems.find((problem) => problem.field === 'email')?.message}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isSame} loading={busy}>
              Erase for ever
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Where the account is in use, if in more than one organisation. */
function Organisations({ record }: Pick<RecordPart, 'record'>) {
  const ids = numbersOf(record.organisationIds)
  const names = useNames('organisation', ids)
  if (ids.length < 2) return null
  const list = ids.map((id) => names.get(id)?.name ?? '…')
  return (
    <Text size="sm" fw={600}>
      The account is used in {ids.length} organisations and is erased in all of them: {new Intl.ListFormat('en-GB').format(list)}.
    </Text>
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
