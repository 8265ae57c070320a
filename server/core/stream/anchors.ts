import { sql } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { Config } from '../config.ts'
import { advisoryLocks } from '../database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import { log } from '../log.ts'
import { sendMail } from '../mail.ts'
import { type AnchorReason, addAnchor, type ChainEnds, hasAnchorForDay } from './anchorFiles.ts'

let lastAnchoredDay = ''

/**
 * Records the last hashes of all chains, so that a chain that is later rewritten as a whole no longer matches: once a day in the database
 * and, if configured, signed, in a file of the data folder and by email. If the file cannot be written, that is logged and the work goes
 * on.
 */
export async function anchorChains(
  store: Store,
  { config, reason, now }: { config: Config; reason: AnchorReason; now: Date },
): Promise<void> {
  const day = dayInLondon(now)
  if (reason === 'day' && lastAnchoredDay === day) return
  lastAnchoredDay = day
  await store.asPlatform((tx) => tx.execute(sql`select anchor_chains()`))
  if (config.anchors) {
    const isDue = reason !== 'day' || !hasAnchorForDay(config.anchors.folder, day)
    if (isDue)
      await writeOutsideAnchor(store, { config, to: config.anchors, reason, now }).catch((error) =>
        log.warn({ err: error }, 'an anchor was not written'),
      )
  }
}

/**
 * Writes an anchor into the folder and emails it, except when a process starts or stops.
 * @returns the anchor; null if `addAnchor` wrote none
 */
export async function writeOutsideAnchor(
  store: Store,
  {
    config,
    to: { folder, mailTo },
    reason,
    now,
  }: { config: Pick<Config, 'mail'>; to: NonNullable<Config['anchors']>; reason: AnchorReason; now: Date },
): Promise<string | null> {
  // One process at a time, because each anchor contains the hash of the previous one.
  const line = await store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.anchors})`)
    return addAnchor(folder, { heads: await readChainEnds(tx), reason, now })
  })
  if (line && mailTo && reason !== 'start' && reason !== 'stop')
    await sendMail(config, {
      to: mailTo,
      subject: `Bursar: anchor of ${dayInLondon(now)}`,
      text: `Keep this email where nobody who runs Bursar can change it. A file with the line below proves later that no log was rewritten or cut:\nnpm run audit -- verify --anchors FILE\n\n${line}\n`,
    })
  return line
}

/** The last hashes of all chains and streams at present. */
async function readChainEnds(tx: OrganisationTx): Promise<ChainEnds> {
  const row = requireSingleRow(
    await tx.execute<{ heads: ChainEnds }>(sql`
    select jsonb_build_object(
      'chains', (select coalesce(jsonb_agg(jsonb_build_object('organisationId', organisation_id, 'sequence', sequence, 'hash', hash) order by organisation_id), '[]')
        from (select distinct on (organisation_id) organisation_id, sequence, hash from log_chain order by organisation_id, sequence desc) head),
      'budgets', (select coalesce(jsonb_agg(jsonb_build_object('organisationId', organisation_id, 'id', id, 'version', version, 'hash', last_hash) order by organisation_id, id), '[]')
        from budgets),
      'counts', jsonb_build_object('budgets', (select count(*) from budgets), 'events', (select count(*) from budget_events),
        'referenceChanges', (select count(*) from reference_changes))) as heads`),
  )
  return row.heads
}
