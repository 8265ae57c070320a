import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { buildNewRecord, type RecordValues } from '../../../domain/resources/schema.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { createSubPageTitle, type Screen } from '../../shell/screens/screen.ts'
import { useSelection } from '../../shell/selection.ts'
import { clearUnsavedChanges, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Card, CardBody } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { FieldInput } from '../inputs/FieldInput.tsx'
import { useResourceUndo } from '../useResourceUndo.ts'
import { useScreenResource, useStaticFilters } from '../useScreenResource.ts'
import { createListKey, readListState, rememberListState } from './listState.ts'

/** Changes the fields that the user ticked on all selected rows, in one call (behaviour B-111). */
export function BulkEditPage({ screen }: { screen: Screen }) {
  const { resource, saves, isHidden } = useScreenResource(screen)
  const { organisationId, locationId } = useSelection()
  const term = useTerm()(resource.key)
  const undo = useResourceUndo(resource, screen.own)
  const navigate = useNavigate()
  const key = createListKey(screen, organisationId, locationId)
  const list = readListState(key)
  const fixed = useStaticFilters(screen, null)
  const [ticked, setTicked] = useState<string[]>([])
  const [values, setValues] = useState<RecordValues>(() => buildNewRecord(resource))
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  useUnsavedChanges(ticked.length > 0)
  // If no rows are selected, return to the list (behaviour B-112).
  if (!list.selectAll && !list.toggledNodes.length) return <Navigate to={screen.path} replace />
  const unique = new Set(resource.unique.flat())
  const fields = Object.entries(resource.fields).filter(
    ([name, field]) => !isHidden(field) && !unique.has(name) && name !== 'organisationId' && !(name in (screen.fixed ?? {})),
  )
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const patch = ticked.map((name) => ({ op: 'replace', path: `/${name}`, value: values[name] }))
      const { updated, change } = await saves.edit({
        patch,
        state: { selectAll: list.selectAll, toggledNodes: list.toggledNodes },
        search: list.lastSearch.value,
        requestType: screen.requestType,
        filters: [...fixed.filters, ...list.lastFilters],
      })
      notifySuccess(notices.updated(updated === 1 ? term.singular : term.plural), undo.of(change))
      rememberListState(key, { ...list, selectAll: false, toggledNodes: [] })
      clearUnsavedChanges()
      void navigate(screen.path)
    } catch (error) {
      setProblems(toPublicError(error).fields)
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <PageHead
        title={`Bulk edit ${toMidSentence(term.plural)}`}
        documentTitle={createSubPageTitle('Bulk Edit', screen, term)}
        facts={
          list.selectAll
            ? 'All rows that match the list’s search and filters'
            : `${displayCount(list.toggledNodes.length, 'selected row')}. Tick what to change; everything else stays as it is.`
        }
      >
        <Button variant="default" onClick={() => void navigate(screen.path)}>
          Cancel
        </Button>
        <Button onClick={() => void save()} disabled={!ticked.length || !fixed.ready} loading={busy}>
          Change {ticked.length ? displayCount(ticked.length, 'field') : 'fields'}
        </Button>
      </PageHead>
      <Card style={{ overflow: 'visible' }}>
        <CardBody style={{ display: 'grid', gap: 14, maxWidth: 720 }}>
          {fields.map(([name, field]) => (
            <div key={name} style={{ display: 'grid', gridTemplateColumns: '28px 1fr', alignItems: 'start' }}>
              <Checkbox
                mt={28}
                aria-label={`Change ${field.label}`}
                checked={ticked.includes(name)}
                onChange={(event) => setTicked(event.currentTarget.checked ? [...ticked, name] : ticked.filter((one) => one !== name))}
              />
              <FieldInput
                field={{ ...field, required: false }}
                value={values[name]}
                onChange={(value) => {
                  setValues({ ...values, [name]: value })
                  setTicked(ticked.includes(name) ? ticked : [...ticked, name])
                }}
                error={problems.find((problem) => problem.field === name)?.message}
              />
            </div>
          ))}
        </CardBody>
      </Card>
    </>
  )
}
