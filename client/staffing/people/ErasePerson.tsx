import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { FieldProblem } from '../../../domain/errors.ts'
import type { RecordPart } from '../../resources/extras.ts'
import { problemOf, trpc } from '../../shell/api.ts'
import { useMay } from '../../shell/core.ts'
import { failed, said } from '../../shell/notify.tsx'
import { forgetUnsaved } from '../../shell/unsaved.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** Erases who a person is, for ever, once their employee number has been typed again. */
export function ErasePerson({ record, screen }: RecordPart) {
  const mayErase = useMay()(['ConsoleStaffMembersReadUpdate'])
  const [isOpen, setOpen] = useState(false)
  if (!mayErase || record.erased) return null
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
  const number = String(record.employeeNumber)
  const isSame = typed.trim().toLowerCase() === number.trim().toLowerCase()
  const { mutateAsync: eraseForEver } = trpc.staff.erase.useMutation()
  const erase = async (): Promise<void> => {
    setBusy(true)
    try {
      await eraseForEver({ id: record.id, employeeNumber: typed })
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
            goes from every list, search, export and history, for ever. Nobody can bring it back.
          </Text>
          <div>
            <Text size="sm" fw={600}>
              What goes
            </Text>
            <List size="sm">
              <List.Item>Name, employee and NI number, gender, dates of birth and of service, email</List.Item>
              <List.Item>Notes in contracts and leave, and everybody’s reminders about them</List.Item>
            </List>
          </div>
          <div>
            <Text size="sm" fw={600}>
              What stays
            </Text>
            <List size="sm">
              <List.Item>Contracts, leave dates and every figure to the penny, as “Erased person {record.id}”</List.Item>
              <List.Item>Backups and files that were made before</List.Item>
              <List.Item>What somebody wrote about them in comments and names of contracts: look there yourself</List.Item>
            </List>
          </div>
          <TextInput
            label={`Type the employee number ${number} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={problems.find((problem) => problem.field === 'employeeNumber')?.message}
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
