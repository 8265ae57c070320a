import { Alert, Button } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { quickCalculatorInput } from '../../../domain/budget/quickCalculation.ts'
import type { FieldProblem } from '../../../domain/errors.ts'
import { displayDate, figure, penniesOf } from '../../../domain/format.ts'
import { notices } from '../../../domain/notices.ts'
import { inSentence } from '../../../domain/terms.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { failed, said } from '../../api/notify.tsx'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { focusProblem } from '../../resources/RecordForm.tsx'
import { NotFound } from '../../shell/Guard.tsx'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { PageHead } from '../../shell/PageHead.tsx'
import { Spinner } from '../../shell/Shell.tsx'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../../state/unsaved.ts'
import { isMongoId } from '../ContractPage.tsx'
import { useObstacle } from '../useObstacle.ts'
import { emptyQuick, type QuickDraft, QuickFields } from './QuickFields.tsx'
import { resultLines } from './quickRow.ts'

/** A new quick calculation. */
export function AddQuickPage() {
  return <QuickEditor key="add" start={emptyQuick} />
}

/** A quick calculation by its id. */
export function EditQuickPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['quick', 'one', budgetId, id],
    queryFn: () => api.quickCalculator.get.query({ id: id! }),
    enabled: isMongoId(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const back = { to: '/staffing/quick-calculator', label: 'Back to the list' }
  if (!isMongoId(id) || (query.isError && problemOf(query.error).kind === 'notFound')) return <NotFound back={back} />
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Spinner />
  const { result: _result, problems: _problems, ratesOf: _rates, created: _created, budgetId: _budget, ...draft } = query.data
  return <QuickEditor key={id} start={draft as QuickDraft} />
}

/** What is typed comes to this; the figures follow the form. */
function Preview({ draft }: { draft: QuickDraft }) {
  const { budgetId } = useSelection()
  const [settled] = useDebouncedValue(draft, 200)
  const checked = quickCalculatorInput.safeParse({ ...settled, name: 'preview' })
  const query = useQuery({
    queryKey: ['quick', 'preview', budgetId, checked.data],
    queryFn: () => api.quickCalculator.preview.query(checked.data!),
    enabled: checked.success,
    placeholderData: keepPreviousData,
  })
  const preview = checked.success ? query.data : null
  return (
    <section className="card sticky" aria-label="What it costs">
      <div className="card-head">
        What it costs {preview && <span className="note">at the rates of {displayDate(preview.ratesOf)}</span>}
      </div>
      {preview?.result ? (
        <table className="figures">
          <tbody>
            {resultLines.map(({ key, label, isTotal }) => (
              <tr key={key} className={isTotal ? 'total' : undefined}>
                <th scope="row">{label}</th>
                <td>{figure(penniesOf(preview.result![key]))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <div className="empty" role="status">
          {preview?.problems[0]?.text ?? 'Choose a contract type, a point or a spot salary, and the hours.'}
        </div>
      )}
    </section>
  )
}

/** The form left, what it comes to right. */
function QuickEditor({ start }: { start: QuickDraft }) {
  const [base, setBase] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const term = useTerm()('QuickCalculator')
  const obstacle = useObstacle()
  const unsaved = JSON.stringify(base) !== JSON.stringify(draft)
  useUnsaved(unsaved)
  const save = async (): Promise<void> => {
    const checked = quickCalculatorInput.safeParse(draft)
    const found = checked.error?.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })) ?? []
    setProblems(found)
    if (!checked.success) return focusProblem(found)
    setBusy(true)
    try {
      const saved = await api.quickCalculator.save.mutate(checked.data)
      void queries.invalidateQueries({ queryKey: ['quick'] })
      said(draft.id ? notices.updated(term.singular) : notices.created(term.singular))
      forgetUnsaved()
      const next = { ...draft, id: saved.id, version: saved.version }
      setBase(next)
      setDraft(next)
      if (!draft.id) void navigate(`/staffing/quick-calculator/${saved.id}`, { replace: true })
    } catch (error) {
      const problem = problemOf(error)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => obstacle || void save()]], [])
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      run: () => api.quickCalculator.delete.mutate({ id: draft.id! }),
      after: () => {
        forgetUnsaved()
        void queries.invalidateQueries({ queryKey: ['quick', 'list'] })
        void navigate('/staffing/quick-calculator')
      },
    })
  return (
    <>
      <PageHead
        title={draft.id ? base.name : `Add ${inSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Staffing`}
        pills={unsaved && <span className="pill warn">Unsaved</span>}
        facts="A post without a person and without dates: nothing of it is in the budget until it is made a contract"
      >
        {draft.id && (
          <>
            <Button variant="default" c="var(--bad)" onClick={remove}>
              Delete
            </Button>
            <Button variant="default" component={Link} to={`/staffing/staff-contracts/add?quick=${draft.id}`}>
              Make this a contract
            </Button>
          </>
        )}
        <Button onClick={() => void save()} loading={busy} disabled={Boolean(obstacle)} rightSection={<span className="hint">Ctrl S</span>}>
          Save
        </Button>
      </PageHead>
      {obstacle && (
        <Alert color="orange" mb="md" role="status">
          {obstacle}
        </Alert>
      )}
      <div className="split">
        <QuickFields draft={draft} set={(part) => setDraft((before) => ({ ...before, ...part }))} problems={problems} />
        <Preview draft={draft} />
      </div>
    </>
  )
}
