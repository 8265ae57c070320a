import { Alert } from '@mantine/core'
import { useParams } from 'react-router'
import { requestType } from '../../../domain/lookups/lookupIds.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { buildNewRecord } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPublicError } from '../../shell/api.ts'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import type { Screen } from '../../shell/screens/screen.ts'
import { useSelection } from '../../shell/selection.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { useStableForm } from '../editor/useStableForm.ts'
import { useScreenResource } from '../useScreenResource.ts'
import { RecordEditor } from './RecordEditor.tsx'

/** Whether a record has an organisation field. If so, its default is the selected organisation. */
function isOfOrganisation({ scope, fields: { organisationId } }: AnyResource): boolean {
  return scope === 'organisation' && organisationId?.kind === 'reference' && organisationId.required === true
}

/**
 * Adds or edits a record of any declared entity. Adding and editing use the same page, so that saving a new record does not remount the
 * form.
 */
export function EditPage({ screen }: { screen: Screen }) {
  return <LoadedRecordEditor screen={screen} id={useParams().id} />
}

/**
 * Loads a record and shows its form.
 * @param id from the URL; undefined for a new record
 */
export function LoadedRecordEditor({ screen, id: text }: { screen: Screen; id: string | undefined }) {
  const form = useStableForm<AnyRecord>(screen.path, text)
  const mode = text === undefined ? 'add' : 'edit'
  const id = Number(text)
  const { resource, hooks } = useScreenResource(screen)
  const { organisationId, locationId } = useSelection()
  const isEditing = mode === 'edit' && /^\d{1,9}$/.test(text ?? '')
  const record = hooks.get.useQuery({ id }, { enabled: isEditing, staleTime: 0 })
  if (mode === 'edit' && (!isEditing || (record.isError && toPublicError(record.error).kind === 'notFound')))
    return <NotFound back={{ to: screen.path, label: 'Back to the list' }} />
  if (mode === 'edit' && record.isLoadingError)
    return (
      <Alert color="red" title="The record could not be loaded">
        {toPublicError(record.error).message}
      </Alert>
    )
  if (mode === 'edit' && !record.data) return <Spinner />
  // A new record belongs to the selected organisation; a new person works at the selected location.
  const start = {
    ...buildNewRecord(resource),
    ...screen.fixed,
    ...(screen.requestType === requestType.own || isOfOrganisation(resource) ? { organisationId } : {}),
    ...(screen.needs === 'budget' && resource.fields.locations && locationId !== null ? { locations: [locationId] } : {}),
  }
  return (
    <RecordEditor
      key={form.key}
      screen={screen}
      saved={mode === 'edit' ? assertDefined(record.data) : null}
      start={mode === 'edit' ? assertDefined(record.data) : start}
      onMade={form.moveToUrlOf}
    />
  )
}
