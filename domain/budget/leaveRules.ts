import type { IsoDate } from '../values/calendar.ts'

/** A rule set's replacement, for leave that starts on or after a date. */
export interface RuleSetReplacement {
  replacementId: number | null
  replacedFrom: IsoDate | null
}

/**
 * The rule set for a leave: the one assigned to it or, if that was replaced by the start of the leave, its replacement, and so on to the
 * last (rules.md §8).
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
