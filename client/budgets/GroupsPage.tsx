import { Button, Loader, Progress, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { skipToken } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { recalculationState } from '../../domain/lookups/lookupIds.ts'
import { displayCount, formatRelativeTime } from '../../domain/values/format.ts'
import { type BudgetId, toBudgetId } from '../../domain/values/ids.ts'
import { isMongoId } from '../budget/isMongoId.ts'
import { useRestoreBudgetGroups } from '../budget/useRestoreBudgets.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { recalculationProgress } from '../shell/live/liveState.ts'
import { notifyFailure } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import emptyStyles from '../ui/Empty.module.css'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { EmploymentAllowanceFields } from './EmploymentAllowanceFields.tsx'

type Group = Awaited<ReturnType<typeof api.groups.list.query>>[number]

function State({ group }: { group: Group }) {
  const at = recalculationProgress.use()[group.id]
  const { locked } = useCoreData()
  const left = at && estimateTimeLeft(at)
  if (group.recalculationState === recalculationState.running || locked.budgetGroupIds.includes(group.id))
    return (
      <div role="status" style={{ minWidth: 200 }}>
        <Pill>
          <Loader size={12} /> Recalculating {at ? `${at.done} of ${displayCount(at.of, 'budget')}` : ''}
          {left ? `, ${left}` : ''}
        </Pill>
        <Progress value={at ? (at.done / Math.max(1, at.of)) * 100 : 0} mt={6} size="sm" aria-label="Progress" />
      </div>
    )
  if (group.recalculationState === recalculationState.failed)
    return <Pill tone="bad">{group.failure ?? 'The last recalculation failed'}</Pill>
  if (group.recalculationState === recalculationState.required)
    return <Pill tone="warn">To be recalculated. Reason: {group.requiredReason}</Pill>
  return <Pill tone="good">Up to date</Pill>
}

/** Estimates the time left from the progress so far. */
function estimateTimeLeft({ done, of, since }: { done: number; of: number; since: number }): string {
  if (!done || done >= of) return ''
  const seconds = Math.ceil(((Date.now() - since) / done / 1000) * (of - done))
  return seconds < 60 ? `about ${displayCount(seconds, 'second')} left` : `about ${displayCount(Math.ceil(seconds / 60), 'minute')} left`
}

/** Budget groups and their state, with a button that recalculates all their contracts. */
export function GroupsPage() {
  const term = useTerm()('BudgetGroup')
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const { locked } = useCoreData()
  const groups = trpc.groups.list.useQuery()
  const recalculate = trpc.groups.recalculate.useMutation({ onError: notifyFailure })
  const cancel = trpc.groups.cancel.useMutation({ onError: notifyFailure })
  const mayEdit = may(['ConsoleBudgetGroupReadUpdate'])
  const mayRecalculate = ({ isShared }: Group): boolean => !isShared && may(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate'])
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
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add budget group
          </Button>
        )}
      </PageHead>
      {groups.isError && <LoadFailed query={groups} />}
      {groups.isPending && <Skeleton height={120} />}
      {groups.data?.length === 0 && (
        <Card className={emptyStyles.empty}>
          <h2>No budget groups yet</h2>
          <p>Put the working budgets of all schools in one group to recalculate and compare them together.</p>
          {mayEdit && <Button onClick={add}>Add budget group</Button>}
        </Card>
      )}
      <div style={{ display: 'grid', gap: 12 }}>
        {groups.data?.map((group) => {
          const isRunning = group.recalculationState === recalculationState.running || locked.budgetGroupIds.includes(group.id)
          return (
            <Card key={group.id} aria-label={group.name}>
              <CardBody style={{ display: 'flex', gap: 16, alignItems: 'center', flexWrap: 'wrap' }}>
                <div style={{ flex: 1, minWidth: 220 }}>
                  <b>
                    {mayEdit && !group.isShared ? (
                      <Link to={`/console/budget-management/groups/${group.id}`}>{group.name}</Link>
                    ) : (
                      group.name
                    )}
                  </b>
                  <div className={textStyles.dim}>
                    {group.items.length} {group.items.length === 1 ? 'budget' : 'budgets'}
                    {group.claimsEmploymentAllowance && ' · claims the Employment Allowance'}
                    {group.lastRecalculated && ` · recalculated ${formatRelativeTime(group.lastRecalculated, new Date())}`}
                  </div>
                </div>
                <State group={group} />
                {group.notes.length > 0 && (
                  <ul className={textStyles.warnings} style={{ flexBasis: '100%', order: 9, margin: 0 }}>
                    {group.notes.map((note) => (
                      <li key={note}>{note}</li>
                    ))}
                  </ul>
                )}
                {isRunning && mayRecalculate(group) && (
                  <Button variant="default" onClick={() => cancel.mutate({ id: group.id })} loading={cancel.isPending}>
                    Cancel
                  </Button>
                )}
                {mayRecalculate(group) && (
                  <Button
                    variant={group.recalculationState === recalculationState.required ? 'filled' : 'default'}
                    onClick={() => recalculate.mutate({ id: group.id })}
                    disabled={isRunning || recalculate.isPending || !group.items.length}
                  >
                    Recalculate
                  </Button>
                )}
              </CardBody>
            </Card>
          )
        })}
      </div>
    </>
  )
}

