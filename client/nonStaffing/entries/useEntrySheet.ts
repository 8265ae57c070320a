import { useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { answerCache, api, queryClient, toPublicError, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { notifyFailure, notifyReverted, notifySuccess, setLatestUndo } from '../../shell/notify.tsx'
import { getSelection, useSelection } from '../../shell/selection.ts'
import {
  applyRowChanges,
  createEmptyLine,
  describeMissingFields,
  type EntryChoices,
  isEmptyLine,
  type LoadedSheet,
  type SheetEntry,
  type SheetLine,
  type SheetRowChanges,
  toEntryLine,
  toLinkedLine,
} from './sheetModel.ts'

export interface LineChange {
  id: string
  changes: SheetRowChanges
}

/** Parses a block of rows, which the server sends as one string. */
const readRows = (text: string): SheetEntry[] => JSON.parse(text)

/** API calls bound to the selection with which the sheet was opened, so that all blocks come from one budget. */
type Server = { client: Pick<typeof api, 'entries'> }

/** Cache key of the whole sheet. It extends the key of the sheet's blocks, so that invalidating the blocks invalidates the sheet. */
const sheetKey = (budgetId: BudgetId | null) => [...getQueryKey(trpc.entries.sheet), 'whole', budgetId]

/** Loads the sheet in blocks. A first load shows rows as they arrive; a reload keeps the old sheet until the new sheet is complete. */
async function loadSheet({ client }: Server, queryKey: readonly unknown[], signal: AbortSignal): Promise<LoadedSheet> {
  const { rows, next, ...first } = await client.entries.sheet.query({}, { signal })
  const sheet: LoadedSheet = { ...first, rows: readRows(rows), isWhole: next === null }
  const isNew = queryClient.getQueryData(queryKey) === undefined
  for (let after = next; after; ) {
    if (isNew) showSoFar(queryKey, sheet)
    const block = await client.entries.sheet.query({ after }, { signal })
    sheet.rows = [...sheet.rows, ...readRows(block.rows)]
    sheet.total = block.total
    after = block.next
  }
  // Rows saved during the load are newer than the loaded rows.
  return {
    ...sheet,
    isWhole: true,
    rows: isNew ? mergeNewest(sheet.rows, queryClient.getQueryData<LoadedSheet>(queryKey)?.rows ?? []) : sheet.rows,
  }
}

/** Prefetches the sheet of the open budget. */
export function prefetchSheet(): void {
  const queryKey = sheetKey(getSelection().budgetId)
  void queryClient.prefetchQuery({ queryKey, queryFn: ({ signal }) => loadSheet({ client: api }, queryKey, signal) })
  void answerCache.entries.choices.prefetch(undefined, { staleTime: 30_000 })
}

function showSoFar(queryKey: readonly unknown[], sheet: LoadedSheet): void {
  queryClient.setQueryData<LoadedSheet>(queryKey, (before) => ({ ...sheet, rows: mergeNewest(sheet.rows, before?.rows ?? []) }))
}

/** Returns, for each row, the newer of the loaded and the cached version, followed by cached rows that have not loaded yet. */
function mergeNewest(loaded: readonly SheetEntry[], cached: readonly SheetEntry[]): SheetEntry[] {
  const known = new Map(cached.map((row) => [row.id, row]))
  const rows = loaded.map((row) => {
    const knownRow = known.get(row.id)
    known.delete(row.id)
    return knownRow && knownRow.version > row.version ? knownRow : row
  })
  return [...rows, ...known.values()]
}

/** The state of the sheet: its saved and unsaved rows, and functions that save each cell and undo. */
export function useEntrySheet() {
  const { budgetId } = useSelection()
  const term = useTerm()('BudgetEntry')
  const server = trpc.useUtils()
  const { mutateAsync: send } = trpc.entries.change.useMutation()
  const { mutateAsync: sendUndo } = trpc.budgets.undo.useMutation()
  const { mutateAsync: drop } = trpc.entries.delete.useMutation()
  const key = sheetKey(budgetId)
  const sheet = useQuery({ queryKey: key, queryFn: ({ signal }) => loadSheet(server, key, signal) })
  const choices = trpc.entries.choices.useQuery(undefined, { staleTime: 30_000 })
  const [drafts, setDrafts] = useState<SheetLine[]>([])
  const [pending, setPending] = useState<ReadonlyMap<string, SheetLine>>(new Map())
  const [busy, setBusy] = useState(0)
  const undoableVersions = useRef<number[][]>([])
  const lastSaves = useRef(new Map<string, Promise<unknown>>())
  const years = sheet.data?.yearNames.length ?? 0
  useEffect(() => {
    if (years && !drafts.some(isEmptyLine)) setDrafts((before) => [...before, createEmptyLine(crypto.randomUUID(), years)])
  }, [drafts, years])
  const data = sheet.data
  const stored = useMemo(() => data?.rows.map(toEntryLine) ?? [], [data])
  const linked = useMemo(() => data?.linked.map(toLinkedLine) ?? [], [data])
  const rows = useMemo(() => [...stored.map((row) => pending.get(row.id) ?? row), ...linked], [stored, linked, pending])

  const keep = (entries: readonly SheetEntry[]): void => {
    const fresh = new Map(entries.map((entry) => [entry.id, entry]))
    queryClient.setQueryData<LoadedSheet>(key, (before) => {
      if (!before) return before
      const known = new Set(before.rows.map((row) => row.id))
      return {
        ...before,
        rows: [...before.rows.map((row) => fresh.get(row.id) ?? row), ...entries.filter((entry) => !known.has(entry.id))],
      }
    })
  }

  /** The latest known version of a saved row. */
  const versionOf = (id: string): number | undefined =>
    (queryClient.getQueryData<LoadedSheet>(key) ?? data)?.rows.find((row) => row.id === id)?.version

  /**
   * Saves changed and new rows in one call.
   * @returns the problem of each refused row, by its id
   */
  const save = async (changes: readonly LineChange[], isNew: readonly SheetLine[] = []): Promise<Map<string, string>> =>
    (await sendRows(changes, isNew)).problems

  /**
   * Saves changed and new rows in one call.
   * @returns the problems, and whether the server replied; if it did not, the same rows can be sent again
   */
  const sendRows = async (
    changes: readonly LineChange[],
    isNew: readonly SheetLine[],
  ): Promise<{ problems: Map<string, string>; isReached: boolean }> => {
    // Use the latest known version, not that of the last render, because the previous cell may just have been saved.
    const stored = queryClient.getQueryData<LoadedSheet>(key) ?? data
    const versions = new Map(stored?.rows.map((row) => [row.id, row.version]))
    const list = [
      ...changes.map(({ id, changes: rowChanges }) => ({ id, version: versions.get(id), changes: rowChanges })),
      ...isNew.map((row) => ({ id: null, changes: row.draft })),
    ]
    const problems = new Map<string, string>()
    let isReached = true
    if (!list.length) return { problems, isReached }
    setBusy((count) => count + 1)
    try {
      const saved = await send({ changes: list })
      if (saved.versions.length) {
        undoableVersions.current.push(saved.versions)
        setLatestUndo(undo)
      }
      keep(readRows(saved.rows))
      if (isNew.length === 1 && !changes.length) notifySuccess(notices.created(term.singular), () => void undo())
      else if (list.length > 1) notifySuccess(notices.updated(term.plural), () => void undo())
    } catch (error) {
      const problem = toPublicError(error)
      isReached = problem.code !== 'unreachable' && problem.kind !== 'unavailable'
      const keys = [...changes.map((one) => one.id), ...isNew.map((row) => row.id)]
      for (const { field, message } of problem.fields) problems.set(keys[Number(field.split('.')[0])] ?? '', message)
      if (!problem.fields.length) {
        // A single cell's problem is shown in its row, so it needs no notice.
        if (list.length > 1 || isNew.length) notifyFailure(error)
        for (const key of keys) problems.set(key, problem.message)
      }
      if (problem.code === 'stale') void sheet.refetch()
    } finally {
      setBusy((count) => count - 1)
    }
    return { problems, isReached }
  }

  /**
   * Edits a saved row: shows the change at once, saves it, and reverts it with the reason if the server refuses it. If the server cannot be
   * reached, the notice offers to retry.
   */
  const change = async (row: SheetLine, changes: SheetRowChanges): Promise<void> => {
    setPending((before) => new Map(before).set(row.id, applyRowChanges(before.get(row.id) ?? row, changes, assertDefined(data))))
    // Saves to one row run one after another, each on the version that the previous save created.
    const thisSave = (lastSaves.current.get(row.id) ?? Promise.resolve()).then(() => sendRows([{ id: row.id, changes }], []))
    lastSaves.current.set(row.id, thisSave)
    const { problems, isReached } = await thisSave
    const problem = problems.get(row.id)
    if (problem) {
      const rowError = new Error(`${row.description}: ${problem}`)
      const version = versionOf(row.id)
      if (isReached) notifyFailure(rowError)
      else notifyReverted(rowError, () => retry(row.id, { changes, version }))
    }
    if (lastSaves.current.get(row.id) !== thisSave) return
    lastSaves.current.delete(row.id)
    setPending((before) => {
      const after = new Map(before)
      after.delete(row.id)
      return after
    })
  }

  /** Retries a failed change to a row, unless the row has since been saved. */
  const retry = (id: string, { changes, version }: { changes: SheetRowChanges; version: number | undefined }): void => {
    const entry = queryClient.getQueryData<LoadedSheet>(key)?.rows.find((one) => one.id === id)
    if (!entry) return
    if (entry.version === version) void change(toEntryLine(entry), changes)
    else notifyFailure(new Error(`${entry.description} has been changed since. Type it again if it is still right.`))
  }

  /** Edits a new row, and saves it as soon as it has all fields that an entry needs. */
  const type = async (row: SheetLine, changes: SheetRowChanges, known: EntryChoices): Promise<void> => {
    const next = applyRowChanges(row, changes, assertDefined(data))
    setDrafts((before) => before.map((one) => (one.id === row.id ? next : one)))
    if (describeMissingFields(next, known)) return
    const problem = (await save([], [next])).get(row.id)
    setDrafts((before) =>
      problem ? before.map((one) => (one.id === row.id ? { ...one, problem } : one)) : before.filter((one) => one.id !== row.id),
    )
  }

  const undo = async (): Promise<void> => {
    const versions = undoableVersions.current.pop()
    if (!versions) return
    try {
      await sendUndo({ versions })
      notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    }
  }

  const remove = async (ids: readonly string[]): Promise<void> => {
    const versions = await drop({ ids: [...ids] })
    undoableVersions.current.push(versions)
    setLatestUndo(undo)
  }

  return {
    sheet,
    choices: choices.data,
    error: sheet.error ?? choices.error,
    rows,
    drafts,
    isSaving: busy > 0,
    hasDrafts: drafts.some((row) => !isEmptyLine(row)),
    change,
    type,
    save,
    undo,
    remove,
    dropDraft: (id: string): void => setDrafts((before) => before.filter((row) => row.id !== id)),
  }
}
