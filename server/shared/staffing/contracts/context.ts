import type { BudgetHead, StaffContractInput, StoredContract } from '../../../../domain/budget/budget.ts'
import { indexScalePointsByPath, mapScalePoints, toInputForm } from '../../../../domain/budget/contractForms.ts'
import type { ContractFacts } from '../../../../domain/budget/decide.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { ContractId, OrganisationId, StaffId } from '../../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { loadStaffByIds } from '../../../streams/budget/people.ts'
import { loadContracts } from '../../../streams/budget/queries.ts'
import { loadOfferedPoints, loadScalePoints, type OfferedPoint } from '../../../streams/budget/scalePoints.ts'
import { findStaffVaultSubject } from '../../costing/inputs/queries.ts'
import { readStaffMembers } from '../../staff/queries.ts'
import { sealNotes } from './notes.ts'
import { filterUsableAt, readReferenceLocations } from './references.ts'

/** The data that decisions about many contracts of one budget need, read once. */
export interface ContractContext {
  contracts: StoredContract[]
  /** The pay points in the budget's tables. */
  offered: OfferedPoint[]
  numberOf(staffId: StaffId | null): string | null
  /** The bits of the pay scales that a contract type allows; 0 for an unknown type. */
  payScaleTypesOf(contractTypeId: number): number
  /** The increment month of a contract type; null if the kind of pay point decides it. */
  incrementMonthOf(contractTypeId: number): number | null
  /** @param names returns the names of a staff member's other contracts, including changes decided so far */
  facts(
    input: StaffContractInput,
    before: StoredContract | undefined,
    names: (staffId: StaffId, except: ContractId | undefined) => string[],
  ): Promise<ContractFacts>
}

export async function readContractContext(tx: OrganisationTx, organisationId: OrganisationId, head: BudgetHead): Promise<ContractContext> {
  const contracts = await loadContracts({ tx, organisationId, budgetId: head.id })
  const allowedIds = filterUsableAt(await readReferenceLocations(tx), head.locationId)
  const types = new Map((await readResourceRecords(tx, resources.contractType)).map((type) => [type.id, type]))
  const offered = await loadOfferedPoints(tx, head)
  const points = await loadScalePoints(tx, [
    ...offered.map((point) => point.id),
    ...contracts.flatMap((contract) => [...indexScalePointsByPath(contract).values()].map((point) => point.id)),
  ])
  const holders = contracts.flatMap((contract) => contract.staffId ?? [])
  const members = new Map([
    ...(await loadStaffByIds(tx, organisationId, [...new Set(holders)])),
    ...(await readStaffMembers(tx, organisationId, [head.locationId])).map((member) => [member.id, member] as const),
  ])
  const byNumber = new Map([...members].map(([id, member]) => [member.employeeNumber.trim().toLowerCase(), id]))
  return {
    contracts,
    offered,
    payScaleTypesOf: (id) => types.get(id)?.payScaleTypes ?? 0,
    incrementMonthOf: (id) => types.get(id)?.incrementMonth ?? null,
    numberOf: (staffId) => (staffId === null ? null : (members.get(staffId)?.employeeNumber ?? null)),
    async facts(input, before, names) {
      const holder = before?.staffId ?? null
      // An erased person no longer has a number, but keeps the contract.
      const isErased = holder !== null && members.get(holder)?.erased === true
      const named = input.employeeNumber ? (byNumber.get(input.employeeNumber.trim().toLowerCase()) ?? null) : null
      const staffId = !input.employeeNumber && isErased ? holder : named
      const subject = input.notes && staffId !== null ? await findStaffVaultSubject(tx, staffId) : undefined
      return {
        contractType: types.get(input.contractTypeName),
        points,
        allowedIds,
        staffId,
        otherNames: staffId === null ? [] : names(staffId, before?.id),
        sealedNotes: await sealNotes({ tx, organisationId }, subject, { notes: input.notes, before }),
      }
    },
  }
}

/** The input that would save a stored contract unchanged. */
export function toUnchangedContractInput(
  contract: StoredContract,
  employeeNumber: string | null,
  notes: string | null,
): StaffContractInput {
  const { savedAt: _at, created: _created, ...storedContract } = contract
  return { ...mapScalePoints(toInputForm(storedContract), (point) => point.id), employeeNumber, notes }
}
