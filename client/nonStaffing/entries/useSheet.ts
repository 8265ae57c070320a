import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { notices } from '../../../domain/notices.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { failed, said } from '../../api/notify.tsx'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import {
  type Changes,
  type Choices,
  emptyRow,
  isEmpty,
  lacking,
  type Row,
  rowOfEntry,
  rowOfLinked,
  type Sheet,
  type SheetEntry,
  withChanges,
} from './sheetModel.ts'

/** One change to a row, by its id. */
export interface RowChange {
  id: string
  changes: Changes
}

/** The rows of the sheet: what is stored, what is being typed, saving cell by cell, and the way back. */
export function useSheet() {
  const { budgetId } = useSelection()
  const term = useTerm()('BudgetEntry')
  const sheet = useQuery({ queryKey: ['entries', 'sheet', budgetId], queryFn: () => api.entries.sheet.query() })
  const choices = useQuery({ queryKey: ['entries', 'choices', budgetId], queryFn: () => api.entries.choices.query(), staleTime: 30_000 })
  const [drafts, setDrafts] = useState<Row[]>([])
  const [pending, setPending] = useState<ReadonlyMap<string, Row>>(new Map())
  const [busy, setBusy] = useState(0)
  const undone = useRef<number[][]>([])
  const years = sheet.data?.yearNames.length ?? 0
  useEffect(() => {
    if (years && !drafts.some(isEmpty)) setDrafts((before) => [...before, emptyRow(crypto.randomUUID(), years)])
  }, [drafts, years])
  const data = sheet.data
  const rows: Row[] = data ? [...data.rows.map((entry) => pending.get(entry.id) ?? rowOfEntry(entry)), ...data.linked.map(rowOfLinked)] : []

  const keep = (entries: readonly SheetEntry[]): void => {
    const fresh = new Map(entries.map((entry) => [entry.id, entry]))
    queries.setQueryData<Sheet>(['entries', 'sheet', budgetId], (before) => {
      if (!before) return before
      const known = new Set(before.rows.map((row) => row.id))
      return {
        ...before,
        rows: [...before.rows.map((row) => fresh.get(row.id) ?? row), ...entries.filter((entry) => !known.has(entry.id))],
      }
    })
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => ['overview', 'calculations', 'funding', 'groups', 'budgetHistory'].includes(String(queryKey[0])),
    })
  }

  /** Saves changes to stored rows and new rows together. @returns the problem of each row that was refused, by its id */
  const save = async (changes: readonly RowChange[], isNew: readonly Row[] = []): Promise<Map<string, string>> => {
    const versions = new Map(data?.rows.map((row) => [row.id, row.version]))
    const list = [
      ...changes.map(({ id, changes: own }) => ({ id, version: versions.get(id), changes: own })),
      ...isNew.map((row) => ({ id: null, changes: row.draft })),
    ]
    const problems = new Map<string, string>()
    if (!list.length) return problems
    setBusy((count) => count + 1)
    try {
      const saved = await api.entries.change.mutate({ changes: list })
      if (saved.versions.length) undone.current.push(saved.versions)
      keep(saved.rows)
      if (isNew.length === 1 && !changes.length) said(notices.created(term.singular), () => void undo())
      else if (list.length > 1) said(notices.updated(term.plural), () => void undo())
    } catch (error) {
      const problem = problemOf(error)
      const keys = [...changes.map((one) => one.id), ...isNew.map((row) => row.id)]
      for (const { field, message } of problem.fields) problems.set(keys[Number(field.split('.')[0])] ?? '', message)
      if (!problem.fields.length) {
        failed(error)
        for (const key of keys) problems.set(key, problem.message)
      }
      if (problem.code === 'stale') void sheet.refetch()
    } finally {
      setBusy((count) => count - 1)
    }
    return problems
  }

  /** Types into a stored row: it shows at once and is saved; what is refused stays, with the reason. */
  const change = async (row: Row, changes: Changes): Promise<void> => {
    const next = withChanges(row, changes, data!)
    setPending((before) => new Map(before).set(row.id, next))
    const problem = (await save([{ id: row.id, changes }])).get(row.id)
    if (problem) failed(new Error(`${row.description}: ${problem}`))
    setPending((before) => {
      const after = new Map(before)
      after.delete(row.id)
      return after
    })
  }

  /** Types into a new row; it is saved as soon as it has what an entry needs. */
  const type = async (row: Row, changes: Changes, known: Choices): Promise<void> => {
    const next = withChanges(row, changes, data!)
    setDrafts((before) => before.map((one) => (one.id === row.id ? next : one)))
    if (lacking(next, known)) return
    const problem = (await save([], [next])).get(row.id)
    setDrafts((before) =>
      problem ? before.map((one) => (one.id === row.id ? { ...one, problem } : one)) : before.filter((one) => one.id !== row.id),
    )
  }

  const undo = async (): Promise<void> => {
    const versions = undone.current.pop()
    if (!versions) return
    try {
      await api.entries.undo.mutate({ versions })
      said(notices.saved)
    } catch (error) {
      failed(error)
    }
    await queries.invalidateQueries({ queryKey: ['entries'] })
  }

  const remove = async (ids: readonly string[]): Promise<void> => {
    const versions = await api.entries.delete.mutate({ ids: [...ids] })
    undone.current.push(versions)
    await queries.invalidateQueries({ queryKey: ['entries'] })
  }

  return {
    sheet,
    choices: choices.data,
    error: sheet.error ?? choices.error,
    rows,
    drafts,
    isSaving: busy > 0,
    hasDrafts: drafts.some((row) => !isEmpty(row)),
    change,
    type,
    save,
    undo,
    remove,
    dropDraft: (id: string): void => setDrafts((before) => before.filter((row) => row.id !== id)),
  }
}
