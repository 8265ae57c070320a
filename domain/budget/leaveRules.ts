import type { IsoDate } from '../values/calendar.ts'

/** The rule set that replaces another for leave starting on or after a date. Both fields are null if the rule set has no replacement. */
export interface RuleSetReplacement {
  replacementId: number | null
  replacedFrom: IsoDate | null
}

/**
 * Finds the rule set for a leave, starting with the one assigned to it. A rule set that was replaced by the time the leave starts gives way
 * to its replacement, which may itself have been replaced (rules.md §8).
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
