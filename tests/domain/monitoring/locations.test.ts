import { describe, expect, it } from 'vitest'
import { listLocationFigures } from '../../../domain/monitoring/locations.ts'
import { defaultExplanationSettings } from '../../../domain/monitoring/monitoring.ts'
import { buildMonitoringRows, type MonitoringTableRow } from '../../../domain/monitoring/rows.ts'

/** Marks these of the twelve periods as closed. */
const closing = (...periods: number[]): boolean[] => Array.from({ length: 12 }, (_unused, at) => periods.includes(at + 1))

const rowsOf = (actualToDate: number, commitments: number, broughtForward: number): MonitoringTableRow[] =>
  buildMonitoringRows(
    [
      {
        codeId: 1,
        code: 'E1',
        description: 'Paper',
        isIncome: false,
        isStaff: false,
        scheme: null,
        figures: {
          monthBudget: 100,
          monthActual: actualToDate,
          budgetToDate: 100,
          fullYearBudget: 1200,
          actualToDate,
          commitments,
          forecast: 1200,
          values: [],
        },
        adjustment: 0,
        note: null,
        action: null,
        missing: 0,
      },
    ],
    { versus: 'actuals', broughtForward, settings: defaultExplanationSettings, byScheme: false },
  )

describe('a location’s column', () => {
  const named = (rows: MonitoringTableRow[], values: (number | null)[]) =>
    Object.fromEntries(rows.flatMap((row, at) => (row.kind === 'Data' || row.kind === 'Total' ? [[row.description, values[at]]] : [])))
  it('shows only the amount brought forward as actuals until a month is closed, even if that is zero', () => {
    for (const broughtForward of [12_000_000, 0]) {
      const rows = rowsOf(0, 0, broughtForward)
      const unknown = { Paper: null, 'Total expenditure': null, 'In-year balance': null, 'Carried forward': null }
      expect(named(rows, listLocationFigures(rows, 'actualToDate', { closed: closing(), period: 2 }))).toEqual({
        ...unknown,
        'Brought forward': broughtForward,
      })
      // A month closed after the chosen one has no effect on it.
      expect(listLocationFigures(rows, 'actualToDate', { closed: closing(3), period: 2 }).filter((value) => value !== null)).toEqual([
        broughtForward,
      ])
      expect(listLocationFigures(rows, 'budgetToDate', { closed: closing(), period: 2 })).not.toContain(null)
    }
    const rows = rowsOf(300, 0, 1000)
    expect(named(rows, listLocationFigures(rows, 'actualToDate', { closed: closing(1), period: 2 }))).toMatchObject({
      Paper: 300,
      'Carried forward': 700,
    })
  })
  it('shows commitments of the chosen month only, which may come before its actuals', () => {
    const none = rowsOf(300, 0, 1000)
    expect([...new Set(listLocationFigures(none, 'commitments', { closed: closing(1), period: 2 }))]).toEqual([null])
    expect(named(none, listLocationFigures(none, 'commitments', { closed: closing(1, 2), period: 2 }))).toMatchObject({ Paper: 0 })
    const some = rowsOf(300, 4000, 1000)
    expect(named(some, listLocationFigures(some, 'commitments', { closed: closing(1), period: 2 }))).toMatchObject({ Paper: 4000 })
  })
})
