import { sql } from 'drizzle-orm'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { removedOrganisation } from '../../resources/referenceLog.ts'
import type { Finding } from './verify.ts'

/** An organisation that was taken away with its whole log, and where its chain ended. */
export interface Removed {
  organisationId: OrganisationId
  name: string
  at: string
  sequence: number
  hash: string
}

/** The organisations that the chain of the platform says were taken away. That it says so itself is proved like any other of its changes. */
export async function removedOrganisations(tx: OrganisationTx): Promise<Removed[]> {
  const rows = await tx.execute<{ organisationId: OrganisationId; name: string; at: string | Date; sequence: number; hash: string }>(sql`
    select record_id::integer as "organisationId", before ->> 'name' as name, occurred_at as at, (before ->> 'sequence')::integer as sequence,
      before ->> 'hash' as hash
    from reference_changes where organisation_id is null and resource = ${removedOrganisation.name} order by id`)
  return [...rows].map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
}

/** The tables that stand as long as an organisation does: its logs, and what they make. */
const logs = [
  'log_chain',
  'budget_events',
  'monitoring_events',
  'payroll_events',
  'reference_changes',
  'calculation_inputs',
  'budgets',
] as const

/** Whether an organisation that was taken away is gone whole, and nothing that was written of it before knows more of it than was said then. */
export async function verifyRemoved(
  tx: OrganisationTx,
  { organisationId, name, at, sequence, hash }: Removed,
  outside: readonly OutsideAnchor[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  const find = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  const called = `Organisation ${organisationId} (${name}) was removed at ${at}`
  for (const table of logs) {
    const [row] = await tx.execute<{ rows: number }>(
      sql`select count(*)::integer as rows from ${sql.identifier(table)} where organisation_id = ${organisationId}`,
    )
    if (row?.rows) find(`${called}, and ${table} has ${row.rows} rows of it: they were put in afterwards.`)
  }
  for (const { at: anchoredAt, chains } of outside)
    for (const chain of chains) {
      if (chain.organisationId !== organisationId) continue
      if (chain.sequence > sequence)
        find(`${called} with ${sequence} links, and the anchor of ${anchoredAt} outside the database knows link ${chain.sequence}.`)
      else if (chain.sequence === sequence && chain.hash !== hash)
        find(`${called}, and the anchor of ${anchoredAt} outside the database has another last link.`)
    }
  return findings
}
