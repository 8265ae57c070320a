import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { isTrust } from '../../../domain/lookups/codingSchemes.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { buildNewRecord, checkRecord, listChangedFields, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId } from '../../../domain/values/ids.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import { focusProblem } from '../../resources/editor/focusProblem.ts'
import { FieldInput } from '../../resources/inputs/FieldInput.tsx'
import { getResourceHooks, useResourceMutations } from '../../resources/resourceApi.ts'
import { toPublicError } from '../../shell/api.ts'
import { reloadOrganisationsAndLocations, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifySuccess } from '../../shell/notify.tsx'
import { clearUnsavedChanges, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { useChooseSelection } from '../../shell/useChooseSelection.ts'
import fieldsStyles from '../../ui/fields/fields.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'

const { organisation: resource } = resources
const fieldNames = ['name', 'organisationType', 'uniqueGroupIdentifier', 'reportSignatory'] as const

/** Initial national coding schemes for a type of organisation; the user can change them later. */
function getDefaultCodes(type: unknown): RecordValues {
  return { cfrEnabled: !isTrust(type), gagEnabled: isTrust(type), acoaEnabled: isTrust(type) }
}

/** Edits the selected organisation, or adds one. */
export function OrganisationStep({ organisationId, onDone }: { organisationId: OrganisationId | null; onDone: () => void }) {
  const [isNew, setNew] = useState(organisationId === null)
  const record = getResourceHooks(resource).get.useQuery({ id: organisationId ?? 0 }, { enabled: !isNew, staleTime: 0 })
  if (isNew) return <Form key="new" saved={null} onDone={onDone} onAnother={null} />
  if (record.isLoadingError) return <LoadFailed query={record} />
  if (!record.data) return <Skeleton height={240} />
  return <Form key={record.data.version} saved={record.data} onDone={onDone} onAnother={() => setNew(true)} />
}

function Form({ saved, onDone, onAnother }: { saved: AnyRecord | null; onDone: () => void; onAnother: (() => void) | null }) {
  const term = useTerm()('Organisation')
  const choose = useChooseSelection()
  const { create, update } = useResourceMutations(resource)
  const [start] = useState<RecordValues>(() => saved ?? buildNewRecord(resource))
  const [values, setValues] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [general, setGeneral] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isChanged = listChangedFields(resource, start, values).length > 0
  useUnsavedChanges(isChanged)
  const refuse = (message: string | null, fields: FieldProblem[]): void => {
    setProblems(fields)
    setGeneral(fields.length ? null : message)
    setTimeout(() => focusProblem(fields), 50)
  }
  const save = async (): Promise<void> => {
    if (busy) return
    if (saved && !isChanged) return onDone()
    const input = saved ? values : { ...values, ...getDefaultCodes(values.organisationType) }
    const found = checkRecord(resource, { ...input }).problems
    if (found.length) return refuse(null, found)
    setBusy(true)
    try {
      const result = saved ? await update({ ...input, id: saved.id, version: saved.version }) : await create(input)
      notifySuccess(saved ? notices.updated(term.singular) : notices.created(term.singular))
      clearUnsavedChanges()
      if (saved) return onDone()
      await reloadOrganisationsAndLocations()
      // When the organisation is selected, the page remounts at the next step.
      await choose({ organisationId: toOrganisationId(result.id), locationId: null, budgetId: null })
    } catch (error) {
      const { message, fields } = toPublicError(error)
      refuse(message, fields)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Card style={{ overflow: 'visible' }}>
        <CardHead>Your organisation</CardHead>
        <CardBody style={{ display: 'grid', gap: 14 }}>
          <div className={fieldsStyles.fields}>
            {fieldNames.map((name) => (
              <div key={name} className={name === 'name' ? fieldsStyles.double : undefined} data-field={name}>
                <FieldInput
                  field={assertDefined(resource.fields[name])}
                  value={values[name]}
                  onChange={(value) => setValues({ ...values, [name]: value })}
                  error={problems.find(({ field }) => field === name)?.message}
                />
              </div>
            ))}
          </div>
          <p className={textStyles.dim} style={{ margin: 0 }}>
            {isTrust(values.organisationType)
              ? 'Financial years begin on 1 September, and codes are reported by the academies chart of accounts.'
              : 'Financial years begin on 1 April, and codes are reported by Consistent Financial Reporting.'}{' '}
            You can enter and change its other details under Organisations at any time.
          </p>
          {general && (
            <Alert color="red" role="alert">
              {general}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={busy}>
              {saved && !isChanged ? 'Next' : 'Save and continue'}
            </Button>
            {onAnother && (
              <Button variant="subtle" onClick={onAnother}>
                Set up another organisation
              </Button>
            )}
          </Group>
        </CardBody>
      </Card>
    </form>
  )
}
