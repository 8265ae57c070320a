import { describe, expect, it } from 'vitest'
import { actualType, importType } from '../../../domain/lookups/lookupIds.ts'
import {
  chooseForecastMethod,
  clearMonth,
  importActuals,
  type LocationActuals,
  removeAdjustment,
  removeNote,
  saveAdjustment,
  saveExplanationSettings,
  saveNote,
} from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { MonitoringState } from '../../../domain/monitoring/evolve.ts'
import {
  type ActualLine,
  buildMonthKey,
  buildNoteOrAdjustmentKey,
  type CodeSubject,
  defaultExplanationSettings,
} from '../../../domain/monitoring/monitoring.ts'
import { toBudgetGroupId, toUserId } from '../../../domain/values/ids.ts'
import { givenMonitoring } from '../../support/stories/logStory.ts'

const december = { year: 2026, month: 12 }
const line = (value: number, type: number = actualType.actual): ActualLine => ({
  type,
  budgetCodeId: 7,
  costCentreId: 1,
  fundCodeId: null,
  analysisTagId: null,
  description: null,
  value,
})
const file = (lines: ActualLine[], more: Partial<LocationActuals> = {}): LocationActuals => ({
  ...december,
  mode: importType.replace,
  digest: 'file',
  isNamed: false,
  lines,
  ...more,
})
const imported = (lines: ActualLine[], more: { mode?: number; closes?: boolean } = {}): MonitoringEvent => ({
  type: 'ActualsImported',
  data: { ...december, mode: importType.replace, digest: 'file', closes: true, lines, ...more },
})
const valuesIn = (...events: MonitoringEvent[]): number[] | undefined => {
  const month = givenMonitoring(...events).item(buildMonthKey(december)) as { imports: { lines: ActualLine[] }[] } | undefined
  return month?.imports.flatMap((one) => one.lines.map(({ value }) => value))
}

describe('importing the actuals of a month', () => {
  const when = (given: LocationActuals) => givenMonitoring().when(() => importActuals(given))
  it('closes the month, and commitments alone do not', () => {
    when(file([line(100)])).gives(imported([line(100)]))
    const ordered = line(40, actualType.commitment)
    when(file([ordered])).gives(imported([ordered], { closes: false }))
  })
  it('closes it also if the file is for the location but has no line for it', () => {
    when(file([], { isNamed: true })).gives(imported([]))
    when(file([], { mode: importType.add })).changesNothing()
  })
  it('adds to the month or replaces it', () => {
    expect(valuesIn(imported([line(10)]), imported([line(20)], { mode: importType.add }))).toEqual([10, 20])
    expect(valuesIn(imported([line(10)]), imported([line(30)]))).toEqual([30])
  })
})

describe('clearing a month', () => {
  const cleared: MonitoringEvent = { type: 'MonthCleared', data: december }
  it('removes what was imported, and changes nothing if nothing was', () => {
    givenMonitoring(imported([line(10)]))
      .when((state) => clearMonth(state, december))
      .gives(cleared)
    givenMonitoring()
      .when((state) => clearMonth(state, december))
      .changesNothing()
    expect(valuesIn(imported([line(10)]), cleared)).toBeUndefined()
  })
  it('is undone by the person who did it, and by nobody else', () => {
    const log = givenMonitoring(imported([line(10)]), cleared)
    const [undone] = log.whenUndone(2).events
    expect(valuesIn(imported([line(10)]), cleared, undone!)).toEqual([10])
    log.whenUndone(2, toUserId(2)).isRefused({ code: 'forbidden', message: 'Only the person who made a change can undo it.' })
  })
})

