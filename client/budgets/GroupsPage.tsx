import { Button, Loader, MultiSelect, Progress, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { FieldProblem } from '../../domain/errors.ts'
import { relativeTime } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { progress } from '../hub.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadLocked, useCore, useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'

type Group = Awaited<ReturnType<typeof api.groups.list.query>>[number]

function State({ group }: { group: Group }) {
  const at = progress.use()[group.id]
  const { locked } = useCore()
  const left = at && remaining(at)
  if (group.recalculationState === 3 || locked.budgetGroupIds.includes(group.id))
    return (
      <div role="status" style={{ minWidth: 200 }}>
        <span className="pill">
          <Loader size={12} /> Recalculating {at ? `${at.done} of ${at.of} budgets` : ''}
          {left ? `, ${left}` : ''}
        </span>
        <Progress value={at ? (at.done / Math.max(1, at.of)) * 100 : 0} mt={6} size="sm" aria-label="Progress" />
      </div>
    )
  if (group.recalculationState === 4) return <span className="pill bad">{group.requiredReason ?? 'The last recalculation failed'}</span>
  if (group.recalculationState === 2) return <span className="pill warn">To be recalculated: {group.requiredReason}</span>
  return <span className="pill good">Up to date</span>
}

/** How long it will still take, by what is done so far. */
function remaining({ done, of, since }: { done: number; of: number; since: number }): string {
  if (!done || done >= of) return ''
  const seconds = Math.ceil(((Date.now() - since) / done / 1000) * (of - done))
  return seconds < 60 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`
}

/** Budget groups with their state, and the press that recalculates all their contracts. */
export function GroupsPage() {
  const { organisationId } = useSelection()
  const term = useTerm()('BudgetGroup')
  const may = useMay()
  const navigate = useNavigate()
  const { locked } = useCore()
  const groups = useQuery({ queryKey: ['groups', 'list', organisationId], queryFn: () => api.groups.list.query() })
  const recalculate = useMutation({
    mutationFn: (id: string) => api.groups.recalculate.mutate({ id }),
    onSuccess: () => Promise.all([reloadLocked(), queries.invalidateQueries({ queryKey: ['groups'] })]),
    onError: failed,
  })
  const cancel = useMutation({
    mutationFn: (id: string) => api.groups.cancel.mutate({ id }),
    onSuccess: () => Promise.all([reloadLocked(), queries.invalidateQueries()]),
    onError: failed,
  })
  const mayEdit = may(['ConsoleBudgetGroupReadUpdate'])
  const add = (): void => void navigate('/console/budget-management/groups/add')
  useHotkeys([['N', () => mayEdit && add()]])
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Console`}
        facts="The budgets of a group are recalculated together, with one set of inputs."
      >
        {mayEdit && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add budget group
          </Button>
        )}
      </PageHead>
      {groups.isError && <LoadFailed query={groups} />}
      {groups.isPending && <Skeleton height={120} />}
      {groups.data?.length === 0 && (
        <div className="card empty">
          <h2>No budget groups yet</h2>
          <p>Put the working budgets of all schools in one group to recalculate and compare them together.</p>
          {mayEdit && <Button onClick={add}>Add budget group</Button>}
        </div>
      )}
      <div style={{ display: 'grid', gap: 12 }}>
        {groups.data?.map((group) => {
          const running = group.recalculationState === 3 || locked.budgetGroupIds.includes(group.id)
          return (
            <section key={group.id} className="card" aria-label={group.name}>
              <div className="card-body" style={{ display: 'flex', gap: 16, alignItems: 'center', flexWrap: 'wrap' }}>
                <div style={{ flex: 1, minWidth: 220 }}>
                  <b>{mayEdit ? <Link to={`/console/budget-management/groups/${group.id}`}>{group.name}</Link> : group.name}</b>
                  <div className="dim">
                    {group.items.length} {group.items.length === 1 ? 'budget' : 'budgets'}
                    {group.lastRecalculated && ` · recalculated ${relativeTime(group.lastRecalculated, new Date())}`}
                  </div>
                </div>
                <State group={group} />
                {running && may(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate']) && (
                  <Button variant="default" onClick={() => cancel.mutate(group.id)} loading={cancel.isPending}>
                    Cancel
                  </Button>
                )}
                {may(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate']) && (
                  <Button
                    variant={group.recalculationState === 2 ? 'filled' : 'default'}
                    onClick={() => recalculate.mutate(group.id)}
                    disabled={running || recalculate.isPending || !group.items.length}
                  >
                    Recalculate
                  </Button>
                )}
              </div>
            </section>
          )
        })}
      </div>
    </>
  )
}

