import { sql } from 'drizzle-orm'
import { displayDateTime } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { removedOrganisationLog } from '../../resources/referenceLog.ts'
import type { AuditFinding } from './verify.ts'

export interface RemovedOrganisation {
  organisationId: OrganisationId
  name: string
  at: string
  sequence: number
  hash: string
}

/** Lists removed organisations according to the platform's chain. The entries themselves are verified like every other change. */
export async function listRemovedOrganisations(tx: OrganisationTx): Promise<RemovedOrganisation[]> {
  const rows = await tx.execute<{ organisationId: OrganisationId; name: string; at: string | Date; sequence: number; hash: string }>(sql`
    select record_id::integer as "organisationId", before ->> 'name' as name, occurred_at as at, (before ->> 'sequence')::integer as sequence,
      before ->> 'hash' as hash
    from reference_changes where organisation_id is null and resource = ${removedOrganisationLog.name} order by id`)
  return [...rows].map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
}

const logTables = [
  'log_chain',
  'budget_events',
  'monitoring_events',
  'payroll_events',
  'reference_changes',
  'calculation_inputs',
  'budgets',
] as const

/** Checks that no row of a removed organisation is left, and that no anchor outside the database records a longer or different chain. */
export async function verifyRemovedOrganisation(
  tx: OrganisationTx,
  { organisationId, name, at, sequence, hash }: RemovedOrganisation,
  outside: readonly OutsideAnchor[],
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  const addFinding = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  const label = `Organisation ${organisationId} (${name}) was removed on ${displayDateTime(at)}`
  for (const table of logTables) {
    const [row] = await tx.execute<{ rows: number }>(
      sql`select count(*)::integer as rows from ${sql.identifier(table)} where organisation_id = ${organisationId}`,
    )
    if (row?.rows) addFinding(`${label}, but ${table} still has ${row.rows} of its rows: they were added afterwards.`)
  }
  for (const { at: anchoredAt, chains } of outside)
    for (const chain of chains) {
      if (chain.organisationId !== organisationId) continue
      if (chain.sequence > sequence)
        addFinding(
          `${label} with ${sequence} links, but the anchor of ${displayDateTime(anchoredAt)} outside the database records link ${chain.sequence}.`,
        )
      else if (chain.sequence === sequence && chain.hash !== hash)
        addFinding(`${label}, but the anchor of ${displayDateTime(anchoredAt)} outside the database has a different last link.`)
    }
  return findings
}
