import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import { buildMonitoringRows } from '../../../domain/monitoring/rows.ts'
import { readPackComparators } from '../../../domain/packs/comparators.ts'
import {
  figureReferences,
  findChangedFigures,
  findUnknownReferences,
  formatPackFigure,
  identifyTotal,
  insertFigures,
} from '../../../domain/packs/figureReferences.ts'
import { buildCharts, describeOutturn, listHeadlines } from '../../../domain/packs/headlines.ts'
import { findInternalTransfers, separateInternalTransfers } from '../../../domain/packs/internalTransfers.ts'
import {
  type Chapter,
  chapterNames,
  createDefaultPackTexts,
  createPackCode,
  formatPackCode,
  type PackFigures,
  type PackLine,
  packCodePattern,
  parsePackCode,
  totalLabels,
} from '../../../domain/packs/pack.ts'
import { buildPages, type PackContent } from '../../../domain/packs/pages.ts'
import type { LineSum } from '../../../domain/reports/facts.ts'
import { describeEmptyCell, type Report, type ReportRow } from '../../../domain/reports/report.ts'
import { toBudgetId } from '../../../domain/values/ids.ts'

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
  budgets: [{ id: toBudgetId('b'), location: 'Northgate', name: 'Budget 2026', words: 'Budget 2026, approved' }],
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
  warnings: ['Staff costs are 80.0% of income in 2026/27.'],
}

const pinned = { pins: { budgets: [{ id: toBudgetId('b'), version: 3, hash: 'h' }], logs: [] }, figures, sealedRemarks: 'sealed' }
const content = (more: Partial<PackContent> = {}): PackContent => ({
  month: october,
  chapters: [...chapterNames],
  words: { ...createDefaultPackTexts('Ann Head'), decisions: ['Approve {inYear.forecast}.'] },
  figures,
  remarks: [],
  due: [],
  before: null,
  ...more,
})

describe('a pack', () => {
  it('is named in the history with the code on its pages', () => {
    expect(describeMonitoringEvent({ type: 'PackFinished', data: { code, ...pinned } }, String)).toBe(
      'finished the governors’ pack K7QM-3XWD',
    )
  })
  it('has a code without similar letters, found again however it is typed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const own = createPackCode(bytes)
        expect(own).toMatch(packCodePattern)
        expect(parsePackCode(` ${formatPackCode(own).toLowerCase()} `)).toBe(own)
      }),
    )
    expect(parsePackCode('K7QM-3XW0')).toBeUndefined()
  })
})

describe('a sentence of a pack', () => {
  it('contains figures by reference, so that it always agrees with the tables', () => {
    expect(insertFigures('Income {income.forecast}, balance { inYear.forecast }, {staffing.cost}.', figures)).toBe(
      'Income £1,234,568, balance −£500, not calculated.',
    )
  })
  it('may contain every figure that is offered, and a new pack begins with no other', () => {
    for (const { key, type, read } of figureReferences) {
      expect(findUnknownReferences(`{${key}}`)).toEqual([])
      expect(insertFigures(`{${key}}`, figures)).toBe(formatPackFigure(read(figures), type))
    }
    expect(new Set(figureReferences.map((one) => one.key)).size).toBe(figureReferences.length)
    expect(Object.values(createDefaultPackTexts('X').texts).flatMap((text) => findUnknownReferences(text))).toEqual([])
  })
})

