import { Button, Skeleton, Stepper } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { versionType } from '../../domain/lookups/lookupIds.ts'
import { budgetTableKindNames } from '../../domain/resources/entities/budget/budget.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount } from '../../domain/values/format.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { focusProblem } from '../resources/editor/focusProblem.ts'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import { reloadBudgets, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { clearUnsavedChanges, useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { AssumptionFields, BasicFields, ContractTypeFields, TableFields } from './BudgetFields.tsx'
import { type BudgetDraft, toCreateBudgetInput } from './budgetDraft.ts'
import { LocationStep } from './LocationStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'

const steps = ['Locations', 'Budget', 'Tables', 'Assumptions', 'Review'] as const
const stepOf = (field: string): number => {
  if (field === 'locationIds') return 0
  if (budgetTableKindNames.some((kind) => field.startsWith(kind))) return 2
  return ['staffAssumptionsId', 'inflationId', 'contractTypeIds'].includes(field) ? 3 : 1
}

function Wizard({ start }: { start: BudgetDraft }) {
  const navigate = useNavigate()
  const openBudgetScreen = useOpenBudgetScreen()
  const term = useTerm()('Budget')
  const [draft, setDraft] = useState(start)
  const [step, setStep] = useState(0)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const unsaved = JSON.stringify(draft) !== JSON.stringify(start)
  useUnsavedChanges(unsaved)
  const set = (part: Partial<BudgetDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  /** Finds the required fields of a step that are still empty. */
  const findMissingFields = (at: number): FieldProblem[] => {
    const found: FieldProblem[] = []
    if (at === 0 && !draft.locationIds.length) found.push({ field: 'locationIds', message: 'Choose at least one location.' })
    if (at === 1 && !draft.name.trim()) found.push({ field: 'name', message: 'Name is required.' })
    if (at === 3 && draft.staffAssumptionsId === null)
      found.push({ field: 'staffAssumptionsId', message: 'Choose a set of staff assumptions.' })
    if (at === 3 && !draft.contractTypeIds.length) found.push({ field: 'contractTypeIds', message: 'Contract type is required.' })
    return found
  }
  const go = async (to: number): Promise<void> => {
    for (let at = step; at < to; at++) {
      const found = findMissingFields(at)
      setProblems(found)
      if (found.length) {
        setStep(at)
        setTimeout(() => focusProblem(found), 50)
        return
      }
    }
    // Until the user changes them, the tables and contract types depend on the chosen locations.
    if (step === 0 && to > 0) {
      const suggested = await api.budgets.template.query({ locations: draft.locationIds })
      setDraft((before) => ({
        ...before,
        numberOfYears: before.numberOfYears === start.numberOfYears ? suggested.numberOfYears : before.numberOfYears,
        contractTypeIds:
          JSON.stringify(before.contractTypeIds) === JSON.stringify(start.contractTypeIds)
            ? suggested.contractTypeIds
            : before.contractTypeIds,
      }))
    }
    setStep(to)
  }
  const next = (): void => void go(step + 1).catch(notifyFailure)
  const { mutateAsync: make } = trpc.budgets.create.useMutation()
  const create = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblems([])
    try {
      const created = await make({
        ...toCreateBudgetInput(draft),
        staffAssumptionsId: assertDefined(draft.staffAssumptionsId),
      })
      clearUnsavedChanges()
      notifySuccess(notices.created(created.length === 1 ? term.singular : term.plural))
      const [only] = created
      // Select the new budget if there is only one, so that the next import does not go into last year's budget.
      if (created.length === 1 && only) {
        await reloadBudgets()
        await openBudgetScreen({ locationId: only.locationId, budgetId: only.mongoId }, '/overview/summary')
      } else void navigate('/console/budget-management')
    } catch (failure) {
      const { fields } = toPublicError(failure)
      setProblems(fields)
      if (fields[0]) setStep(stepOf(fields[0].field))
      setTimeout(() => focusProblem(fields), 50)
      notifyFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  const isLast = step === steps.length - 1
  useHotkeys([['mod+Enter', () => (isLast ? void create() : next())]], [])
  const fields = { draft, set, error, disabled: false }
  return (
    <>
      <PageHead
        title={`Add ${toMidSentence(term.singular)}`}
        documentTitle={`Add - ${term.singular} - Console`}
        facts="One budget is created for each location you choose. If one cannot be created, none are."
      >
        {step > 0 && (
          <Button variant="default" onClick={() => setStep(step - 1)}>
            Back
          </Button>
        )}
        {isLast ? (
          <Button onClick={() => void create()} loading={busy} rightSection={<ShortcutHint>Ctrl Enter</ShortcutHint>}>
            Create {displayCount(draft.locationIds.length, 'budget')}
          </Button>
        ) : (
          <Button onClick={next} rightSection={<ShortcutHint>Ctrl Enter</ShortcutHint>}>
            Next
          </Button>
        )}
      </PageHead>
      <Stepper active={step} onStepClick={(to) => (to <= step ? setStep(to) : void go(to).catch(notifyFailure))} size="sm" mb="lg">
        {steps.map((title) => (
          <Stepper.Step key={title} label={title} />
        ))}
      </Stepper>
      <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
        {step === 0 && (
          <LocationStep chosen={draft.locationIds} onChange={(locationIds) => set({ locationIds })} error={error('locationIds')} />
        )}
        {step === 1 && <BasicFields {...fields} isNew />}
        {step === 2 && <TableFields {...fields} />}
        {step === 3 && (
          <>
            <AssumptionFields {...fields} />
            <ContractTypeFields {...fields} />
          </>
        )}
        {isLast && <ReviewStep draft={draft} />}
      </div>
    </>
  )
}

/**
 * Creates a budget for each chosen location, prefilled from the organisation's tables and assumptions (behaviour
 * B-153).
 */
export function CreateBudgetPage() {
  const { locationId } = useSelection()
  const template = trpc.budgets.template.useQuery(
    { locations: locationId === null ? [] : [locationId] },
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  )
  if (template.isLoadingError) return <LoadFailed query={template} />
  if (!template.data) return <Skeleton height={240} />
  return <Wizard start={{ ...template.data, versionType: versionType.working, budgetGroupId: null }} />
}
