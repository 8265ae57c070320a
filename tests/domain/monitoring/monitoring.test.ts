import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import { undoMonitoringChange } from '../../../domain/monitoring/decide.ts'
import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { evolve, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { calculateCodeFigures, calculatePercentOfBase, type LocationYear, sumCodeFigures } from '../../../domain/monitoring/figures.ts'
import { defaultExplanationSettings, type ForecastMethod, forecastMethods } from '../../../domain/monitoring/monitoring.ts'
import { buildMonitoringRows, type MonitoredCode } from '../../../domain/monitoring/rows.ts'
import { toUserId } from '../../../domain/values/ids.ts'

const code = 7
const twelve = (value: number): number[] => Array<number>(12).fill(value)

/** The example of rules.md §17: a year of 1,200.00 by twelfths, September and October closed with 90.00 and 130.00, November chosen. */
function example(method: ForecastMethod = 'budget', actuals = [9_000, 13_000]): LocationYear {
  return {
    period: 3,
    closed: twelve(0).map((_unused, index) => index < 2),
    budget: new Map([[code, twelve(10_000)]]),
    forecastBudget: null,
    imported: new Map([
      [code, { actuals: [...actuals, ...Array<number>(10).fill(0)], commitments: [0, 0, 4_000, ...Array<number>(9).fill(0)] }],
    ]),
    methods: new Map([[code, { method, values: method === 'typed' ? twelve(5_000) : null }]]),
  }
}

const shown = (place: LocationYear, versus: 'actuals' | 'forecast', adjustment = 0, cumulative = false) => {
  const one: MonitoredCode = {
    codeId: code,
    code: 'E01',
    description: 'Supplies',
    isIncome: false,
    isStaff: false,
    scheme: null,
    figures: calculateCodeFigures(place, code, cumulative),
    adjustment,
    note: null,
    action: null,
    missing: 0,
  }
  return buildMonitoringRows([one], { versus, broughtForward: 0, settings: defaultExplanationSettings, byScheme: false }).find(
    (row) => row.kind === 'Data',
  )!
}

describe('the example in the rules', () => {
  it('is 65.00 under budget to date, which is 21.67 %', () => {
    expect(shown(example(), 'actuals', 1_500)).toMatchObject({
      budgetToDate: 30_000,
      actualToDate: 22_000,
      commitments: 4_000,
      adjustment: 1_500,
      variance: 6_500,
      variancePercent: 21.67,
      fullYearBudget: 120_000,
      forecast: null,
    })
  })
  it('has 130.00 of 100.00 in its last closed month, and is unknown in an open one', () => {
    const october = { monthBudget: 10_000, monthActual: 13_000, monthVariance: -3_000 }
    expect(shown({ ...example(), period: 2 }, 'actuals', 1_500)).toMatchObject(october)
    expect(shown({ ...example('budget', [9_000, 22_000]), period: 2 }, 'actuals', 1_500, true)).toMatchObject(october)
    expect(shown(example(), 'actuals')).toMatchObject({ monthBudget: 10_000, monthActual: null, monthVariance: null })
  })
  it('ends the year at 1,220.00, which is 20.00 over', () => {
    expect(shown(example(), 'forecast')).toMatchObject({ forecast: 122_000, variance: -2_000, variancePercent: -1.67 })
  })
  it.each([
    ['whatIsLeft', 120_000],
    ['runRate', 132_000],
    ['typed', 72_000],
  ] as const)('ends the year by %s at %i pennies', (method, forecast) => {
    expect(calculateCodeFigures(example(method), code, false).forecast).toBe(forecast)
  })
  it('is the same with cumulative imports', () => {
    for (const method of forecastMethods)
      expect(calculateCodeFigures(example(method, [9_000, 22_000]), code, true)).toEqual(calculateCodeFigures(example(method), code, false))
  })
  it('follows the budget while no month is closed', () => {
    expect(calculateCodeFigures({ ...example('runRate'), closed: twelve(0).map(() => false) }, code, false)).toMatchObject({
      actualToDate: 0,
      forecast: 120_000,
    })
  })
  it('leaves out a closed month after the chosen one', () => {
    expect(calculateCodeFigures({ ...example(), period: 1 }, code, false)).toMatchObject({
      actualToDate: 9_000,
      budgetToDate: 10_000,
      forecast: 119_000,
    })
  })
  it('uses a forecast budget for open months if one is chosen', () => {
    expect(calculateCodeFigures({ ...example(), forecastBudget: new Map([[code, twelve(11_000)]]) }, code, false).forecast).toBe(132_000)
  })
})

describe('a percentage of variance', () => {
  it('is rounded half away from zero to two decimals, and is blank without a budget', () => {
    expect([
      calculatePercentOfBase(1, 800_000),
      calculatePercentOfBase(-1, 20_000),
      calculatePercentOfBase(1, -20_000),
      calculatePercentOfBase(5, 0),
    ]).toEqual([0, -0.01, 0.01, null])
  })
})

const place = (methods: readonly ForecastMethod[] = forecastMethods): fc.Arbitrary<LocationYear> => {
  const pennies = fc.integer({ min: -1_000_000, max: 5_000_000 })
  const year = fc.array(pennies, { minLength: 12, maxLength: 12 })
  return fc
    .record({
      period: fc.integer({ min: 1, max: 12 }),
      closed: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      codes: fc.array(fc.record({ budget: year, actuals: year, commitments: year, method: fc.constantFrom(...methods) }), {
        minLength: 4,
        maxLength: 4,
      }),
    })
    .map(({ period, closed, codes }) => ({
      period,
      closed,
      budget: new Map(codes.map((one, index) => [index, one.budget])),
      forecastBudget: null,
      imported: new Map(codes.map((one, index) => [index, { actuals: one.actuals, commitments: one.commitments }])),
      methods: new Map(codes.map((one, index) => [index, { method: one.method, values: one.method === 'typed' ? one.budget : null }])),
    }))
}

describe('figures of any locations', () => {
  it('are the same from monthly and cumulative files', () => {
    fc.assert(
      fc.property(place(), (monthly) => {
        const running = new Map(
          [...monthly.imported].map(([id, { actuals, commitments }]) => {
            let sum = 0
            const toDate = actuals.map((value, index) => (monthly.closed[index] ? (sum += value) : 0))
            return [id, { actuals: toDate, commitments }]
          }),
        )
        for (const id of monthly.budget.keys())
          expect(calculateCodeFigures({ ...monthly, imported: running }, id, true)).toEqual(calculateCodeFigures(monthly, id, false))
      }),
    )
  })
  it('add up with the remaining amounts to the year’s budget, to the penny, while any month is open', () => {
    fc.assert(
      fc.property(place(['whatIsLeft']), (one) => {
        const isOpen = one.closed.slice(0, one.period).includes(false) || one.period < 12
        for (const id of one.budget.keys()) {
          const { forecast, fullYearBudget, values } = calculateCodeFigures(one, id, false)
          if (isOpen) expect(forecast).toBe(fullYearBudget)
          expect(values.every(Number.isInteger)).toBe(true)
        }
      }),
    )
  })
  it('add up: the console is the sum of its locations, and rows add up to their totals', () => {
    fc.assert(
      fc.property(fc.array(place(), { minLength: 1, maxLength: 4 }), fc.integer({ min: -9_999, max: 9_999 }), (places, broughtForward) => {
        const each = places.flatMap((one) => [0, 1, 2, 3].map((id) => calculateCodeFigures(one, id, false)))
        for (const versus of ['actuals', 'forecast'] as const) {
          const codes = [0, 1, 2, 3].map(
            (id): MonitoredCode => ({
              codeId: id,
              code: `C${id}`,
              description: `Code ${id}`,
              isIncome: id === 0,
              isStaff: id === 1,
              scheme: id === 2 ? { code: 'E19', description: 'Learning resources' } : null,
              figures: sumCodeFigures(each.filter((_unused, index) => index % 4 === id)),
              adjustment: id * 100,
              note: null,
              action: null,
              missing: 0,
            }),
          )
          const rows = buildMonitoringRows(codes, { versus, broughtForward, settings: defaultExplanationSettings, byScheme: true })
          const data = rows.filter((row) => row.kind === 'Data')
          const total = (name: string) => rows.find((row) => row.description === name && row.kind !== 'SectionHeader')!
          const [income, spent, inYear, carried] = ['Total income', 'Total expenditure', 'In-year balance', 'Carried forward'].map(total)
          for (const column of ['monthBudget', 'budgetToDate', 'actualToDate', 'commitments', 'adjustment', 'fullYearBudget'] as const) {
            const sum = (own: typeof data): number => own.reduce((all, row) => all + row[column], 0)
            if (column !== 'adjustment') expect(sum(data)).toBe(each.reduce((all, figures) => all + figures[column], 0))
            expect(income![column]).toBe(sum(data.filter((row) => row.budgetCodeId === 0)))
            expect(spent![column]).toBe(sum(data.filter((row) => row.budgetCodeId !== 0)))
            expect(inYear![column]).toBe(income![column] - spent![column])
          }
          for (const { budgetCodeId, monthBudget, monthActual, monthVariance } of data)
            if (monthActual === null) expect(monthVariance).toBeNull()
            else expect(monthVariance).toBe(budgetCodeId === 0 ? monthActual - monthBudget : monthBudget - monthActual)
          for (const column of ['monthActual', 'monthVariance'] as const) {
            const known = data.flatMap((row) => row[column] ?? [])
            const sum = known.reduce((all, value) => all + value, 0)
            if (column === 'monthVariance') expect(inYear![column]).toBe(known.length ? sum : null)
            else expect(known.length ? (income![column] ?? 0) + (spent![column] ?? 0) : null).toBe(known.length ? sum : null)
          }
          expect(inYear!.variance).toBe(data.reduce((all, row) => all + row.variance, 0))
          expect(carried!.fullYearBudget).toBe(inYear!.fullYearBudget + broughtForward)
          if (versus === 'forecast') expect(carried!.forecast).toBe(inYear!.forecast! + broughtForward)
        }
      }),
    )
  })
})

describe('a variance', () => {
  const row = (variance: number, budget: number, { note = null, codeId = 1 }: { note?: string | null; codeId?: number | null } = {}) => {
    const figures = { ...calculateCodeFigures(example(), 1, false), budgetToDate: budget, actualToDate: budget - variance }
    const one = {
      codeId,
      code: 'E',
      description: '',
      isIncome: false,
      isStaff: false,
      scheme: null,
      figures,
      adjustment: 0,
      note,
      action: null,
      missing: 0,
    }
    return buildMonitoringRows([one], { versus: 'actuals', broughtForward: 0, settings: defaultExplanationSettings, byScheme: false })[5]!
  }
  it.each([
    ['over £250 and over 10 %', -26_000, 200_000, true],
    ['over £250 and not over 10 %', -26_000, 400_000, false],
    ['of £250 exactly', 25_000, 100_000, false],
    ['over £1,000 of a large budget', 100_001, 100_000_000, true],
    ['over £250 that was not budgeted', -25_001, 0, true],
  ])('%s: needs explaining %#', (_what, variance, budget, wanted) => {
    expect(row(variance, budget).needsExplaining).toBe(wanted)
    expect(row(variance, budget, { note: 'Known' }).needsExplaining).toBe(false)
  })
  it('for a row without a code, such as the levy, needs no explanation, because it takes no note', () => {
    expect(row(-26_000, 200_000).needsExplaining).toBe(true)
    expect(row(-26_000, 200_000, { codeId: null })).toMatchObject({ needsExplaining: false, needsAction: false })
  })
})

describe('the log of a location', () => {
  const line = { type: 1, budgetCodeId: 7, costCentreId: 1, fundCodeId: null, analysisTagId: null, description: null, value: 9_000 }
  const september = { year: 2026, month: 9 }
  const fold = (...events: MonitoringEvent[]) => {
    const state: MonitoringState = createEmptyItems()
    events.forEach((event, index) =>
      evolve(state, { ...event, version: index + 1, occurredAt: '2026-10-01T08:00:00.000Z' } as StoredMonitoringEvent),
    )
    return state
  }
  const imported = (mode: number, lines = [line], closes = true): MonitoringEvent => ({
    type: 'ActualsImported',
    data: { ...september, mode, digest: 'd', closes, lines },
  })
  it('replaces a month, adds to it, clears it, and undoes a change', () => {
    const month = (state: ReturnType<typeof fold>) => state.items.get('month 2026-09')?.item
    expect(month(fold(imported(1), imported(1)))).toMatchObject({ isClosed: true, imports: [{ version: 2 }] })
    expect(month(fold(imported(1), imported(2, [line], false)))).toMatchObject({
      isClosed: true,
      imports: [{ version: 1 }, { version: 2 }],
    })
    expect(month(fold(imported(1, [], true)))).toMatchObject({ isClosed: true })
    expect(month(fold(imported(1), { type: 'MonthCleared', data: september }))).toBeUndefined()
    const before = month(fold(imported(1)))!
    const undone: MonitoringEvent = { type: 'ChangeUndone', data: { undoes: 2, things: [{ key: 'month 2026-09', item: before }] } }
    expect(month(fold(imported(1), { type: 'MonthCleared', data: september }, undone))).toEqual(before)
  })
  it('does not restore cleared lines after somebody has imported and cleared the month again', () => {
    const cleared: MonitoringEvent = { type: 'MonthCleared', data: september }
    const log = [imported(1), cleared, imported(1), cleared].map(
      (event, index) => ({ ...event, version: index + 1, actorId: toUserId(7) }) as StoredMonitoringEvent,
    )
    const takenBack = (version: number, ends: number) =>
      undoMonitoringChange(log[version - 1]!, {
        actorId: toUserId(7),
        before: fold(...log.slice(0, version - 1)),
        later: log.slice(version, ends),
        nameOf: () => 'Kim Baker',
      })
    expect(takenBack(2, 2)).toMatchObject([{ type: 'ChangeUndone', data: { undoes: 2 } }])
    expect(takenBack(4, 4)).toMatchObject([{ type: 'ChangeUndone', data: { undoes: 4 } }])
    expect(() => takenBack(2, 4)).toThrow('You have changed this since. Undo the newer change first.')
  })
  it('describes each change in a sentence', () => {
    const about = { ...september, groupId: null, budgetCodeId: 7, type: 1 }
    const told = (event: MonitoringEvent): string => describeMonitoringEvent(event, () => 'E01 Supplies')
    const changes: MonitoringEvent[] = [
      imported(1),
      imported(2),
      { type: 'NoteSaved', data: { ...about, sealedNotes: 'x' } },
      { type: 'AdjustmentSaved', data: { ...about, value: 1_500 } },
      { type: 'ForecastChosen', data: { year: 2026, budgetCodeIds: [7], method: 'runRate', values: null } },
    ]
    expect(changes.map(told)).toEqual([
      'imported 1 line for September 2026',
      'added 1 line to September 2026',
      'wrote a note on E01 Supplies in September 2026 (budget versus actuals)',
      'adjusted E01 Supplies in September 2026 (budget versus actuals) by £15.00',
      'forecast E01 Supplies for 2026/27 by the current rate',
    ])
  })
})
