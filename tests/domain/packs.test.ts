import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { undo } from '../../domain/monitoring/decide.ts'
import { tell } from '../../domain/monitoring/describe.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../domain/monitoring/events.ts'
import { emptyMonitoring, evolve, type MonitoringState } from '../../domain/monitoring/evolve.ts'
import { checkContent, discardPack, finishPack, savePack, startPack, storedPack } from '../../domain/packs/decide.ts'
import {
  type Chapter,
  chapterNames,
  codeForm,
  codeOf,
  type DueLine,
  firstWords,
  type PackFigures,
  type PackLine,
  packKey,
  shownCode,
  typedCode,
} from '../../domain/packs/pack.ts'
import { type PackContent, pagesOf } from '../../domain/packs/pages.ts'
import { changedFigures, drawn, references, unknownIn, withFigures } from '../../domain/packs/references.ts'

const at = '2026-11-05T09:00:00.000Z'
const october = { year: 2026, month: 10 }
const code = 'K7QM3XWD'

const line = (kind: PackLine['kind'], description: string, more: Partial<PackLine> = {}): PackLine => ({
  kind,
  budgetCodeId: null,
  code: null,
  description,
  budgetToDate: 0,
  actualToDate: 0,
  commitments: 0,
  variance: 0,
  variancePercent: null,
  fullYearBudget: 0,
  forecast: 0,
  forecastVariance: 0,
  missing: 0,
  ...more,
})

const figures: PackFigures = {
  organisation: 'Harbour Trust',
  place: { name: 'Northgate', dfeNumber: '123/4567' },
  schools: 1,
  budgets: [{ id: 'b', location: 'Northgate', name: 'Budget 2026', words: 'Budget 2026, approved' }],
  leftOut: [],
  year: '2026/27',
  period: 2,
  monthsIn: [9, 10],
  threshold: { explainOver: 25_000, explainOverPercent: 10, explainAlwaysOver: 100_000 },
  lines: [
    line('SectionHeader', 'Income'),
    line('Data', 'Grant', {
      budgetCodeId: 1,
      code: '1000',
      budgetToDate: 200_00,
      actualToDate: 180_00,
      variance: -20_00,
      variancePercent: -10,
    }),
    line('SectionFooter', 'Total income', { budgetToDate: 200_00, actualToDate: 180_00, forecast: 1_234_567_89 }),
    line('Total', 'In-year balance', { forecast: -50_000 }),
  ],
  staffing: [
    { name: 'Teachers', isTotal: false, contracts: 12, fte: 10.5, cost: 500_000_00 },
    { name: 'All contracts', isTotal: true, contracts: 12, fte: 10.5, cost: null },
  ],
  cash: {
    months: [
      { year: 2026, month: 9, opening: 100_00, receipts: 50_00, payments: 100_00, closing: 50_00 },
      { year: 2026, month: 10, opening: 50_00, receipts: 90_00, payments: 100_00, closing: 40_00 },
    ],
    floor: 60_00,
  },
  years: [{ name: '2026/27', income: 1000_00, staff: 800_00, inYear: -10_00, reserve: 90_00, pupils: null }],
  warnings: ['Staff take 80.0 % of income in 2026/27.'],
}

const stored = (event: MonitoringEvent, version: number): StoredMonitoringEvent =>
  ({ ...event, version, occurredAt: at, actorId: 7 }) as StoredMonitoringEvent
function folded(state: MonitoringState, events: readonly MonitoringEvent[]): MonitoringState {
  for (const event of events) evolve(state, stored(event, state.version + 1))
  return state
}
const begun = (): MonitoringState =>
  folded(
    emptyMonitoring(),
    startPack(emptyMonitoring(), { ...october, code, from: null, chapters: [...chapterNames], sealedWords: 'sealed' }),
  )
const pinned = { pins: { budgets: [{ id: 'b', version: 3, hash: 'h' }], logs: [] }, figures, sealedRemarks: 'sealed' }
const finish = (state: MonitoringState, due: DueLine[] = []) => finishPack(state, { code, version: state.version, due, ...pinned })
const content = (more: Partial<PackContent> = {}): PackContent => ({
  month: october,
  chapters: [...chapterNames],
  words: { ...firstWords('Ann Head'), decisions: ['Approve {inYear.forecast}.'] },
  figures,
  remarks: [],
  due: [],
  before: null,
  ...more,
})

