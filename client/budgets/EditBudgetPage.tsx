import { Alert, Button, Skeleton, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { type BudgetInput, budgetInput } from '../../domain/budget/budget.ts'
import { budgetState } from '../../domain/lookups/lookupIds.ts'
import { budget, budgetSettingFields, budgetTableKindNames } from '../../domain/resources/entities/budget/budget.ts'
import { pickDeclaredFields } from '../../domain/resources/fields.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type BudgetId, toBudgetId } from '../../domain/values/ids.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import { BudgetHistory } from '../budget/history/BudgetHistory.tsx'
import { getFieldLabels, getMergeShapes } from '../resources/editor/declaredFields.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { validateWith } from '../resources/editor/validateWith.ts'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { AssumptionFields, BasicFields, ContractTypeFields, TableFields } from './BudgetFields.tsx'
import { type BudgetDraft, changesFigures, removeUnfinishedRows, type SavedBudget, toBudgetDraft } from './budgetDraft.ts'
import { CostEffectTable } from './CostEffectTable.tsx'

const tabs = ['budget', 'tables', 'assumptions', 'types', 'history'] as const
const titles = {
  budget: 'Budget',
  tables: 'Effective tables',
  assumptions: 'Assumptions',
  types: 'Contract types',
  history: 'History',
}

function findTab(field: string): (typeof tabs)[number] {
  if (budgetTableKindNames.some((kind) => field.startsWith(kind))) return 'tables'
  return field === 'staffAssumptionsId' || field === 'inflationId' ? 'assumptions' : field === 'contractTypeIds' ? 'types' : 'budget'
}

const labels = { ...getFieldLabels(budget.fields), budgetGroupId: defaultTerms.BudgetGroup.singular }
const shapes = getMergeShapes(budget.fields)

function checkedBudget(draft: BudgetDraft) {
  return validateWith(budgetInput, { ...draft, ...removeUnfinishedRows(draft) })
}

function Editor({ id, loaded }: { id: BudgetId; loaded: SavedBudget }) {
  const term = useTerm()('Budget')
  const { locations } = useCoreData()
  const locked = loaded.state === budgetState.locked
  const [search, setSearch] = useSearchParams()
  const [effect, setEffect] = useState<Awaited<ReturnType<typeof api.budgetRound.effect.query>> | null>(null)
  const [isAsking, setAsking] = useState(false)
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'budget'
  const show = (next: string | null): void => setSearch(next && next !== 'budget' ? { tab: next } : {}, { replace: true })
  const { mutateAsync: update } = trpc.budgets.update.useMutation()
  const save = async (input: BudgetInput, version: number): Promise<SavedBudget> => {
    await update({ ...input, budgetId: id, version })
    return api.budgets.elements.query({ id })
  }
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toBudgetDraft,
    blank: toBudgetDraft(loaded),
    labels,
    shapes,
    check: checkedBudget,
    save: (input, before) => save(input, (before ?? loaded).version),
    reload: () => api.budgets.elements.query({ id }),
    createUndo: ({ version }, before) => {
      const { input } = checkedBudget(toBudgetDraft(before ?? loaded))
      return input && (() => save(input, version))
    },
    onSaved: () => setEffect(null),
    onProblem: (field) => show(findTab(field)),
    isReadOnly: locked,
    list: '/console/budget-management',
  })
  const { values: draft, base: saved, error } = editor
  const set = (part: Partial<BudgetDraft>): void => {
    editor.set(part)
    setEffect(null)
  }
  const ask = async (): Promise<void> => {
    setAsking(true)
    try {
      setEffect(
        await api.budgetRound.effect.query({
          ...pickDeclaredFields(budgetSettingFields, draft),
          ...removeUnfinishedRows(draft),
          staffAssumptionsId: assertDefined(draft.staffAssumptionsId),
          budgetId: id,
        }),
      )
    } catch (failure) {
      editor.refuse(toPublicError(failure).fields)
      notifyFailure(failure)
    } finally {
      setAsking(false)
    }
  }
  const fields = { draft, set, error, disabled: locked }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={draft.name}
        documentTitle={`Edit - ${term.singular} - Console`}
        pills={locked && <Pill tone="warn">Locked</Pill>}
        facts={locations.find((one) => one.id === draft.locationIds[0])?.name}
      >
        {!locked && (
          <Button variant="default" onClick={() => void ask()} loading={isAsking} disabled={editor.busy || !changesFigures(saved, draft)}>
            What would change
          </Button>
        )}
      </EditorHeader>
      {locked && (
        <Alert color="orange" mb="md">
          This budget is locked and can no longer be changed.
        </Alert>
      )}
      {effect && (
        <div style={{ marginBottom: 14 }}>
          <CostEffectTable effect={effect} firstYear={draft.firstYear} />
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
          {tab === 'types' && <ContractTypeFields {...fields} />}
          {tab === 'history' && <BudgetHistory budgetId={id} />}
        </div>
      </Tabs>
    </>
  )
}

export function EditBudgetPage() {
  const { id = '' } = useParams()
  const valid = /^[0-9a-f]{24}$/.test(id)
  const found = trpc.budgets.elements.useQuery({ id }, { enabled: valid, gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  if (!valid || (found.isError && toPublicError(found.error).kind === 'notFound'))
    return <NotFound back={{ to: '/console/budget-management', label: 'Back to the list' }} />
  if (found.isLoadingError) return <LoadFailed query={found} />
  if (!found.data) return <Skeleton height={240} />
  return <Editor key={id} id={toBudgetId(id)} loaded={found.data} />
}
