import { Alert, Button, Checkbox, Group, Select, Skeleton, Stepper, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { budgetVersionTypes, type ElementKind, elementNames } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/calendar.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { callsOf, useNames } from '../resources/resourceApi.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useCore, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'
import { AssumptionFields, BasicFields, TableFields, TypeFields } from './BudgetFields.tsx'
import { type BudgetDraft, finishedRows } from './budgetDraft.ts'
import { elementTitles } from './ElementRows.tsx'

const steps = ['Locations', 'Budget', 'Tables', 'Assumptions', 'Review'] as const
const stepOf = (field: string): number => {
  if (field === 'locationIds') return 0
  if (elementNames.some((kind) => field.startsWith(kind))) return 2
  return ['staffAssumptionsId', 'inflationId', 'contractTypeIds'].includes(field) ? 3 : 1
}

/** One, several, those of a cluster, or all locations. */
function LocationStep({ chosen, onChange, error }: { chosen: number[]; onChange: (ids: number[]) => void; error?: string }) {
  const { locations } = useCore()
  const { organisationId } = useSelection()
  const [search, setSearch] = useState('')
  const clusters = useQuery({
    queryKey: ['list', 'clusters', organisationId],
    queryFn: () => callsOf(resourceNamed('cluster')).list.query({ pageNumber: 1, pageSize: 5000 }),
  })
  const shown = locations.filter((one) => one.name.toLowerCase().includes(search.trim().toLowerCase()))
  const add = (ids: readonly number[]): void => onChange([...new Set([...chosen, ...ids])])
  return (
    <section className="card" data-field="locationIds">
      <div className="card-head">
        Locations{' '}
        <span className="note">
          {chosen.length} of {locations.length} chosen: one budget is made for each
        </span>
      </div>
      <div className="card-body" style={{ display: 'grid', gap: 12 }}>
        <Group gap="xs">
          <TextInput
            aria-label="Search locations"
            placeholder="Search locations"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            w={240}
          />
          <Button variant="default" onClick={() => onChange(locations.map((one) => one.id))}>
            All
          </Button>
          <Button variant="default" onClick={() => onChange([])} disabled={!chosen.length}>
            None
          </Button>
          {(clusters.data?.rows.length ?? 0) > 0 && (
            <Select
              aria-label="Add the locations of a cluster"
              placeholder="Add a cluster"
              data={clusters.data!.rows.map((row) => ({ value: String(row.id), label: String(row.name) }))}
              value={null}
              onChange={(value) => {
                const cluster = clusters.data!.rows.find((row) => String(row.id) === value)
                if (cluster) add((cluster.locations as number[]).filter((id) => locations.some((one) => one.id === id)))
              }}
              w={200}
            />
          )}
        </Group>
        {error && (
          <span className="up" role="alert">
            {error}
          </span>
        )}
        <div className="choices">
          {shown.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
          {!shown.length && <span className="dim">No location matches.</span>}
        </div>
      </div>
    </section>
  )
}

function Review({ draft }: { draft: BudgetDraft }) {
  const { locations } = useCore()
  const types = useNames('contractType', draft.contractTypeIds)
  const assumptions = useNames('staffAssumptions', draft.staffAssumptionsId === null ? [] : [draft.staffAssumptionsId])
  const inflations = useNames('inflation', draft.inflationId === null ? [] : [draft.inflationId])
  const rows = finishedRows(draft)
  const review = useQuery({
    queryKey: ['review', draft],
    queryFn: () => api.budgetRound.review.query({ ...draft, ...rows }),
    gcTime: 0,
  })
  const facts: [string, string][] = [
    ['Locations', draft.locationIds.map((id) => locations.find((one) => one.id === id)?.name ?? '').join(', ')],
    ['Name', draft.name],
    ['Version type', budgetVersionTypes.find((type) => type.id === draft.versionType)?.name ?? ''],
    ['Years', `${yearName(draft.firstYear, 0)}, ${draft.numberOfYears} in all`],
    ['Staff assumptions', draft.staffAssumptionsId === null ? 'none' : (assumptions.get(draft.staffAssumptionsId)?.name ?? '…')],
    ['Non-staff inflation', draft.inflationId === null ? 'none' : (inflations.get(draft.inflationId)?.name ?? '…')],
    ['Contract types', draft.contractTypeIds.map((id) => types.get(id)?.name ?? '…').join(', ') || 'none'],
    ['Tables', elementNames.map((kind: ElementKind) => `${elementTitles[kind]} ${rows[kind].length}`).join(' · ')],
  ]
  return (
    <>
      {review.isError && <LoadFailed query={review} />}
      {review.data && (
        <Alert
          color={review.data.some((warning) => warning.blocks) ? 'red' : review.data.length ? 'orange' : 'teal'}
          title={
            review.data.length ? `${review.data.length} ${review.data.length === 1 ? 'thing' : 'things'} to look at` : 'Nothing is missing'
          }
          role="status"
        >
          {review.data.length ? (
            <ul className="warnings">
              {review.data.map((warning) => (
                <li key={warning.text}>
                  {warning.blocks && <b>Must be changed: </b>}
                  {warning.text}
                </li>
              ))}
            </ul>
          ) : (
            'Every kind of pay has its table on the first day, and every contract type its pension rate.'
          )}
        </Alert>
      )}
      <section className="card scroll">
        <div className="card-head">
          {draft.locationIds.length} {draft.locationIds.length === 1 ? 'budget' : 'budgets'} will be made{' '}
          <span className="note">all of them or none</span>
        </div>
        <table className="figures words">
          <tbody>
            {facts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Wizard({ start }: { start: BudgetDraft }) {
  const navigate = useNavigate()
  const term = useTerm()('Budget')
  const [draft, setDraft] = useState(start)
  const [step, setStep] = useState(0)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const unsaved = JSON.stringify(draft) !== JSON.stringify(start)
  useUnsaved(unsaved)
  const set = (part: Partial<BudgetDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  /** What one step needs before the next: said at its field. */
  const missing = (at: number): FieldProblem[] => {
    const found: FieldProblem[] = []
    if (at === 0 && !draft.locationIds.length) found.push({ field: 'locationIds', message: 'Choose at least one location.' })
    if (at === 1 && !draft.name.trim()) found.push({ field: 'name', message: 'Name is required.' })
    if (at === 3 && draft.staffAssumptionsId === null)
      found.push({ field: 'staffAssumptionsId', message: 'Staff assumptions is required.' })
    if (at === 3 && !draft.contractTypeIds.length) found.push({ field: 'contractTypeIds', message: 'Contract types is required.' })
    return found
  }
  const go = async (to: number): Promise<void> => {
    for (let at = step; at < to; at++) {
      const found = missing(at)
      setProblems(found)
      if (found.length) {
        setStep(at)
        return setTimeout(() => focusProblem(found), 50) as unknown as undefined
      }
    }
    // Tables and contract types follow the chosen locations until somebody changes them.
    if (step === 0 && to > 0) {
      const suggested = (await api.budgets.template.query({ locations: draft.locationIds })) as unknown as BudgetDraft
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
  const next = (): void => void go(step + 1).catch(failed)
  const create = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblems([])
    try {
      const made = await api.budgets.create.mutate({
        ...draft,
        ...finishedRows(draft),
        staffAssumptionsId: draft.staffAssumptionsId as number,
      })
      forgetUnsaved()
      said(notices.created(made.length === 1 ? term.singular : term.plural))
      void navigate('/console/budget-management')
      await Promise.all([queries.invalidateQueries(), reloadBudgets()])
    } catch (failure) {
      const { fields } = problemOf(failure)
      setProblems(fields)
      if (fields[0]) setStep(stepOf(fields[0].field))
      setTimeout(() => focusProblem(fields), 50)
      failed(failure)
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
        title={`Add ${term.singular.toLowerCase()}`}
        documentTitle={`Add - ${term.singular} - Console`}
        facts="One budget is made for each location you choose, all of them or none."
      >
        {step > 0 && (
          <Button variant="default" onClick={() => setStep(step - 1)}>
            Back
          </Button>
        )}
        {isLast ? (
          <Button onClick={() => void create()} loading={busy} rightSection={<span className="hint">Ctrl Enter</span>}>
            Create {draft.locationIds.length} {draft.locationIds.length === 1 ? 'budget' : 'budgets'}
          </Button>
        ) : (
          <Button onClick={next} rightSection={<span className="hint">Ctrl Enter</span>}>
            Next
          </Button>
        )}
      </PageHead>
      <Stepper
        active={step}
        onStepClick={(to) => (to <= step ? setStep(to) : void go(to).catch(failed))}
        size="sm"
        mb="lg"
        className="steps"
      >
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
            <TypeFields {...fields} />
          </>
        )}
        {isLast && <Review draft={draft} />}
      </div>
    </>
  )
}

/** New budgets for as many locations as are chosen, prefilled from the organisation's tables and assumptions (behaviour B-153). */
export function CreateBudgetPage() {
  const { locationId } = useSelection()
  const template = useQuery({
    queryKey: ['template', locationId],
    queryFn: () => api.budgets.template.query({ locations: locationId === null ? [] : [locationId] }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (template.isError) return <LoadFailed query={template} />
  if (!template.data) return <Skeleton height={240} />
  const start = { ...template.data, versionType: 1, budgetGroupId: null } as unknown as BudgetDraft
  return <Wizard start={start} />
}
