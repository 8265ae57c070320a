import { describe, expect, it } from 'vitest'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { MonitoringState } from '../../../domain/monitoring/evolve.ts'
import {
  checkPackContent,
  discardPack,
  findStoredPack,
  findUnreadChapters,
  finishPack,
  savePack,
  startPack,
  type UnreadChapters,
} from '../../../domain/packs/decide.ts'
import {
  buildPackKey,
  type Chapter,
  createDefaultPackTexts,
  type PackContentInput,
  type PackFigures,
  type UnexplainedLine,
} from '../../../domain/packs/pack.ts'
import type { BudgetWithOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { toBudgetId } from '../../../domain/values/ids.ts'
import { givenMonitoring } from '../../support/stories/logStory.ts'

const october = { year: 2026, month: 10 }
const code = 'K7QM3XWD'
const start = { ...october, code, from: null, chapters: ['summary', 'cash'] satisfies Chapter[], sealedWords: 'sealed' }
const started: MonitoringEvent = { type: 'PackStarted', data: start }
const saved = (chapters: Chapter[]): MonitoringEvent => ({ type: 'PackSaved', data: { code, chapters, sealedWords: 'other' } })
const figures: PackFigures = {
  organisation: 'Harbour Learning Trust',
  place: { name: 'Northgate', dfeNumber: null },
  schools: 1,
  budgets: [],
  leftOut: [],
  year: '2026/27',
  period: 2,
  monthsIn: [9, 10],
  threshold: { explainOver: 25_000, explainOverPercent: 10, explainAlwaysOver: 100_000 },
  lines: [],
  staffing: null,
  cash: null,
  years: [],
  warnings: [],
}
const pinned = { pins: { budgets: [{ id: toBudgetId('b'), version: 3, hash: 'hash' }], logs: [] }, figures, sealedRemarks: 'sealed' }
const finished: MonitoringEvent = { type: 'PackFinished', data: { code, ...pinned } }

const save =
  (version: number, chapters: Chapter[] = ['summary']) =>
  (state: MonitoringState) =>
    savePack(state, { code, version, chapters, sealedWords: 'other' })
const finish =
  (
    version: number,
    {
      due = [],
      older = [],
      unread = null,
    }: { due?: UnexplainedLine[]; older?: BudgetWithOutdatedCosts[]; unread?: UnreadChapters | null } = {},
  ) =>
  (state: MonitoringState) =>
    finishPack(state, { code, version, due, older, unread, ...pinned })
const discard = (state: MonitoringState) => discardPack(state, code)

const isFinished = { code: 'packFinished', message: 'This pack is finished and can no longer be changed. Start a new one from it.' }
const isNotThere = { code: 'notFound', message: 'Pack was not found.' }
const isStale = { code: 'stale', message: 'Someone else has changed this. Load it again.' }

describe('a governors’ pack', () => {
  it('is started with a code of its own', () => {
    const begin = (state: MonitoringState) => startPack(state, start)
    givenMonitoring().when(begin).gives(started)
    givenMonitoring(started).when(begin).isRefused({ code: 'sameCode', message: 'This code is taken. Try again.' })
  })
  it('is saved with its chapters and texts at the current version', () => {
    givenMonitoring(started)
      .when(save(1))
      .gives(saved(['summary']))
    givenMonitoring(started, saved(['summary']))
      .when(save(1, ['cash']))
      .isRefused(isStale)
    givenMonitoring(started, saved(['summary']))
      .when(save(2, ['cash']))
      .gives(saved(['cash']))
  })
  it('is finished with the present figures, and shows who finished it and when', () => {
    givenMonitoring(started).when(finish(1)).gives(finished)
    expect(findStoredPack(givenMonitoring(started, saved(['cash']), finished).state, code).item).toMatchObject({
      chapters: ['cash'],
      sealedWords: 'other',
      started: { by: 1, at: '2027-04-01T09:00:00.000Z' },
      finished: { by: 1, at: '2027-04-03T09:00:00.000Z', ...pinned },
    })
  })
  it('cannot be finished from an out-of-date version, nor without a chapter', () => {
    givenMonitoring(started, saved(['summary']))
      .when(finish(1))
      .isRefused(isStale)
    givenMonitoring(started, saved([])).when(finish(2)).isRefused({ code: 'noChapters', message: 'Choose at least one chapter first.' })
  })
  it('cannot be finished while a line over the threshold needs a reason or an action, and five of the lines are named', () => {
    const due: UnexplainedLine[] = [
      { budgetCodeId: 1, code: '4000', description: 'Supply', needs: 'reason' },
      { budgetCodeId: 2, code: null, description: 'Energy', needs: 'action' },
    ]
    const refused = (lines: string) => ({ code: 'linesDue', message: `The pack for October 2026 cannot be finished: ${lines}.` })
    givenMonitoring(started)
      .when(finish(1, { due: due.slice(0, 1) }))
      .isRefused(refused('1 line over the threshold needs a reason or an action: 4000 Supply (reason)'))
    givenMonitoring(started)
      .when(finish(1, { due }))
      .isRefused(refused('2 lines over the threshold need a reason or an action: 4000 Supply (reason), Energy (action)'))
    const many = Array.from({ length: 7 }, (_unused, index): UnexplainedLine => ({ ...due[0]!, description: `Line ${index}` }))
    const named = [0, 1, 2, 3, 4].map((index) => `4000 Line ${index} (reason)`).join(', ')
    givenMonitoring(started)
      .when(finish(1, { due: many }))
      .isRefused(refused(`7 lines over the threshold need a reason or an action: ${named} and 2 others`))
  })
  it('cannot be finished while words of an earlier month are neither read nor rewritten', () => {
    givenMonitoring(started)
      .when(finish(1, { unread: { year: 2026, month: 6, chapters: ['summary', 'decisions'] } }))
      .isRefused({
        code: 'wordsUnread',
        message: 'The pack for October 2026 cannot be finished: check or rewrite the text from June 2026 in Summary and Decisions first.',
      })
    givenMonitoring(started)
      .when(finish(1, { unread: { year: 2026, month: 6, chapters: [] } }))
      .gives(finished)
  })
  it('cannot be finished while costs are out of date', () => {
    const refused = (whose: string) => ({
      code: 'recalculationRequired',
      message: `The pack for October 2026 cannot be finished: costs are out of date. Recalculate ${whose} first.`,
    })
    givenMonitoring(started)
      .when(finish(1, { older: [{ location: 'Northgate', name: 'Budget 2026/27' }] }))
      .isRefused(refused('Northgate (Budget 2026/27)'))
    const many = Array.from({ length: 14 }, (_unused, index) => ({ location: `School ${index}`, name: 'Budget' }))
    const named = many.slice(0, 12).map(({ location }) => `${location} (Budget)`)
    givenMonitoring(started)
      .when(finish(1, { older: many }))
      .isRefused(refused(`${named.join(', ')} and 2 other budgets`))
  })
  it('that is finished cannot be changed, finished again, discarded or undone', () => {
    for (const change of [save(2), finish(2), discard]) givenMonitoring(started, finished).when(change).isRefused(isFinished)
    givenMonitoring(started, finished)
      .whenUndone(2)
      .isRefused({ code: 'notUndone', message: 'A finished pack cannot be changed. Start a new one from it.' })
  })
  it('that nobody has started is not found', () => {
    for (const change of [save(1), finish(1), discard]) givenMonitoring().when(change).isRefused(isNotThere)
  })
  it('is discarded, and discarding it is undone', () => {
    const discarded: MonitoringEvent = { type: 'PackDiscarded', data: { code } }
    givenMonitoring(started).when(discard).gives(discarded)
    givenMonitoring(started, discarded).when(discard).isRefused(isNotThere)
    const { state, whenUndone } = givenMonitoring(started, discarded)
    expect(state.items.has(buildPackKey(code))).toBe(false)
    const [back] = whenUndone(2).events
    expect(findStoredPack(givenMonitoring(started, discarded, back!).state, code).item).toMatchObject({ chapters: ['summary', 'cash'] })
  })
})

describe('the words of an earlier month', () => {
  const june = { texts: { summary: 'With two months to go.', cash: ' ' }, decisions: ['Approve the boiler.'] }
  const unread = (more: Partial<PackContentInput>) =>
    findUnreadChapters({ ...createDefaultPackTexts(null), ...june, chapters: ['decisions', 'summary', 'cash'], ...more }, june)
  it('are unread until they are changed, removed or marked as read', () => {
    expect(unread({})).toEqual(['decisions', 'summary'])
    expect(unread({ read: ['summary'] })).toEqual(['decisions'])
    expect(unread({ texts: { summary: 'With ten months to go.' }, decisions: [] })).toEqual([])
    expect(unread({ chapters: ['cash'] })).toEqual([])
  })
  it('need no reading if Bursar wrote them, because they contain only linked figures', () => {
    const { texts } = createDefaultPackTexts(null)
    expect(findUnreadChapters({ ...createDefaultPackTexts(null), chapters: ['summary'] }, { texts, decisions: [] })).toEqual([])
  })
  it('do not exist in a pack that continues none of an earlier month', () => {
    expect(findUnreadChapters({ ...createDefaultPackTexts(null), ...june, chapters: ['summary'] }, null)).toEqual([])
  })
})

describe('the texts of a pack', () => {
  const check = (change: Partial<PackContentInput>) => (): MonitoringEvent[] => {
    checkPackContent({ ...createDefaultPackTexts(null), chapters: ['summary'], ...change })
    return []
  }
  it('may contain existing figures', () => {
    givenMonitoring()
      .when(check({ decisions: ['Approve {inYear.forecast}.'] }))
      .changesNothing()
  })
  it('are refused with an unknown figure, at the text', () => {
    const message = 'There is no figure {income.totl}. Choose one from the list.'
    givenMonitoring()
      .when(check({ decisions: ['Fine.', 'Spend {income.totl}'] }))
      .isRefused({ code: 'invalid', message, fields: ['decisions.1'] })
    givenMonitoring()
      .when(check({ texts: { cash: 'Spend {income.totl}' } }))
      .isRefused({ code: 'invalid', message, fields: ['texts.cash'] })
  })
  it('are refused with the same chapter twice', () => {
    givenMonitoring()
      .when(check({ chapters: ['cash', 'cash'] }))
      .isRefused({ code: 'invalid', message: 'Choose each chapter once.', fields: ['chapters'] })
  })
})