describe('a pack', () => {
  it('is begun, saved and finished, and says who finished it and when', () => {
    const state = begun()
    folded(state, savePack(state, { code, version: 1, chapters: ['summary'], sealedWords: 'other' }))
    folded(state, finish(state))
    expect(storedPack(state, code).item).toMatchObject({
      chapters: ['summary'],
      sealedWords: 'other',
      started: { by: 7, at },
      finished: { by: 7, at, ...pinned },
    })
  })
  it('is not saved over what somebody else has saved since', () => {
    const state = begun()
    folded(state, savePack(state, { code, version: 1, chapters: ['summary'], sealedWords: 'other' }))
    expect(() => savePack(state, { code, version: 1, chapters: ['cash'], sealedWords: 'mine' })).toThrow('Somebody else has changed this.')
  })
  it('cannot be changed, finished twice, discarded or taken back once it is finished', () => {
    const state = folded(begun(), finish(begun()))
    for (const change of [
      () => savePack(state, { code, version: 2, chapters: ['cash'], sealedWords: 'mine' }),
      () => finish(state),
      () => discardPack(state, code),
    ])
      expect(change).toThrow('This pack is finished and can no longer be changed. Start a new one from it.')
    const last = stored({ type: 'PackFinished', data: { code, ...pinned } }, 2)
    expect(() => undo(last, 7, begun(), state)).toThrow('A finished pack stays as it is.')
  })
  it('is not finished while a line over the threshold has no reason or no action, and names the lines', () => {
    const due: DueLine[] = [
      { budgetCodeId: 1, code: '4000', description: 'Supply', needs: 'reason' },
      { budgetCodeId: 2, code: '4240', description: 'Energy', needs: 'action' },
    ]
    expect(() => finish(begun(), due)).toThrow(
      'The pack of October 2026 cannot be finished: 2 lines over the threshold have no reason or no action: 4000 Supply (reason), 4240 Energy (action).',
    )
    const many = Array.from({ length: 8 }, (_one, index) => ({ ...due[0]!, budgetCodeId: index }))
    expect(() => finish(begun(), many)).toThrow('4000 Supply (reason) and 3 others.')
  })
  it('that is discarded is gone, and its discarding can be taken back', () => {
    const state = folded(begun(), discardPack(begun(), code))
    expect(() => storedPack(state, code)).toThrow('Pack was not found.')
    folded(state, undo(stored({ type: 'PackDiscarded', data: { code } }, 2), 7, begun(), state))
    expect(state.items.has(packKey(code))).toBe(true)
  })
  it('is told in the history with the code that stands on its pages', () => {
    expect(tell({ type: 'PackFinished', data: { code, ...pinned } }, String)).toBe('finished the governors’ pack K7QM-3XWD')
  })
  it('has a code that nobody can misread, and that is found again however it is typed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const own = codeOf(bytes)
        expect(own).toMatch(codeForm)
        expect(typedCode(` ${shownCode(own).toLowerCase()} `)).toBe(own)
      }),
    )
    expect(typedCode('K7QM-3XW0')).toBeUndefined()
  })
})

describe('a sentence of a pack', () => {
  it('holds figures by reference, so that words cannot drift from tables', () => {
    expect(withFigures('Income {income.forecast}, balance { inYear.forecast }, {staffing.cost}.', figures)).toBe(
      'Income £1,234,568, balance −£500, not calculated.',
    )
  })
  it('with a figure that there is none of says so at its field', () => {
    const words = { ...firstWords(null), chapters: [...chapterNames], decisions: ['Fine.', 'Spend {income.totl}'] }
    expect(unknownIn('{income.totl}')).toEqual(['income.totl'])
    expect(() => checkContent(words)).toThrow('There is no figure {income.totl}. Choose one from the list.')
    try {
      checkContent(words)
    } catch (error) {
      expect(error).toMatchObject({ fields: [{ field: 'decisions.1' }] })
    }
  })
  it('may hold every figure that is offered, and what a new pack begins with holds no other', () => {
    for (const { key, type, read } of references) {
      expect(unknownIn(`{${key}}`)).toEqual([])
      expect(withFigures(`{${key}}`, figures)).toBe(drawn(read(figures), type))
    }
    expect(new Set(references.map((one) => one.key)).size).toBe(references.length)
    expect(Object.values(firstWords('X').texts).flatMap((text) => unknownIn(text))).toEqual([])
  })
})

