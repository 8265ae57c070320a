import type { LoggedItem } from '../changes/itemLog.ts'
import type { MonitoringEvent } from '../monitoring/events.ts'
import type { MonitoringState } from '../monitoring/evolve.ts'
import { formatMonth } from '../monitoring/monitoring.ts'
import { type BudgetWithOutdatedCosts, formatBudgetNames } from '../reports/outdatedCosts.ts'
import { displayCount, displayList } from '../values/format.ts'
import { conflict, type FieldProblem, invalid, notFound, staleRecord } from '../words/errors.ts'
import { findUnknownReferences } from './figureReferences.ts'
import {
  buildPackKey,
  type Chapter,
  chapterTitles,
  createDefaultPackTexts,
  type LogPositions,
  type PackContentInput,
  type PackFigures,
  type PackItem,
  type PackStart,
  type PackTexts,
  type UnexplainedLine,
} from './pack.ts'

/** Chapters whose text from an earlier month nobody has checked, and that month. */
export interface UnreadChapters {
  year: number
  month: number
  chapters: Chapter[]
}

/** Finds the pack with a code. @throws DomainError 404 */
export function findStoredPack(state: MonitoringState, code: string): LoggedItem<PackItem> {
  const stored = state.items.get(buildPackKey(code))
  if (stored?.item.kind !== 'pack') throw notFound('Pack')
  return { ...stored, item: stored.item }
}

export function findPackContentProblems({ chapters, texts, decisions }: PackContentInput): FieldProblem[] {
  const problemIn = (field: string, text: string): FieldProblem[] =>
    findUnknownReferences(text)
      .slice(0, 1)
      .map((key) => ({ field, message: `There is no figure {${key}}. Choose one from the list.` }))
  return [
    ...(new Set(chapters).size < chapters.length ? [{ field: 'chapters', message: 'Choose each chapter once.' }] : []),
    ...Object.entries(texts).flatMap(([chapter, text]) => problemIn(`texts.${chapter}`, text)),
    ...decisions.flatMap((text, index) => problemIn(`decisions.${index}`, text)),
  ]
}

/** Checks the content of a pack. @throws DomainError 400 at the field with an unknown figure, or for a duplicate chapter */
export function checkPackContent(content: PackContentInput): void {
  const problems = findPackContentProblems(content)
  if (problems.length) throw invalid(problems)
}

/**
 * The chapters whose text comes from an earlier month and has neither been changed nor marked as read since. Texts that Bursar itself wrote
 * are left out, because they contain nothing but linked figures.
 * @param earlier the texts that the pack began with; null if they are not from an earlier month
 */
export function findUnreadChapters(
  { chapters, texts, decisions, read }: PackContentInput,
  earlier: Pick<PackTexts, 'texts' | 'decisions'> | null,
): Chapter[] {
  if (!earlier) return []
  const original = createDefaultPackTexts(null).texts
  const isSame = (chapter: Chapter): boolean => {
    const text = (texts[chapter] ?? '').trim()
    return text !== '' && text === earlier.texts[chapter]?.trim() && text !== original[chapter]
  }
  const areDecisionsSame = decisions.length > 0 && decisions.join('\n') === earlier.decisions.join('\n')
  return chapters.filter((chapter) => !read?.includes(chapter) && (isSame(chapter) || (chapter === 'decisions' && areDecisionsSame)))
}

export function startPack(state: MonitoringState, start: PackStart): MonitoringEvent[] {
  if (state.items.has(buildPackKey(start.code))) throw conflict('sameCode', 'This code is taken. Try again.')
  return [{ type: 'PackStarted', data: start }]
}

/** Finds a pack that can still be changed. @throws DomainError 404; 409 if the pack is finished */
function findDraft(state: MonitoringState, code: string): LoggedItem<PackItem> {
  const stored = findStoredPack(state, code)
  if (stored.item.finished) throw conflict('packFinished', 'This pack is finished and can no longer be changed. Start a new one from it.')
  return stored
}

function refuseOutdated(stored: LoggedItem<unknown>, version: number): void {
  if (stored.version !== version) throw staleRecord(undefined)
}

/** Saves a pack. @param version the version that the user edited @throws DomainError 409 if the pack is finished or has changed since */
export function savePack(
  state: MonitoringState,
  { code, version, chapters, sealedWords }: { code: string; version: number; chapters: Chapter[]; sealedWords: string },
): MonitoringEvent[] {
  refuseOutdated(findDraft(state, code), version)
  return [{ type: 'PackSaved', data: { code, chapters, sealedWords } }]
}

const maximumNamed = 5

/** Refuses to finish a pack while lines need an explanation. The message names the lines. */
function refuseUnexplainedLines(month: { year: number; month: number }, due: readonly UnexplainedLine[]): void {
  if (!due.length) return
  const named = due.slice(0, maximumNamed).map(({ code, description, needs }) => `${code ?? ''} ${description} (${needs})`.trim())
  const more = due.length - named.length
  throw conflict(
    'linesDue',
    `The pack for ${formatMonth(month)} cannot be finished: ${displayCount(due.length, 'line')} over the threshold ${
      due.length === 1 ? 'needs' : 'need'
    } a reason or an action: ${named.join(', ')}${more > 0 ? ` and ${displayCount(more, 'other')}` : ''}.`,
    { lines: due },
  )
}

function refuseUnreadWords(month: { year: number; month: number }, unread: UnreadChapters | null): void {
  if (!unread?.chapters.length) return
  throw conflict(
    'wordsUnread',
    `The pack for ${formatMonth(month)} cannot be finished: check or rewrite the text from ${formatMonth(unread)} in ${displayList(
      unread.chapters.map((one) => chapterTitles[one]),
    )} first.`,
  )
}

/** Refuses to finish a pack while costs are out of date, because a finished pack keeps its figures permanently. */
function refuseOutdatedCosts(month: { year: number; month: number }, older: readonly BudgetWithOutdatedCosts[]): void {
  if (!older.length) return
  throw conflict(
    'recalculationRequired',
    `The pack for ${formatMonth(month)} cannot be finished: costs are out of date. Recalculate ${formatBudgetNames(older)} first.`,
  )
}

/**
 * Finishes a pack, which can then no longer change.
 * @throws DomainError 409 if the pack is finished already, has changed since or has no chapters, if costs are out of date, if a text from
 * an earlier month is unread, or if a line over the threshold is unexplained
 */
export function finishPack(
  state: MonitoringState,
  {
    code,
    version,
    due,
    older,
    unread,
    ...content
  }: {
    code: string
    version: number
    due: readonly UnexplainedLine[]
    older: readonly BudgetWithOutdatedCosts[]
    /** The chapters with unread text from an earlier month, and that month; null if no text is from one. */
    unread: UnreadChapters | null
    pins: LogPositions
    figures: PackFigures
    sealedRemarks: string
  },
): MonitoringEvent[] {
  const stored = findDraft(state, code)
  refuseOutdated(stored, version)
  if (!stored.item.chapters.length) throw conflict('noChapters', 'Choose at least one chapter first.')
  refuseUnreadWords(stored.item, unread)
  refuseOutdatedCosts(stored.item, older)
  refuseUnexplainedLines(stored.item, due)
  return [{ type: 'PackFinished', data: { code, ...content } }]
}

/** @throws DomainError 409 if the pack is finished */
export function discardPack(state: MonitoringState, code: string): MonitoringEvent[] {
  findDraft(state, code)
  return [{ type: 'PackDiscarded', data: { code } }]
}
