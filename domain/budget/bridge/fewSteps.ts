import { findKeysOfFew } from '../../reports/fewPeople.ts'
import type { BridgeStep } from './bridge.ts'
import { addSums, noSums } from './causes.ts'

/** The people whose contracts a step is about; a contract that nobody holds yet counts as somebody's. */
function peopleIn({ items }: BridgeStep): Set<string> {
  return new Set(items.flatMap(({ kind, staffId, root }) => (kind === 'contract' ? [String(staffId ?? root)] : [])))
}

/** Steps as they are told where nobody is named: those of few people together. What they come to is the same. */
export function mergeFewSteps(steps: readonly BridgeStep[]): BridgeStep[] {
  const hidden = findKeysOfFew(steps.map((step) => ({ key: step, people: peopleIn(step) })))
  if (!hidden.size) return [...steps]
  const few = steps.filter((step) => hidden.has(step))
  const sums = few.reduce((sum, step) => addSums(sum, step), noSums)
  const items = few.flatMap((step) => step.items)
  return [...steps.filter((step) => !hidden.has(step)), { cause: 'other', name: 'Changes that few people have', ...sums, items }]
}