describe('the first page of a pack', () => {
  const total = (name: PackLine['total'], [forecast, fullYearBudget]: [number, number], missing = 0): PackLine =>
    line('Total', 'Total', { total: name!, forecast, fullYearBudget, forecastVariance: forecast - fullYearBudget, missing })
  const years = [
    { name: '2026/27', income: 1000_00, staff: 800_00, inYear: -10_00, reserve: 90_00, pupils: null },
    { name: '2027/28', income: 1200_00, staff: 800_00, inYear: -190_00, reserve: -100_00, pupils: null },
  ]
  const known: PackFigures = {
    ...figures,
    lines: [total('income', [1020_00, 1000_00]), total('expenditure', [1030_00, 1010_00]), total('inYear', [-15_00, -10_00])],
    years,
    reserveFloor: 10,
  }
  it('has five figures, each with what it is compared with, and marks deficits and what is below policy or floor', () => {
    expect(listHeadlines(known)).toEqual([
      { label: 'Income, forecast', value: '£1,020', note: 'budget £1,000', isBad: false },
      { label: 'Expenditure, forecast', value: '£1,030', note: 'budget £1,010', isBad: false },
      { label: 'In-year balance, forecast', value: '−£15', note: 'budget −£10', isBad: true },
      { label: 'Reserve at the end of 2026/27, as budgeted', value: '£90', note: 'policy £100', isBad: true },
      { label: 'Lowest cash', value: '£40', note: 'October 2026, below the floor', isBad: true },
    ])
  })
  it('says in one sentence how the year ends and what is left', () => {
    expect(describeOutturn(known)).toBe(
      'Northgate is forecast to spend £15 more than it receives in 2026/27, £5 worse than budget. Its budget leaves a shortfall of £100 at the end of 2027/28.',
    )
    const better = { ...known, lines: [total('inYear', [7_00, 7_00])], years: years.slice(0, 1) }
    expect(describeOutturn({ ...better, place: null })).toBe(
      'Harbour Trust is forecast to receive £7 more than it spends in 2026/27, as budgeted. Its budget leaves reserves of £90 at the end of 2026/27.',
    )
  })
  it('says what could not be calculated, and never shows it as zero', () => {
    const lacking = {
      ...known,
      lines: [total('inYear', [-15_00, -10_00], 2)],
      cash: null,
      years: [{ ...years[0]!, reserve: null, missing: 3 }],
    }
    expect(listHeadlines(lacking).map(({ value, note }) => [value, note])).toEqual([
      ['not calculated', 'budget not calculated'],
      ['not calculated', 'budget not calculated'],
      ['−£15', '2 figures not calculated'],
      ['not calculated', '3 figures not calculated'],
      ['not calculated', 'opening cash is not entered'],
    ])
    expect(describeOutturn(lacking)).toBe('The forecast of Northgate is not known, because some figures could not be calculated.')
    expect(buildCharts(lacking)[1]).toMatchObject({ values: [null], description: expect.stringContaining('2026/27 not calculated') })
  })
  it('draws the balance and the reserves of each year, with the policy if there is one, and describes them in words', () => {
    const [balance, reserves] = buildCharts(known)
    expect(balance).toMatchObject({
      years: ['2026/27', '2027/28'],
      values: [-10_00, -190_00],
      policy: null,
      description: 'Budgeted in-year balance by year: 2026/27 −£10, 2027/28 −£190.',
    })
    expect(reserves).toMatchObject({ values: [90_00, -100_00], policy: [100_00, 120_00] })
    expect(reserves!.description).toContain('Policy, 10% of income: 2026/27 £100, 2027/28 £120.')
    // A pack that was finished before the policy was stored has no such line.
    expect(buildCharts({ ...known, reserveFloor: undefined! })[1]!.policy).toBeNull()
    expect(buildCharts({ ...known, years: [] })).toEqual([])
  })
})

