import { z } from 'zod'
import { staffContractInput } from '../../domain/budget/budget.ts'
import { saveStaffContract } from '../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import { DomainError, notFound } from '../../domain/errors.ts'
import { commit, loadBudget, refuseWhileBusy } from '../store/budgetStore.ts'
import { openNotes } from '../store/contractNotes.ts'
import { recalculateEmployees } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'
import { contractContext, inputOf } from './contractContext.ts'

const { endDate, position, department, apprentice, serviceTerms, analysisTags, fundCodes } = staffContractInput.shape

/** What may be changed on many contracts at once; what is left out stays, so nothing here has a default. */
export const contractPatch = z
  .object({
    endDate,
    position,
    department,
    apprentice: apprentice.removeDefault(),
    serviceTerms,
    analysisTags: analysisTags.removeDefault(),
    fundCodes: fundCodes.removeDefault(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Choose something to change.')
export type ContractPatch = z.infer<typeof contractPatch>

/** Changes the same fields of many contracts, all or none. @throws DomainError naming the first contract that may not be changed so */
export async function runEditContracts(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
  patch: ContractPatch,
  actor: Actor,
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const context = await contractContext(tx, organisationId, row.head)
  const chosen = context.contracts.filter((contract) => ids.includes(contract.id))
  if (chosen.length < new Set(ids).size) throw notFound('Staff contract')
  const events: BudgetEvent[] = []
  const employees = new Set<number | string>()
  for (const before of chosen) {
    const notes = await openNotes(tx, organisationId, before)
    const input = { ...inputOf(before, context.numberOf(before.staffId), notes), ...patch }
    const facts = await context.facts(input, before, () => [])
    try {
      events.push(...saveStaffContract(row.head, before, before.id, input, facts))
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields.length) throw error
      const [{ field, message }] = error.fields as [{ field: string; message: string }]
      throw new DomainError(error.kind, error.code, `${before.contractName}: ${message}`, [{ field, message }])
    }
    employees.add(before.staffId ?? before.id)
  }
  if (!events.length) return 0
  await commit(tx, row, events, actor)
  await recalculateEmployees(tx, organisationId, budgetId, [...employees], actor)
  return events.length
}
