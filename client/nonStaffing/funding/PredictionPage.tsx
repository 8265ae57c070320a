import { Button, Select, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { fundingPredictionInput } from '../../../domain/budget/items/fundingPrediction.ts'
import { type FundingRow, predict } from '../../../domain/calculation/funding.ts'
import { rollUp } from '../../../domain/calculation/pupils.ts'
import type { FieldProblem } from '../../../domain/errors.ts'
import { displayCount } from '../../../domain/format.ts'
import { notices } from '../../../domain/notices.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { failed, said } from '../../api/notify.tsx'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { NotFound } from '../../shell/Guard.tsx'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { PageHead } from '../../shell/PageHead.tsx'
import { Spinner } from '../../shell/Shell.tsx'
import { isMongoId } from '../../staffing/ContractPage.tsx'
import { useIsLocked } from '../../staffing/useObstacle.ts'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../../state/unsaved.ts'
import { optionsOf } from '../entries/BulkEditEntries.tsx'
import { ItemHistory } from '../ItemHistory.tsx'
import { useYears } from '../useYears.ts'
import { FundingRows } from './FundingRows.tsx'

type Shown = Awaited<ReturnType<typeof api.funding.get.query>>
const path = '/non-staffing/funding-predictor'

interface Draft {
  id: string
  version: number
  name: string
  versionId: number
  budgetCodeId: number
  rows: FundingRow[]
}

const draftOf = ({ id, version, name, versionId, budgetCodeId, rows }: Shown): Draft => ({
  id,
  version,
  name,
  versionId,
  budgetCodeId,
  rows,
})

function Editor({ shown }: { shown: Shown }) {
  const term = useTerm()('FundingPredictor')
  const { budgetId } = useSelection()
  const navigate = useNavigate()
  const isLocked = useIsLocked()
  const years = useYears()
  const [state, setState] = useState(shown)
  const [draft, setDraft] = useState(draftOf(shown))
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const choices = useQuery({ queryKey: ['entries', 'choices', budgetId], queryFn: () => api.entries.choices.query(), staleTime: 30_000 })
  const versions = useQuery({ queryKey: ['funding', 'versions', budgetId], queryFn: () => api.funding.versions.query() })
  const pupils = useQuery({ queryKey: ['pupils', budgetId], queryFn: () => api.pupils.get.query() })
  const table = useQuery({
    queryKey: ['funding', 'table', budgetId, draft.versionId],
    queryFn: () => api.funding.table.query({ versionId: draft.versionId }),
    initialData: draft.versionId === shown.versionId ? { rates: shown.tableRates, tableYear: shown.tableYear } : undefined,
  })
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(draftOf(state))
  useUnsaved(isUnsaved)
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined =>
    problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message
  const rates = table.data?.rates ?? {}
  const tableYear = table.data?.tableYear ?? 0
  const worked = predict({
    rows: draft.rows,
    rates: new Map(Object.entries(rates).map(([category, rate]) => [Number(category), rate])),
    pupils: rollUp(
      (pupils.data?.rows ?? []).filter((row) => row.kind !== 'Total'),
      years.length,
    ),
    years: years.length,
    tableYear,
  })
  const isWhole = !worked.total.includes(null)
  const keep = (saved: Shown): void => {
    setState(saved)
    setDraft(draftOf(saved))
    forgetUnsaved()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => ['funding', 'entries', 'overview', 'budgetHistory'].includes(String(queryKey[0])),
    })
  }
  const save = async (isProcessed: boolean): Promise<void> => {
    if (busy || isLocked) return
    const checked = fundingPredictionInput.safeParse(draft)
    setProblems((checked.error?.issues ?? []).map((issue) => ({ field: issue.path.join('.'), message: issue.message })))
    if (!checked.success) return
    setBusy(true)
    try {
      keep(await api.funding.update.mutate(checked.data))
      if (isProcessed) {
        keep(await api.funding.process.mutate({ id: draft.id }))
        said(notices.saved)
      } else said(notices.updated(term.singular))
    } catch (failure) {
      setProblems(problemOf(failure).fields)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save(false)]], [])
  const remove = (): void =>
    confirmDelete({
      term: { singular: term.singular, plural: 'Funding predictions' },
      count: 1,
      one: true,
      hint: state.entryId ? 'Its budget entry goes too.' : 'The history keeps it.',
      run: () => api.funding.delete.mutate({ id: draft.id }),
      after: () => {
        forgetUnsaved()
        void queries.invalidateQueries()
        void navigate(path)
      },
    })
  return (
    <>
      <PageHead
        title={state.name}
        documentTitle={`Edit - ${term.singular} - Non-staffing`}
        pills={
          <>
            {isUnsaved && <span className="pill warn">Unsaved</span>}
            {state.entryId &&
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
            <Link to={path}>{term.plural}</Link> · <Link to="/non-staffing/pupil-numbers">Pupil numbers</Link>
            {state.entryId && (
              <>
                {' '}
                · <Link to={`/non-staffing/budget-entries/${state.entryId}`}>Its budget entry</Link>
              </>
            )}
            {worked.leftOut > 0 && <> · {displayCount(worked.leftOut, 'stream')} without numbers left out</>}
            {worked.stoodIn && (
              <span className="up"> · The October count before the first year is not typed: the first year’s own stands in for it</span>
            )}
          </>
        }
      >
        {!isLocked && (
          <>
            <Button variant="default" c="var(--bad)" onClick={remove}>
              Delete
            </Button>
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
          <div className="card-body fields">
            <div className="double" data-field="name">
              <TextInput
                label="Name"
                maxLength={100}
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={error('name')}
                disabled={isLocked}
              />
            </div>
            <div className="double" data-field="versionId">
              <Select
                label="Version of the rates"
                data={(versions.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
                value={String(draft.versionId)}
                onChange={(value) => value && set({ versionId: Number(value) })}
                allowDeselect={false}
                error={error('versionId')}
                disabled={isLocked}
              />
            </div>
            <div className="double" data-field="budgetCodeId">
              <Select
                label="Income code"
                searchable
                data={optionsOf(
                  (choices.data?.budgetCodes ?? []).filter((code) => code.isIncome),
                  draft.budgetCodeId,
                )}
                value={String(draft.budgetCodeId)}
                onChange={(value) => value && set({ budgetCodeId: Number(value) })}
                allowDeselect={false}
                error={error('budgetCodeId')}
                disabled={isLocked}
              />
            </div>
          </div>
        </section>
        <section className="card" aria-label="Rows" style={{ overflow: 'visible' }}>
          <div className="card-head">
            Streams <span className="note">pupils by rate; grey numbers come from the pupil numbers, grey rates from the table</span>
          </div>
          <FundingRows
            rows={draft.rows}
            worked={worked}
            years={years}
            tableYear={tableYear}
            rates={rates}
            onChange={(rows) => set({ rows })}
            disabled={isLocked}
          />
          {error('rows') && (
            <p className="up" role="alert" style={{ margin: '8px 14px' }}>
              {error('rows')}
            </p>
          )}
        </section>
        <ItemHistory id={draft.id} version={state.version} />
      </div>
    </>
  )
}

/** A funding prediction by its id. */
export function PredictionPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const query = useQuery({
    queryKey: ['prediction', budgetId, id],
    queryFn: () => api.funding.get.query({ id: id! }),
    enabled: isMongoId(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isMongoId(id) || (query.isError && problemOf(query.error).kind === 'notFound'))
    return <NotFound back={{ to: path, label: 'Back to the list' }} />
  if (query.isError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} shown={query.data} /> : <Spinner />
}
