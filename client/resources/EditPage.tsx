import { Alert, Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import { formatCell } from '../../domain/resources/cells.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import { changedFields, checkRecord, newRecord, type Values } from '../../domain/resources/schema.ts'
import { problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import type { Screen } from '../shell/screens.ts'
import { reloadPlaces, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'
import { confirmDelete } from './confirmDelete.tsx'
import { focusProblem, RecordForm } from './RecordForm.tsx'
import { RecordHistory } from './RecordHistory.tsx'
import { useScreenResource } from './useScreenResource.ts'

/** Adds or edits one record of any declared entity. */
export function EditPage({ screen, mode }: { screen: Screen; mode: 'add' | 'edit' }) {
  const { id: text } = useParams()
  const id = Number(text)
  const { resource, calls } = useScreenResource(screen)
  const { organisationId } = useSelection()
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
  const fresh = { ...newRecord(resource), ...screen.fixed, ...(screen.requestType === 1 ? { organisationId } : {}) }
  return (
    <Editor
      key={mode === 'edit' ? `edit ${id}` : 'add'}
      screen={screen}
      saved={mode === 'edit' ? record.data! : null}
      start={mode === 'edit' ? record.data! : fresh}
    />
  )
}

function Editor({ screen, saved: loaded, start }: { screen: Screen; saved: AnyRecord | null; start: Values }) {
  const { resource, calls, isHidden, offers } = useScreenResource(screen)
  const term = useTerm()(resource.key)
  const navigate = useNavigate()
  const [saved, setSaved] = useState<AnyRecord | null>(loaded)
  const [values, setValues] = useState<Values>(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [newer, setNewer] = useState<AnyRecord | null>(null)
  const [busy, setBusy] = useState(false)
  const unsaved = changedFields(resource, saved ?? start, values).length > 0
  useUnsaved(unsaved)
  useEffect(() => {
    // An answer that was on its way before a save may come after it: only what is newer is taken.
    if (loaded && loaded.version > (saved?.version ?? 0) && !unsaved) {
      setSaved(loaded)
      setValues(loaded)
    }
  }, [loaded, saved, unsaved])
  const refresh = (): void => {
    if (resource.name === 'organisation' || resource.name === 'location') void reloadPlaces()
    void queries.invalidateQueries({ predicate: ({ queryKey }) => ['list', 'names', 'pick', 'history'].includes(String(queryKey[0])) })
  }
  const save = async (): Promise<void> => {
    if (busy) return
    const checked = checkRecord(resource, { ...values })
    setProblems(checked.problems)
    if (checked.problems.length) return focusProblem(checked.problems)
    setBusy(true)
    try {
      const result = saved
        ? await calls.update.mutate({ ...values, id: saved.id, version: saved.version })
        : await calls.create.mutate(values)
      setSaved(result)
      setValues(result)
      setNewer(null)
      forgetUnsaved()
      refresh()
      said(saved ? notices.updated(term.singular) : notices.created(term.singular))
      queries.setQueryData(['record', screen.path, result.organisationId, result.id], result)
      if (!saved) void navigate(screen.children?.includes(':id') ? `${screen.path}/${result.id}` : screen.path, { replace: true })
    } catch (error) {
      const problem = problemOf(error)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      if (problem.code === 'stale') setNewer((problem.details as { record?: AnyRecord } | undefined)?.record ?? null)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      run: () => calls.delete.mutate({ id: saved!.id }),
      after: () => {
        forgetUnsaved()
        refresh()
        return navigate(screen.path)
      },
    })
  useHotkeys([['mod+S', () => void save()]], [])
  const name = saved ? String(saved[resource.naming[0]!]) : `Add ${term.singular.toLowerCase()}`
  const administrator = screen.area === 'Administrator'
  return (
    <>
      <PageHead
        title={name}
        documentTitle={`${saved ? 'Edit' : 'Add'} - ${term.singular} - ${administrator ? 'Administrator' : screen.area}`}
        pills={unsaved && <span className="pill warn">Unsaved</span>}
        facts={saved ? (resource.naming[1] ? String(saved[resource.naming[1]] ?? '') : undefined) : resource.purpose}
      >
        {saved && offers('delete') && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {unsaved && (
          <Button
            variant="default"
            onClick={() => {
              setValues(saved ?? start)
              setProblems([])
            }}
          >
            Discard
          </Button>
        )}
        <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
          Save
        </Button>
      </PageHead>
      {newer && (
        <Alert color="orange" title="Somebody else has changed this" mb="md">
          <ul style={{ margin: '4px 0 10px', paddingLeft: 18 }}>
            {changedFields(resource, saved ?? {}, newer).map((field) => (
              <li key={field}>
                {resource.fields[field]!.label}:{' '}
                {formatCell(resource.fields[field]!, newer[field], (_to, one) => `number ${one}`) || 'empty'}
              </li>
            ))}
          </ul>
          <Button
            size="compact-sm"
            mr="xs"
            onClick={() => {
              // What I typed stays; everything I did not touch takes the newer value.
              const mine = changedFields(resource, saved ?? {}, values)
              setValues({ ...newer, ...Object.fromEntries(mine.map((field) => [field, values[field]])) })
              setSaved(newer)
              setNewer(null)
            }}
          >
            Keep my changes on top
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setSaved(newer)
              setValues(newer)
              setNewer(null)
            }}
          >
            Take theirs
          </Button>
        </Alert>
      )}
      {saved ? (
        <Tabs defaultValue="details" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="details">Details</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="details">
            <RecordForm
              resource={resource}
              values={values}
              onChange={setValues}
              problems={problems}
              isHidden={isHidden}
              fixed={[...Object.keys(screen.fixed ?? {}), ...(screen.own ? ['organisationId'] : [])]}
            />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <RecordHistory
              resource={resource}
              calls={calls}
              record={saved}
              isHidden={isHidden}
              onRestored={(record) => {
                setSaved(record)
                setValues(record)
                refresh()
              }}
            />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <RecordForm
          resource={resource}
          values={values}
          onChange={setValues}
          problems={problems}
          isHidden={isHidden}
          fixed={Object.keys(screen.fixed ?? {})}
        />
      )}
    </>
  )
}
