import { resources } from '../../domain/resources/all.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { readEvents } from '../store/eventLog.ts'
import { staffByIds } from '../store/staffStore.ts'
import { tableFor } from '../store/tables.ts'

/** The names a history speaks of. */
export async function namesOf(tx: OrganisationTx, organisationId: number, events: Awaited<ReturnType<typeof readEvents>>) {
  const kinds = {
    location: resources.location,
    contractType: resources.contractType,
    allowance: resources.allowance,
    serviceTerm: resources.serviceTerm,
    fundCode: resources.fundCode,
    analysisTag: resources.analysisTag,
    adminTable: resources.adminTable,
    staffAssumptions: resources.staffAssumptions,
    inflation: resources.inflation,
    budgetCode: resources.budgetCode,
    costCentre: resources.costCentre,
    profileTemplate: resources.profileTemplate,
    topSliceTable: resources.topSliceTable,
    gagPoolTable: resources.gagPoolTable,
  }
  const names = new Map<string, string>()
  for (const [kind, resource] of Object.entries(kinds)) {
    const { table, columns } = tableFor(resource)
    const rows = (await tx.select({ id: columns.id!, name: columns[resource.naming[0]!]! }).from(table)) as { id: number; name: string }[]
    for (const row of rows) names.set(`${kind} ${row.id}`, row.name)
  }
  const staff = new Set(
    events.flatMap((event) =>
      event.type === 'StaffContractSaved' && event.data.contract.staffId !== null ? [event.data.contract.staffId] : [],
    ),
  )
  for (const [id, member] of await staffByIds(tx, organisationId, [...staff]))
    names.set(`staff ${id}`, `${member.forename} ${member.surname}`)
  return (kind: string, id: number): string => names.get(`${kind} ${id}`) ?? `${kind} ${id}`
}
