import { actualType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { MonitoringState } from './evolve.ts'
import type { Imported, LocationYear } from './figures.ts'
import { monthIndex } from './monitoring.ts'

/** A budget year of a location as the log of the location says it. */
type LoggedYear = Pick<LocationYear, 'closed' | 'imported' | 'methods'>

/**
 * What a folded log says of a budget year of its location.
 * @param start when the year begins, in months counted from the year 0
 * @param period up to which, 1 to 12: what is in of later months does not count
 */
export function loggedYear({ items }: MonitoringState, start: number, period: number): LoggedYear {
  const closed = Array<boolean>(12).fill(false)
  const imported = new Map<number, Imported>()
  const methods = new Map<number, { method: 'whatIsLeft' | 'runRate' | 'typed'; values: readonly number[] | null }>()
  for (const { item } of items.values()) {
    if (item.kind === 'forecast' && item.year === Math.floor(start / 12) && item.method !== 'budget')
      methods.set(item.budgetCodeId, { method: item.method, values: item.values })
    if (item.kind !== 'month') continue
    const at = monthIndex(item) - start
    if (at < 0 || at > 11) continue
    closed[at] = item.isClosed
    if (at >= period) continue
    for (const { type, budgetCodeId, value } of item.imports.flatMap((one) => one.lines)) {
      const own = imported.get(budgetCodeId) ?? { actuals: Array<number>(12).fill(0), commitments: Array<number>(12).fill(0) }
      const values = type === actualType.actual ? own.actuals : own.commitments
      values[at] = assertDefined(values[at]) + value
      imported.set(budgetCodeId, own)
    }
  }
  return { closed, imported, methods }
}
