import { Alert, Button, NumberInput, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { type ElementKind, type ElementRow, elementNames } from '../../domain/budget/budget.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { ManyPicker, Picker } from '../resources/Picker.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'
import { ElementRows, type PartialRow } from './ElementRows.tsx'

interface Draft extends Record<ElementKind, PartialRow[]> {
  name: string
  locationIds: number[]
  firstYear: number
  numberOfYears: number
  staffAssumptionsId: number | null
  inflationId: number | null
  contractTypeIds: number[]
  version: number | null
}

function Form({ start, budgetId, locked }: { start: Draft; budgetId: string | null; locked: boolean }) {
  const navigate = useNavigate()
  const term = useTerm()('Budget')
  const [saved, setSaved] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const unsaved = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(unsaved)
  const set = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const save = async (): Promise<void> => {
    if (busy || locked) return
    setBusy(true)
    setProblems([])
    try {
      // Rows that are not finished are dropped, here and again on the server (behaviour B-152).
      const elements = Object.fromEntries(
        elementNames.map((kind) => [kind, draft[kind].filter((row) => row.effectiveDate && row.adminTableId)]),
      ) as Record<ElementKind, ElementRow[]>
      const body = { ...draft, ...elements, staffAssumptionsId: draft.staffAssumptionsId as number }
      if (budgetId) {
        const result = await api.budgets.update.mutate({ ...body, budgetId })
        const next = { ...draft, ...elements, version: result.version }
        setSaved(next)
        setDraft(next)
        said(notices.updated(term.singular))
      } else {
        await api.budgets.create.mutate(body)
        forgetUnsaved()
        said(notices.created(term.singular))
        void navigate('/console/budget-management')
      }
      await Promise.all([queries.invalidateQueries(), reloadBudgets()])
    } catch (failure) {
      const problem = problemOf(failure)
      setProblems(problem.fields)
      focusProblem(problem.fields)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  return (
    <>
      <PageHead
        title={budgetId ? draft.name : 'Add budget'}
        documentTitle={`${budgetId ? 'Edit' : 'Add'} - ${term.singular} - Console`}
        pills={
          locked ? <span className="pill warn">Locked</span> : unsaved && budgetId ? <span className="pill warn">Unsaved</span> : undefined
        }
        facts={budgetId ? undefined : 'One budget is made for each location you choose.'}
      >
        {!locked && (
          <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
            {budgetId ? 'Save' : 'Create'}
          </Button>
        )}
      </PageHead>
      {locked && (
        <Alert color="orange" mb="md">
          This budget is locked and can no longer be changed.
        </Alert>
      )}
      <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
        <section className="card" style={{ overflow: 'visible' }}>
          <div className="card-head">Budget</div>
          <div className="card-body fields">
            <div data-field="name">
              <TextInput
                label="Name"
                required
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={error('name')}
                disabled={locked}
                maxLength={100}
              />
            </div>
            <div data-field="firstYear">
              <NumberInput
                label="First year"
                required
                value={draft.firstYear}
                onChange={(value) => set({ firstYear: Number(value) })}
                error={error('firstYear')}
                disabled={locked || budgetId !== null}
                allowDecimal={false}
                hideControls
              />
            </div>
            <div data-field="numberOfYears">
              <NumberInput
                label="Number of years"
                required
                min={1}
                max={5}
                value={draft.numberOfYears}
                onChange={(value) => set({ numberOfYears: Number(value) })}
                error={error('numberOfYears')}
                disabled={locked}
                allowDecimal={false}
              />
            </div>
            <div data-field="staffAssumptionsId">
              <Picker
                to="staffAssumptions"
                label="Staff assumptions"
                required
                value={draft.staffAssumptionsId}
                onChange={(staffAssumptionsId) => set({ staffAssumptionsId })}
                error={error('staffAssumptionsId')}
                disabled={locked}
              />
            </div>
            <div data-field="inflationId">
              <Picker
                to="inflation"
                label="Non-staff inflation"
                value={draft.inflationId}
                onChange={(inflationId) => set({ inflationId })}
                error={error('inflationId')}
                disabled={locked}
              />
            </div>
            {!budgetId && (
              <div className="wide" data-field="locationIds">
                <ManyPicker
                  to="location"
                  label="Locations"
                  required
                  value={draft.locationIds}
                  onChange={(locationIds) => set({ locationIds })}
                  error={error('locationIds')}
                  emptyText="Choose one or more"
                />
              </div>
            )}
            <div className="wide" data-field="contractTypeIds">
              <ManyPicker
                to="contractType"
                label="Contract types"
                required
                value={draft.contractTypeIds}
                onChange={(contractTypeIds) => set({ contractTypeIds })}
                error={error('contractTypeIds')}
                disabled={locked}
              />
            </div>
          </div>
        </section>
        {elementNames.map((kind) => (
          <ElementRows
            key={kind}
            kind={kind}
            rows={draft[kind]}
            onChange={(rows) => set({ [kind]: rows })}
            error={error(kind)}
            disabled={locked}
          />
        ))}
      </div>
    </>
  )
}

/** A new budget, prefilled from the organisation's tables and assumptions. */
export function CreateBudgetPage() {
  const { locationId } = useSelection()
  const template = useQuery({
    queryKey: ['template', locationId],
    queryFn: () => api.budgets.template.query({ locations: locationId === null ? [] : [locationId] }),
    gcTime: 0,
  })
  if (template.isError) return <LoadFailed query={template} />
  if (!template.data) return <Skeleton height={240} />
  return <Form start={template.data as unknown as Draft} budgetId={null} locked={false} />
}

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
  const { name, locationIds, firstYear, numberOfYears, staffAssumptionsId, inflationId, contractTypeIds, version } = budget.data
  const elements = Object.fromEntries(elementNames.map((kind) => [kind, budget.data[kind]])) as Record<ElementKind, ElementRow[]>
  return (
    <Form
      key={id}
      start={{ name, locationIds, firstYear, numberOfYears, staffAssumptionsId, inflationId, contractTypeIds, version, ...elements }}
      budgetId={id}
      locked={budget.data.state === 2}
    />
  )
}
