import type { IsoDate } from '../values/calendar.ts'

/** The rule set that takes the place of another for leave that starts on or after a day. */
export interface RuleSetReplacement {
  replacementId: number | null
  replacedFrom: IsoDate | null
}

/**
 * The rule set that leave follows: the one it was given, or what replaces that by the day it starts, and so on until nothing does (rules.md §8).
 * @param sets every rule set of the organisation by id
 */
export function ruleSetOf(leave: { ruleSetId: number; startDate: IsoDate }, sets: ReadonlyMap<number, RuleSetReplacement>): number {
  const seen = new Set<number>()
  let id = leave.ruleSetId
  for (;;) {
    seen.add(id)
    const set = sets.get(id)
    if (!set?.replacementId || !set.replacedFrom || leave.startDate < set.replacedFrom || seen.has(set.replacementId)) return id
    id = set.replacementId
  }
}
