import type { ExportRequest } from '../../../../domain/lists.ts'
import { must } from '../../../../domain/must.ts'
import type { NameReference } from '../../../../domain/resources/cells.ts'
import { columnsOf, writeRows } from '../../../../domain/resources/columns.ts'
import { staffContract } from '../../../../domain/resources/entities/staffContract.ts'
import { loadContracts } from '../../../core/budget/queries.ts'
import { pointNames } from '../../../core/budget/scalePoints.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { openNotes } from '../contracts/notes.ts'
import { contractIds, contractRows } from '../contracts/queries.ts'
import type { BudgetScope } from '../contracts/rows.ts'

/** The lines of a contract file: one for each salary row of the contracts that meet search and filters; it imports again as it is. */
export async function contractLines(
  tx: OrganisationTx,
  scope: BudgetScope,
  request: ExportRequest,
  name: NameReference,
): Promise<{ headings: string[]; lines: string[][] }> {
  const columns = columnsOf(staffContract)
  const kept = new Map((await loadContracts(tx, scope.organisationId, scope.budgetId)).map((contract) => [contract.id, contract]))
  const points = await pointNames(tx, [...kept.values()])
  const rows = await contractRows(tx, scope, await contractIds(tx, scope, request))
  const lines: string[][] = []
  for (const row of rows) {
    const notes = await openNotes(tx, scope.organisationId, must(kept.get(row.id)))
    const record = {
      ...row,
      notes,
      maximumScalePoint: row.maximumScalePoint === null ? null : points.get(row.maximumScalePoint),
      salary: row.salary.map((salary, index) => ({
        ...salary,
        scalePoint: row.pointNames[index],
      })),
    }
    lines.push(...writeRows(staffContract, columns, record, name))
  }
  return { headings: columns.map((column) => column.heading), lines }
}
