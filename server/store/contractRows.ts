import type { StoredContract } from '../../domain/budget/budget.ts'
import type { ContractCost } from '../../domain/calculation/inputs.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { loadContracts } from './budgetStore.ts'
import { openNotes } from './contractNotes.ts'
import { costSummaries, costsOf } from './costStore.ts'
import type { OrganisationTx } from './database.ts'
import { type ItemReminder, remindersAbout } from './itemReminders.ts'
import { leavesByStaff } from './leaveStore.ts'
import { pointNames } from './scalePoints.ts'
import { type StaffMember, staffByIds } from './staffStore.ts'

/** The budget whose contracts are meant. */
export interface BudgetScope {
  organisationId: number
  budgetId: string
}

/** A contract as the API shows it (entities.json StaffContract). */
function shown(
  contract: StoredContract,
  member: StaffMember | undefined,
  notes: string | null,
  totals: (number | null)[] | null,
  problems: ContractCost['problems'],
  points: ReadonlyMap<number, string>,
  hasExtendedLeave: boolean,
  reminder?: ItemReminder,
) {
  const { staffId: _staff, sealedNotes: _notes, contractTypeId, maximumScalePoint, salary, savedAt, ...rest } = contract
  return {
    ...rest,
    employeeNumber: member?.employeeNumber ?? null,
    name: member ? `${member.surname}, ${member.forename}` : null,
    contractTypeName: contractTypeId,
    maximumScalePoint: maximumScalePoint?.id ?? null,
    notes,
    salary: salary.map((row) => ({ ...row, scalePoint: row.scalePoint?.id ?? null })),
    pointNames: salary.map((row) =>
      row.scalePoint ? (points.get(row.scalePoint.id) ?? `${row.scalePoint.scale} ${row.scalePoint.increment}`) : null,
    ),
    hasExtendedLeave,
    reminderDate: reminder?.when ?? null,
    reminderText: reminder?.description ?? null,
    savedAt,
    created: contract.created.slice(0, 10),
    costYears: totals?.map((total) => (total === null ? null : poundsOf(total))) ?? null,
    problems,
  }
}

export type ShownContract = ReturnType<typeof shown>

/** Every contract of a budget as the API shows it. */
export async function contractRows(tx: OrganisationTx, { organisationId, budgetId }: BudgetScope): Promise<ShownContract[]> {
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const staff = await staffByIds(tx, organisationId, [
    ...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId]))),
  ])
  const costs = await costSummaries(tx, organisationId, budgetId)
  const points = await pointNames(tx, contracts)
  const leaves = await leavesByStaff(tx, organisationId, [...staff.keys()])
  return contracts.map((contract) => {
    const cost = costs.get(contract.id)
    return shown(
      contract,
      contract.staffId === null ? undefined : staff.get(contract.staffId),
      null,
      cost?.yearTotals ?? null,
      cost?.problems ?? [],
      points,
      contract.staffId !== null && leaves.has(contract.staffId),
    )
  })
}

/** The columns that a search looks at. */
export const searchedColumns = ['employeeNumber', 'name', 'contractName', 'position', 'department'] as const

/** One contract with its notes. @throws DomainError 404 */
export async function contractRow(
  tx: OrganisationTx,
  { organisationId, budgetId }: BudgetScope,
  id: string,
  userId: number | null = null,
): Promise<ShownContract> {
  const [contract] = await loadContracts(tx, organisationId, budgetId, [id])
  if (!contract) throw notFound('Staff contract')
  const member = contract.staffId === null ? undefined : (await staffByIds(tx, organisationId, [contract.staffId])).get(contract.staffId)
  const cost = (await costsOf(tx, organisationId, budgetId, [id])).get(id)
  return shown(
    contract,
    member,
    await openNotes(tx, organisationId, contract),
    cost?.yearTotals ?? null,
    cost?.costing.problems ?? [],
    await pointNames(tx, [contract]),
    contract.staffId !== null && (await leavesByStaff(tx, organisationId, [contract.staffId])).size > 0,
    userId === null ? undefined : (await remindersAbout(tx, organisationId, userId, `contract:${id}`))[0],
  )
}
