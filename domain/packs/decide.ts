import type { MonitoringEvent } from '../monitoring/events.ts'
import type { MonitoringState } from '../monitoring/evolve.ts'
import { monthWords, type StoredMonitoring } from '../monitoring/monitoring.ts'
import { type OlderCosts, olderCostsNames } from '../reports/olderCosts.ts'
import { displayCount } from '../values/format.ts'
import { conflict, type FieldProblem, invalid, notFound, staleRecord } from '../words/errors.ts'
import {
  type Chapter,
  type DueLine,
  type PackContentInput,
  type PackFigures,
  type PackItem,
  type PackStart,
  type Pins,
  packKey,
} from './pack.ts'
import { unknownIn } from './references.ts'

/** A pack of a log. @throws DomainError 404 */
export function storedPack(state: MonitoringState, code: string): StoredMonitoring<PackItem> {
  const stored = state.items.get(packKey(code))
  if (stored?.item.kind !== 'pack') throw notFound('Pack')
  return { ...stored, item: stored.item }
}

/** What is wrong with what people wrote, each at its field. */
export function problemsOf({ chapters, texts, decisions }: PackContentInput): FieldProblem[] {
  const said = (field: string, text: string): FieldProblem[] =>
    unknownIn(text)
      .slice(0, 1)
      .map((key) => ({ field, message: `There is no figure {${key}}. Choose one from the list.` }))
  return [
    ...(new Set(chapters).size < chapters.length ? [{ field: 'chapters', message: 'Choose each chapter once.' }] : []),
    ...Object.entries(texts).flatMap(([chapter, text]) => said(`texts.${chapter}`, text)),
    ...decisions.flatMap((text, index) => said(`decisions.${index}`, text)),
  ]
}

/** @throws DomainError 400 at the field that holds a figure that there is none of, or for a chapter that is chosen twice */
export function checkContent(content: PackContentInput): void {
  const problems = problemsOf(content)
  if (problems.length) throw invalid(problems)
}

export function startPack(state: MonitoringState, start: PackStart): MonitoringEvent[] {
  if (state.items.has(packKey(start.code))) throw conflict('sameCode', 'This code is taken. Try again.')
  return [{ type: 'PackStarted', data: start }]
}

/** A pack that may still be changed. @throws DomainError 404; 409 for one that is finished */
function draftOf(state: MonitoringState, code: string): StoredMonitoring<PackItem> {
  const stored = storedPack(state, code)
  if (stored.item.finished) throw conflict('packFinished', 'This pack is finished and can no longer be changed. Start a new one from it.')
  return stored
}

function refuseNewer(stored: StoredMonitoring, version: number): void {
  if (stored.version !== version) throw staleRecord(undefined)
}

/** @param version the one that what is saved was made from @throws DomainError 409 for a pack that is finished or was changed since */
export function savePack(
  state: MonitoringState,
  { code, version, chapters, sealedWords }: { code: string; version: number; chapters: Chapter[]; sealedWords: string },
): MonitoringEvent[] {
  refuseNewer(draftOf(state, code), version)
  return [{ type: 'PackSaved', data: { code, chapters, sealedWords } }]
}

/** So many lines are named; more are counted. */
const mostNamed = 5

/** Says which lines are in the way of finishing a pack. */
function refuseDue(month: { year: number; month: number }, due: readonly DueLine[]): void {
  if (!due.length) return
  const named = due.slice(0, mostNamed).map(({ code, description, needs }) => `${code ?? ''} ${description} (${needs})`.trim())
  const more = due.length - named.length
  throw conflict(
    'linesDue',
    `The pack of ${monthWords(month)} cannot be finished: ${displayCount(due.length, 'line')} over the threshold ${
      due.length === 1 ? 'has' : 'have'
    } no reason or no action: ${named.join(', ')}${more > 0 ? ` and ${displayCount(more, 'other')}` : ''}.`,
    { lines: due },
  )
}

/** Figures stay with a pack for good: they are not those of costs that are older than what they are calculated with. */
function refuseOlder(month: { year: number; month: number }, older: readonly OlderCosts[]): void {
  if (!older.length) return
  throw conflict(
    'recalculationRequired',
    `The pack of ${monthWords(month)} cannot be finished: costs are older than what they are calculated with. Recalculate ${olderCostsNames(older)} first.`,
  )
}

/**
 * @throws DomainError 409 for a pack that is finished or was changed since, without chapters, while costs are to be recalculated, or while a
 * line over the threshold is unexplained
 */
export function finishPack(
  state: MonitoringState,
  {
    code,
    version,
    due,
    older,
    ...content
  }: {
    code: string
    version: number
    due: readonly DueLine[]
    older: readonly OlderCosts[]
    pins: Pins
    figures: PackFigures
    sealedRemarks: string
  },
): MonitoringEvent[] {
  const stored = draftOf(state, code)
  refuseNewer(stored, version)
  if (!stored.item.chapters.length) throw conflict('noChapters', 'Choose at least one chapter first.')
  refuseOlder(stored.item, older)
  refuseDue(stored.item, due)
  return [{ type: 'PackFinished', data: { code, ...content } }]
}

/** @throws DomainError 409 for a pack that is finished */
export function discardPack(state: MonitoringState, code: string): MonitoringEvent[] {
  draftOf(state, code)
  return [{ type: 'PackDiscarded', data: { code } }]
}
