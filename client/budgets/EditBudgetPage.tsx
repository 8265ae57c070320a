import { Alert, Button, Skeleton, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { elementNames } from '../../domain/budget/budget.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useCore, useTerm } from '../state/core.ts'
import { useUnsaved } from '../state/unsaved.ts'
import { AssumptionFields, BasicFields, TableFields, TypeFields } from './BudgetFields.tsx'
import { type BudgetDraft, draftOfBudget, finishedRows, movesFigures } from './budgetDraft.ts'
import { EffectTable } from './EffectTable.tsx'
import { History } from './History.tsx'

const tabs = ['budget', 'tables', 'assumptions', 'types', 'history'] as const
const titles = {
  budget: 'Budget',
  tables: 'Effective tables',
  assumptions: 'Assumptions',
  types: 'Contract types',
  history: 'History',
}

function tabOf(field: string): (typeof tabs)[number] {
  if (elementNames.some((kind) => field.startsWith(kind))) return 'tables'
  return field === 'staffAssumptionsId' || field === 'inflationId' ? 'assumptions' : field === 'contractTypeIds' ? 'types' : 'budget'
}

function Editor({ id, start, locked }: { id: string; start: BudgetDraft; locked: boolean }) {
  const term = useTerm()('Budget')
  const { locations } = useCore()
  const [search, setSearch] = useSearchParams()
  const [saved, setSaved] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const [effect, setEffect] = useState<Awaited<ReturnType<typeof api.budgetRound.effect.query>> | null>(null)
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'budget'
  const show = (next: string | null): void => setSearch(next && next !== 'budget' ? { tab: next } : {}, { replace: true })
  const unsaved = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(unsaved)
  const set = (part: Partial<BudgetDraft>): void => {
    setDraft({ ...draft, ...part })
    setEffect(null)
  }
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const refused = (failure: unknown): void => {
    const { fields } = problemOf(failure)
    setProblems(fields)
    if (fields[0]) show(tabOf(fields[0].field))
    setTimeout(() => focusProblem(fields), 50)
    failed(failure)
  }
  const body = () => ({ ...draft, ...finishedRows(draft), staffAssumptionsId: draft.staffAssumptionsId as number, budgetId: id })
  const save = async (): Promise<void> => {
    if (busy || locked) return
    setBusy(true)
    setProblems([])
    try {
      const { version } = await api.budgets.update.mutate(body())
      const next = { ...draft, ...finishedRows(draft), version }
      setSaved(next)
      setDraft(next)
      setEffect(null)
      said(notices.updated(term.singular))
      await Promise.all([queries.invalidateQueries(), reloadBudgets()])
    } catch (failure) {
      refused(failure)
    } finally {
      setBusy(false)
    }
  }
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      setEffect(await api.budgetRound.effect.query(body()))
    } catch (failure) {
      refused(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const fields = { draft, set, error, disabled: locked }
  return (
    <>
      <PageHead
        title={draft.name}
        documentTitle={`Edit - ${term.singular} - Console`}
        pills={locked ? <span className="pill warn">Locked</span> : unsaved ? <span className="pill warn">Unsaved</span> : undefined}
        facts={locations.find((one) => one.id === draft.locationIds[0])?.name}
      >
        {!locked && (
          <>
            <Button variant="default" onClick={() => void ask()} disabled={busy || !movesFigures(saved, draft)}>
              What would change
            </Button>
            <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
              Save
            </Button>
          </>
        )}
      </PageHead>
      {locked && (
        <Alert color="orange" mb="md">
          This budget is locked and can no longer be changed.
        </Alert>
      )}
      {effect && (
        <div style={{ marginBottom: 14 }}>
          <EffectTable effect={effect} firstYear={draft.firstYear} />
        </div>
      )}
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {titles[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
          {tab === 'budget' && <BasicFields {...fields} isNew={false} />}
          {tab === 'tables' && <TableFields {...fields} />}
          {tab === 'assumptions' && <AssumptionFields {...fields} />}
          {tab === 'types' && <TypeFields {...fields} />}
          {tab === 'history' && <History budgetId={id} />}
        </div>
      </Tabs>
    </>
  )
}

/** A budget by its id, with what it is made of under tabs. */
export function EditBudgetPage() {
  const { id = '' } = useParams()
  const valid = /^[0-9a-f]{24}$/.test(id)
  const budget = useQuery({
    queryKey: ['elements', id],
    queryFn: () => api.budgets.elements.query({ id }),
    enabled: valid,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!valid || (budget.isError && problemOf(budget.error).kind === 'notFound'))
    return <NotFound back={{ to: '/console/budget-management', label: 'Back to the list' }} />
  if (budget.isError) return <LoadFailed query={budget} />
  if (!budget.data) return <Skeleton height={240} />
  return <Editor key={id} id={id} start={draftOfBudget(budget.data)} locked={budget.data.state === 2} />
}
