import { useRef, useState } from 'react'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { focusProblem } from '../resources/RecordForm.tsx'
import { useTerm } from '../state/core.ts'
import { checked, type Draft, draftOf, type ShownContract } from './draft.ts'

/** Saves a contract: what is wrong comes back at its field, a newer version comes back whole, and a save can be taken back. */
export function useContractSave(
  onSaved: (contract: ShownContract, isNew: boolean) => void,
  onUndone: (contract: ShownContract | null) => void,
) {
  const term = useTerm()('StaffContract')
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [newer, setNewer] = useState<Draft | null>(null)
  const [busy, setBusy] = useState(false)
  const undoable = useRef<{ id: string; version: number } | null>(null)
  const refresh = (): void =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        ['contracts', 'forecast', 'summary', 'budgetHistory', 'groups', 'liveInputs'].includes(String(queryKey[0])),
    })
  const undo = async (): Promise<void> => {
    const last = undoable.current
    if (!last) return
    undoable.current = null
    try {
      await api.budgets.undo.mutate({ version: last.version })
      said(notices.saved)
      refresh()
      const now = await api.contracts.get.query({ id: last.id }).catch(() => null)
      onUndone(now)
    } catch (error) {
      failed(error)
    }
  }
  const save = async (draft: Draft): Promise<void> => {
    if (busy) return
    const { input, problems: found } = checked(draft)
    setProblems(found)
    if (!input) return focusProblem(found)
    setBusy(true)
    try {
      const { savedVersion, ...contract } = await api.contracts.save.mutate(input)
      undoable.current = savedVersion === null ? null : { id: contract.id, version: savedVersion }
      setNewer(null)
      refresh()
      said(
        draft.id ? notices.updated(term.singular) : notices.created(term.singular),
        savedVersion === null ? undefined : () => void undo(),
      )
      onSaved(contract, draft.id === null)
    } catch (error) {
      const problem = problemOf(error)
      setProblems(problem.fields)
      if (problem.fields.length) focusProblem(problem.fields)
      failed(error)
      if (problem.code === 'stale' && draft.id) setNewer(draftOf(await api.contracts.get.query({ id: draft.id })))
    } finally {
      setBusy(false)
    }
  }
  return { save, undo, problems, setProblems, newer, setNewer, busy }
}
