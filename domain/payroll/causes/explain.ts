import type { StaffContract } from '../../budget/budget.ts'
import type { StaffId } from '../../ids.ts'
import { must } from '../../must.ts'
import type { Pennies } from '../../units.ts'
import { type Candidate, candidates, freeNumbers, type Paid } from './candidates.ts'
import type { PayExplanation } from './causes.ts'
import { type Costed, type Ground, payByRow, type RowOf, type RowPay } from './ground.ts'
import { signedFigure } from './words.ts'

/** Whole pennies that a row may be off by for a cause to meet it (rules.md §18). */
const within = 5

/** What payroll paid one employee in the month, beside the contracts that the budget calculates it from. */
export interface PaidEmployee {
  staffId: StaffId
  contracts: readonly StaffContract[]
  /** Whole pennies by row. A row that is not here was paid nothing. */
  actual: ReadonlyMap<string, Pennies>
  /** What the months carried forward left owing by row, calculated less paid; whole pennies. */
  arrears: ReadonlyMap<string, Pennies>
  /** Rows that this payroll does not report at all, as one whose files leave employer's pension out: nothing is compared there. */
  notCompared?: ReadonlySet<string>
}

/**
 * The causes that meet what was paid on every row of an employee, each tried by costing the contracts again with that one thing changed, in the
 * order of the law: the first is proposed. Where none holds, a number that is worked back, or two causes together (rules.md §18).
 * @returns nothing where the pay is as calculated, cannot be calculated, or no cause holds
 */
