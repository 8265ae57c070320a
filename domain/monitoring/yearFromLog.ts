import { actualType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { MonitoringState } from './evolve.ts'
import type { ImportedAmounts, LocationYear } from './figures.ts'
import { toMonthIndex } from './monitoring.ts'

type LoggedYear = Pick<LocationYear, 'closed' | 'imported' | 'methods'>

/**
 * Builds a budget year from a folded log.
 * @param start `toMonthIndex` of the first month of the year
 * @param period last period to include, 1 to 12; imports of later months do not count
 */
export function buildYearFromLog({ items }: MonitoringState, start: number, period: number): LoggedYear {
  const closed = Array<boolean>(12).fill(false)
  const imported = new Map<number, ImportedAmounts>()
  const methods = new Map<number, { method: 'whatIsLeft' | 'runRate' | 'typed'; values: readonly number[] | null }>()
  for (const { item } of items.values()) {
    if (item.kind === 'forecast' && item.year === Math.floor(start / 12) && item.method !== 'budget')
      methods.set(item.budgetCodeId, { method: item.method, values: item.values })
    if (item.kind !== 'month') continue
    const at = toMonthIndex(item) - start
    if (at < 0 || at > 11) continue
    closed[at] = item.isClosed
    if (at >= period) continue
    for (const { type, budgetCodeId, value } of item.imports.flatMap((one) => one.lines)) {
      const amounts = imported.get(budgetCodeId) ?? { actuals: Array<number>(12).fill(0), commitments: Array<number>(12).fill(0) }
      const values = type === actualType.actual ? amounts.actuals : amounts.commitments
      values[at] = assertDefined(values[at]) + value
      imported.set(budgetCodeId, amounts)
    }
  }
  return { closed, imported, methods }
}
