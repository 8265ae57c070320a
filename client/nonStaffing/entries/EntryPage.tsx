import { Alert, Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
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
import { useIsLocked } from '../../staffing/useObstacle.ts'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../../state/unsaved.ts'
import { ItemHistory } from '../ItemHistory.tsx'
import { useYears } from '../useYears.ts'
import { EntryAmounts } from './EntryAmounts.tsx'
import { EntryDetails, EntryHead } from './EntryFields.tsx'
import { EntryYears } from './EntryYears.tsx'
import { draftOfEntry, type EntryDraft, emptyEntry, inputOfEntry, type ShownEntry, workedYears } from './entryDraft.ts'
import type { Choices } from './sheetModel.ts'

const path = '/non-staffing/budget-entries'

function Editor({ start, entry, choices }: { start: EntryDraft; entry: ShownEntry | null; choices: Choices }) {
  const term = useTerm()('BudgetEntry')
  const navigate = useNavigate()
  const isLocked = useIsLocked()
  const years = useYears()
  const [base, setBase] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(base)
  useUnsaved(isUnsaved)
  const source = entry?.source ?? null
  const disabled = isLocked || source !== null
  const set = (part: Partial<EntryDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const worked = workedYears(draft, choices, years.length)
  const save = async (): Promise<void> => {
    if (busy || disabled) return
    const { input, problems: found } = inputOfEntry(draft, years)
    setProblems(found)
    if (!input) return focusProblem(found)
    setBusy(true)
    try {
      const { savedVersion, ...saved } = await api.entries.save.mutate(input)
      const next = draftOfEntry(saved, years)
      setBase(next)
      setDraft(next)
      forgetUnsaved()
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => ['entries', 'overview', 'budgetHistory'].includes(String(queryKey[0])),
      })
      const undo = async (): Promise<void> => {
        try {
          await api.entries.undo.mutate({ versions: [savedVersion!] })
          said(notices.saved)
          await queries.invalidateQueries()
          void navigate(path)
        } catch (error) {
          failed(error)
        }
      }
      said(
        draft.id ? notices.updated(term.singular) : notices.created(term.singular),
        savedVersion === null ? undefined : () => void undo(),
      )
      if (!draft.id) void navigate(`${path}/${saved.id}`, { replace: true })
    } catch (error) {
      const problem = problemOf(error)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      failed(error)
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
      run: () => api.entries.delete.mutate({ ids: [draft.id!] }),
      after: () => {
        forgetUnsaved()
        void queries.invalidateQueries({ queryKey: ['entries'] })
        void navigate(path)
      },
    })
  const error = (field: string): string | undefined =>
    problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message
  const code = choices.budgetCodes.find((one) => one.id === draft.budgetCodeId)
  return (
    <>
      <PageHead
        title={draft.id ? base.description : `Add ${inSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Non-staffing`}
        pills={
          <>
            {code && <span className="pill">{code.isIncome ? 'Income' : 'Expenditure'}</span>}
            {isUnsaved && <span className="pill warn">Unsaved</span>}
            {isLocked && <span className="pill warn">Locked</span>}
            {entry?.isOutOfDate && <span className="pill warn">Out of date</span>}
          </>
        }
        facts={<Link to={path}>{term.plural}</Link>}
      >
        {draft.id && !isLocked && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {!disabled && (
          <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
            Save
          </Button>
        )}
      </PageHead>
      {source && (
        <Alert color="teal" mb="md" role="status">
          {source.kind === 'calculation' ? 'A calculation makes this entry.' : 'The funding predictor makes this entry.'}{' '}
          <Link
            to={source.kind === 'calculation' ? `/non-staffing/ie-calculator/${source.id}` : `/non-staffing/funding-predictor/${source.id}`}
          >
            Change it there
          </Link>
          {entry?.isOutOfDate && ': what it comes to now is another figure than the one in the budget.'}
        </Alert>
      )}
      <div className="split">
        <div className="stack">
          <EntryHead draft={draft} set={set} choices={choices} error={error} disabled={disabled} />
          <EntryAmounts draft={draft} set={set} choices={choices} worked={worked} error={error} disabled={disabled} />
          <EntryDetails draft={draft} set={set} choices={choices} error={error} disabled={disabled} />
          {draft.id && <ItemHistory id={draft.id} version={base.version} />}
        </div>
        <EntryYears draft={draft} set={set} choices={choices} worked={worked} error={error} disabled={disabled} />
      </div>
    </>
  )
}

function useChoices() {
  const { budgetId } = useSelection()
  return useQuery({ queryKey: ['entries', 'choices', budgetId], queryFn: () => api.entries.choices.query(), staleTime: 30_000 })
}

export function AddEntryPage() {
  const choices = useChoices()
  if (choices.isError) return <LoadFailed query={choices} />
  return choices.data ? <Editor start={emptyEntry()} entry={null} choices={choices.data} /> : <Spinner />
}

export function EditEntryPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const years = useYears()
  const choices = useChoices()
  const entry = useQuery({
    queryKey: ['entry', budgetId, id],
    queryFn: () => api.entries.get.query({ id: id! }),
    enabled: isMongoId(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isMongoId(id) || (entry.isError && problemOf(entry.error).kind === 'notFound'))
    return <NotFound back={{ to: path, label: 'Back to the list' }} />
  if (entry.isError) return <LoadFailed query={entry} />
  if (choices.isError) return <LoadFailed query={choices} />
  return entry.data && choices.data ? (
    <Editor key={id} start={draftOfEntry(entry.data, years)} entry={entry.data} choices={choices.data} />
  ) : (
    <Spinner />
  )
}
