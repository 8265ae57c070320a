import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { differingFields, isSameValue, type ListShapes, type MergeResult, mergeChanges } from '../../../domain/changes/merge.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import type { Term } from '../../../domain/words/terms.ts'
import { problemOf } from '../../shell/api.ts'
import { failed, isNewestUndo, offerUndo, said } from '../../shell/notify.tsx'
import { useUnsaved } from '../../shell/unsaved.ts'
import { confirmDelete } from '../confirmDelete.tsx'
import type { Checked } from './checked.ts'
import { focusProblem } from './focusProblem.ts'

/** What every record has that is edited: the version it was read at, so that two people do not overwrite each other. */
export interface Kept {
  version?: number | null
}

interface EditorOptions<Values extends object, Input, Saved extends Kept, Done> {
  term: Term
  /** The record as it was read last, null for a new one. What others save comes in through it. */
  loaded: Saved | null
  /** What a form shows of a record. */
  valuesOf: (saved: Saved) => Values
  /** What a new one starts with. */
  blank: Values
  /** Whether a new one is worth a question before it is left although nothing was typed: a copy. */
  isCopy?: boolean
  /** The fields as people call them: what counts as changed, and what is named when somebody else changed it. */
  labels: Readonly<Partial<Record<keyof Values & string, string>>>
  /** One value as people read it, for a notice; none: fields are only named. */
  show?: (name: keyof Values & string, values: Values) => ReactNode
  /** Fields that read as they are typed, words and amounts: where nothing else shows values, both of these are shown where two people changed one. */
  asTyped?: readonly (keyof Values & string)[]
  /** Lists that are merged row by row or place by place. */
  shapes?: ListShapes
  isSame?: (name: string, a: unknown, b: unknown) => boolean
  check: (values: Values) => Checked<Input>
  save: (input: Input, before: Saved | null) => Promise<Saved>
  /** What is said after a save, where that is something else than that a record was created or updated. */
  notice?: string
  /** Reads the record again, when somebody else has saved it meanwhile. */
  reload: (saved: Saved) => Promise<Saved>
  /**
   * Takes a save back.
   * @param saved what was saved; @param before as it was until then, null when it was new
   * @returns the record as it stands again, or null when there is none; a promise, or null where this save cannot be taken back
   */
  takeBack?: (saved: Saved, before: Saved | null) => (() => Promise<Saved | null>) | null
  /** What follows a save, before it is said: a new record gets its own address here. */
  onSaved?: (saved: Saved, isNew: boolean) => unknown
  /** Brings a broken field into a tab that shows. */
  onProblem?: (field: string) => void
  /** Why nothing can be saved just now. */
  obstacle?: string | null
  /** Nothing may be changed here at all. */
  isReadOnly?: boolean
  /** Ctrl S and Ctrl Z belong to something else just now. */
  isInBackground?: boolean
  remove?: {
    run: (saved: Saved) => Promise<Done>
    /** The way back from it. @param done what the server answered */
    undo?: (saved: Saved, done: Done) => (() => void) | undefined
    hint?: string
    /** What is lost for good with it. */
    lost?: string
    term?: Term
    onRefused?: () => void
  }
  /** Where the list is, which is gone to when there is no record any more. */
  list: string
}

/**
 * One record in its form: what is kept, what is typed, what is wrong with it; saving by Ctrl S with the first broken field in focus, the
 * question before it is left unsaved, what somebody else saved meanwhile put together with what is typed, and a save taken back.
 */