export function explainDifference(ground: Ground, employee: PaidEmployee, rowOf: RowOf): PayExplanation[] {
  const contracts = employee.contracts.filter((contract) => !contract.attritionContract).sort((a, b) => (a.id < b.id ? -1 : 1))
  const person = ground.people[employee.staffId] ?? { ages: null, leaves: [] }
  const base: Costed = { prepared: ground.prepared, person, contracts }
  const calculated = payByRow(ground, base, rowOf)
  if (!calculated || !contracts.length) return []
  const isCompared = (row: string): boolean => !employee.notCompared?.has(row)
  const compared = (rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    employee.notCompared?.size ? new Map([...rows].filter(([row]) => isCompared(row))) : rows
  const paid: Paid = { ground, base, calculated, actual: employee.actual, arrears: employee.arrears, rowOf }
  const actual = compared(employee.actual)
  if (meets(compared(calculated), actual)) return []
  const said = signedFigure(sum(actual) - sum(compared(calculated)))
  const holds = (rows: RowPay): boolean => rows !== undefined && meets(compared(rows), actual)
  const tried: Tried[] = []
  const [holding, free]: [PayExplanation[], { candidate: Candidate; found: PayExplanation }[]] = [[], []]
  const found = ({ cause, says, change }: Candidate): PayExplanation => ({ cause, sentence: `${says}, ${said}`, change })
  for (const candidate of candidates(paid)) {
    const rows = rowsOf(ground, candidate, rowOf)
    if (rows) tried.push({ candidate, rows })
    if (holds(rows) && !holding.some(({ sentence }) => sentence === found(candidate).sentence)) holding.push(found(candidate))
  }
  if (holding.length) return holding
  for (const candidate of freeNumbers(paid)) if (holds(rowsOf(ground, candidate, rowOf))) free.push({ candidate, found: found(candidate) })
  const numbers = (how: Candidate['free']): PayExplanation[] =>
    free.filter(({ candidate }) => candidate.free === how).map((one) => one.found)
  // *Choice*: an odd number of hours meets almost anything, so that two causes that meet every row come before it.
  const likely = numbers('likely')
  return likely.length ? [...likely, ...numbers('odd')] : [...pairs(paid, { tried, isCompared, holds, said }), ...numbers('odd')]
}

/** A candidate with what every row comes to by it. */
interface Tried {
  candidate: Candidate
  rows: ReadonlyMap<string, number>
}

const mostPairs = 5
/** How many pairs of one employee are costed: more take longer than anybody waits. */
const mostCosted = 3000

/**
 * Two causes that meet every row together, in the order of the law. What two come to is near the sum of what each of them changes, so that few pairs
 * need to be costed.
 */
function pairs(
  paid: Paid,
  {
    tried,
    isCompared,
    holds,
    said,
  }: { tried: readonly Tried[]; isCompared: (row: string) => boolean; holds: (rows: RowPay) => boolean; said: string },
): PayExplanation[] {
  const { ground, actual, calculated, rowOf } = paid
  const rowNames = new Set([...calculated.keys(), ...actual.keys(), ...tried.flatMap(({ rows }) => [...rows.keys()])])
  const names = [...rowNames].filter(isCompared)
  const base = names.map((row) => calculated.get(row) ?? 0)
  const wanted = names.map((row, at) => (actual.get(row) ?? 0) - at0(base, at))
  const moves = tried.map(({ rows }) => names.map((row, at) => (rows.get(row) ?? 0) - at0(base, at)))
  const whole = base.reduce((total, pennies) => total + pennies, 0)
  const ratios = moves.map((own) => (whole ? own.reduce((total, pennies) => total + pennies, 0) / whole : 0))
  // Two changes add up, or the one scales what the other comes to.
  const isNear = (one: number, other: number): boolean =>
    wanted.every((pennies, at) => {
      const [a, b, before] = [at0(must(moves[one]), at), at0(must(moves[other]), at), at0(base, at)]
      const cross = before ? (a * b) / before : a * at0(ratios, other) + b * at0(ratios, one)
      const [low, high] = [a + b + Math.min(cross, 0), a + b + Math.max(cross, 0)]
      const room = 25 + 0.2 * Math.abs(cross)
      return pennies >= low - room && pennies <= high + room
    })
  const offered: PayExplanation[] = []
  let left = mostCosted
  for (const [index, { candidate }] of tried.entries()) {
    if (isUnreported(paid, candidate)) continue
    const near = new Set<string>()
    for (let other = index + 1; other < tried.length; other++) {
      const { candidate: second } = must(tried[other])
      if (second.about !== candidate.about && !isUnreported(paid, second) && isNear(index, other)) near.add(keyOf(second))
    }
    if (!near.size) continue
    const first = candidate.costed ?? paid.base
    for (const second of candidates({ ...paid, base: first, calculated: must(tried[index]).rows })) {
      if (!near.delete(keyOf(second))) continue
      if (--left < 0) return offered
      const rows = rowsOf(ground, second, rowOf)
      // Arrears change no contract: they are paid beside whatever the second comes to.
      if (rows && !candidate.costed)
        for (const [at, row] of names.entries()) rows.set(row, (rows.get(row) ?? 0) + at0(must(moves[index]), at))
      if (!holds(rows)) continue
      offered.push({ cause: candidate.cause, sentence: `${candidate.says}. ${second.says}, ${said}`, change: candidate.change })
      if (offered.length >= mostPairs) return offered
    }
  }
  return offered
}

/** Whether a person's age would empty a row that the payroll does not report: then nothing says that it was paid so. */
function isUnreported({ calculated, actual }: Paid, { change, costed }: Candidate): boolean {
  return change.kind === 'age' && costed !== undefined && [...calculated].some(([row, pennies]) => pennies > within && !actual.has(row))
}

const at0 = (numbers: readonly number[], at: number): number => numbers[at] ?? 0

/** Tells a candidate from all others of an employee, also once another one is taken to hold. */
function keyOf({ cause, about, change }: Candidate): string {
  // A row keeps the point that it has come to, which another cause may have moved: of allowances and the pension it says nothing.
  const isPoint = cause === 'point' || cause === 'increment'
  return JSON.stringify([cause, about, change.kind !== 'row' ? change : isPoint ? change.fields.scalePoint?.increment : null])
}

function rowsOf(ground: Ground, { rows, costed }: Candidate, rowOf: RowOf): RowPay {
  return costed ? payByRow(ground, costed, rowOf) : rows
}

function meets(rows: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): boolean {
  for (const [row, pennies] of actual) if (Math.abs(pennies - (rows.get(row) ?? 0)) > within) return false
  for (const [row, pennies] of rows) if (!actual.has(row) && Math.abs(pennies) > within) return false
  return true
}

function sum(rows: ReadonlyMap<string, number>): number {
  return [...rows.values()].reduce((total, pennies) => total + pennies, 0)
}
