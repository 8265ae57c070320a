import { and, eq, sql } from 'drizzle-orm'
import type { ParameterValues } from '../../../../domain/integrations/credentials.ts'
import { integrationState } from '../../../../domain/lookups/lookupIds.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { integrationCredentials } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { Store } from '../../../core/database/database.ts'
import { log } from '../../../core/log.ts'
import { OutsideError } from '../../../core/outside/addresses.ts'
import type { Reach } from '../../../core/outside/room.ts'
import { type CredentialRow, openValues } from '../queries.ts'
import { tryConnection } from './connection.ts'

/** How often a try is begun that never came to an end. */
const mostAttempts = 3

/** The longest that a try lasts, whatever the other system does; milliseconds. */
const longestTryMs = 60_000

/** How long a worker has for a try before another takes it up: longer than any connection lasts. */
const claimedFor = sql`interval '2 minutes'`

/** A link that is to be tried, with its secrets open. */
interface Try {
  credential: CredentialRow
  values: ParameterValues
}

/** Takes up links that wait to be tried, so that no other worker does; a worker that is killed meanwhile loses none of them. */
export async function claimTries(store: Store, most: number): Promise<Try[]> {
  const claimed = await store.asPlatform((tx) =>
    tx.execute<{ organisationId: OrganisationId; id: number }>(sql`
      update integration_credentials set test_asked = now() + ${claimedFor}, attempts = attempts + 1
      where (organisation_id, id) in (
        select organisation_id, id from integration_credentials where test_asked <= now() order by test_asked limit ${most} for update skip locked)
      returning organisation_id as "organisationId", id`),
  )
  const tries: Try[] = []
  for (const { organisationId, id } of claimed)
    await store
      .inOrganisation(organisationId, async (tx) => {
        const [credential] = await tx.select().from(integrationCredentials).where(of({ organisationId, id }))
        if (!credential) return
        // What ended a worker more than once is not given to all of them in turn.
        if (credential.attempts > mostAttempts)
          await endTry({ tx, now: new Date() }, { credential }, { isConnected: false, message: 'The connection could not be tried.' })
        else tries.push({ credential, values: await openValues(tx, credential) })
      })
      // One that cannot be begun keeps none from being tried that were taken up with it.
      .catch((error) => log.error({ err: error, credential: id }, 'a connection could not be tried'))
  return tries
}

const of = ({ organisationId, id }: Pick<CredentialRow, 'organisationId' | 'id'>) =>
  and(eq(integrationCredentials.organisationId, organisationId), eq(integrationCredentials.id, id))

/** Makes the connection of a link and writes down what came of it. No transaction is open while the other system takes its time. */
export async function runTry(store: Store, tried: Try, reach: Reach): Promise<void> {
  const { credential, values } = tried
  const result = await within(longestTryMs, tryConnection(credential, values, reach)).then(
    (message) => ({ isConnected: true, message }),
    (error: unknown) => {
      if (!(error instanceof OutsideError)) log.error({ err: error, credential: credential.id }, 'trying a connection')
      return { isConnected: false, message: error instanceof OutsideError ? error.message : 'The connection could not be tried.' }
    },
  )
  await store.inOrganisation(credential.organisationId, (tx) => endTry({ tx, now: new Date() }, tried, result))
}

/** @throws OutsideError when something is not done in time */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutsideError('The connection took too long.')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Writes down what a try came to; where the link was changed meanwhile, it is tried again as it is now. */
async function endTry(
  { tx, now }: Call<'now'>,
  { credential }: Pick<Try, 'credential'>,
  { isConnected, message }: { isConnected: boolean; message: string },
): Promise<void> {
  const done = await tx
    .update(integrationCredentials)
    .set({
      state: isConnected ? integrationState.connected : integrationState.failing,
      message,
      checkedAt: now.toISOString(),
      testAsked: null,
      attempts: 0,
    })
    .where(and(of(credential), eq(integrationCredentials.version, credential.version)))
    .returning({ id: integrationCredentials.id })
  if (!done.length) await tx.update(integrationCredentials).set({ testAsked: now.toISOString() }).where(of(credential))
}
