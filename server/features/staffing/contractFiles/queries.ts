import { mapScalePoints } from '../../../../domain/budget/contractForms.ts'
import type { ExportRequest } from '../../../../domain/lists/lists.ts'
import type { ReferenceNamer } from '../../../../domain/resources/cells.ts'
import { buildFileRows, listColumns } from '../../../../domain/resources/columns.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { Call } from '../../../core/calls/call.ts'
import { decryptNotes } from '../../../shared/staffing/contracts/notes.ts'
import { readContractIds, readContractRows } from '../../../shared/staffing/contracts/queries.ts'
import { loadContracts } from '../../../streams/budget/queries.ts'
import { loadPointNames } from '../../../streams/budget/scalePoints.ts'

/**
 * The lines of a contract file, one for each salary row of the contracts that match the search and filters. Importing them changes nothing.
 */
export async function writeContractLines(
  call: Call<'organisationId' | 'budgetId'>,
  request: ExportRequest,
  name: ReferenceNamer,
): Promise<{ headings: string[]; lines: string[][] }> {
  const { tx } = call
  const columns = listColumns(staffContract)
  const contractsById = new Map((await loadContracts(call)).map((contract) => [contract.id, contract]))
  const points = await loadPointNames(tx, [...contractsById.values()])
  const rows = await readContractRows(call, await readContractIds(call, request))
  const lines: string[][] = []
  for (const row of rows) {
    const notes = await decryptNotes(tx, call.organisationId, assertDefined(contractsById.get(row.id)))
    const record = mapScalePoints({ ...row, notes }, (id) => points.get(id) ?? null)
    lines.push(...buildFileRows(staffContract, { columns, record, name }))
  }
  return { headings: columns.map((column) => column.heading), lines }
}
