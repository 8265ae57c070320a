import { Alert, Button, Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { labelContract } from '../../../domain/budget/budget.ts'
import { listCostLines, sumLinesByMonth } from '../../../domain/calculation/staffing/lines.ts'
import { listDifferingFields } from '../../../domain/changes/merge.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { BudgetHistory } from '../../budget/history/BudgetHistory.tsx'
import { OutOfDateNotice } from '../../budget/OutOfDateNotice.tsx'
import type { SuggestedPayChange } from '../../budget/suggestedPayChange.ts'
import { useChangeObstacle } from '../../budget/useChangeObstacle.ts'
import { getFieldLabels, getMergeShapes } from '../../resources/editor/declaredFields.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { useSelection } from '../../shell/selection.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import { TwoColumns } from '../../ui/layout/TwoColumns.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { ContractCoding } from './ContractCoding.tsx'
import { ContractFields } from './ContractFields.tsx'
import { type ContractDraft, type LoadedContract, toContractDraft, toCostableContract, validateContractDraft } from './contractDraft.ts'
import { type CalculatedCost, costContract, prepareCostingInputs } from './costContract.ts'
import { type CostingInputs, createCostingInputsQuery } from './costingInputs.ts'
import { ContractCostCards } from './LiveCost.tsx'
import { SalaryRows } from './SalaryRows.tsx'
import { toDraftChanges } from './toDraftChanges.ts'

const ItemCommentsCard = lazyComponent(() => import('../../budget/comments/ItemCommentsCard.tsx'), 'ItemCommentsCard')
const ItemReminders = lazyComponent(() => import('../ItemReminders.tsx'), 'ItemReminders')

const list = '/staffing/staff-contracts'
const fieldLabels = { ...getFieldLabels(staffContract.fields), employeeNumber: staffContract.fields.employeeNumber.short }
const shapes = getMergeShapes(staffContract.fields)

/** Loads the budget's calculation inputs for the employee in the form. While inputs for another employee load, the previous inputs stay. */
function useCostingInputs(draft: ContractDraft) {
  const [employeeNumber] = useDebouncedValue(draft.employeeNumber, 150)
  const { client } = trpc.useUtils()
  return useQuery({
    ...createCostingInputsQuery(client, { contractId: draft.id, employeeNumber }),
    placeholderData: (before: CostingInputs | undefined) => before,
  })
}

/**
 * When the budget's scale points have loaded, applies a suggested change to the form once.
 * @returns what to tell the user about the change
 */
function useSuggestedChange(
  putRight: SuggestedPayChange | null,
  { draft, inputs, set }: { draft: ContractDraft; inputs: CostingInputs | undefined; set: (part: Partial<ContractDraft>) => void },
): { sentence: string; isMade: boolean } | null {
  const [suggestionNotice, setSuggestionNotice] = useState<{ sentence: string; isMade: boolean } | null>(null)
  const isReady = putRight !== null && inputs !== undefined
  const make = useEffectEvent(() => {
    if (!isReady || suggestionNotice || putRight.change.contractId !== draft.id) return
    const typed = toDraftChanges(draft, putRight.change, inputs.points)
    if (typed) set(typed)
    setSuggestionNotice({ sentence: putRight.sentence, isMade: typed !== null })
  })
  useEffect(() => {
    if (isReady) make()
  }, [isReady])
  return suggestionNotice
}

/** Adds or edits a contract. The form is on the left; the cost on the right is updated while typing. */
export function ContractEditor({
  loaded,
  onMade,
  start,
  isCopy = false,
  suggestion = null,
}: {
  loaded: LoadedContract | null
  /** Puts the id of a new contract into the URL. */
  onMade: (created: LoadedContract) => Promise<void>
  start: ContractDraft
  isCopy?: boolean
  /** A suggested change that is applied to the form. */
  suggestion?: SuggestedPayChange | null
}) {
  const term = useTerm()('StaffContract')
  const { hash } = useLocation()
  const [tab, setTab] = useState<string | null>(hash === '#comments' ? 'comments' : 'contract')
  const { mutateAsync: save } = trpc.contracts.save.useMutation()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toContractDraft,
    blank: start,
    isCopy,
    labels: fieldLabels,
    asTyped: ['contractName', 'position', 'department', 'notes'],
    shapes,
    check: validateContractDraft,
    save: (input) => save(input),
    reload: ({ id }) => api.contracts.get.query({ id }),
    createUndo:
      ({ id, version }, before) =>
      async () => {
        await undo({ versions: [version] })
        return before && api.contracts.get.query({ id })
      },
    onSaved: (saved, isNew) => isNew && onMade(saved),
    onProblem: () => setTab('contract'),
    obstacle: useChangeObstacle(),
    list,
  })
  const { values: draft, base, set, problems } = editor
  const inputs = useCostingInputs(draft)
  const suggestionNotice = useSuggestedChange(suggestion, { draft, inputs: inputs.data, set })
  if (inputs.isLoadingError) return <LoadFailed query={inputs} />
  if (!inputs.data) return <Spinner />
  const title = draft.id
    ? (inputs.data.name ?? labelContract(null, base.contractName))
    : isCopy
      ? 'Copy of a contract'
      : `Add ${toMidSentence(term.singular)}`
  const others = inputs.data.others.map((other) => other.contractName)
  const form = <Form inputs={inputs.data} draft={draft} base={draft.id ? base : null} set={set} problems={problems} />
  return (
    <>
      <EditorHeader
        editor={editor}
        title={title}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Staffing`}
        pills={draft.id && <Pill>{base.position ?? base.contractName}</Pill>}
        facts={[
          draft.employeeNumber ? `Employee ${draft.employeeNumber}` : 'No one is in this post yet',
          others.length ? `${displayCount(others.length, 'other contract')}: ${others.join(', ')}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      >
        {draft.id && (
          <>
            <Button variant="default" component={Link} to={`${list}/${draft.id}/cost`}>
              Cost view
            </Button>
            {inputs.data.staffId !== null && (
              <Button variant="default" component={Link} to={`/staffing/staff-members/${inputs.data.staffId}#leave`}>
                Extended leave
              </Button>
            )}
            <Button variant="default" component={Link} to={`${list}/add?copy=${draft.id}`}>
              Duplicate
            </Button>
          </>
        )}
      </EditorHeader>
      {suggestionNotice && (
        <Alert mb="md" color={suggestionNotice.isMade ? undefined : 'yellow'} title={suggestionNotice.sentence}>
          {suggestionNotice.isMade
            ? 'The correction is made below but not saved yet. Check the cost, then save it or discard it.'
            : 'The point that was paid is not in any table of this budget. Change the contract yourself.'}
        </Alert>
      )}
      {/* New and saved contracts use the same tab, so that the first save does not remount the fields. */}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md" display={draft.id ? undefined : 'none'}>
          <Tabs.Tab value="contract">Contract</Tabs.Tab>
          <Tabs.Tab value="reminders">Reminders</Tabs.Tab>
          <Tabs.Tab value="comments">Comments</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="contract">{form}</Tabs.Panel>
        {draft.id && (
          <>
            <Tabs.Panel value="reminders">
              <PageSection>
                <ItemReminders about={{ contractId: draft.id }} />
              </PageSection>
            </Tabs.Panel>
            <Tabs.Panel value="comments">
              <PageSection>
                <ItemCommentsCard kind="contract" reference={draft.id} />
              </PageSection>
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <BudgetHistory contractId={draft.id} />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </>
  )
}

function Form({
  inputs,
  draft,
  base,
  set,
  problems,
}: {
  inputs: CostingInputs
  draft: ContractDraft
  base: ContractDraft | null
  set: (part: Partial<ContractDraft>) => void
  problems: FieldProblem[]
}) {
  const { locationId } = useSelection()
  const prepared = useMemo(() => prepareCostingInputs(inputs), [inputs])
  const points = useMemo(
    () =>
      new Map(inputs.points.map((point) => [point.id, { id: point.id, kind: point.kind, scale: point.scale, increment: point.increment }])),
    [inputs],
  )
  const typed = useCostedFields(draft)
  // Deferred, so that the calculation of the cost does not slow down typing.
  const settled = useDeferredValue(typed)
  const live = useMemo(
    () => costContract(prepared, inputs, toCostableContract(settled, inputs.staffId, points)),
    [prepared, inputs, settled, points],
  )
  const saved = useMemo(
    () => (base ? costContract(prepared, inputs, toCostableContract(base, inputs.staffId, points)) : null),
    [prepared, inputs, base, points],
  )
  const setSalary = useCallback((salary: ContractDraft['salary']) => set({ salary }), [set])
  const isTyped = base === null || listDifferingFields(base, draft).length > 0
  const shared = { draft, set, locationId, problems, disabled: false }
  return (
    <TwoColumns>
      <div style={{ display: 'grid', gap: 14, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <ContractFields {...shared} inputs={inputs} />
        <SalaryRows
          rows={draft.salary}
          onChange={setSalary}
          inputs={inputs}
          type={draft.type}
          calculationType={
            draft.contractTypeName === null ? null : (inputs.shared.contractTypes[draft.contractTypeName]?.calculationType ?? null)
          }
          locationId={locationId}
          problems={problems}
          disabled={false}
        />
        <ContractCoding {...shared} />
      </div>
      <Cost inputs={inputs} live={live} saved={saved} base={base} isTyped={isTyped} />
    </TwoColumns>
  )
}

/** Returns the draft without the texts that do not affect the cost. It returns the same object until another field changes. */
function useCostedFields(draft: ContractDraft): ContractDraft {
  const next = { ...draft, contractName: '', position: null, department: null, notes: null }
  const previous = useRef(next)
  if (listDifferingFields(previous.current, next).length) previous.current = next
  return previous.current
}

/** Loads the recorded cost of a saved contract. */
function useRecordedCost(base: ContractDraft | null) {
  const { data, isRefetching } = trpc.contracts.forecast.useQuery({ id: base?.id ?? '', withSteps: false }, { enabled: Boolean(base?.id) })
  // After a save, the recorded cost is out of date until it is loaded again.
  const forecast = isRefetching ? undefined : data
  return useMemo(() => {
    if (!forecast?.costing) return null
    const { contractId, costing, labels } = forecast
    return { of: { cost: costing, recordedFor: contractId, leave: null }, labels, months: sumLinesByMonth(listCostLines(costing, labels)) }
  }, [forecast])
}

/**
 * The cost of the contract. Without unsaved changes, it is the recorded cost, which lists and totals also use. With unsaved changes, it is
 * a live calculation. If the tables have changed since the last calculation, the other figure is shown next to it.
 */
const Cost = memo(function Cost(props: {
  inputs: CostingInputs
  live: CalculatedCost
  saved: CalculatedCost | null
  base: ContractDraft | null
  /** Whether there are unsaved changes. A new contract always has unsaved changes. */
  isTyped: boolean
}) {
  const { inputs, live, saved, base, isTyped } = props
  const recorded = useRecordedCost(base)
  const { labels } = inputs.shared
  const today = useMemo(() => (saved?.cost ? sumLinesByMonth(listCostLines(saved.cost, labels)) : null), [saved, labels])
  const differs = recorded !== null && today !== null && recorded.months.join() !== today.join()
  if (!recorded || isTyped)
    return (
      <ContractCostCards
        inputs={inputs}
        shown={live}
        labels={labels}
        isLive
        saved={saved}
        beside={differs ? { title: 'Last costing', months: recorded.months } : null}
        note="The tables or rates have changed since the last costing. Saving recosts it with today’s tables."
      />
    )
  return (
    <ContractCostCards
      inputs={inputs}
      // The effect of leave is calculated with today's tables, so it is shown with the recorded cost only if the recorded cost and the live
      // calculation are equal.
      shown={differs || !saved?.cost ? recorded.of : { ...recorded.of, leave: saved.leave }}
      labels={recorded.labels}
      isLive={false}
      saved={null}
      beside={differs ? { title: 'With today’s tables', months: today } : null}
      note={
        <>
          These figures are from the last costing and are used in every list and total. The tables or rates have changed since.{' '}
          <OutOfDateNotice />
        </>
      }
    />
  )
})
