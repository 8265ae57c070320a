import { conflict } from '../../words/errors.ts'
import { type Engine, engine as newestEngine } from '../engine.ts'
import type { PayArea, PayPoint } from '../inputs.ts'
import type { SharedInputs } from '../staffing/frozen.ts'
import { rateColumn } from '../staffing/payTables.ts'
import { engine as frozen100 } from './1.0.0/calculation/engine.ts'

// The inputs of version 1.0.0 had a rate in every pay area for every point.
const engine100 = frozen100 as Engine

/** Every engine that calculated a figure in some log, unchanged since. Only the newest may change (rules.md §16). */
const engines: readonly Engine[] = [
  {
    ...engine100,
    // Version 1.0.0 has no Employment Allowance.
    allowanceOf: (_years, months) => months.map(() => 0),
    // Payroll passes today's pay tables, in which rates may be missing.
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

/** The engine of records from before engines were recorded. */
const first = '1.0.0'

/** The engine of a version; undefined for one that this version of the product does not have. */
export function findEngine(version = first): Engine | undefined {
  return engines.find((engine) => engine.version === version)
}

/** The engine of a version. @throws DomainError 409 for one that this version of the product does not have */
export function getEngine(version?: string): Engine {
  const engine = findEngine(version)
  if (!engine) throw conflict('engineMissing', `This version of Bursar does not have engine ${version}, which calculated this.`)
  return engine
}