describe('the pages of a pack', () => {
  it('are its chapters in the chosen order, whichever and however many', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...chapterNames)), (chapters: Chapter[]) => {
        const pages = buildPages(content({ chapters }))
        // With both, the reasons are in the table of monitoring.
        const isJoined = chapters.includes('monitoring') && chapters.includes('explanations')
        expect(pages.map((page) => page.chapter)).toEqual(chapters.filter((one) => !isJoined || one !== 'explanations'))
        for (const { blocks } of pages)
          for (const block of blocks)
            if (block.kind === 'table') for (const row of block.report.rows) expect(row.values.length).toBe(block.report.columns.length)
      }),
    )
  })
  const tableOf = (chapter: Chapter, more: Partial<PackContent> = {}) => {
    const [page] = buildPages(content({ chapters: [chapter], ...more }))
    const table = page!.blocks.find((block) => block.kind === 'table')
    return table?.kind === 'table' ? table.report.rows.map(({ label, values }) => [label, ...values]) : null
  }
  const tablesOf = (chapter: Chapter, more: Partial<PackContent> = {}) =>
    buildPages(content({ chapters: [chapter], ...more }))[0]!.blocks.flatMap((block) =>
      block.kind === 'table' ? [block.report.rows.map(({ label, values }) => [label, ...values])] : [],
    )
  const wordsOf = (chapter: Chapter, own: PackFigures): string[] =>
    buildPages(content({ chapters: [chapter], figures: own }))[0]!.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))
  it('show monitoring with the share of the year received or spent', () => {
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
  it('leave blank what was never imported, and say which months are missing', () => {
    const lines = figures.lines.map((one) => ({ ...one, actualToDate: 0 }))
    expect(tableOf('monitoring', { figures: { ...figures, lines, monthsIn: [] } })![1]!.slice(1, 5)).toEqual([200_00, null, null, null])
    const [page] = buildPages(content({ chapters: ['monitoring'], figures: { ...figures, monthsIn: [9] } }))
    expect(page!.blocks.at(-1)).toEqual({ kind: 'text', text: 'There are no actuals for October 2026.' })
  })
  it('do not treat opening amounts as actuals: they are blank in the table and not available in sentences', () => {
    const opening = line('Total', 'Brought forward', { budgetToDate: 90_00, actualToDate: 90_00 })
    const lines = [...figures.lines.map((one) => ({ ...one, actualToDate: 0 })), opening]
    const before = { ...figures, lines, monthsIn: [] }
    expect(tableOf('monitoring', { figures: before })!.at(-1)!.slice(1, 4)).toEqual([90_00, null, null])
    expect(insertFigures('{income.actual}, {income.variance}, {income.toDate}', before)).toBe('not calculated, not calculated, £200')
  })
  it('show a share of the year for income and expenditure, and none for a balance', () => {
    const whole = { fullYearBudget: 800_00, actualToDate: 200_00 }
    const lines = [...figures.lines, line('Total', 'Total expenditure', whole), line('Total', 'Carried forward', whole)]
    const shares = tableOf('monitoring', { figures: { ...figures, lines } })!.map((values) => values[7])
    expect(shares.slice(-2)).toEqual([25, null])
  })
  it('round halves away from zero, negative amounts too', () => {
    const lines = [line('Data', 'Grant', { budgetToDate: 2000_00, variance: -5_00, variancePercent: -0.25, actualToDate: 1995_00 })]
    expect(tableOf('monitoring', { figures: { ...figures, lines } })![0]![4]).toBe(-0.3)
  })
  it('name the lines whose variance includes an adjustment', () => {
    const lines = [line('Data', 'Grant', { code: '1000', adjustmentToDate: -500_00, adjustmentOfYear: 20_00 }), line('Data', 'Sales')]
    expect(wordsOf('monitoring', { ...figures, lines })).toContain(
      'Adjustments included in variances and forecasts: 1000 Grant (−£500 to date, +£20 for the year).',
    )
    expect(wordsOf('monitoring', figures).join()).not.toContain('Adjustments')
  })
  it('count in each chapter and in the summary what could not be calculated', () => {
    const [month] = figures.cash!.months
    const lacking: PackFigures = {
      ...figures,
      lines: [line('Data', 'Grant', { missing: 1 })],
      staffing: [{ name: 'All contracts', isTotal: true, contracts: 12, fte: 10.5, cost: 5, missing: 2 }],
      cash: { months: [{ ...month!, missing: 3 }], floor: null },
      years: [{ ...figures.years[0]!, missing: 4 }],
    }
    const said = {
      monitoring: '1 monthly figure in the budget could not be calculated and is not in any total.',
      staffing: '2 contracts could not be fully calculated and are not in the cost.',
      cash: '3 monthly figures in the cash forecast could not be calculated and are not in any total.',
      balances: '4 monthly figures of 2026/27 could not be calculated and are not in any total.',
    }
    for (const [chapter, sentence] of Object.entries(said)) {
      expect(wordsOf(chapter as Chapter, lacking)).toContain(sentence)
      expect(wordsOf('summary', lacking)).toContain(sentence)
      expect(wordsOf(chapter as Chapter, figures)).not.toContain(sentence)
    }
  })
  it('know every total of the monitoring table that a sentence can refer to', () => {
    const rows = buildMonitoringRows([], { versus: 'actuals', broughtForward: 0, settings: figures.threshold, byScheme: false })
    expect(rows.flatMap((row) => identifyTotal(row) ?? []).sort()).toEqual(Object.keys(totalLabels).sort())
  })
  it('find a total by its meaning, whatever its row is called, and by its words in older packs', () => {
    const renamed = { ...figures, lines: [line('SectionFooter', 'All income', { total: 'income', forecast: 7_00 })] }
    expect(insertFigures('{income.forecast}', renamed)).toBe('£7')
    expect(insertFigures('{income.forecast}', figures)).toBe('£1,234,568')
  })
  it('do not compare totals of different budget years, except years of the same name', () => {
    const other = {
      ...figures,
      year: '2025/26',
      years: [
        { ...figures.years[0]!, name: '2025/26' },
        { ...figures.years[0]!, reserve: 60_00 },
      ],
    }
    const before = { month: { year: 2026, month: 8 }, figures: other }
    const [changed, alone] = tablesOf('summary', { before })
    expect(changed).toEqual([['Reserve excluding capital at the end of this year', 90_00, 60_00, 30_00]])
    expect(alone).toContainEqual(['Income, full-year forecast', 1_234_567_89])
    const said = buildPages(content({ chapters: ['summary'], before }))[0]!.blocks
    expect(said).toContainEqual({
      kind: 'text',
      text: 'The pack for August 2026 is for another budget year: figures to date, forecasts, contracts and cash are not compared.',
    })
  })
  describe('of several schools', () => {
    const sums = (codeId: number, transfer: LineSum['transfer'], amount: number): LineSum => ({
      unit: 0,
      codeId,
      centreId: null,
      isStaff: false,
      transfer,
      amounts: [amount],
      missing: 0,
    })
    const amounts = (toDate: number, actual: number, variance: number): Partial<PackLine> => ({
      budgetToDate: toDate,
      actualToDate: actual,
      variance,
      variancePercent: (100 * variance) / toDate,
      fullYearBudget: 6 * toDate,
      forecast: 6 * toDate,
    })
    const gross = [
      line('SectionHeader', 'Income'),
      line('Data', 'Grant', { budgetCodeId: 1, ...amounts(1000, 900, -100) }),
      line('Data', 'Top slice from schools', { budgetCodeId: 2, ...amounts(50, 40, -10) }),
      line('SectionFooter', 'Total income', { total: 'income', ...amounts(1050, 940, -110) }),
      line('SectionHeader', 'Other expenditure'),
      line('Data', 'Energy', { budgetCodeId: 3, ...amounts(300, 200, 100) }),
      line('Data', 'Central services', { budgetCodeId: 4, ...amounts(50, 45, 5) }),
      line('SectionFooter', 'Total other expenditure', { total: 'other', ...amounts(350, 245, 105) }),
      line('Total', 'Total expenditure', { total: 'expenditure', ...amounts(350, 245, 105) }),
      line('Total', 'In-year balance', { total: 'inYear', ...amounts(700, 695, -5) }),
    ]
    const posted = [sums(1, null, 1000), sums(3, null, 300), sums(2, 'topSlice', 50), sums(4, 'topSlice', 50)]
    const shown = (lines: readonly PackLine[]) =>
      lines.map(({ description, budgetToDate, actualToDate, variance }) => [description, budgetToDate, actualToDate, variance])
    it('show payments between schools in neither income nor expenditure, but on one line that is zero in the budget', () => {
      const between = findInternalTransfers(posted)
      expect(between.separation).toBe('apart')
      const lines = separateInternalTransfers(gross, between)
      expect(shown(lines)).toEqual([
        ['Income', 0, 0, 0],
        ['Grant', 1000, 900, -100],
        ['Total income', 1000, 900, -100],
        ['Other expenditure', 0, 0, 0],
        ['Energy', 300, 200, 100],
        ['Total other expenditure', 300, 200, 100],
        ['Total expenditure', 300, 200, 100],
        ['Between schools', 0, 0, 0],
        ['Top slices', 0, -5, -5],
        ['Total between schools', 0, -5, -5],
        ['In-year balance', 700, 695, -5],
      ])
      expect(lines.find((one) => one.total === 'income')!.variancePercent).toBe(-10)
    })
    it('keep a pool that adds up to zero on its grant’s code, and say where slices are on codes with other money', () => {
      expect(findInternalTransfers([...posted, sums(1, 'gagPool', 70), sums(1, 'gagPool', -70)])).toMatchObject({
        separation: 'apart',
        kinds: ['gagPool', 'topSlice'],
      })
      expect(findInternalTransfers([...posted, sums(4, null, 9)]).separation).toBe('partly')
      expect(findInternalTransfers(posted.slice(0, 2)).separation).toBe('none')
      expect(separateInternalTransfers(gross, findInternalTransfers(posted.slice(0, 2)))).toEqual(gross)
    })
  })
  it('say that income by year excludes pools and top slices, in a pack of all schools', () => {
    expect(tableOf('balances', { figures: { ...figures, place: null } })![0]![0]).toBe('Income before pools and top slices')
    expect(tableOf('balances')![0]![0]).toBe('Income')
  })
  it('show reason and action of each explained line, and what a due one lacks', () => {
    const remarks = [{ budgetCodeId: 1, note: 'Late', action: null }]
    expect(tableOf('explanations', { remarks, due: [{ budgetCodeId: 1, needs: 'action' }] })).toEqual([
      ['1000 Grant', -20_00, -10, 'Late', 'No action yet'],
    ])
    expect(tableOf('explanations')).toBeNull()
  })
  it('show reason and action below their line of monitoring, if the pack has both chapters', () => {
    const remarks = [{ budgetCodeId: 1, note: 'Late', action: 'Chased' }]
    const chapters: Chapter[] = ['monitoring', 'explanations']
    const rows = (more: Partial<PackContent>) => tableOf('monitoring', { chapters, ...more })!.map(([label]) => label)
    expect(rows({ remarks }).slice(1, 3)).toEqual(['1000 Grant', 'Reason: Late\nAction: Chased'])
    expect(rows({ due: [{ budgetCodeId: 1, needs: 'reason' }] })[2]).toBe('Reason: No reason yet\nAction: No action yet')
    expect(rows({ remarks, chapters: ['monitoring'] })).not.toContain('Reason: Late\nAction: Chased')
    const written = buildPages(content({ chapters, words: { ...createDefaultPackTexts(null), texts: { explanations: 'A quiet month.' } } }))
    expect(written.at(-1)).toEqual({ chapter: 'explanations', title: 'Explanations', blocks: [{ kind: 'text', text: 'A quiet month.' }] })
  })
  it('show the lowest cash and the minimum', () => {
    const [page] = buildPages(content({ chapters: ['cash'] }))
    expect(page!.blocks[0]).toEqual({ kind: 'text', text: 'Lowest in October 2026: £40, £20 below the floor of £60.' })
  })
  it('leave a measure blank if a part of it is missing', () => {
    expect(tableOf('measures')).toEqual([['2026/27', 80, -1, 9, null, null]])
  })
  it('show how each measure compares with comparators when the pack was finished, and nothing if there are none', () => {
    const comparators = {
      year: '2026/27',
      rows: [
        { label: 'Staff, % of income', type: 'percent' as const, own: 80, place: 'above the middle, of 8', median: 74.2 },
        { label: 'Utilities, £ per pupil', type: 'money' as const, own: null, place: 'no comparator', median: null },
      ],
      note: 'Comparators: Like us (8 schools, 2024/25, file.csv).',
    }
    const blocksOf = (more: Partial<PackFigures>) =>
      buildPages(content({ chapters: ['measures'], figures: { ...figures, ...more } }))[0]!.blocks
    const without = blocksOf({})
    const blocks = blocksOf({ comparators })
    expect(blocks.slice(0, without.length)).toEqual(without)
    const [beside, note, ...others] = blocks.slice(without.length)
    expect(others).toEqual([])
    expect(note).toEqual({ kind: 'text', text: comparators.note })
    const report = beside?.kind === 'table' ? beside.report : undefined
    expect(report?.columns.map(({ title }) => title)).toEqual(['2026/27', 'Among comparators', 'Median of comparators'])
    expect(report?.rows.map(({ label, type, values }) => [label, type, ...values])).toEqual([
      ['Staff, % of income', 'percent', 80, 'above the middle, of 8', 74.2],
      ['Utilities, £ per pupil', 'money', null, 'no comparator', null],
    ])
    expect([0, 1, 2].map((index) => describeEmptyCell(report!, report!.rows[1]!, index))).toEqual(['not known', null, null])
  })
  it('keep of the measures only those of the first year that are compared', () => {
    const row = (kind: ReportRow['kind'], label: string, ...values: ReportRow['values']): ReportRow => ({
      kind,
      label,
      values,
      drill: null,
      level: 0,
      missing: 0,
    })
    const measures = (...keys: string[]): Report => ({
      title: 'Measures',
      columns: keys.map((key) => ({ key, title: key, type: 'number' })),
      rows: [
        row('SectionHeader', 'Staff', null, null, null, null),
        row('Data', 'Staff, % of income', 80, 79, 'above the middle, of 8', 74.2),
        row('Data', 'Staff sick days', 5, 6, null, null),
        row('SectionHeader', 'Per pupil, £', null, null, null, null),
        row('Data', 'Utilities', null, 9, 'no comparator', null),
        row('Empty', 'Comparators: Like us (8 schools, 2024/25, file.csv).'),
      ],
      notCalculated: 0,
      bases: [],
    })
    expect(readPackComparators(measures('2026/27', '2027/28', 'comparators', 'median'))).toEqual({
      year: '2026/27',
      rows: [
        { label: 'Staff, % of income', type: 'percent', own: 80, place: 'above the middle, of 8', median: 74.2 },
        { label: 'Utilities, £ per pupil', type: 'money', own: null, place: 'no comparator', median: null },
      ],
      note: 'Comparators: Like us (8 schools, 2024/25, file.csv).',
    })
    expect(readPackComparators(measures('2026/27', '2027/28'))).toBeNull()
  })
  it('show what changed since the last pack, each change the difference of the two', () => {
    const before = { month: { year: 2026, month: 9 }, figures: { ...figures, cash: null } }
    const [changed, alone] = tablesOf('summary', { before })
    expect(changed).toContainEqual(['Income, full-year forecast', 1_234_567_89, 1_234_567_89, 0])
    expect(changed!.flat()).not.toContain(null)
    expect(alone).toEqual([['Lowest cash', 40_00]])
    expect(findChangedFigures(before.figures, figures).map(({ key }) => key)).toEqual(['cash.lowest', 'cash.lowestMonth', 'cash.floor'])
    expect(findChangedFigures(figures, figures)).toEqual([])
  })
  it('number the decisions, with their figures', () => {
    expect(buildPages(content({ chapters: ['decisions'] }))[0]!.blocks).toEqual([{ kind: 'text', text: '1. Approve −£500.' }])
  })
})
