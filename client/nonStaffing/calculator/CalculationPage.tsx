import { Button, Select, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { ieCalculationInput } from '../../../domain/budget/items/ieCalculation.ts'
import { type CalculatorRow, calculate } from '../../../domain/calculation/calculator.ts'
import type { FieldProblem } from '../../../domain/errors.ts'
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
import { isMongoId } from '../../staffing/ContractPage.tsx'
import { FundShares } from '../../staffing/FundShares.tsx'
import { useBudget } from '../../staffing/tables/useBudget.ts'
import { useIsLocked } from '../../staffing/useObstacle.ts'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../../state/unsaved.ts'
import { optionsOf } from '../entries/BulkEditEntries.tsx'
import { ItemHistory } from '../ItemHistory.tsx'
import { useYears } from '../useYears.ts'
import { CalculatorRows } from './CalculatorRows.tsx'
import { blankRows, templates } from './templates.ts'

type Shown = Awaited<ReturnType<typeof api.calculations.get.query>>
const path = '/non-staffing/ie-calculator'

interface Draft {
  id: string | null
  version: number | null
  name: string
  description: string
  budgetCodeId: number | null
  costCentreId: number | null
  fundCodes: { fundCodeId: number | null; percentage: number | null }[]
  rows: CalculatorRow[]
}

function draftOf({ id, version, name, description, budgetCodeId, costCentreId, fundCodes, rows }: Shown): Draft {
  return { id, version, name, description: description ?? '', budgetCodeId, costCentreId, fundCodes, rows }
}

function Editor({ start, shown }: { start: Draft; shown: Shown | null }) {
  const term = useTerm()('IncomeExpenditureCalculator')
  const { budgetId, locationId } = useSelection()
  const navigate = useNavigate()
  const isLocked = useIsLocked()
  const years = useYears()
  const { startMonth } = useBudget()
  const choices = useQuery({ queryKey: ['entries', 'choices', budgetId], queryFn: () => api.entries.choices.query(), staleTime: 30_000 })
  const [base, setBase] = useState(start)
  const [draft, setDraft] = useState(start)
  const [state, setState] = useState(shown)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(base)
  useUnsaved(isUnsaved)
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined =>
    problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message
  const worked = calculate(draft.rows, years.length)
  const isWhole = !worked.total.includes(null)
  const keep = (saved: Shown): void => {
    setBase(draftOf(saved))
    setDraft(draftOf(saved))
    setState(saved)
    forgetUnsaved()
    void queries.invalidateQueries()
  }
  const refused = (failure: unknown): void => {
    const problem = problemOf(failure)
    setProblems(problem.fields)
    if (problem.fields.length) focusProblem(problem.fields)
    failed(failure)
  }
  /** Saves, and puts it into the budget when that is asked for. */
  const save = async (isProcessed: boolean): Promise<void> => {
    if (busy || isLocked) return
    const checked = ieCalculationInput.safeParse({ ...draft, budgetCodeId: draft.budgetCodeId ?? undefined })
    const found = (checked.error?.issues ?? []).map(({ path: at, message }) => ({ field: at.join('.'), message }))
    setProblems(found)
    if (!checked.success) return focusProblem(found)
    setBusy(true)
    try {
      const saved = await api.calculations.save.mutate(checked.data)
      keep(saved)
      if (isProcessed) {
        keep(await api.calculations.process.mutate({ id: saved.id }))
        said(notices.saved)
      } else said(draft.id ? notices.updated(term.singular) : notices.created(term.singular))
      if (!draft.id) void navigate(`${path}/${saved.id}`, { replace: true })
    } catch (failure) {
      refused(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save(false)]], [])
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      hint: state?.entryId ? 'Its budget entry goes too.' : 'The history keeps it.',
      run: () => api.calculations.delete.mutate({ id: draft.id! }),
      after: () => {
        forgetUnsaved()
        void queries.invalidateQueries()
        void navigate(path)
      },
    })
  return (
    <>
      <PageHead
        title={draft.id ? base.name : `Add ${inSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Non-staffing`}
        pills={
          <>
            {isUnsaved && <span className="pill warn">Unsaved</span>}
            {state?.entryId &&
              (state.isOutOfDate ? (
                <span className="pill warn">The budget is out of date</span>
              ) : (
                <span className="pill good">In the budget</span>
              ))}
            {isLocked && <span className="pill warn">Locked</span>}
          </>
        }
        facts={
          <>
            <Link to={path}>{term.plural}</Link>
            {state?.entryId && (
              <>
                {' '}
                · <Link to={`/non-staffing/budget-entries/${state.entryId}`}>Its budget entry</Link>
              </>
            )}
          </>
        }
      >
        {draft.id && !isLocked && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {!isLocked && (
          <>
            <Button variant="default" onClick={() => void save(false)} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
              Save
            </Button>
            <Button
              onClick={() => void save(true)}
              loading={busy}
              disabled={!isWhole}
              title={isWhole ? undefined : 'Complete the marked rows first'}
            >
              Save and put into the budget
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <section className="card" style={{ overflow: 'visible' }}>
          <div className="card-head">Calculation</div>
          <div className="card-body fields">
            <div className="double" data-field="name">
              <TextInput
                label="Name"
                required
                maxLength={100}
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={error('name')}
                disabled={isLocked}
              />
            </div>
            <div className="double" data-field="description">
              <TextInput
                label="Description"
                maxLength={200}
                value={draft.description}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={error('description')}
                disabled={isLocked}
              />
            </div>
            <div className="double" data-field="budgetCodeId">
              <Select
                label="Budget code"
                required
                searchable
                data={[true, false].map((isIncome) => ({
                  group: isIncome ? 'Income' : 'Expenditure',
                  items: optionsOf(
                    (choices.data?.budgetCodes ?? []).filter((code) => code.isIncome === isIncome),
                    draft.budgetCodeId,
                  ),
                }))}
                value={draft.budgetCodeId === null ? null : String(draft.budgetCodeId)}
                onChange={(value) => set({ budgetCodeId: value === null ? null : Number(value) })}
                error={error('budgetCodeId')}
                disabled={isLocked}
              />
            </div>
            <div data-field="costCentreId">
              <Select
                label="Cost centre"
                searchable
                clearable
                data={optionsOf(choices.data?.costCentres ?? [], draft.costCentreId)}
                value={draft.costCentreId === null ? null : String(draft.costCentreId)}
                onChange={(value) => set({ costCentreId: value === null ? null : Number(value) })}
                error={error('costCentreId')}
                disabled={isLocked}
              />
            </div>
            <div className="wide" data-field="fundCodes">
              <FundShares
                value={draft.fundCodes}
                onChange={(fundCodes) => set({ fundCodes })}
                locationId={locationId}
                disabled={isLocked}
                error={error('fundCodes')}
              />
            </div>
          </div>
        </section>
        <section className="card" aria-label="Rows" style={{ overflow: 'visible' }} data-field="rows">
          <div className="card-head">
            Rows <span className="note">an amount is multiplied with the criteria that stand together above it</span>
          </div>
          <CalculatorRows
            rows={draft.rows}
            worked={worked}
            years={years}
            startMonth={startMonth}
            onChange={(rows) => set({ rows })}
            disabled={isLocked}
            error={error}
          />
          {error('rows') && (
            <p className="up" role="alert" style={{ margin: '8px 14px' }}>
              {error('rows')}
            </p>
          )}
        </section>
        {draft.id && <ItemHistory id={draft.id} version={base.version} />}
      </div>
    </>
  )
}

export function AddCalculationPage() {
  const [search] = useSearchParams()
  const template = templates.find((one) => one.key === search.get('template'))
  const start: Draft = {
    id: null,
    version: null,
    name: template?.name ?? '',
    description: template?.description ?? '',
    budgetCodeId: null,
    costCentreId: null,
    fundCodes: [],
    rows: template?.rows ?? blankRows,
  }
  return <Editor key={template?.key ?? 'blank'} start={start} shown={null} />
}

export function EditCalculationPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['calculation', budgetId, id],
    queryFn: () => api.calculations.get.query({ id: id! }),
    enabled: isMongoId(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isMongoId(id) || (query.isError && problemOf(query.error).kind === 'notFound'))
    return <NotFound back={{ to: path, label: 'Back to the list' }} />
  if (query.isError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} start={draftOf(query.data)} shown={query.data} /> : <Spinner />
}
