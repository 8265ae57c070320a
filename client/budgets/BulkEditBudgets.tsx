import { NumberInput, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { budgetVersionTypes, type ElementKind, elementNames } from '../../domain/budget/budget.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { versionType } from '../../domain/lookupIds.ts'
import { notices } from '../../domain/notices.ts'
import { inSentence } from '../../domain/terms.ts'
import { elementTitles } from '../budget/elementTitles.ts'
import { ManyPicker, Picker } from '../resources/Picker.tsx'
import { TickedFields } from '../resources/TickedFields.tsx'
import type { useList } from '../resources/useList.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { failed, said } from '../shell/notify.tsx'
import { ElementRows, type PartialRow } from './ElementRows.tsx'

const plain = {
  versionType: 'Version type',
  numberOfYears: 'Number of years',
  staffAssumptionsId: 'Staff assumptions',
  inflationId: 'Non-staff inflation',
  contractTypeIds: 'Contract types',
} as const
type Name = keyof typeof plain | ElementKind
const names: Name[] = [...(Object.keys(plain) as (keyof typeof plain)[]), ...elementNames]
const titleOf = (name: Name): string => (name in plain ? plain[name as keyof typeof plain] : elementTitles[name as ElementKind])

/** Changes the ticked fields of all selected budgets at once, all or none. */
export function BulkEditBudgets({
  count,
  chosen,
  onClose,
  onDone,
}: {
  count: number
  chosen: ReturnType<typeof useList>['chosen']
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
      const patch = ticked.map((name) => ({ op: 'replace', path: `/${name}`, value: values[name] ?? (name in plain ? null : []) }))
      const { updated } = await editMany({ ...chosen, patch })
      said(notices.updated(updated === 1 ? term.singular : term.plural))
      onDone()
    } catch (failure) {
      setProblems(problemOf(failure).fields)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  const input = (name: Name): ReactNode => {
    if (name === 'versionType')
      return (
        <Select
          label={titleOf(name)}
          data={budgetVersionTypes.map((type) => ({ value: String(type.id), label: type.name }))}
          value={String(values.versionType)}
          onChange={(value) => set(name, Number(value))}
          allowDeselect={false}
          error={error(name)}
        />
      )
    if (name === 'numberOfYears')
      return (
        <NumberInput
          label={titleOf(name)}
          min={1}
          max={5}
          allowDecimal={false}
          value={values.numberOfYears as number}
          onChange={(value) => set(name, Number(value))}
          error={error(name)}
        />
      )
    if (name === 'staffAssumptionsId' || name === 'inflationId')
      return (
        <Picker
          to={name === 'inflationId' ? 'inflation' : 'staffAssumptions'}
          label={titleOf(name)}
          value={(values[name] as number | null) ?? null}
          onChange={(value) => set(name, value)}
          error={error(name)}
        />
      )
    if (name === 'contractTypeIds')
      return (
        <ManyPicker
          to="contractType"
          label={titleOf(name)}
          value={values.contractTypeIds as number[]}
          onChange={(value) => set(name, value)}
          error={error(name)}
        />
      )
    return (
      <ElementRows
        kind={name as ElementKind}
        rows={(values[name] as PartialRow[]) ?? []}
        onChange={(rows) => set(name, rows)}
        error={error(name)}
        disabled={false}
      />
    )
  }
  return (
    <TickedFields
      title={`Bulk edit ${count} ${inSentence(count === 1 ? term.singular : term.plural)}`}
      things="budget"
      names={names}
      labelOf={titleOf}
      input={input}
      ticked={ticked}
      onTicked={setTicked}
      isLow={(name) => !(name in plain)}
      busy={busy}
      onClose={onClose}
      onSave={() => void save()}
    />
  )
}
