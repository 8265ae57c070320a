import { and, eq, sql } from 'drizzle-orm'
import type { ParameterValues } from '../../../../domain/integrations/credentials.ts'
import { integrationState } from '../../../../domain/lookups/lookupIds.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { integrationCredentials } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { Store } from '../../../core/database/database.ts'
import { log } from '../../../core/log.ts'
import { OutsideError } from '../../../core/outside/addresses.ts'
import type { OutsideAccess } from '../../../core/outside/exchangeFolder.ts'
import { type CredentialRow, decryptSettings } from '../queries.ts'
import { tryConnection } from './connection.ts'

/** How many times a test is started if its worker dies each time before finishing. */
const mostAttempts = 3

/** The limit on a whole test in milliseconds, whatever the other system does. */
const longestTryMs = 60_000

/** How long a worker may hold a test before another claims it: longer than any connection takes. */
const claimedFor = sql`interval '2 minutes'`

/** A link to test, with its secrets decrypted. */
interface CredentialTest {
  credential: CredentialRow
  values: ParameterValues
}

/**
 * Claims links that await a test, so that no other worker tests them. If the worker is killed, they are tested again.
 */
export async function claimCredentialTests(store: Store, most: number): Promise<CredentialTest[]> {
  const claimed = await store.asPlatform((tx) =>
    tx.execute<{ organisationId: OrganisationId; id: number }>(sql`
      update integration_credentials set test_asked = now() + ${claimedFor}, attempts = attempts + 1
      where (organisation_id, id) in (
        select organisation_id, id from integration_credentials where test_asked <= now() order by test_asked limit ${most} for update skip locked)
      returning organisation_id as "organisationId", id`),
  )
  const tries: CredentialTest[] = []
  for (const { organisationId, id } of claimed)
    await store
      .inOrganisation(organisationId, async (tx) => {
        const [credential] = await tx.select().from(integrationCredentials).where(of({ organisationId, id }))
        if (!credential) return
        // Give up a test that killed several workers, before it kills more.
        if (credential.attempts > mostAttempts)
          await recordTest({ tx, now: new Date() }, { credential }, { isConnected: false, message: 'The connection could not be tested.' })
        else tries.push({ credential, values: await decryptSettings(tx, credential) })
      })
      // A link that cannot be tested must not stop the others claimed with it.
      .catch((error) => log.error({ err: error, credential: id }, 'a connection could not be tested'))
  return tries
}

const of = ({ organisationId, id }: Pick<CredentialRow, 'organisationId' | 'id'>) =>
  and(eq(integrationCredentials.organisationId, organisationId), eq(integrationCredentials.id, id))

/** Connects to a link's system and records the result. No transaction is open while it waits for the other system. */
export async function runCredentialTest(store: Store, tried: CredentialTest, reach: OutsideAccess): Promise<void> {
  const { credential, values } = tried
  const result = await limitTime(longestTryMs, tryConnection(credential, values, reach)).then(
    (message) => ({ isConnected: true, message }),
    (error: unknown) => {
      if (!(error instanceof OutsideError)) log.error({ err: error, credential: credential.id }, 'a connection could not be tested')
      return { isConnected: false, message: error instanceof OutsideError ? error.message : 'The connection could not be tested.' }
    },
  )
  await store.inOrganisation(credential.organisationId, (tx) => recordTest({ tx, now: new Date() }, tried, result))
}

/** @throws OutsideError if the work exceeds the time limit */
async function limitTime<T>(ms: number, work: Promise<T>): Promise<T> {
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

/** Records the result of a test. If the link has changed since the test began, the test is repeated. */
async function recordTest(
  { tx, now }: Call<'now'>,
  { credential }: Pick<CredentialTest, 'credential'>,
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