export function useEditor<Values extends object, Input, Saved extends Kept, Done = unknown>(
  options: EditorOptions<Values, Input, Saved, Done>,
) {
  const { term, loaded, valuesOf, labels, shapes, isSame = isSameValue, obstacle = null, isReadOnly = false, list } = options
  const navigate = useNavigate()
  const [kept, setKept] = useState(() => ({ saved: loaded, base: loaded ? valuesOf(loaded) : options.blank }))
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: kept.base,
    clearInputErrorOnChange: false,
    validate: (values) => errorsOf(options.check(values).problems),
  })
  const [newer, setNewer] = useState<Saved | null>(null)
  const [busy, setBusy] = useState(false)
  /** The same as the states, for what goes on after a reply: it must see what was typed meanwhile. */
  const now = useRef({ ...kept, isRunning: false, isPressedAgain: false })
  const undoable = useRef<(() => void) | null>(null)

  const shown = useRef(form)
  shown.current = form
  const set = useCallback((part: Partial<Values>): void => {
    const { getValues, setValues, clearFieldError } = shown.current
    const before = getValues()
    setValues(part)
    for (const name of keysOf(part)) if (part[name] !== before[name]) clearFieldError(name)
  }, [])
  const typedNames = (before: Values, after: Values): (keyof Values & string)[] =>
    differingFields(before, after, isSame).filter((name) => name in labels)
  const isChanged = typedNames(kept.base, form.values).length > 0
  const isUnsaved = isChanged || Boolean(options.isCopy && !kept.saved)
  const forgetUnsaved = useUnsaved(isUnsaved)

  const keep = (saved: Saved | null, base: Values, values: Values): void => {
    Object.assign(now.current, { saved, base })
    setKept({ saved, base })
    form.setInitialValues(base)
    form.setValues(values)
  }
  /** Goes on from a record, with what was typed since `start` on top of it. */
  const goOnFrom = (saved: Saved, start: Values): void => {
    const theirs = valuesOf(saved)
    keep(saved, theirs, mergeChanges({ start, mine: form.getValues(), theirs }, { shapes, isSame }).values)
    setNewer(null)
  }
  const onLoaded = useEffectEvent((next: Saved) => {
    const { saved, base } = now.current
    // What comes while a save runs may have half of it; it is read again after that.
    if (now.current.isRunning) return
    // An answer that was on its way before a save may come after it.
    if (!saved || next === saved || (next.version ?? 0) < (saved.version ?? 0)) return
    if (typedNames(base, form.getValues()).length && typedNames(base, valuesOf(next)).length) setNewer(next)
    else goOnFrom(next, base)
  })
  useEffect(() => {
    // What others save comes in by itself, unless something else is typed here: then it is said.
    if (loaded) onLoaded(loaded)
  }, [loaded])

  const refuse = (problems: readonly FieldProblem[]): void => {
    form.setErrors(errorsOf(problems))
    if (!problems.length) return
    options.onProblem?.(assertDefined(problems[0]).field)
    focusProblem(problems)
  }
  /** Does something to the record that the server may refuse. @returns what it came to, null when it was refused */
  const run = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (now.current.isRunning) return null
    now.current.isRunning = true
    setBusy(true)
    try {
      return await work()
    } catch (error) {
      const problem = problemOf(error)
      refuse(problem.fields)
      const theirs = problem.code === 'stale' && now.current.saved ? await options.reload(now.current.saved).catch(() => null) : null
      const isNewer = theirs !== null && theirs.version !== now.current.saved?.version
      if (isNewer) setNewer(theirs)
      // What stands there already says nothing new.
      if (!isNewer || newer) failed(error)
      return null
    } finally {
      now.current.isRunning = false
      setBusy(false)
    }
  }
  /** Saves what is typed and says so. @returns what is kept then, null when it was refused */
  const save = ({ isSaid = true }: { isSaid?: boolean } = {}): Promise<Saved | null> => {
    if (obstacle || isReadOnly) return Promise.resolve(null)
    const sent = form.getValues()
    const { input, problems } = options.check(sent)
    // Who presses Save while a save runs means what was typed since: that is saved next.
    now.current.isPressedAgain = now.current.isRunning
    if (now.current.isRunning) return Promise.resolve(null)
    refuse(problems)
    if (input === null) return Promise.resolve(null)
    const done = run(async () => {
      const before = now.current.saved
      const saved = await options.save(input, before)
      goOnFrom(saved, sent)
      if (!typedNames(valuesOf(saved), form.getValues()).length) forgetUnsaved()
      const isSame = before && !typedNames(valuesOf(before), valuesOf(saved)).length
      const takeBack = isSame ? null : options.takeBack?.(saved, before)
      const undo = takeBack ? () => void undoWith(takeBack) : undefined
      undoable.current = undo ?? null
      if (undo) offerUndo(undo)
      await options.onSaved?.(saved, !before)
      const notice = options.notice ?? (before ? notices.updated(term.singular) : notices.created(term.singular))
      if (isSaid) said(notice, undo)
      return saved
    })
    return done.then((saved) => {
      const isMore = saved && now.current.isPressedAgain && typedNames(now.current.base, form.getValues()).length > 0
      return isMore ? save({ isSaid }) : saved
    })
  }
  const undoWith = async (takeBack: () => Promise<Saved | null>): Promise<void> => {
    undoable.current = null
    try {
      const back = await takeBack()
      said(notices.saved)
      // What was typed since the save that is taken back stays.
      if (back) return goOnFrom(back, now.current.base)
      forgetUnsaved()
      if (window.location.pathname.startsWith(list)) await navigate(list)
    } catch (error) {
      failed(error)
    }
  }
  useHotkeys([['mod+S', () => void (options.isInBackground || save())]], [], true)
  const undoSave = (): void => {
    const undo = undoable.current
    if (undo && !options.isInBackground && isNewestUndo(undo)) undo()
  }
  useHotkeys([['mod+Z', undoSave]])
  const problems = useMemo(
    () => Object.entries(form.errors).map(([field, message]) => ({ field, message: String(message) })),
    [form.errors],
  )
  return {
    form,
    /** What is typed. */
    values: form.values,
    /** The record as it is kept, null for a new one. */
    saved: kept.saved,
    /** What is kept as the form shows it. */
    base: kept.base,
    isUnsaved,
    isChanged,
    busy,
    obstacle,
    isReadOnly,
    problems,
    error: (field: string): string | undefined => problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message,
    set,
    /** Says what is wrong at its fields, the first of them in focus. */
    refuse,
    save,
    /** Does something else to the record, and goes on from what the server answers. */
    change: (work: () => Promise<Saved>): Promise<Saved | null> =>
      run(async () => {
        const saved = await work()
        goOnFrom(saved, now.current.base)
        return saved
      }),
    /** Goes on from a record that came about elsewhere. */
    take: (saved: Saved): void => goOnFrom(saved, now.current.base),
    /** Puts what was typed back to what is kept. */
    discard: (): void => {
      form.setValues(now.current.base)
      form.setErrors({})
    },
    remove:
      options.remove && kept.saved
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
    /** What somebody else saved meanwhile in fields of this form; null while there is nothing to be said. */
    newer: newer && {
      ...named(mergeChanges({ start: kept.base, mine: form.values, theirs: valuesOf(newer) }, { shapes, isSame }), labels),
      label: (name: keyof Values & string): string => labels[name] ?? name,
      show: options.show && ((name: keyof Values & string): ReactNode => assertDefined(options.show)(name, valuesOf(newer))),
      both: (name: keyof Values & string) => {
        const { show, asTyped } = options
        if (!show && !asTyped?.includes(name)) return null
        const shown = (values: Values): ReactNode => (show ? show(name, values) : String(values[name] ?? '') || 'nothing')
        return { mine: shown(form.values), theirs: shown(valuesOf(newer)) }
      },
      /** Goes on from theirs with what I typed on top. @param theirsIn the fields both changed in which theirs stand all the same */
      keepMine: (theirsIn: readonly (keyof Values & string)[]): void => {
        const { base } = now.current
        const part: Partial<Values> = {}
        for (const name of theirsIn) part[name] = base[name]
        form.setValues(part)
        goOnFrom(newer, base)
      },
      takeTheirs: (): void => {
        const [mine, start, theirs] = [form.getValues(), now.current.base, valuesOf(newer)]
        keep(newer, theirs, theirs)
        setNewer(null)
        form.setErrors({})
        said('What you typed was put aside.', () => form.setValues(mergeChanges({ start, mine, theirs }, { shapes, isSame }).values))
      },
    },
  }
}

function errorsOf(problems: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(problems.toReversed().map(({ field, message }) => [field, message]))
}

/** Of what was put together, what stands in this form. */
function named<Values>({ changed, conflicts }: MergeResult<Values>, labels: object): Pick<MergeResult<Values>, 'changed' | 'conflicts'> {
  return { changed: changed.filter((name) => name in labels), conflicts: conflicts.filter((name) => name in labels) }
}
