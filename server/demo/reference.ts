import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { resources } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'
import { importRows } from '../store/importStore.ts'

/** The rows of a CSV file that ships with the product. */
function rowsOf(file: string): Record<string, string>[] {
  const text = readFileSync(join(import.meta.dirname, '../../drizzle/reference', file), 'utf8')
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data
}

/** National reference data, in the order in which one file names another. */
const files: [AnyResource, string][] = [
  [resources.adminTable, 'admin-tables.csv'],
  [resources.benchmarkingGroup, 'benchmarking-groups.csv'],
  [resources.localAuthority, 'local-authorities.csv'],
  [resources.financialReportingCode, 'financial-reporting-codes.csv'],
  [resources.bFRCode, 'bfr-codes.csv'],
  [resources.payScalePoint, 'pay-scale-points.csv'],
  [resources.nationalInsurance, 'national-insurance.csv'],
  [resources.extendedLeaveType, 'extended-leave-types.csv'],
]

/** Loads the national reference data through the product's own import; loading it again changes nothing. @returns the number of rows */
export async function loadReference(tx: OrganisationTx, actor: Actor): Promise<number> {
  let rows = 0
  for (const [resource, file] of files)
    rows += (await importRows(tx, resource, { organisationId: null, locationIds: null, isAdministrator: true }, rowsOf(file), actor))
      .imported
  return rows
}
