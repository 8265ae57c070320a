import { Alert, Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { openingBalanceInput } from '../../domain/budget/items/openingBalance.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { lookups } from '../../domain/lookups.ts'
import { notices } from '../../domain/notices.ts'
import { inSentence } from '../../domain/terms.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { ItemHistory } from '../nonStaffing/ItemHistory.tsx'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { isMongoId } from '../staffing/ContractPage.tsx'
import { useIsLocked } from '../staffing/useObstacle.ts'
import { useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'

const path = '/overview/opening-balances'

interface Draft {
  id: string | null
  version: number | null
  description: string
  type: number
  value: number | null
}

function Editor({ start }: { start: Draft }) {
  const term = useTerm()('OpeningBalance')
  const navigate = useNavigate()
  const isLocked = useIsLocked()
  const [base, setBase] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(base)
  useUnsaved(isUnsaved)
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined => problems.find((one) => one.field === field)?.message
  const save = async (): Promise<void> => {
    if (busy || isLocked) return
    const checked = openingBalanceInput.safeParse(draft)
    const found = (checked.error?.issues ?? []).map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
    setProblems(found)
    if (!checked.success) return focusProblem(found)
    setBusy(true)
    try {
      const saved = await api.openingBalances.save.mutate(checked.data)
      setBase(saved)
      setDraft(saved)
      forgetUnsaved()
      said(draft.id ? notices.updated(term.singular) : notices.created(term.singular))
      void queries.invalidateQueries()
      if (!draft.id) void navigate(`${path}/${saved.id}`, { replace: true })
    } catch (failure) {
      const problem = problemOf(failure)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      hint: 'The history keeps it, and you can undo it there.',
      run: () => api.openingBalances.delete.mutate({ id: draft.id! }),
      after: () => {
        forgetUnsaved()
        void queries.invalidateQueries()
        void navigate(path)
      },
    })
  return (
    <>
      <PageHead
        title={draft.id ? base.description : `Add ${inSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Overview`}
        pills={isUnsaved && <span className="pill warn">Unsaved</span>}
        facts={<Link to={path}>{term.plural}</Link>}
      >
        {draft.id && !isLocked && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {!isLocked && (
          <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
            Save
          </Button>
        )}
      </PageHead>
      {isLocked && (
        <Alert color="orange" mb="md" role="status">
          This budget is locked and can no longer be changed.
        </Alert>
      )}
      <div style={{ display: 'grid', gap: 14, maxWidth: 760 }}>
        <section className="card" style={{ overflow: 'visible' }}>
          <div className="card-body fields">
            <div className="wide" data-field="description">
              <TextInput
                label="Description"
                required
                maxLength={200}
                value={draft.description}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={error('description')}
                disabled={isLocked}
              />
            </div>
            <div data-field="type">
              <Select
                label="Type"
                required
                allowDeselect={false}
                data={lookups.openingBalanceTypes.map((type) => ({ value: String(type.id), label: type.name }))}
                value={String(draft.type)}
                onChange={(value) => set({ type: Number(value) })}
                error={error('type')}
                disabled={isLocked}
              />
            </div>
            <div data-field="value">
              <NumberInput
                label="Value"
                description="A deficit has a minus."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                required
                prefix="£"
                thousandSeparator=","
                decimalScale={2}
                hideControls
                value={draft.value ?? ''}
                onChange={(value) => set({ value: value === '' ? null : Number(value) })}
                error={error('value')}
                disabled={isLocked}
                styles={{ input: { textAlign: 'right' } }}
              />
            </div>
          </div>
        </section>
        {draft.id && <ItemHistory id={draft.id} version={base.version} />}
      </div>
    </>
  )
}

export function AddBalancePage() {
  return <Editor start={{ id: null, version: null, description: '', type: 1, value: null }} />
}

export function EditBalancePage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['balance', budgetId, id],
    queryFn: () => api.openingBalances.get.query({ id: id! }),
    enabled: isMongoId(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isMongoId(id) || (query.isError && problemOf(query.error).kind === 'notFound'))
    return <NotFound back={{ to: path, label: 'Back to the list' }} />
  if (query.isError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} start={query.data} /> : <Spinner />
}
