import { useNavigate } from 'react-router'
import { userFile } from '../../domain/resources/personFile.ts'
import { buildNewRecord, checkRecord } from '../../domain/resources/schema.ts'
import { RecordDialog } from '../resources/record/RecordDialog.tsx'
import { trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import type { Screen } from '../shell/screens/screen.ts'

/** Adds a user to the organisation, then opens their page, from which they are invited. */
export function AddUserDialog({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const term = useTerm()('User')
  const navigate = useNavigate()
  const { mutateAsync: add } = trpc.users.own.create.useMutation()
  return (
    <RecordDialog
      term={term}
      isNew
      fields={userFile.fields}
      start={buildNewRecord(userFile)}
      check={(values) => checkRecord(userFile, values).problems}
      save={add}
      onClose={onClose}
      onDone={(created) => void navigate(`${screen.path}/${created?.id}`)}
    />
  )
}
