import { Group, Radio } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { bulkEditableContractFields, staffContract } from '../../domain/resources/entities/budget/staffContract.ts'
import { createEmptyValues } from '../../domain/resources/schema.ts'
import type { FieldProblem } from '../../domain/words/errors.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { BulkEditDialog } from '../resources/BulkEditDialog.tsx'
import { FieldInput } from '../resources/inputs/FieldInput.tsx'
import type { useListState } from '../resources/list/useList.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'

type Name = (typeof bulkEditableContractFields)[number]

const { fields } = staffContract

/** Changes the fields that the user ticked on all selected contracts. If one contract is refused, none is changed (behaviour B-111). */
export function BulkEditContracts({
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
  const term = useTerm()('StaffContract')
  const { locationId } = useSelection()
  const [ticked, setTicked] = useState<Name[]>([])
  const [values, setValues] = useState(() => createEmptyValues(fields))
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const set = (name: Name, value: unknown): void => {
    setValues({ ...values, [name]: value })
    if (!ticked.includes(name)) setTicked([...ticked, name])
  }
  const { mutateAsync: edit } = trpc.contracts.edit.useMutation()
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblems([])
    try {
      const patch = Object.fromEntries(ticked.map((name) => [name, values[name]]))
      await edit({ ...chosen, patch })
      notifySuccess(notices.updated(count === 1 ? term.singular : term.plural))
      onDone()
    } catch (error) {
      const { fields: wrong, message } = toPublicError(error)
      setProblems(wrong.map((problem) => ({ ...problem, message: wrong.length === 1 ? message : problem.message })))
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const input = (name: Name): ReactNode => {
    const error = problems.find((problem) => problem.field.split('.')[0] === name)?.message
    if (name === 'apprentice')
      return (
        <Radio.Group
          label={fields[name].label}
          value={values.apprentice ? 'yes' : 'no'}
          onChange={(value) => set(name, value === 'yes')}
          error={error}
        >
          <Group mt={6}>
            <Radio value="yes" label="Yes" />
            <Radio value="no" label="No" />
          </Group>
        </Radio.Group>
      )
    return (
      <FieldInput
        field={{ ...fields[name], required: false, help: undefined }}
        value={values[name]}
        onChange={(value) => set(name, value)}
        locationId={locationId}
        error={error}
      />
    )
  }
  return (
    <BulkEditDialog
      title={`Bulk edit ${count} ${toMidSentence(count === 1 ? term.singular : term.plural)}`}
      thing="contract"
      names={bulkEditableContractFields}
      labelOf={(name) => fields[name].label}
      input={input}
      ticked={ticked}
      onTicked={setTicked}
      isLow={(name) => name === 'fundCodes'}
      busy={busy}
      onClose={onClose}
      onSave={() => void save()}
    />
  )
}
