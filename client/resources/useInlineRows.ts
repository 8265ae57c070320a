import { useEffect, useState } from 'react'
import type { FieldProblem } from '../../domain/errors.ts'
import type { FilterItem } from '../../domain/lists.ts'
import { fullListSize, notices } from '../../domain/notices.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { changedFields, checkRecord, newRecord, type Values } from '../../domain/resources/schema.ts'
import { problemOf } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { said } from '../shell/notify.tsx'
import { forgetUnsaved } from '../shell/unsaved.ts'
import { answersOf, callsOf, hooksOf } from './resourceApi.ts'

/** One row of a list that is edited in place. */
export interface DraftRow {
  key: string
  saved: AnyRecord | null
  values: Values
  state: 'saved' | 'changed' | 'new' | 'removed'
  problems: FieldProblem[]
}

const asRow = (record: AnyRecord): DraftRow => ({ key: String(record.id), saved: record, values: record, state: 'saved', problems: [] })

/** The rows of an inline list: what is saved, what is typed, and saving all of it. */
export function useInlineRows(resource: AnyResource, fixed: Values) {
  const calls = callsOf(resource)
  const term = useTerm()(resource.key)
  const filters: FilterItem[] = Object.entries(fixed).map(([filter, value]) => ({
    filter,
    filterType: 'set',
    values: [value as number],
    static: true,
  }))
  const request = { pageNumber: 1, pageSize: fullListSize, filters }
  const query = hooksOf(resource).list.useQuery(request)
  const [rows, setRows] = useState<DraftRow[]>([])
  const [busy, setBusy] = useState(false)
  const [general, setGeneral] = useState<string | null>(null)
  useEffect(() => {
    if (!query.data) return
    // What somebody is typing stays; every other row is as the server has it now.
    setRows((before) => {
      const typed = new Map(before.filter((row) => row.state !== 'saved').map((row) => [row.key, row]))
      const known = query.data.rows.map((record) => typed.get(String(record.id)) ?? asRow(record))
      return [...known, ...before.filter((row) => row.state === 'new')]
    })
  }, [query.data])
  const change = (key: string, part: Values): void =>
    setRows((before) =>
      before.map((row) => {
        if (row.key !== key) return row
        const values = { ...row.values, ...part }
        const state = !row.saved ? 'new' : changedFields(resource, row.saved, values).length ? 'changed' : 'saved'
        return { ...row, values, state, problems: [] }
      }),
    )
  const remove = (key: string): void =>
    setRows((before) => before.flatMap((row) => (row.key !== key ? [row] : row.saved ? [{ ...row, state: 'removed' as const }] : [])))
  const touched = rows.filter((row) => row.state !== 'saved')

  /** Saves one row. @returns what is wrong with it, or null */
  const saveRow = async (row: DraftRow): Promise<FieldProblem[] | null> => {
    const values = { ...row.values, ...fixed }
    try {
      if (row.state === 'removed') await calls.delete.mutate({ id: row.saved!.id })
      else {
        const { problems } = checkRecord(resource, values)
        if (problems.length) return problems
        if (row.saved) await calls.update.mutate({ ...values, id: row.saved.id, version: row.saved.version })
        else await calls.create.mutate(values)
      }
      return null
    } catch (error) {
      const problem = problemOf(error)
      return problem.fields.length ? problem.fields : [{ field: '', message: problem.message }]
    }
  }
  const save = async (): Promise<void> => {
    if (busy || !touched.length) return
    setBusy(true)
    setGeneral(null)
    const outcomes = new Map<string, FieldProblem[] | null>()
    // Rows that go are saved first: what takes their place may have the same location or date.
    for (const row of [...touched].sort((a, b) => Number(b.state === 'removed') - Number(a.state === 'removed')))
      outcomes.set(row.key, await saveRow(row))
    // A row may have been in the way of another before it was saved itself.
    for (const row of touched) if (outcomes.get(row.key)) outcomes.set(row.key, await saveRow(row))
    const failed = [...outcomes.values()].flatMap((problems) => problems ?? [])
    const fresh = await calls.list.query(request)
    setRows((before) => {
      const broken = before.filter((row) => outcomes.get(row.key)?.length).map((row) => ({ ...row, problems: outcomes.get(row.key)! }))
      const byKey = new Map(broken.map((row) => [row.key, row]))
      return [...fresh.rows.map((record) => byKey.get(String(record.id)) ?? asRow(record)), ...broken.filter((row) => !row.saved)]
    })
    answersOf(resource).list.setData(request, fresh)
    setGeneral(failed.find((problem) => !resource.fields[problem.field.split('.')[0]!])?.message ?? null)
    if (!failed.length) {
      forgetUnsaved()
      said(notices.updated(touched.length === 1 ? term.singular : term.plural))
    }
    setBusy(false)
  }
  return {
    loaded: query.isSuccess,
    error: query.error,
    rows: rows.filter((row) => row.state !== 'removed'),
    removed: rows.filter((row) => row.state === 'removed').length,
    changed: touched.length,
    busy,
    /** What is wrong that belongs to no column. */
    general,
    change,
    remove,
    save,
    add: (): void =>
      setRows((before) => [
        ...before,
        { key: crypto.randomUUID(), saved: null, values: { ...newRecord(resource), ...fixed }, state: 'new', problems: [] },
      ]),
    discard: (): void => {
      setRows((query.data?.rows ?? []).map(asRow))
      setGeneral(null)
    },
  }
}