function Editor({ group: loaded }: { group: Group | null }) {
  // What others save meanwhile does not take the place of what is typed: saving says that it is stale.
  const [group] = useState(loaded)
  const navigate = useNavigate()
  const term = useTerm()('BudgetGroup')
  const { locations } = useCore()
  const { organisationId } = useSelection()
  const start = {
    name: group?.name ?? '',
    description: group?.description ?? '',
    budgetIds: group?.items.map((item) => item.budgetId) ?? [],
  }
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const budgets = useQuery({
    queryKey: ['budgetsOfAll', organisationId],
    queryFn: () => api.budgets.listByLocation.query({ ids: locations.map((one) => one.id), payload: { pageNumber: 1, pageSize: 5000 } }),
  })
  const unsaved = JSON.stringify(draft) !== JSON.stringify(start)
  useUnsaved(unsaved)
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const save = async (): Promise<void> => {
    const body = {
      name: draft.name,
      description: draft.description || null,
      items: draft.budgetIds.map((budgetId, order) => ({ budgetId, order })),
    }
    try {
      if (group) await api.groups.update.mutate({ ...body, id: group.id, version: group.version })
      else await api.groups.create.mutate(body)
      said(group ? notices.updated(term.singular) : notices.created(term.singular))
      forgetUnsaved()
      await queries.invalidateQueries({ queryKey: ['groups'] })
      void navigate('/console/budget-management/groups')
    } catch (failure) {
      setProblems(problemOf(failure).fields)
      failed(failure)
    }
  }
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      hint: 'Its budgets stay.',
      run: () => api.groups.delete.mutate({ id: group!.id }),
      after: async () => {
        forgetUnsaved()
        await queries.invalidateQueries({ queryKey: ['groups'] })
        return navigate('/console/budget-management/groups')
      },
    })
  useHotkeys([['mod+S', () => void save()]], [])
  const options = (budgets.data?.rows ?? []).map((budget) => ({
    value: budget.mongoId,
    label: `${locations.find((one) => one.id === budget.locationId)?.name}: ${budget.name}`,
  }))
  return (
    <>
      <PageHead
        title={group?.name ?? 'Add budget group'}
        documentTitle={`${group ? 'Edit' : 'Add'} - ${term.singular} - Console`}
        pills={unsaved && group && <span className="pill warn">Unsaved</span>}
      >
        {group && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        <Button onClick={() => void save()} rightSection={<span className="hint">Ctrl S</span>}>
          Save
        </Button>
      </PageHead>
      <div className="card" style={{ overflow: 'visible', maxWidth: 720 }}>
        <div className="card-body" style={{ display: 'grid', gap: 12 }}>
          <TextInput
            label="Name"
            required
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            error={error('name')}
            maxLength={100}
          />
          <TextInput
            label="Description"
            value={draft.description}
            onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
            error={error('description')}
            maxLength={200}
          />
          <MultiSelect
            label="Budgets"
            searchable
            data={options}
            value={draft.budgetIds}
            onChange={(budgetIds) => setDraft({ ...draft, budgetIds })}
            error={error('items')}
            placeholder="Choose budgets"
            nothingFoundMessage="Nothing matches."
          />
        </div>
      </div>
    </>
  )
}

export function GroupEditPage() {
  const { id } = useParams()
  const valid = !id || /^[0-9a-f]{24}$/.test(id)
  const group = useQuery({
    queryKey: ['groups', 'one', id],
    queryFn: () => api.groups.get.query({ id: id! }),
    enabled: Boolean(id) && valid,
    staleTime: 0,
  })
  if (!id) return <Editor group={null} />
  if (!valid || (group.isError && problemOf(group.error).kind === 'notFound'))
    return <NotFound back={{ to: '/console/budget-management/groups', label: 'Back to the list' }} />
  if (!group.data) return <Skeleton height={160} />
  return <Editor key={id} group={group.data} />
}
