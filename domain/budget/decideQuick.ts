import { payScaleFlags } from '../calculation/inputs.ts'
import { calculationType } from '../lookups/lookupIds.ts'
import { DomainError, type FieldProblem, invalid } from '../words/errors.ts'
import type { BudgetHead, StoredScalePoint } from './budget.ts'
import { type ContractFacts, refuseLocked } from './decide.ts'
import type { BudgetEvent } from './events.ts'
import type { QuickCalculation, QuickCalculatorInput } from './quickCalculation.ts'

export type QuickCalculationFacts = Pick<ContractFacts, 'contractType' | 'points'> & { allowances: ReadonlySet<number> }

export function findQuickCalculationProblems(
  head: BudgetHead,
  input: QuickCalculatorInput,
  { contractType, points, allowances }: QuickCalculationFacts,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (field: string, message: string): void => void problems.push({ field, message })
  const point = input.scalePointId === null ? undefined : points.get(input.scalePointId)
  if (!contractType || !head.contractTypeIds.includes(contractType.id)) add('contractTypeId', 'Contract type was not found.')
  else if (!(contractType.payScaleTypes & input.type)) add('contractTypeId', 'This contract type cannot use that pay scale.')
  if (input.scalePointId !== null && !point) add('scalePointId', 'Scale point was not found.')
  if (point && payScaleFlags[point.kind] !== input.type) add('scalePointId', 'This scale point belongs to another pay scale.')
  if (input.scalePointId === null && input.spotOrAdjustment === null) add('scalePointId', 'Choose a scale point or enter a spot salary.')
  if (input.allowanceIds.some((id) => !allowances.has(id))) add('allowanceIds', 'Allowance was not found.')
  if (contractType?.calculationType === calculationType.fte && input.fte === null) add('fte', 'FTE is required.')
  if (contractType && contractType.calculationType !== calculationType.fte) {
    if (input.hoursPerWeek === null) add('hoursPerWeek', 'Hours per week is required.')
    if (input.paidWeeksPerYear === null) add('paidWeeksPerYear', 'Paid weeks per year is required.')
  }
  return problems
}

export function toQuickCalculation(
  id: string,
  input: QuickCalculatorInput,
  points: ReadonlyMap<number, StoredScalePoint>,
): QuickCalculation {
  const { id: _id, version: _version, budgetId: _budget, scalePointId, ...rest } = input
  return { ...rest, id, scalePoint: scalePointId === null ? null : (points.get(scalePointId) ?? null) }
}

/** Creates or changes a quick calculation. @throws DomainError naming each invalid field; 409 when the budget is locked */
export function saveQuickCalculation(
  head: BudgetHead,
  {
    id,
    input,
    facts,
    otherNames,
  }: { id: string; input: QuickCalculatorInput; facts: QuickCalculationFacts; otherNames: readonly string[] },
): BudgetEvent[] {
  refuseLocked(head)
  const problems = findQuickCalculationProblems(head, input, facts)
  if (problems.length) throw invalid(problems)
  if (otherNames.some((name) => name.toLowerCase() === input.name.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', {
      fields: [{ field: 'name', message: 'Name is already used.' }],
    })
  return [{ type: 'QuickCalculationSaved', data: { calculation: toQuickCalculation(id, input, facts.points) } }]
}

export function deleteQuickCalculations(head: BudgetHead, ids: readonly string[]): BudgetEvent[] {
  refuseLocked(head)
  return ids.map((id) => ({ type: 'QuickCalculationDeleted', data: { id } }))
}
