import { List } from '@mantine/core'
import type { RecordPartProps } from '../../resources/entityExtras.ts'
import { EraseButton } from '../../resources/record/EraseButton.tsx'
import { trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'

/** Permanently erases a person's identity after the user types their employee number. */
export function ErasePerson({ record, screen }: RecordPartProps) {
  const mayErase = usePermissionCheck()(['ConsoleStaffMembersReadUpdate'])
  const { mutateAsync: erase } = trpc.staff.erase.useMutation()
  if (!mayErase || record.erased) return null
  return (
    <EraseButton
      record={record}
      screen={screen}
      confirmation={{ field: 'employeeNumber', name: 'employee number', value: String(record.employeeNumber) }}
      consequence="disappears from every list, search, export and history. You cannot undo this."
      erased={
        <>
          <List.Item>Name, employee and NI number, gender, dates of birth and service, email</List.Item>
          <List.Item>Notes in contracts and leave, and everybody’s reminders about them</List.Item>
        </>
      }
      kept={
        <>
          <List.Item>Contracts, leave dates and every figure to the penny, as “Erased person {record.id}”</List.Item>
          <List.Item>Backups and files made before the person was erased</List.Item>
          <List.Item>Comments and contract names that mention the person: check these yourself</List.Item>
        </>
      }
      onErase={(typed) => erase({ id: record.id, employeeNumber: typed })}
    />
  )
}
