import { List, Text } from '@mantine/core'
import { displayCount, displayList } from '../../domain/values/format.ts'
import { requireNumbers } from '../../domain/values/unknownValues.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { EraseButton } from '../resources/record/EraseButton.tsx'
import { useRecordNames } from '../resources/resourceApi.ts'
import { trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'

/** Permanently erases a user's identity after their email address is typed. */
export function EraseUser({ record, screen, mayEdit }: RecordPartProps) {
  const isSelf = useCoreData().user.id === record.id
  const { mutateAsync: erase } = (screen.own ? trpc.users.own.erase : trpc.users.erase).useMutation()
  if (!mayEdit || isSelf || record.isErased) return null
  return (
    <EraseButton
      record={record}
      screen={screen}
      confirmation={{ field: 'email', name: 'email address', value: String(record.email) }}
      consequence="is signed out everywhere immediately and can never sign in again. You cannot undo this."
      erased={
        <>
          <List.Item>Name, email address, position, telephone number and picture, in the history too</List.Item>
          <List.Item>Password, passkeys, authenticator app and the list of sign-ins</List.Item>
          <List.Item>Access to organisations, and the user’s own reminders, list views and unshared report layouts</List.Item>
        </>
      }
      kept={
        <>
          <List.Item>Everything the user did, as “Erased user {record.id}”</List.Item>
          <List.Item>Backups, files and emails made before the user was erased</List.Item>
          <List.Item>Comments and notes that mention the user: check these yourself</List.Item>
        </>
      }
      onErase={(typed) => erase({ id: record.id, email: typed })}
    >
      {!screen.own && <Organisations record={record} />}
    </EraseButton>
  )
}

/** The organisations of the account, if there are several. */
function Organisations({ record }: Pick<RecordPartProps, 'record'>) {
  const ids = requireNumbers(record.organisationIds)
  const names = useRecordNames('organisation', ids)
  if (ids.length < 2) return null
  const list = ids.map((id) => names.get(id)?.name ?? '…')
  return (
    <Text size="sm" fw={600}>
      The account is used in {displayCount(ids.length, 'organisation')} and is erased in all of them: {displayList(list)}.
    </Text>
  )
}
