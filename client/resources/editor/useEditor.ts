import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isSameAsShown, type ListShapes, listDifferingFields, type MergeResult, mergeChanges } from '../../../domain/changes/merge.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import type { Term } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { isLatestUndo, notifyFailure, notifySuccess, setLatestUndo } from '../../shell/notify.tsx'
import { useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { confirmDelete } from '../confirmDelete.tsx'
import { focusProblem } from './focusProblem.ts'
import type { ValidationResult } from './validateWith.ts'

/** A record with the version that was read, for optimistic locking. */
export interface VersionedRecord {
  version?: number | null
}

interface EditorOptions<Values extends object, Input, Saved extends VersionedRecord, Done> {
  term: Term
  /** The latest record that was read; null for a new record. It changes when other users save. */
  loaded: Saved | null
  /** Converts a record to form values. */
  valuesOf: (saved: Saved) => Values
  /** Initial values of a new record. */
  blank: Values
  /** Whether leaving an unsaved new record needs confirmation even if the user has typed nothing, as for a copy. */
  isCopy?: boolean
  /** Labels of the fields. A change of any other field is ignored. In the notice they name the fields that another user changed. */
  labels: Readonly<Partial<Record<keyof Values & string, string>>>
  /** Displays a value in the notice of another user's change; leave out to show only the names of fields. */
  show?: (name: keyof Values & string, values: Values) => ReactNode
  /**
   * Fields whose values can be displayed as they are typed, such as text and amounts. For these fields, the notice shows both users' values
   * even without `show`.
   */
  asTyped?: readonly (keyof Values & string)[]
  /** How fields that hold lists are merged: row by row, or by index. */
  shapes?: ListShapes
  isSame?: (name: string, a: unknown, b: unknown) => boolean
  check: (values: Values) => ValidationResult<Input>
  save: (input: Input, before: Saved | null) => Promise<Saved>
  /** The notice after a save; by default the usual "created" or "updated". */
  notice?: string
  /** Fetches the record again after another user has saved it. */
  reload: (saved: Saved) => Promise<Saved>
  /**
   * Undoes a save.
   * @param saved what was saved
   * @param before the record before the save; null if it was new
   * @returns a function that restores the earlier record and returns it, or null if the save had created the record; null if this save
   * cannot be undone
   */
  createUndo?: (saved: Saved, before: Saved | null) => (() => Promise<Saved | null>) | null
  /** Runs after a save and before its notice. A new record gets its URL here. */
  onSaved?: (saved: Saved, isNew: boolean) => unknown
  /** Opens the tab that contains an invalid field. */
  onProblem?: (field: string) => void
  /** The reason why the record cannot be saved now. */
  obstacle?: string | null
  /** Whether the whole record is read-only. */
  isReadOnly?: boolean
  /** Whether another part of the page now handles Ctrl+S and Ctrl+Z. */
  isInBackground?: boolean
  remove?: {
    run: (saved: Saved) => Promise<Done>
    /** Returns a function that restores the deleted record; undefined if it cannot be restored. */
    undo?: (saved: Saved, done: Done) => (() => void) | undefined
    hint?: string
    /** What the deletion also removes permanently. */
    lost?: string
    term?: Term
    onRefused?: () => void
  }
  /** Path of the list to return to after a deletion. */
  list: string
}

/**
 * The state of one record's form: saved and unsaved values, problems, saving with Ctrl+S, a question before leaving with unsaved changes,
 * merging with another user's save, and undo.
 */
export function useEditor<Values extends object, Input, Saved extends VersionedRecord, Done = unknown>(
  options: EditorOptions<Values, Input, Saved, Done>,
) {
  const { term, loaded, valuesOf, labels, shapes, isSame = isSameAsShown, obstacle = null, isReadOnly = false, list } = options
  const navigate = useNavigate()
  const [savedState, setSavedState] = useState(() => ({ saved: loaded, base: loaded ? valuesOf(loaded) : options.blank }))
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: savedState.base,
    clearInputErrorOnChange: false,
    validate: (values) => toErrorsByField(options.check(values).problems),
  })
  const [newer, setNewer] = useState<Saved | null>(null)
  const [busy, setBusy] = useState(false)
  /** The current state, for code that continues after a reply of the server and must see what the user typed in the meantime. */
  const now = useRef({ ...savedState, isRunning: false, isPressedAgain: false })
  const undoable = useRef<(() => void) | null>(null)

  const shown = useRef(form)
  shown.current = form
  const set = useCallback((part: Partial<Values>): void => {
    const { getValues, setValues, errors, clearFieldError } = shown.current
    const before = getValues()
    setValues(part)
    for (const name of keysOf(part)) if (part[name] !== before[name] && name in errors) clearFieldError(name)
  }, [])
  const typedNames = (before: Values, after: Values): (keyof Values & string)[] =>
    listDifferingFields(before, after, isSame).filter((name) => name in labels)
  const isChanged = typedNames(savedState.base, form.values).length > 0
  const isUnsaved = isChanged || Boolean(options.isCopy && !savedState.saved)
  const forgetUnsaved = useUnsavedChanges(isUnsaved)

  const keep = (saved: Saved | null, base: Values, values: Values): void => {
    Object.assign(now.current, { saved, base })
    setSavedState({ saved, base })
    form.setInitialValues(base)
    form.setValues(values)
  }
  /** Shows a record that was read, with the changes that the user made since `start`. */
  const adoptSaved = (saved: Saved, start: Values): void => {
    const theirs = valuesOf(saved)
    keep(saved, theirs, mergeChanges({ start, mine: form.getValues(), theirs }, { shapes, isSame }).values)
    setNewer(null)
  }
  const onLoaded = useEffectEvent((next: Saved) => {
    const { saved, base } = now.current
    // A record that was read during a save may contain only some of the changes. It is read again after the save.
    if (now.current.isRunning) return
    // A reply to a request sent before a save may arrive after the save.
    if (!saved || next === saved || (next.version ?? 0) < (saved.version ?? 0)) return
    if (typedNames(base, form.getValues()).length && typedNames(base, valuesOf(next)).length) setNewer(next)
    else adoptSaved(next, base)
  })
  useEffect(() => {
    // If the user has unsaved changes, a notice appears when another user saves. Otherwise the form simply shows what was saved.
    if (loaded) onLoaded(loaded)
  }, [loaded])

  const refuse = (problems: readonly FieldProblem[]): void => {
    form.setErrors(toErrorsByField(problems))
    if (!problems.length) return
    options.onProblem?.(assertDefined(problems[0]).field)
    focusProblem(problems)
  }
  /**
   * Runs an action that the server may refuse.
   * @returns the result; null if it was refused
   */
  const run = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (now.current.isRunning) return null
    now.current.isRunning = true
    setBusy(true)
    try {
      return await work()
    } catch (error) {
      const problem = toPublicError(error)
      refuse(problem.fields)
      const theirs = problem.code === 'stale' && now.current.saved ? await options.reload(now.current.saved).catch(() => null) : null
      const isNewer = theirs !== null && theirs.version !== now.current.saved?.version
      if (isNewer) setNewer(theirs)
      // A notice that is already visible explains the refusal.
      if (!isNewer || newer) notifyFailure(error)
      return null
    } finally {
      now.current.isRunning = false
      setBusy(false)
    }
  }
  /**
   * Saves the form and shows a notice.
   * @returns the saved record; null if the save was refused
   */
  const save = ({ showsNotice = true }: { showsNotice?: boolean } = {}): Promise<Saved | null> => {
    if (obstacle || isReadOnly) return Promise.resolve(null)
    const sent = form.getValues()
    const { input, problems } = options.check(sent)
    // If the user presses Save during a save, there are new changes, so save again afterwards.
    now.current.isPressedAgain = now.current.isRunning
    if (now.current.isRunning) return Promise.resolve(null)
    refuse(problems)
    if (input === null) return Promise.resolve(null)
    const done = run(async () => {
      const before = now.current.saved
      const saved = await options.save(input, before)
      adoptSaved(saved, sent)
      if (!typedNames(valuesOf(saved), form.getValues()).length) forgetUnsaved()
      const isSame = before && !typedNames(valuesOf(before), valuesOf(saved)).length
      const undoSaved = isSame ? null : options.createUndo?.(saved, before)
      const undo = undoSaved ? () => void undoWith(undoSaved) : undefined
      undoable.current = undo ?? null
      if (undo) setLatestUndo(undo)
      await options.onSaved?.(saved, !before)
      const notice = options.notice ?? (before ? notices.updated(term.singular) : notices.created(term.singular))
      if (showsNotice) notifySuccess(notice, undo)
      return saved
    })
    return done.then((saved) => {
      const isMore = saved && now.current.isPressedAgain && typedNames(now.current.base, form.getValues()).length > 0
      return isMore ? save({ showsNotice }) : saved
    })
  }
  const undoWith = async (undoSaved: () => Promise<Saved | null>): Promise<void> => {
    undoable.current = null
    try {
      const back = await undoSaved()
      notifySuccess(notices.saved)
      // Keep what the user typed after the save that is undone.
      if (back) return adoptSaved(back, now.current.base)
      forgetUnsaved()
      if (window.location.pathname.startsWith(list)) await navigate(list)
    } catch (error) {
      notifyFailure(error)
    }
  }
  useHotkeys([['mod+S', () => void (options.isInBackground || save())]], [], true)
  const undoSave = (): void => {
    const undo = undoable.current
    if (undo && !options.isInBackground && isLatestUndo(undo)) undo()
  }
  useHotkeys([['mod+Z', undoSave]])
  const problems = useMemo(
    () => Object.entries(form.errors).map(([field, message]) => ({ field, message: String(message) })),
    [form.errors],
  )
  return {
    form,
    /** The current values of the form. */
    values: form.values,
    /** The saved record; null for a new record. */
    saved: savedState.saved,
    /** The saved record as form values. */
    base: savedState.base,
    isUnsaved,
    isChanged,
    busy,
    obstacle,
    isReadOnly,
    problems,
    error: (field: string): string | undefined => problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message,
    set,
    /** Shows problems at their fields and focuses the first one. */
    refuse,
    save,
    /** Runs another action on the record, and shows the record that the server returns. */
    change: (work: () => Promise<Saved>): Promise<Saved | null> =>
      run(async () => {
        const saved = await work()
        adoptSaved(saved, now.current.base)
        return saved
      }),
    /** Shows a record that was changed elsewhere. */
    take: (saved: Saved): void => adoptSaved(saved, now.current.base),
    /** Restores the saved values. */
    discard: (): void => {
      form.setValues(now.current.base)
      form.setErrors({})
    },
    remove:
      options.remove && savedState.saved
        ? (): void =>
            confirmDelete({
              term: assertDefined(options.remove).term ?? term,
              count: 1,
              one: true,
              hint: assertDefined(options.remove).hint,
              lost: assertDefined(options.remove).lost,
              run: () => assertDefined(options.remove).run(assertDefined(now.current.saved)),
              undo: (done) => options.remove?.undo?.(assertDefined(now.current.saved), done),
              after: () => {
                forgetUnsaved()
                return navigate(list)
              },
              onRefused: assertDefined(options.remove).onRefused,
            })
        : undefined,
    /** What another user changed in this form's fields; null if no fields are affected. */
    newer: newer && {
      ...limitToLabels(mergeChanges({ start: savedState.base, mine: form.values, theirs: valuesOf(newer) }, { shapes, isSame }), labels),
      label: (name: keyof Values & string): string => labels[name] ?? name,
      show: options.show && ((name: keyof Values & string): ReactNode => assertDefined(options.show)(name, valuesOf(newer))),
      both: (name: keyof Values & string) => {
        const { show, asTyped } = options
        if (!show && !asTyped?.includes(name)) return null
        const shown = (values: Values): ReactNode => (show ? show(name, values) : String(values[name] ?? '') || 'nothing')
        return { mine: shown(form.values), theirs: shown(valuesOf(newer)) }
      },
      /**
       * Shows the other user's record with this user's changes.
       * @param theirsIn fields that both changed and in which the other user's value is kept
       */
      keepMine: (theirsIn: readonly (keyof Values & string)[]): void => {
        const { base } = now.current
        const part: Partial<Values> = {}
        for (const name of theirsIn) part[name] = base[name]
        form.setValues(part)
        adoptSaved(newer, base)
      },
      takeTheirs: (): void => {
        const [mine, start, theirs] = [form.getValues(), now.current.base, valuesOf(newer)]
        keep(newer, theirs, theirs)
        setNewer(null)
        form.setErrors({})
        notifySuccess('Kept their version instead of yours.', () =>
          form.setValues(mergeChanges({ start, mine, theirs }, { shapes, isSame }).values),
        )
      },
    },
  }
}

function toErrorsByField(problems: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(problems.toReversed().map(({ field, message }) => [field, message]))
}

/** Limits a merge result to the fields of this form. */
function limitToLabels<Values>(
  { changed, conflicts }: MergeResult<Values>,
  labels: object,
): Pick<MergeResult<Values>, 'changed' | 'conflicts'> {
  return { changed: changed.filter((name) => name in labels), conflicts: conflicts.filter((name) => name in labels) }
}
