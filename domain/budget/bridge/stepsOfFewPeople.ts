import { findKeysToMerge } from '../../reports/fewPeople.ts'
import type { BridgeStep } from './bridge.ts'
import { addAmounts, zeroAmounts } from './causes.ts'

/** The people whose contracts a step affects. A vacancy counts as one person. */
function listPeople({ items }: BridgeStep): Set<string> {
  return new Set(items.flatMap(({ kind, staffId, root }) => (kind === 'contract' ? [String(staffId ?? root)] : [])))
}

/** Merges steps that affect only a few people into one, for readers who may not see individual pay. The totals stay the same. */
export function mergeStepsOfFewPeople(steps: readonly BridgeStep[]): BridgeStep[] {
  const hidden = findKeysToMerge(steps.map((step) => ({ key: step, people: listPeople(step) })))
  if (!hidden.size) return [...steps]
  const few = steps.filter((step) => hidden.has(step))
  const sums = few.reduce((sum, step) => addAmounts(sum, step), zeroAmounts)
  const items = few.flatMap((step) => step.items)
  return [...steps.filter((step) => !hidden.has(step)), { cause: 'other', name: 'Changes that affect few people', ...sums, items }]
}
