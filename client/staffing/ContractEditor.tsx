import { Alert, Button, Tabs } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { inSentence } from '../../domain/terms.ts'
import { api } from '../api/api.ts'
import { History } from '../budgets/History.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { forgetUnsaved, useUnsaved } from '../state/unsaved.ts'
import { ContractCoding } from './ContractCoding.tsx'
import { ContractFields } from './ContractFields.tsx'
import { costable, type Draft, draftOf, type LiveInputs } from './draft.ts'
import { ItemReminders } from './ItemReminders.tsx'
import { LiveCost } from './LiveCost.tsx'
import { costOf, preparedInputs } from './liveCost.ts'
import { changedFields, merged, Newer } from './Newer.tsx'
import { SalaryRows } from './SalaryRows.tsx'
import { useContractSave } from './useContractSave.ts'
import { useObstacle } from './useObstacle.ts'

/** The inputs of the budget for the employee who is typed; while they load, the ones before stay. */
function useLiveInputs(draft: Draft) {
  const { budgetId } = useSelection()
  const [employeeNumber] = useDebouncedValue(draft.employeeNumber, 150)
  return useQuery({
    queryKey: ['liveInputs', budgetId, draft.id, employeeNumber],
    queryFn: () => api.contracts.inputs.query({ contractId: draft.id, employeeNumber }),
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
}

/** Adds or edits a contract. The form stands left, what it costs stands right and follows every key. */
export function ContractEditor({ start, isCopy = false }: { start: Draft; isCopy?: boolean }) {
  const [base, setBase] = useState(start)
  const [draft, setDraft] = useState(start)
  const inputs = useLiveInputs(draft)
  const navigate = useNavigate()
  const term = useTerm()('StaffContract')
  const obstacle = useObstacle()
  const unsaved = isCopy && base === start ? true : changedFields(base, draft).length > 0
  useUnsaved(unsaved)
  const take = (next: Draft): void => {
    setBase(next)
    setDraft(next)
  }
  const saving = useContractSave(
    (contract, isNew) => {
      take(draftOf(contract))
      forgetUnsaved()
      if (isNew) void navigate(`/staffing/staff-contracts/${contract.id}`, { replace: true })
    },
    (contract) => {
      forgetUnsaved()
      if (contract) take(draftOf(contract))
      else void navigate('/staffing/staff-contracts')
    },
  )
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  useHotkeys([['mod+S', () => obstacle || void saving.save(draft)]], [])
  useHotkeys([['mod+Z', () => void saving.undo()]])
  if (inputs.isError) return <LoadFailed query={inputs} />
  if (!inputs.data) return <Spinner />
  const title = draft.id
    ? (inputs.data.name ?? `Vacancy: ${base.contractName}`)
    : isCopy
      ? 'Copy of a contract'
      : `Add ${inSentence(term.singular)}`
  const others = inputs.data.others.map((other) => other.contractName)
  return (
    <>
      <PageHead
        title={title}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Staffing`}
        pills={
          <>
            {draft.id && <span className="pill">{base.position ?? base.contractName}</span>}
            {unsaved && <span className="pill warn">Unsaved</span>}
          </>
        }
        facts={[
          draft.employeeNumber ? `Employee ${draft.employeeNumber}` : 'Nobody is employed on it yet',
          others.length ? `${others.length === 1 ? 'one other contract' : `${others.length} other contracts`}: ${others.join(', ')}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      >
        {draft.id && (
          <>
            <Button variant="default" component={Link} to={`/staffing/staff-contracts/${draft.id}/cost`}>
              Cost view
            </Button>
            <Button variant="default" component={Link} to={`/staffing/staff-contracts/add?copy=${draft.id}`}>
              Duplicate
            </Button>
          </>
        )}
        {unsaved && !isCopy && (
          <Button
            variant="default"
            onClick={() => {
              setDraft(base)
              saving.setProblems([])
            }}
          >
            Discard
          </Button>
        )}
        <Button
          onClick={() => void saving.save(draft)}
          loading={saving.busy}
          disabled={Boolean(obstacle)}
          rightSection={<span className="hint">Ctrl S</span>}
        >
          Save
        </Button>
      </PageHead>
      {obstacle && (
        <Alert color="orange" mb="md" role="status">
          {obstacle}
        </Alert>
      )}
      {saving.newer && (
        <Newer
          base={base}
          newer={saving.newer}
          onKeep={() => {
            setDraft(merged(base, draft, saving.newer!))
            setBase(saving.newer!)
            saving.setNewer(null)
          }}
          onTake={() => {
            take(saving.newer!)
            saving.setNewer(null)
          }}
        />
      )}
      {draft.id ? (
        <Tabs defaultValue="contract" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="contract">Contract</Tabs.Tab>
            <Tabs.Tab value="reminders">Reminders</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="contract">
            <Form inputs={inputs.data} draft={draft} base={base} set={set} problems={saving.problems} />
          </Tabs.Panel>
          <Tabs.Panel value="reminders">
            <ItemReminders about={{ contractId: draft.id }} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <History contractId={draft.id} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Form inputs={inputs.data} draft={draft} base={null} set={set} problems={saving.problems} />
      )}
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
  inputs: LiveInputs
  draft: Draft
  base: Draft | null
  set: (part: Partial<Draft>) => void
  problems: ReturnType<typeof useContractSave>['problems']
}) {
  const { locationId } = useSelection()
  const prepared = useMemo(() => preparedInputs(inputs), [inputs])
  const points = useMemo(
    () =>
      new Map(inputs.points.map((point) => [point.id, { id: point.id, kind: point.kind, scale: point.scale, increment: point.increment }])),
    [inputs],
  )
  const live = useMemo(() => costOf(prepared, inputs, costable(draft, inputs.staffId, points)), [prepared, inputs, draft, points])
  const saved = useMemo(
    () => (base ? costOf(prepared, inputs, costable(base, inputs.staffId, points)) : null),
    [prepared, inputs, base, points],
  )
  const shared = { draft, set, locationId, problems, disabled: false }
  return (
    <div className="split">
      <div style={{ display: 'grid', gap: 14, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <ContractFields {...shared} inputs={inputs} />
        <SalaryRows
          rows={draft.salary}
          onChange={(salary) => set({ salary })}
          points={inputs.points}
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
      <LiveCost inputs={inputs} live={live} saved={saved} isLive />
    </div>
  )
}

export function ContractNotFound() {
  return <NotFound back={{ to: '/staffing/staff-contracts', label: 'Back to the list' }} />
}
