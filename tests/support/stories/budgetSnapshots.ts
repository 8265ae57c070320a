import type { StaffContract } from '../../../domain/budget/budget.ts'
import { createRollForwardEvents } from '../../../domain/budget/copies/rollForward.ts'
import type { BudgetEvent, EventOf } from '../../../domain/budget/events.ts'
import { foldLog } from '../../../domain/budget/snapshots/foldLog.ts'
import { type BudgetSnapshot, buildSnapshot, type RecalculationInputsLoader } from '../../../domain/budget/snapshots/snapshot.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { FrozenBudget, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toContractId, toStaffId } from '../../../domain/values/ids.ts'
import { created, idOf, toStoredEvents } from './budgetStory.ts'
import { goldenBudget } from './goldenContracts.ts'

const golden = goldenBudget('teacher-increments')
const person = assertDefined(golden.frozen.people[golden.contracts[0]!.staffId!])
const people = [1, 2, 3, 4].map((id) => toStaffId(id))

/**
 * The inputs of each recalculation in these stories, by the key under which it stores them: including a budget that begins a year later,
 * and another award.
 */
const runInputs: Record<string, { frozen: FrozenBudget; shared: SharedInputs }> = {
  usual: inputsWith(2026, '2'),
  'a year later': inputsWith(2027, '2'),
  'a larger award': inputsWith(2026, '5'),
}

function inputsWith(firstYear: number, award: string): { frozen: FrozenBudget; shared: SharedInputs } {
  const assumptions = Object.fromEntries(
    Object.entries(golden.shared.assumptions[1]!).map(([type, rates]) => [
      type,
      {
        ...rates,
        inflation: [
          { effectiveDate: '2027-01-01', rate: award },
          { effectiveDate: '2027-09-01', rate: '2' },
          { effectiveDate: '2028-09-01', rate: '2' },
        ],
      },
    ]),
  )
  return {
    frozen: {
      ...golden.frozen,
      budget: { ...golden.frozen.budget, firstYear, years: 3 },
      people: Object.fromEntries(people.map((id) => [id, person])),
    },
    shared: { ...golden.shared, assumptions: { 1: assumptions } },
  }
}

export const findRunInputs: RecalculationInputsLoader = (run) => assertDefined(runInputs[run.inputs])

/** A full-time teacher on M1 who rises a point each year. @param number of the contract, and of its employee */
export function teacherSaved(number: 1 | 2 | 3 | 4, change: Partial<StaffContract> = {}): EventOf<'StaffContractSaved'> {
  const id = toContractId(idOf(String(number)))
  const contract = { ...golden.contracts[0]!, id, staffId: toStaffId(number), contractName: `Teacher ${number}`, ...change }
  return { type: 'StaffContractSaved', data: { id, contract } }
}

export function teacherDeleted(number: number): EventOf<'StaffContractDeleted'> {
  return { type: 'StaffContractDeleted', data: { id: toContractId(idOf(String(number))) } }
}

/**
 * The event of a recalculation of all contracts.
 * @param inputs key of `runInputs`
 */
export function contractsRecalculated(inputs = 'usual'): EventOf<'StaffContractsRecalculated'> {
  return {
    type: 'StaffContractsRecalculated',
    data: {
      cause: 'group',
      contracts: null,
      inputs,
      engine: engineVersion,
      totals: { years: [], contracts: 0, notCalculated: 0 },
      result: '',
    },
  }
}

/** The snapshot of a budget at a version of its story, with every figure; by default at the end. */
export function snapshotAt(story: readonly BudgetEvent[], version?: number): BudgetSnapshot {
  return buildSnapshot(foldLog(toStoredEvents(story), version), findRunInputs)
}

/** The story of the budget made by rolling another one forward. */
export function rolledForward(story: readonly BudgetEvent[]): BudgetEvent[] {
  let next = 0
  const facts = {
    contract: () => ({ type: undefined, pointId: () => undefined, isOnLeave: false }),
    tableYearOf: () => null,
    leaveEarnings: [],
  }
  const { state } = foldLog(toStoredEvents(story))
  const taken = createRollForwardEvents(state, facts as unknown as Parameters<typeof createRollForwardEvents>[1], () =>
    String(next++).padStart(24, '7'),
  )
  return [created({ firstYear: 2027, name: 'Rolled forward' }), ...taken, contractsRecalculated('a year later')]
}
