import { useRef } from 'react'
import { looksSame } from '../../../domain/changes/merge.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { buildNewRecord, checkRecord, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import { ClientRefusalError, toPublicError } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { useEditor } from '../editor/useEditor.ts'
import { useResourceMutations } from '../resourceApi.ts'

/** A row edited in place. Its key stays the same when a new row gets its id. */
export interface InlineRow {
  key: string
  values: RecordValues
}

/** The saved records of a list. Each record has a version; the list itself has none. */
export interface SavedInlineRows {
  rows: readonly AnyRecord[]
  version: null
}

/** A change to one record. */
type Step =
  | { kind: 'delete'; key: string; record: AnyRecord }
  | { kind: 'update'; key: string; record: AnyRecord; values: RecordValues }
  | { kind: 'create'; key: string; values: RecordValues }

/** The number of rows sent in parallel. New rows are sent one after another, because identical new rows are separate records. */
const maximumParallel = 10

/** The path of a cell in the form, which contains the key of its row. */
const cellPathOf = (key: string, field: string): string => `rows.${key}.${field}`

/** Edits the rows of an inline list as one form. Saving sends all changed rows; the server accepts or refuses each of them separately. */
export function useInlineRows(
  resource: AnyResource,
  {
    fixed,
    loaded,
    reload,
    isReadOnly,
  }: { fixed: RecordValues; loaded: SavedInlineRows; reload: () => Promise<SavedInlineRows>; isReadOnly: boolean },
) {
  const saves = useResourceMutations(resource)
  const term = useTerm()(resource.key)
  /** The keys that new rows had before they got ids, by id. They keep the focus in a new row while it is saved. */
  const keys = useRef(new Map<number, string>())
  const adoptSaved = useRef<(saved: SavedInlineRows) => void>(() => undefined)
  const keyOf = ({ id }: AnyRecord): string => keys.current.get(id) ?? String(id)
  const valuesOf = (record: AnyRecord): RecordValues => Object.fromEntries(Object.keys(resource.fields).map((name) => [name, record[name]]))
  const rowsOf = (records: readonly AnyRecord[]): InlineRow[] => records.map((record) => ({ key: keyOf(record), values: valuesOf(record) }))

  const stepsTo = (rows: readonly InlineRow[], from: readonly AnyRecord[]): Step[] => {
    const existing = new Map(from.map((record) => [keyOf(record), record]))
    const remainingKeys = new Set(rows.map(({ key }) => key))
    return [
      // Deletions come first, because a new row may have the same location or date as the row that it replaces.
      ...[...existing].filter(([key]) => !remainingKeys.has(key)).map(([key, record]): Step => ({ kind: 'delete', key, record })),
      ...rows.flatMap(({ key, values }): Step[] => {
        const record = existing.get(key)
        if (!record) return [{ kind: 'create', key, values }]
        return looksSame(valuesOf(record), values) ? [] : [{ kind: 'update', key, record, values }]
      }),
    ]
  }
  /**
   * Performs one change.
   * @returns the saved record; null if it was deleted
   */
  const performStep = async (step: Step): Promise<AnyRecord | null> => {
    if (step.kind === 'delete') {
      await saves.delete({ id: step.record.id })
      return null
    }
    const values = { ...step.values, ...fixed }
    if (step.kind === 'update') return saves.update({ ...values, id: step.record.id, version: step.record.version })
    const created = await saves.create(values)
    keys.current.set(created.id, step.key)
    return created
  }
  /** Makes all changes, then retries those that were refused, because one change may have prevented another. */
  const performSteps = async (steps: readonly Step[], from: readonly AnyRecord[]) => {
    const done = new Map<string, AnyRecord | null>()
    const refused = new Map<string, unknown>()
    const attempt = async (some: readonly Step[]): Promise<void> => {
      for (let at = 0; at < some.length; at += maximumParallel)
        await Promise.all(
          some.slice(at, at + maximumParallel).map(async (step) => {
            try {
              done.set(step.key, await performStep(step))
              refused.delete(step.key)
            } catch (error) {
              refused.set(step.key, error)
            }
          }),
        )
    }
    const attemptAll = async (some: readonly Step[]): Promise<void> => {
      for (const kind of ['delete', 'update'] as const) await attempt(some.filter((step) => step.kind === kind))
      for (const step of some) if (step.kind === 'create') await attempt([step])
    }
    await attemptAll(steps)
    await attemptAll(steps.filter(({ key }) => refused.has(key)))
    const known = new Set(from.map(keyOf))
    const rows = [
      ...from.flatMap((record) => (done.has(keyOf(record)) ? (done.get(keyOf(record)) ?? []) : [record])),
      ...[...done].flatMap(([key, record]) => (record && !known.has(key) ? [record] : [])),
    ]
    return { kept: { rows, version: null } satisfies SavedInlineRows, refused }
  }
  const editor = useEditor<{ rows: InlineRow[] }, readonly InlineRow[], SavedInlineRows>({
    term,
    loaded,
    valuesOf: ({ rows }) => ({ rows: rowsOf(rows) }),
    blank: { rows: [] },
    labels: { rows: term.plural },
    shapes: { rows: { rowsBy: 'key' } },
    check: ({ rows }) => {
      const problems = stepsTo(rows, getSavedRows().rows).flatMap((step): FieldProblem[] =>
        step.kind === 'delete'
          ? []
          : checkRecord(resource, { ...step.values, ...fixed }).problems.map(({ field, message }) => ({
              field: cellPathOf(step.key, field),
              message,
            })),
      )
      return problems.length ? { input: null, problems } : { input: rows, problems: [] }
    },
    save: async (rows, before) => {
      const steps = stepsTo(rows, assertDefined(before).rows)
      const { kept: saved, refused } = await performSteps(steps, assertDefined(before).rows)
      if (!refused.size) return saved
      // Saved rows stay saved. The other rows keep what the user typed and show the reason.
      adoptSaved.current(saved)
      const problems = [...refused].map(([key, error]) => ({ key, problem: toPublicError(error) }))
      const fields = problems.flatMap(({ key, problem }) =>
        problem.fields.map(({ field, message }) => ({ field: cellPathOf(key, field), message })),
      )
      const [first] = problems
      const left = `${displayCount(refused.size, 'row')} of ${steps.length} could not be saved.`
      throw new ClientRefusalError(fields.length ? left : `${left} ${assertDefined(first).problem.message}`, fields)
    },
    notice: notices.updated(term.plural),
    reload,
    createUndo: (saved, before) => async () => {
      const { kept: back, refused } = await performSteps(stepsTo(rowsOf(before?.rows ?? []), saved.rows), saved.rows)
      const [problem] = refused.values()
      if (problem) throw problem
      return back
    },
    isReadOnly,
    list: '/',
  })
  function getSavedRows(): SavedInlineRows {
    return editor.saved ?? loaded
  }
  adoptSaved.current = editor.take
  const { rows } = editor.values
  const base = new Map(editor.base.rows.map((row) => [row.key, row]))
  const shown = new Set(rows.map(({ key }) => key))
  const removed = editor.base.rows.filter(({ key }) => !shown.has(key)).length
  const isChanged = ({ key, values }: InlineRow): boolean => !looksSame(base.get(key)?.values, values)
  const setRows = (next: InlineRow[]): void => editor.set({ rows: next })
  return {
    editor,
    rows,
    removed,
    changed: rows.filter(isChanged).length + removed,
    isChanged,
    /** The problem of a cell, or of its row if the problem names no column. */
    problemOf: (key: string, field: string): string | undefined => editor.error(cellPathOf(key, field)),
    /** The message of a problem that belongs to no column. */
    general: editor.problems.find(({ field }) => !resource.fields[field.split('.')[2] ?? ''])?.message ?? null,
    change: (key: string, part: RecordValues): void => {
      for (const name of Object.keys(part)) editor.form.clearFieldError(cellPathOf(key, name))
      setRows(rows.map((row) => (row.key === key ? { ...row, values: { ...row.values, ...part } } : row)))
    },
    add: (): void => setRows([...rows, { key: crypto.randomUUID(), values: { ...buildNewRecord(resource), ...fixed } }]),
    remove: (key: string): void => setRows(rows.filter((row) => row.key !== key)),
  }
}
