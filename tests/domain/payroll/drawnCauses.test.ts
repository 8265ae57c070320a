import { describe, expect, it } from 'vitest'
import type { ContractRow, StaffContract } from '../../../domain/budget/budget.ts'
import type { AppliedLeave } from '../../../domain/calculation/inputs.ts'
import { calculatePay, payComponents } from '../../../domain/payroll/calculatedPay.ts'
import { explainPayDifference } from '../../../domain/payroll/causes/explain.ts'
import { type LeaveRuleSet, prepareWhatIfBaseline, type RowKeyFinder } from '../../../domain/payroll/causes/whatIfBaseline.ts'
import { goldenBudget } from '../../support/stories/goldenContracts.ts'

const rowOf: RowKeyFinder = (_contract, { component }) => component
const names = [
  'teacher-increments',
  'teacher-m6-full-time',
  'teacher-part-time-tlr',
  'teacher-inner-london',
  'teaching-assistant-term-time',
  'maternity-teacher',
  'sick-pay',
]
const months = [
  { year: 2026, month: 10 },
  { year: 2027, month: 1 },
  { year: 2027, month: 6 },
]

interface Truth {
  contracts: StaffContract[]
  leaves: AppliedLeave[]
}
type Change = (truth: Truth) => Truth | null

/** A deviation of payroll, as a change to the budget’s salary rows. */
const onRows =
  (change: (row: ContractRow) => Partial<ContractRow> | null): Change =>
  ({ contracts: [first, ...rest], leaves }) => {
    const salary = first!.salary.map((row) => ({ ...row, ...change(row) }))
    return first!.salary.some((row) => change(row) !== null) ? { contracts: [{ ...first!, salary }, ...rest], leaves } : null
  }
const point = (step: number): Change =>
  onRows(({ scalePoint }) => scalePoint && { scalePoint: { ...scalePoint, increment: scalePoint.increment + step } })
const pension: Change = onRows((row) => ({ erPension: !row.erPension }))
const noAllowance: Change = onRows((row) => (row.allowances.length ? { allowances: row.allowances.slice(1) } : null))
const apprentice: Change = ({ contracts: [first, ...rest], leaves }) => ({
  contracts: [{ ...first!, apprentice: !first!.apprentice }, ...rest],
  leaves,
})
const leftOn =
  (endDate: string): Change =>
  ({ contracts: [first, ...rest], leaves }) => ({ contracts: [{ ...first!, endDate }, ...rest], leaves })
const fte = (share: number): Change => onRows((row) => (row.fte !== null ? { fte: share } : null))
const onLeave =
  (set: LeaveRuleSet, startDate: string): Change =>
  ({ contracts, leaves }) =>
    leaves.length
      ? null
      : {
          contracts,
          leaves: [
            ...leaves,
            { ruleset: set.ruleset, type: set.type, startDate, endDate: `${Number(startDate.slice(0, 4)) + 1}${startDate.slice(4)}` },
          ],
        }

/** A random number generator with a fixed seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** One employee of a golden case in a month: calculates pay after changes, and explains a difference in pay. */
function asked(name: string, month: { year: number; month: number }) {
  const budget = goldenBudget(name)
  const { contracts, frozen } = budget
  const shared = { ...budget.shared, labels: {} }
  const question = { ...month, useInflation: true }
  const leaveSets = Object.keys(shared.leaveRulesets).map((ruleset): LeaveRuleSet => {
    const [leave] = Object.values(frozen.people).flatMap(({ leaves }) => leaves)
    return { ruleset, type: leave?.type ?? 'Maternity', name: `set ${ruleset}` }
  })
  const staffId = contracts[0]!.staffId!
  const person = { ages: frozen.people[staffId]?.ages ?? null, leaves: [] as AppliedLeave[] }
  const without = { ...frozen, people: { [staffId]: person } }
  const ground = prepareWhatIfBaseline(without, { shared, question, leaveSets })
  const payOf = ({ contracts: own, leaves }: Truth): Map<string, number> | null => {
    const found = calculatePay(own, { frozen: { ...frozen, people: { [staffId]: { ...person, leaves } } }, shared, question })
    const sums = payComponents.map((component) =>
      found.reduce<number | null>((sum, one) => (sum === null || one.pay[component] === null ? null : sum + one.pay[component]), 0),
    )
    return sums.includes(null) ? null : new Map(payComponents.map((component, index) => [component, sums[index]!]))
  }
  const explain = (actual: Map<string, number>) =>
    ground ? explainPayDifference(ground, { staffId, contracts, actual, arrears: new Map() }, rowOf) : []
  return { payOf, explain, truth: { contracts, leaves: [] } as Truth, leaveSets }
}

