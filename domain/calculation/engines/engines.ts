import { conflict } from '../../words/errors.ts'
import { type Engine, engine as newestEngine } from '../engine.ts'
import type { PayArea, PayPoint } from '../inputs.ts'
import type { SharedInputs } from '../staffing/frozen.ts'
import { rateColumn } from '../staffing/payTables.ts'
import { engine as frozen100 } from './1.0.0/calculation/engine.ts'

// It reads inputs of its time, in which every point has a rate in every pay area.
const engine100 = frozen100 as Engine

/** Every engine that worked out a figure of some log, each as it was then: only the newest may change (rules.md §16). */
const engines: readonly Engine[] = [
  {
    ...engine100,
    // It knows no Employment Allowance.
    allowanceOf: (_years, months) => months.map(() => 0),
    // Payroll gives it the tables of today.
    costContracts: (contracts, frozen, shared) =>
      engine100.costContracts(contracts, frozen, withoutUnknownRates(shared, frozen.budget.payArea)),
  },
  newestEngine,
]

/** Pay tables without the points that have no rate in a pay area; the rates of other areas are not read. */
function withoutUnknownRates(shared: SharedInputs, area: PayArea): SharedInputs {
  const { payScales } = shared.tables
  const columns = Object.values(rateColumn)
  const isUnknown = (point: PayPoint): boolean => columns.some((column) => point[column] === null)
  if (!Object.values(payScales).some(({ points }) => points.some(isUnknown))) return shared
  const known = Object.entries(payScales).map(([name, table]) => {
    const points = table.points.flatMap((point): PayPoint[] => {
      const rate = point[rateColumn[area]]
      return rate === null ? [] : [{ ...point, mainRate: rate, innerRate: rate, outerRate: rate, fringeRate: rate }]
    })
    return [name, { ...table, points }]
  })
  return { ...shared, tables: { ...shared.tables, payScales: Object.fromEntries(known) } }
}

/** The engine of whatever was kept before it named one. */
const first = '1.0.0'

/** The engine of a version; undefined for one that this version of the product does not have. */
export function knownEngine(version = first): Engine | undefined {
  return engines.find((engine) => engine.version === version)
}

/** The engine of a version. @throws DomainError 409 for one that this version of the product does not have */
export function engineOf(version?: string): Engine {
  const engine = knownEngine(version)
  if (!engine) throw conflict('engineMissing', `This version of Bursar does not have engine ${version}, which worked this out.`)
  return engine
}
