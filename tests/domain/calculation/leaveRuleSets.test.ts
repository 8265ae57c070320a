import { expect, it } from 'vitest'
import { findRuleSet } from '../../../domain/budget/leaveRules.ts'

const sets = new Map([
  [1, { replacementId: 2, replacedFrom: '2027-09-01' }],
  [2, { replacementId: 3, replacedFrom: '2028-09-01' }],
  [3, { replacementId: 1, replacedFrom: '2030-09-01' }],
  [4, { replacementId: null, replacedFrom: null }],
])

it.each([
  [1, '2027-08-31', 1],
  [1, '2027-09-01', 2],
  [1, '2028-08-31', 2],
  [1, '2028-09-01', 3],
  [4, '2030-01-01', 4],
])('leave by rule set %i that starts on %s follows rule set %i', (ruleSetId, startDate, followed) => {
  expect(findRuleSet({ ruleSetId, startDate }, sets)).toBe(followed)
})
it('rule sets that replace each other in a circle cause no endless loop', () => {
  expect(findRuleSet({ ruleSetId: 1, startDate: '2031-01-01' }, sets)).toBe(3)
})