describe('the pages of a pack', () => {
  it('are its chapters in the order that was chosen, whichever and however many', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...chapterNames)), (chapters: Chapter[]) => {
        const pages = pagesOf(content({ chapters }))
        expect(pages.map((page) => page.chapter)).toEqual(chapters)
        for (const { blocks } of pages)
          for (const block of blocks)
            if (block.kind === 'table') for (const row of block.report.rows) expect(row.values.length).toBe(block.report.columns.length)
      }),
    )
  })
  const tableOf = (chapter: Chapter, more: Partial<PackContent> = {}) => {
    const [page] = pagesOf(content({ chapters: [chapter], ...more }))
    const table = page!.blocks.find((block) => block.kind === 'table')
    return table?.kind === 'table' ? table.report.rows.map(({ label, values }) => [label, ...values]) : null
  }
  it('show monitoring with what of the year is received or spent', () => {
    const own = figures.lines.map((one) => (one.kind === 'Data' ? { ...one, fullYearBudget: 1200_00 } : one))
    expect(tableOf('monitoring', { figures: { ...figures, lines: own } })![1]).toEqual([
      '1000 Grant',
      200_00,
      180_00,
      -20_00,
      -10,
      0,
      1200_00,
      15,
      0,
      0,
    ])
  })
  it('leave blank what was never imported, and say what is not in', () => {
    const lines = figures.lines.map((one) => ({ ...one, actualToDate: 0 }))
    expect(tableOf('monitoring', { figures: { ...figures, lines, monthsIn: [] } })![1]!.slice(1, 5)).toEqual([200_00, null, null, null])
    const [page] = pagesOf(content({ chapters: ['monitoring'], figures: { ...figures, monthsIn: [9] } }))
    expect(page!.blocks.at(-1)).toEqual({ kind: 'text', text: 'Actuals of October 2026 are not in at every school.' })
  })
  it('show reason and action of each line that was explained, and what is missing of one that is due', () => {
    const remarks = [{ budgetCodeId: 1, note: 'Late', action: null }]
    expect(tableOf('explanations', { remarks, due: [{ budgetCodeId: 1, needs: 'action' }] })).toEqual([
      ['1000 Grant', -20_00, -10, 'Late', 'No action yet'],
    ])
    expect(tableOf('explanations')).toBeNull()
  })
  it('say the lowest cash beside the floor', () => {
    const [page] = pagesOf(content({ chapters: ['cash'] }))
    expect(page!.blocks[0]).toEqual({ kind: 'text', text: 'Lowest in October 2026: £40, £20 below the floor of £60.' })
  })
  it('leave a measure empty of which a part is missing', () => {
    expect(tableOf('measures')).toEqual([['2026/27', 80, -1, 9, null, null]])
  })
  it('say what changed since the last pack, each change the difference of the two', () => {
    const before = { month: { year: 2026, month: 9 }, figures: { ...figures, cash: null } }
    const rows = tableOf('summary', { before })!
    expect(rows).toContainEqual(['Income, forecast of the year', 1_234_567_89, 1_234_567_89, 0])
    expect(rows).toContainEqual(['Lowest cash', 40_00, null, null])
    expect(changedFigures(before.figures, figures).map(({ key }) => key)).toEqual(['cash.lowest', 'cash.lowestMonth', 'cash.floor'])
    expect(changedFigures(figures, figures)).toEqual([])
  })
  it('number the decisions, with their figures', () => {
    expect(pagesOf(content({ chapters: ['decisions'] }))[0]!.blocks).toEqual([{ kind: 'text', text: '1. Approve −£500.' }])
  })
})
