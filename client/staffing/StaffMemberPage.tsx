import { Alert, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { FieldProblem } from '../../domain/errors.ts'
import { lookups } from '../../domain/lookups.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { DateField } from '../resources/DateField.tsx'
import { ManyPicker } from '../resources/Picker.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'

type Member = Awaited<ReturnType<typeof api.staff.get.query>>
type Draft = Omit<Member, 'id' | 'version' | 'created' | 'erased'> & { id?: number; version?: number }

const list = '/staffing/staff-members'

function nobody(locationId: number | null): Draft {
  return {
    employeeNumber: '',
    niNumber: null,
    title: null,
    forename: '',
    surname: '',
    gender: null,
    dateOfBirth: null,
    continuousServiceDate: null,
    email: null,
    archive: false,
    locations: locationId === null ? [] : [locationId],
  }
}

function Editor({ start }: { start: Draft }) {
  const navigate = useNavigate()
  const term = useTerm()('StaffMember')
  const [saved, setSaved] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [newer, setNewer] = useState<Member | null>(null)
  const [busy, setBusy] = useState(false)
  const unsaved = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(unsaved)
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const take = (next: Draft): void => {
    setSaved(next)
    setDraft(next)
  }
  const save = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblems([])
    try {
      const { id } = draft
      const result = id ? await api.staff.update.mutate({ ...draft, id }) : await api.staff.create.mutate(draft)
      take(result)
      setNewer(null)
      forgetUnsaved()
      said(id ? notices.updated(term.singular) : notices.created(term.singular))
      void queries.invalidateQueries({ predicate: ({ queryKey }) => ['staff', 'liveInputs', 'contracts'].includes(String(queryKey[0])) })
      if (!id) void navigate(`${list}/${result.id}`, { replace: true })
    } catch (failure) {
      const problem = problemOf(failure)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      if (problem.code === 'stale') setNewer((problem.details as { record?: Member } | undefined)?.record ?? null)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const text = (field: 'employeeNumber' | 'forename' | 'surname' | 'niNumber' | 'email', label: string, required = false) => (
    <div data-field={field}>
      <TextInput
        label={label}
        required={required}
        value={draft[field] ?? ''}
        onChange={(event) => set({ [field]: event.currentTarget.value })}
        error={error(field)}
        type={field === 'email' ? 'email' : 'text'}
      />
    </div>
  )
  const choice = (field: 'title' | 'gender', label: string) => (
    <div data-field={field}>
      <Select
        label={label}
        clearable
        data={lookups[field === 'title' ? 'titles' : 'genders'].map((item) => ({ value: String(item.id), label: item.name }))}
        value={draft[field] ? String(draft[field]) : null}
        onChange={(value) => set({ [field]: value === null ? null : Number(value) })}
        error={error(field)}
      />
    </div>
  )
  const date = (field: 'dateOfBirth' | 'continuousServiceDate', label: string) => (
    <div data-field={field}>
      <DateField label={label} value={draft[field]} onChange={(value) => set({ [field]: value })} error={error(field)} />
    </div>
  )
  return (
    <>
      <PageHead
        title={draft.id ? `${saved.forename} ${saved.surname}` : 'Add staff member'}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Staffing`}
        pills={unsaved && draft.id ? <span className="pill warn">Unsaved</span> : undefined}
        facts={
          draft.id ? `Employee ${saved.employeeNumber}` : 'Names and numbers are kept sealed; budgets know people only by an opaque id.'
        }
      >
        {draft.id && (
          <Button
            variant="default"
            component={Link}
            to={`/staffing/staff-contracts/add?employee=${encodeURIComponent(saved.employeeNumber)}`}
          >
            Add contract
          </Button>
        )}
        {unsaved && (
          <Button
            variant="default"
            onClick={() => {
              setDraft(saved)
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
          <Button
            size="compact-sm"
            mr="xs"
            onClick={() => {
              setSaved(newer)
              set({ version: newer.version })
              setNewer(null)
            }}
          >
            Keep my changes on top
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              take(newer)
              setNewer(null)
            }}
          >
            Take theirs
          </Button>
        </Alert>
      )}
      <section className="card" style={{ overflow: 'visible', maxWidth: 1000 }}>
        <div className="card-head">Staff member</div>
        <div className="card-body fields">
          {text('employeeNumber', 'Employee number', true)}
          {choice('title', 'Title')}
          {text('forename', 'Forename', true)}
          {text('surname', 'Surname', true)}
          {choice('gender', 'Gender')}
          {text('niNumber', 'NI number')}
          {date('dateOfBirth', 'Date of birth')}
          {date('continuousServiceDate', 'Continuous service date')}
          {text('email', 'Email')}
          <div className="wide" data-field="locations">
            <ManyPicker
              to="location"
              label="Locations"
              value={draft.locations}
              onChange={(locations) => set({ locations })}
              error={error('locations')}
              emptyText="All locations"
            />
          </div>
          <Checkbox
            label="Archived"
            checked={draft.archive}
            onChange={(event) => set({ archive: event.currentTarget.checked })}
            description="No longer offered for new contracts"
          />
        </div>
      </section>
    </>
  )
}

export function StaffMemberPage() {
  const { id } = useParams()
  const { locationId } = useSelection()
  const valid = /^\d{1,9}$/.test(id ?? '')
  const member = useQuery({
    queryKey: ['staff', 'one', id],
    queryFn: () => api.staff.get.query({ id: Number(id) }),
    enabled: valid,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (id === undefined) return <Editor key="add" start={nobody(locationId)} />
  if (!valid || (member.isError && problemOf(member.error).kind === 'notFound'))
    return <NotFound back={{ to: list, label: 'Back to the list' }} />
  if (member.isError)
    return (
      <div className="empty" role="alert">
        {problemOf(member.error).message}
      </div>
    )
  if (!member.data) return <Spinner />
  return <Editor key={id} start={member.data} />
}