interface GroupDraft {
  name: string
  description: string
  budgetIds: BudgetId[]
  claimsEmploymentAllowance: boolean
  allowanceBudgetCodeId: number | null
  allowanceCostCentreId: number | null
}

const blank: GroupDraft = {
  name: '',
  description: '',
  budgetIds: [],
  claimsEmploymentAllowance: false,
  allowanceBudgetCodeId: null,
  allowanceCostCentreId: null,
}
const draftOf = ({ name, description, items, ...group }: Group): GroupDraft => ({
  name,
  description: description ?? '',
  budgetIds: items.map((item) => item.budgetId),
  claimsEmploymentAllowance: group.claimsEmploymentAllowance,
  allowanceBudgetCodeId: group.allowanceBudgetCodeId,
  allowanceCostCentreId: group.allowanceCostCentreId,
})
const toInput = ({ name, description, budgetIds, ...claim }: GroupDraft) => ({
  ...claim,
  name,
  description: description || null,
  items: budgetIds.map((budgetId, order) => ({ budgetId, order })),
})
const labels = {
  name: 'Name',
  description: 'Description',
  budgetIds: 'Budgets',
  claimsEmploymentAllowance: 'Employment Allowance',
  allowanceBudgetCodeId: 'Budget code',
  allowanceCostCentreId: 'Cost centre',
}
const list = '/console/budget-management/groups'

function Editor({ loaded }: { loaded: Group | null }) {
  const navigate = useNavigate()
  const term = useTerm()('BudgetGroup')
  const { locations } = useCoreData()
  const { mutateAsync: create } = trpc.groups.create.useMutation()
  const { mutateAsync: update } = trpc.groups.update.useMutation()
  const { mutateAsync: remove } = trpc.groups.delete.useMutation()
  const { createUndo } = useRestoreBudgetGroups()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: draftOf,
    blank,
    labels,
    check: (draft) => ({ input: toInput(draft), problems: [] }),
    save: async (input, before) => {
      if (before) return update({ ...input, id: before.id, version: before.version })
      const { id } = await create(input)
      return api.groups.get.query({ id })
    },
    reload: ({ id }) => api.groups.get.query({ id }),
    createUndo:
      ({ id, version }, before) =>
      async () => {
        if (before) return update({ ...toInput(draftOf(before)), id, version })
        await remove({ id })
        return null
      },
    onSaved: () => navigate(list),
    isReadOnly: loaded?.isShared,
    remove: {
      hint: `The budgets in the group stay, but lose their pools, top slices, levy and Employment Allowance. The bin keeps the group for ${binRetentionDays} days.`,
      run: ({ id }) => remove({ id }),
      undo: ({ id, name }) => createUndo([{ id, name }]),
    },
    list,
  })
  const { values: draft, set, saved: group, error } = editor
  const budgets = trpc.budgets.listByLocation.useQuery({ ids: locations.map((one) => one.id), payload: { pageNumber: 1, pageSize: 5000 } })
  const options = (budgets.data?.rows ?? []).map((budget) => ({
    value: budget.mongoId,
    label: `${locations.find((one) => one.id === budget.locationId)?.name}: ${budget.name}`,
  }))
  return (
    <>
      <EditorHeader
        editor={editor}
        title={group?.name ?? 'Add budget group'}
        documentTitle={`${group ? 'Edit' : 'Add'} - ${term.singular} - Console`}
      />
      <Card style={{ overflow: 'visible', maxWidth: 720 }}>
        <CardBody style={{ display: 'grid', gap: 12 }}>
          <div data-field="name">
            <TextInput
              label="Name"
              required
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={error('name')}
              maxLength={100}
            />
          </div>
          <div data-field="description">
            <TextInput
              label="Description"
              value={draft.description}
              onChange={(event) => set({ description: event.currentTarget.value })}
              error={error('description')}
              maxLength={200}
            />
          </div>
          <div data-field="budgetIds">
            <MultiChoice
              label="Budgets"
              data={options}
              value={draft.budgetIds}
              onChange={(chosen) => set({ budgetIds: chosen.map(toBudgetId) })}
              error={error('budgetIds') ?? error('items')}
              placeholder="Choose budgets"
              nothingFoundMessage="Nothing matches."
            />
          </div>
          <EmploymentAllowanceFields editor={editor} />
        </CardBody>
      </Card>
    </>
  )
}

export function GroupEditPage() {
  const { id } = useParams()
  const group = trpc.groups.get.useQuery(isMongoId(id) ? { id } : skipToken, { staleTime: 0 })
  if (!id) return <Editor loaded={null} />
  if (!isMongoId(id) || (group.isError && toPublicError(group.error).kind === 'notFound'))
    return <NotFound back={{ to: list, label: 'Back to the list' }} />
  if (group.isLoadingError) return <LoadFailed query={group} />
  if (!group.data) return <Skeleton height={160} />
  return <Editor key={id} loaded={group.data} />
}
