import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { newRecord } from '../../domain/resources/schema.ts'
import { problemOf } from '../api/api.ts'
import { NotFound } from '../shell/Guard.tsx'
import { Spinner } from '../shell/Shell.tsx'
import type { Screen } from '../shell/screens.ts'
import { useSelection } from '../state/selection.ts'
import { RecordEditor } from './RecordEditor.tsx'
import { useScreenResource } from './useScreenResource.ts'

/** Adds or edits one record of any declared entity. */
export function EditPage({ screen, mode }: { screen: Screen; mode: 'add' | 'edit' }) {
  const { id: text } = useParams()
  const id = Number(text)
  const { resource, calls } = useScreenResource(screen)
  const { organisationId, locationId } = useSelection()
  const wanted = mode === 'edit' && /^\d{1,9}$/.test(text ?? '')
  const record = useQuery({
    queryKey: ['record', screen.path, organisationId, id],
    queryFn: () => calls.get.query({ id }),
    enabled: wanted,
    staleTime: 0,
  })
  if (mode === 'edit' && (!wanted || (record.isError && problemOf(record.error).kind === 'notFound')))
    return <NotFound back={{ to: screen.path, label: 'Back to the list' }} />
  if (mode === 'edit' && record.isError)
    return (
      <Alert color="red" title="The record could not be read">
        {problemOf(record.error).message}
      </Alert>
    )
  if (mode === 'edit' && !record.data) return <Spinner />
  // A new record of a screen of one organisation is its own; a new person of a location works there.
  const start = {
    ...newRecord(resource),
    ...screen.fixed,
    ...(screen.requestType === 1 ? { organisationId } : {}),
    ...(screen.needs === 'budget' && resource.fields.locations && locationId !== null ? { locations: [locationId] } : {}),
  }
  return (
    <RecordEditor
      key={mode === 'edit' ? `edit ${id}` : 'add'}
      screen={screen}
      saved={mode === 'edit' ? record.data! : null}
      start={mode === 'edit' ? record.data! : start}
    />
  )
}
