import { describe, expect, it } from 'vitest'
import { savingsProblem } from '../../../domain/savings/savings.ts'

const option = (id: string, more: object = {}) => ({ id, pain: 10, savings: [100, 100], oneOff: [0, 0], ...more })
const problem = { options: [option('a'), option('b')], rules: [] as unknown[], targets: [100, 100] }
/** The refusals of a problem, as `field: sentence`. */
const refusals = (changed: object): string[] =>
  savingsProblem.safeParse({ ...problem, ...changed }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('a problem of savings', () => {
  it('is accepted, with quantities left out', () => {
    expect(refusals({})).toEqual([])
    expect(refusals({ options: [], targets: [0] })).toEqual([])
  })
  it.each([
    [{ options: [option('a'), option('a')] }, 'options.1.id: Two options have this id. Give each option an id of its own.'],
    [{ options: [option('')] }, 'options.0.id: Id is required.'],
    [
      { options: [option('a', { savings: [100] })] },
      'options.0.savings: Give one amount for each year. The number of years is the number of targets.',
    ],
    [
      { options: [option('a', { oneOff: [1, 2, 3] })] },
      'options.0.oneOff: Give one amount for each year. The number of years is the number of targets.',
    ],
    [{ options: [option('a', { savings: [100, 0.5] })] }, 'options.0.savings.1: Savings must be whole pennies.'],
    [
      { options: [option('a', { savings: [2_000_000_000_000, 0] })] },
      'options.0.savings.0: Savings must be between -1,000,000,000,000 and 1,000,000,000,000 pennies.',
    ],
    [{ options: [option('a', { pain: 1.5 })] }, 'options.0.pain: Pain must be a whole number.'],
    [{ options: [option('a', { pain: 101 })] }, 'options.0.pain: Pain must be between 0 and 100.'],
    [{ options: [option('a', { quantities: { fte: 0.00001 } })] }, 'options.0.quantities.fte: A quantity must have at most four decimals.'],
    [{ options: Array.from({ length: 201 }, (_one, index) => option(`${index}`)) }, 'options: There can be at most 200 options.'],
    [{ rules: Array.from({ length: 201 }, () => ({ kind: 'atMost', n: 1, ids: ['a'] })) }, 'rules: There can be at most 200 rules.'],
    [{ rules: [{ kind: 'never', ids: ['a'] }] }, 'rules.0.kind: Kind must be atMost, atLeast, notBoth, onlyWith or sumAtMost.'],
    [{ rules: [{ kind: 'atMost', n: 1, ids: ['a', 'x'] }] }, 'rules.0.ids.1: No option has this id.'],
    [{ rules: [{ kind: 'atMost', n: 0.5, ids: ['a'] }] }, 'rules.0.n: N must be a whole number.'],
    [{ rules: [{ kind: 'atLeast', n: -1, ids: ['a'] }] }, 'rules.0.n: N must be at least 0.'],
    [{ rules: [{ kind: 'atLeast', n: 1, ids: [] }] }, 'rules.0.ids: Name at least one option.'],
    [{ rules: [{ kind: 'notBoth', ids: ['a'] }] }, 'rules.0.ids: Name exactly two options.'],
    [{ rules: [{ kind: 'notBoth', ids: ['a', 'a'] }] }, 'rules.0.ids.1: This option is named twice in the rule.'],
    [{ rules: [{ kind: 'onlyWith', id: 'a', with: 'x' }] }, 'rules.0.with: No option has this id.'],
    [{ rules: [{ kind: 'onlyWith', id: 'a', with: 'a' }] }, 'rules.0.with: Name another option.'],
    [{ targets: [] }, 'targets: Give a target for at least one year.'],
    [{ options: [], targets: [1, 2, 3, 4, 5, 6] }, 'targets: There can be at most 5 years.'],
    [{ targets: [100, 'much'] }, 'targets.1: Targets must be whole pennies.'],
    [
      { rules: [{ kind: 'sumAtMost', quantity: '__proto__', value: 1, ids: ['a'] }] },
      'rules.0.quantity: Give the quantity a name other than __proto__.',
    ],
  ])('%j is refused with one sentence at its field', (changed, refusal) => {
    expect(refusals(changed)).toEqual([refusal])
  })
})
