import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculateCodeFigures, type LocationYear } from '../../../domain/monitoring/figures.ts'
import { calculateForecastOutturn } from '../../../domain/monitoring/forecastOutturn.ts'

const pennies = fc.integer({ min: -5_000_000, max: 5_000_000 })
const year = fc.array(pennies, { minLength: 12, maxLength: 12 })

describe('the outcome of a year while a forecast is typed', () => {
  it('uses actuals as they are and open months as typed, and says whether that is good', () => {
    const months = Array.from({ length: 12 }, (_unused, period) => ({ value: period < 2 ? 110_00 : 100_00, isActual: period < 2 }))
    const typed = months.map(() => 120_00)
    const budget = 1200_00
    expect(calculateForecastOutturn(months, typed, { budget, adjustment: 5_00, isIncome: false })).toMatchObject({
      forecast: 1425_00,
      variance: -225_00,
    })
    expect(calculateForecastOutturn(months, typed, { budget, adjustment: 5_00, isIncome: true }).variance).toBe(225_00)
    const asBudgeted = months.map(() => 100_00)
    expect(
      calculateForecastOutturn(
        asBudgeted.map((value) => ({ value, isActual: false })),
        asBudgeted,
        { budget, adjustment: 0, isIncome: true },
      ).variance,
    ).toBe(0)
  })
  it('equals the forecast once it is saved', () => {
    fc.assert(
      fc.property(
        year,
        year,
        year,
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (budget, actuals, typed, period, closed) => {
          const place: LocationYear = {
            period,
            closed,
            budget: new Map([[1, budget]]),
            forecastBudget: null,
            imported: new Map([[1, { actuals, commitments: actuals }]]),
            methods: new Map(),
          }
          const before = calculateCodeFigures(place, 1, false)
          const months = before.values.map((value, at) => ({ value, isActual: at < period && closed[at]! }))
          const saved = calculateCodeFigures({ ...place, methods: new Map([[1, { method: 'typed' as const, values: typed }]]) }, 1, false)
          const outcome = calculateForecastOutturn(months, typed, { budget: before.fullYearBudget, adjustment: 0, isIncome: false })
          expect(outcome.values).toEqual(saved.values)
          expect(outcome.forecast).toBe(saved.forecast)
        },
      ),
    )
  })
})
