import { type ReactNode, useState } from 'react'
import { versionType } from '../../domain/lookups/lookupIds.ts'
import { budget, budgetTableKindNames } from '../../domain/resources/entities/budget/budget.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { BulkEditDialog } from '../resources/BulkEditDialog.tsx'
import { FieldInput } from '../resources/inputs/FieldInput.tsx'
import type { useListState } from '../resources/list/useList.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { type BudgetTableRowDraft, BudgetTableRows } from './ElementRows.tsx'

const plainFields = ['versionType', 'numberOfYears', 'staffAssumptionsId', 'inflationId', 'contractTypeIds'] as const
const names = [...plainFields, ...budgetTableKindNames] as const
type Name = (typeof names)[number]
const { fields } = budget
const isPlainField = (name: Name): name is (typeof plainFields)[number] => plainFields.some((one) => one === name)
const titleOf = (name: Name): string => fields[name].label

/** Changes the fields that the user ticked on all selected budgets, in one transaction. */
export function BulkEditBudgets({
  count,
  chosen,
  onClose,
  onDone,
}: {
  count: number
  chosen: ReturnType<typeof useListState>['chosen']
  onClose: () => void
  onDone: () => void
}) {
  const term = useTerm()('Budget')
  const [ticked, setTicked] = useState<Name[]>([])
  const [values, setValues] = useState<Partial<Record<Name, unknown>>>({
    versionType: versionType.working,
    numberOfYears: 3,
    contractTypeIds: [],
  })
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const set = (name: Name, value: unknown): void => {
    setValues({ ...values, [name]: value })
    if (!ticked.includes(name)) setTicked([...ticked, name])
  }
  const error = (name: Name): string | undefined => problems.find((problem) => problem.field === name)?.message
  const { mutateAsync: editMany } = trpc.budgetRound.editMany.useMutation()
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblems([])
    try {
      const patch = ticked.map((name) => ({ op: 'replace', path: `/${name}`, value: values[name] ?? (isPlainField(name) ? null : []) }))
      const { updated } = await editMany({ ...chosen, patch })
      notifySuccess(notices.updated(updated === 1 ? term.singular : term.plural))
      onDone()
    } catch (failure) {
      setProblems(toPublicError(failure).fields)
      notifyFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  const input = (name: Name): ReactNode => {
    if (isPlainField(name))
      return (
        <FieldInput
          field={name === 'inflationId' ? fields[name] : { ...fields[name], required: true }}
          value={values[name]}
          onChange={(value) => set(name, value)}
          error={error(name)}
        />
      )
    return (
      <BudgetTableRows
        kind={name}
        rows={
          // Only this component sets these values, and their kind decides their type.
          (values[name] as BudgetTableRowDraft[]) ?? []
        }
        onChange={(rows) => set(name, rows)}
        error={error(name)}
        disabled={false}
      />
    )
  }
  return (
    <BulkEditDialog
      title={`Bulk edit ${count} ${toMidSentence(count === 1 ? term.singular : term.plural)}`}
      thing="budget"
      names={names}
      labelOf={titleOf}
      input={input}
      ticked={ticked}
      onTicked={setTicked}
      isLow={(name) => !isPlainField(name)}
      busy={busy}
      onClose={onClose}
      onSave={() => void save()}
    />
  )
}
