import { findEngine } from '../../../../domain/calculation/engines/engines.ts'
import type { ContractCost } from '../../../../domain/calculation/inputs.ts'
import { toDisplayedProblem } from '../../../../domain/calculation/staffing/displayProblem.ts'
import { combineInputs, toContractInput } from '../../../../domain/calculation/staffing/frozen.ts'
import { assertDefined, requireItemAt } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { ContractId, LocationId } from '../../../../domain/values/ids.ts'
import { recordFromKeys } from '../../../../domain/values/keysOf.ts'
import { sumIfAllKnown } from '../../../../domain/values/knownSum.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readCosts, readLastFullRecalculation } from '../../../shared/costing/costs/queries.ts'
import { readStoredInputs } from '../../../shared/costing/inputs/queries.ts'
import { filterVisibleLabels } from '../../../shared/staffing/contracts/seenLabels.ts'
import { loadContracts, loadContractsOfEmployees } from '../../../streams/budget/queries.ts'
import { readBudgetEvents } from '../../../streams/budget/stream.ts'

const none: Record<string, string> = {}

/**
 * The cost of a contract by month, with the derivation of each amount. It uses the inputs stored with its last costing, so later changes of
 * shared data do not change the figures.
 * @param withSteps false leaves out the derivations
 */
export async function readContractForecast(
  call: Call<'organisationId' | 'budgetId'>,
  { id, withSteps = true }: { id: ContractId; withSteps?: boolean | undefined },
  locationIds: readonly LocationId[] | null,
) {
  const { tx, organisationId, budgetId } = call
  const [contract] = await loadContracts(call, [id])
  if (!contract) throw notFound('Staff contract')
  const row = (await readCosts(call, [id])).get(id)
  // A later recalculation with the same result stores no new costs, but its inputs explain the figures.
  const version = row && Math.max(row.version, (await readLastFullRecalculation(tx, organisationId, budgetId)).version)
  const [event] = version ? await readBudgetEvents(call, version - 1, version) : []
  if (!row || event?.type !== 'StaffContractsRecalculated')
    return { contractId: id, years: [], problems: [], warnings: [], explanation: [], labels: none, costing: null }
  const { frozen, shared } = await readStoredInputs(call, event.data.inputs)
  const costing = { ...row.costing, problems: row.costing.problems.map(toDisplayedProblem) }
  const labels = await filterVisibleLabels(tx, shared.labels, locationIds)
  const figures = {
    contractId: id,
    years: row.costing.years.map((_year, year) => yearOf(row.costing, year)),
    problems: costing.problems,
    warnings: row.costing.warnings,
    labels,
    costing,
  }
  if (!withSteps) return { ...figures, explanation: [] }
  const own = await loadContractsOfEmployees(call, [contract.staffId ?? id])
  // If the version of the engine that made the figures is no longer available, show the figures without derivations.
  const explain = findEngine(event.data.engine)?.explaining(combineInputs(frozen, shared))
  const person = (contract.staffId !== null && frozen.people[contract.staffId]) || { ages: null, leaves: [] }
  const employee = { ...person, contracts: own.map(toContractInput) }
  const at = own.findIndex((other) => other.id === id)
  const explanation = row.costing.years.flatMap((_year, year) =>
    Array.from({ length: 12 }, (_unused, month) => ({
      year: year + 1,
      period: month + 1,
      steps: explain?.({ employee, contract: at, month: year * 12 + month, labels: shared.labels }) ?? [],
    })),
  )
  return { ...figures, explanation }
}

function yearOf(costing: ContractCost, year: number) {
  const cost = assertDefined(costing.years[year])
  const pounds = (figure: number | null | undefined): number | null => (figure === null || figure === undefined ? null : toPounds(figure))
  const month = (period: number) => {
    const allowances = sumIfAllKnown(Object.values(cost.allowances).map((figures) => requireItemAt(figures, period)))
    const [basic, leavePay, ni, pension, recovery] = [
      requireItemAt(cost.basic, period),
      requireItemAt(cost.leavePay, period),
      requireItemAt(cost.ni, period),
      requireItemAt(cost.pension, period),
      requireItemAt(cost.leaveRecovery, period),
    ]
    return {
      basic,
      allowances,
      leavePay,
      employerNI: ni,
      employerPension: pension,
      total: sumIfAllKnown([basic, allowances, leavePay, ni, pension, recovery]),
    }
  }
  const months = Array.from({ length: 12 }, (_unused, period) => month(period))
  const keys = ['basic', 'allowances', 'leavePay', 'employerNI', 'employerPension', 'total'] as const
  const line = (figures: (typeof months)[number], period: number) => ({
    year: year + 1,
    period,
    ...recordFromKeys(keys, (key) => pounds(figures[key])),
  })
  const total = recordFromKeys(keys, (key) => sumIfAllKnown(months.map((figures) => figures[key])))
  return { yearName: cost.year, months: months.map((figures, index) => line(figures, index + 1)), total: line(total, 0) }
}
