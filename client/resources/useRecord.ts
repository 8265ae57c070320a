import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import { changedFields, checkRecord, missingBySettings, type Values } from '../../domain/resources/schema.ts'
import { problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import type { Screen } from '../shell/screens.ts'
import { reloadPlaces, useTerm } from '../state/core.ts'
import { currentSelection } from '../state/selection.ts'
import { forgetUnsaved } from '../state/unsaved.ts'
import { focusProblem } from './RecordForm.tsx'
import { useScreenResource } from './useScreenResource.ts'

const kept = ['list', 'names', 'pick', 'history', 'uses', 'inline', 'liveInputs', 'contracts']

/** A record in its form: what is saved, what is typed, what is wrong with it, and saving. */
export function useRecord({
  screen,
  loaded,
  start,
  onProblem,
}: {
  screen: Screen
  loaded: AnyRecord | null
  start: Values
  /** Brings the broken field into a tab that shows. */
  onProblem: (field: string) => void
}) {
  const { resource, calls, flags } = useScreenResource(screen)
  const term = useTerm()(resource.key)
  const navigate = useNavigate()
  const [saved, setSaved] = useState<AnyRecord | null>(loaded)
  const [values, setValues] = useState<Values>(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [newer, setNewer] = useState<AnyRecord | null>(null)
  const [busy, setBusy] = useState(false)
  const unsaved = changedFields(resource, saved ?? start, values).length > 0
  useEffect(() => {
    // An answer that was on its way before a save may come after it: only what is newer is taken.
    if (loaded && loaded.version > (saved?.version ?? 0) && !unsaved) {
      setSaved(loaded)
      setValues(loaded)
    }
  }, [loaded, saved, unsaved])
  const refresh = (): void => {
    if (resource.name === 'organisation' || resource.name === 'location') void reloadPlaces()
    void queries.invalidateQueries({ predicate: ({ queryKey }) => kept.includes(String(queryKey[0])) })
  }
  const refuse = (broken: FieldProblem[]): void => {
    setProblems(broken)
    if (!broken.length) return
    onProblem(broken[0]!.field.split('.')[0]!)
    focusProblem(broken)
  }
  const save = async (): Promise<void> => {
    if (busy) return
    const checked = checkRecord(resource, { ...values })
    const broken = [...checked.problems, ...missingBySettings(resource, values, flags)]
    refuse(broken)
    if (broken.length) return
    setBusy(true)
    try {
      const result = saved
        ? await calls.update.mutate({ ...values, id: saved.id, version: saved.version })
        : await calls.create.mutate(values)
      setSaved(result)
      setValues(result)
      setNewer(null)
      forgetUnsaved()
      refresh()
      // Screens know a record under the selected organisation. It stands there before the address changes, and the new form stands before
      // the notice shows: whoever goes on typing at once types into that.
      queries.setQueryData(['record', screen.path, currentSelection().organisationId, result.id], result)
      if (!saved)
        await navigate(screen.children?.includes(':id') ? `${screen.path}/${result.id}` : screen.path, { replace: true, flushSync: true })
      said(saved ? notices.updated(term.singular) : notices.created(term.singular))
    } catch (error) {
      const problem = problemOf(error)
      refuse(problem.fields)
      if (problem.code === 'stale') setNewer((problem.details as { record?: AnyRecord } | undefined)?.record ?? null)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    saved,
    values,
    setValues,
    problems,
    newer,
    busy,
    save,
    refresh,
    /** Puts what was typed back to what is saved. */
    discard: (): void => {
      setValues(saved ?? start)
      setProblems([])
    },
    /** Goes on from what the server holds, with these values in the form. */
    take: (next: Values, base: AnyRecord): void => {
      setValues(next)
      setSaved(base)
      setNewer(null)
    },
  }
}