describe('notes and adjustments', () => {
  const about: CodeSubject = { ...december, groupId: toBudgetGroupId('9'.repeat(24)), budgetCodeId: 7, type: 1 }
  const noted = (sealedNotes: string, of = about): MonitoringEvent => ({ type: 'NoteSaved', data: { ...of, sealedNotes } })
  const adjusted = (value: number, of = about): MonitoringEvent => ({ type: 'AdjustmentSaved', data: { ...of, value } })
  it('B-229 belong to a code, a screen, a month and a level, and to nothing else', () => {
    const log = givenMonitoring(noted('Ordered early'), noted('For the trust', { ...about, groupId: null }))
    expect(log.item(buildNoteOrAdjustmentKey('note', about))).toMatchObject({ sealedNotes: 'Ordered early' })
    expect(log.item(buildNoteOrAdjustmentKey('note', { ...about, groupId: null }))).toMatchObject({ sealedNotes: 'For the trust' })
    for (const other of [{ type: 2 }, { month: 11 }, { budgetCodeId: 8 }])
      expect(log.item(buildNoteOrAdjustmentKey('note', { ...about, ...other }))).toBeUndefined()
  })
  it('saved unchanged change nothing', () => {
    const save = (notes: string, action: string | null) => (state: MonitoringState) => saveNote(state, about, { notes, action })
    givenMonitoring(noted('a')).when(save('a', null)).changesNothing()
    givenMonitoring(noted('a'))
      .when(save('a', 'b'))
      .gives({ type: 'NoteSaved', data: { ...about, sealedNotes: 'a', sealedAction: 'b' } })
    givenMonitoring(adjusted(15))
      .when((state) => saveAdjustment(state, about, 15))
      .changesNothing()
  })
  it('are removed, if there are any', () => {
    givenMonitoring(noted('a'), adjusted(15))
      .when((state) => [...removeNote(state, about), ...removeAdjustment(state, about)])
      .gives({ type: 'NoteRemoved', data: about }, { type: 'AdjustmentRemoved', data: about })
    givenMonitoring()
      .when((state) => [...removeNote(state, about), ...removeAdjustment(state, about)])
      .changesNothing()
  })
})

describe('choosing the forecast method of codes', () => {
  const choose =
    (method: 'budget' | 'runRate' | 'typed', values: number[] | null = null, budgetCodeIds = [7]) =>
    (state: MonitoringState) =>
      chooseForecastMethod(state, { year: 2026, budgetCodeIds, method, values })
  const chosen = (method: 'budget' | 'runRate' | 'typed', values: number[] | null = null, budgetCodeIds = [7]): MonitoringEvent => ({
    type: 'ForecastChosen',
    data: { year: 2026, budgetCodeIds, method, values },
  })
  const twelve = Array<number>(12).fill(50)
  it('is recorded for each code that had another method before', () => {
    givenMonitoring(chosen('runRate'))
      .when(choose('runRate', null, [7, 8, 8]))
      .gives(chosen('runRate', null, [8]))
    givenMonitoring(chosen('typed', twelve)).when(choose('typed', twelve)).changesNothing()
    givenMonitoring(chosen('typed', twelve)).when(choose('budget')).gives(chosen('budget'))
    givenMonitoring().when(choose('budget')).changesNothing()
  })
  it('by typed values needs twelve of them, and no other method accepts any', () => {
    const refused = (message: string) => ({ code: 'invalid', message, fields: ['values'] })
    givenMonitoring().when(choose('typed')).isRefused(refused('Enter a value for each of the twelve months.'))
    givenMonitoring()
      .when(choose('typed', [1]))
      .isRefused(refused('Enter a value for each of the twelve months.'))
    givenMonitoring()
      .when(choose('runRate', twelve))
      .isRefused(refused('Monthly values can be sent only with the method “typed”. Choose that method, or leave the values out.'))
  })
})

it('unchanged limits for explanations change nothing', () => {
  const saved: MonitoringEvent = { type: 'SettingsSaved', data: defaultExplanationSettings }
  givenMonitoring()
    .when((state) => saveExplanationSettings(state, defaultExplanationSettings))
    .gives(saved)
  givenMonitoring(saved)
    .when((state) => saveExplanationSettings(state, { ...defaultExplanationSettings }))
    .changesNothing()
})
