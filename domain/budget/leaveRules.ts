import type { IsoDate } from '../values/calendar.ts'

/** The rule set that replaces another for leave that starts on or after a date. */
export interface RuleSetReplacement {
  replacementId: number | null
  replacedFrom: IsoDate | null
}

/**
 * The rule set for a leave: the assigned one, or its replacement by the leave's start date, followed to the end of the chain (rules.md §8).
 * @param sets every rule set of the organisation by id
 */
export function findRuleSet(leave: { ruleSetId: number; startDate: IsoDate }, sets: ReadonlyMap<number, RuleSetReplacement>): number {
  const seen = new Set<number>()
  let id = leave.ruleSetId
  for (;;) {
    seen.add(id)
    const set = sets.get(id)
    if (!set?.replacementId || !set.replacedFrom || leave.startDate < set.replacedFrom || seen.has(set.replacementId)) return id
    id = set.replacementId
  }
}