const isSame = (one: Map<string, number>, other: Map<string, number>): boolean =>
  [...one].every(([row, pennies]) => Math.abs(pennies - (other.get(row) ?? 0)) <= 5)

/** Draws random employees and deviations of payroll, and counts how well each is explained. */
function drawn(seed: number, count: number, together: 1 | 2) {
  const random = seeded(seed)
  const tally = { drawn: 0, named: 0, first: 0, nothing: 0, numbers: 0, missed: [] as string[] }
  for (let turn = 0; turn < count * 20 && tally.drawn < count; turn++) {
    const month = months[random(months.length)]!
    const name = names[random(names.length)]!
    const { payOf, explain, truth, leaveSets } = asked(name, month)
    const inMonth = `${month.year}-${String(month.month).padStart(2, '0')}-${String(2 + random(25)).padStart(2, '0')}`
    const set = leaveSets[random(Math.max(1, leaveSets.length))]
    const back = random(11)
    const at = month.month - 1 - back
    const began = `${month.year + Math.floor(at / 12)}-${String((((at % 12) + 12) % 12) + 1).padStart(2, '0')}-${String(1 + random(28)).padStart(2, '0')}`
    const changes: [string, Change][] = [
      ['point', point(random(2) ? 1 : -1)],
      ['pension', pension],
      ['allowance', noAllowance],
      ['niCategory', apprentice],
      ['dates', leftOn(inMonth)],
      ...(together === 1 ? ([['hours', fte([0.5, 0.6, 0.8][random(3)]!)]] as [string, Change][]) : []),
      ...(set ? ([['leave', onLeave(set, began)]] as [string, Change][]) : []),
    ]
    const chosen = changes.splice(random(changes.length), 1)
    if (together === 2) chosen.push(changes[random(changes.length)]!)
    const changed = chosen.reduce<Truth | null>((before, [, change]) => before && change(before), truth)
    const [calculated, actual] = [payOf(truth), changed && payOf(changed)]
    if (!calculated || !actual || isSame(calculated, actual)) continue
    // A deviation without effect on pay cannot be found.
    const alone = chosen.map(([, change]) => change(truth)).map((one) => one && payOf(one))
    if (alone.some((one) => !one || isSame(one, calculated) || (together === 2 && isSame(one, actual)))) continue
    tally.drawn++
    const found = explain(actual)
    // Where an increment is due, a point one higher or lower is called an increment.
    const causes = chosen.map(([cause]) => (cause === 'point' ? ['point', 'increment'] : [cause]))
    const isNamed = (one: (typeof found)[number] | undefined): boolean =>
      one !== undefined &&
      (together === 1
        ? causes[0]!.includes(one.cause)
        : one.sentence.split('. ').length === 2 && causes.some((own) => own.includes(one.cause)))
    if (found.some(isNamed)) tally.named++
    if (isNamed(found[0])) tally.first++
    if (!found.length) tally.nothing++
    // Hours were proposed, worked back from the pay, although the cause was another.
    if (found[0]?.cause === 'hours' && !causes.flat().includes('hours')) tally.numbers++
    if (!isNamed(found[0]))
      tally.missed.push(
        `${name} ${month.month} ${chosen.map(([cause]) => cause).join('+')}${chosen.some(([cause]) => cause === 'leave') ? ` ${began} ${set?.ruleset}` : ''}: ${found[0]?.sentence ?? 'nothing'}`,
      )
  }
  return tally
}

describe('the causes of a difference in pay', () => {
  it('are named if there is one, and proposed first', () => {
    // Half a month pays as much as half time, and no pay as much as no contract: the rules decide which cause comes first.
    const { missed, ...tally } = drawn(20_261, 60, 1)
    expect(tally, missed.join('\n')).toEqual({ drawn: 60, named: 57, first: 56, nothing: 0, numbers: 0 })
  }, 60_000)
  it('are named if there are two at once, as two sentences', () => {
    // In the remaining cases a single leave explains the pay to the penny, and the shorter of two explanations is given.
    const { missed, ...tally } = drawn(45, 25, 2)
    expect(tally, missed.join('\n')).toEqual({ drawn: 25, named: 19, first: 19, nothing: 0, numbers: 0 })
  }, 60_000)
})
