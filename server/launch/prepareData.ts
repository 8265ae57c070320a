import { users } from '../../drizzle/accessTables.ts'
import { makeFirstLink } from '../auth/firstAdministrator.ts'
import type { Config } from '../core/config.ts'
import { openStore, type Store } from '../core/database/database.ts'
import { demoClients, demoPassword, demoUsers } from '../demo/access.ts'
import { restoreYear } from '../demo/keptYear.ts'
import { loadDemo, loadFoundation } from '../demo/load.ts'
import { markOlderEngines } from '../streams/budget/marks.ts'
import { hasPublishedPasswords, refusePublishedPasswords } from './databaseChecks.ts'
import { asOwner, requirePlatformKey, sealKeys } from './sealKeys.ts'
import { sealUsers } from './sealUsers.ts'

export interface Prepared {
  /** Whether the demo was brought in now. */
  hasNewDemo: boolean
  /** Whether someone in the demo can sign in with a published password. */
  published: boolean
  /** Words with the one-time link for the first administrator, where there is none yet. */
  link: string | null
}

/**
 * Loads what an installation begins with, and the demo trusts where they are asked for.
 * @param config the database as its owner; `serverPassword`: of the role as which servers and workers sign in; `hasYear`: whether there is a
 * year of work behind the demo's first trust
 * @throws Error with one sentence where people of a demo could walk into an installation that is none
 */
export async function prepareData(
  config: Pick<Config, 'databaseUrl' | 'dataKey' | 'demo' | 'production' | 'origin'> & {
    serverPassword: string
    hasYear: boolean
  },
): Promise<Prepared> {
  const { dataKey, demo, hasYear, production, origin } = config
  const store = openStore(config, 2)
  try {
    // Its keys are published: a deployment draws its own.
    const isRestored = demo && hasYear && !production && (await restoreYear(store, config))
    await sealKeys(store, config.databaseUrl)
    await sealUsers(store, config.databaseUrl)
    const from = isRestored || !(await hasUsers(store)) ? 'now' : 'tomorrow'
    if (dataKey !== null) await asOwner(config.databaseUrl, (owner) => requirePlatformKey(owner, dataKey, { from }))
    const loaded = demo ? await loadDemo(store, { hasYear }) : await loadFoundation(store)
    await store.asPlatform((tx) => markOlderEngines({ tx, now: new Date() }))
    await refusePublishedPasswords(store, { demo, production })
    return {
      hasNewDemo: isRestored || Boolean(loaded),
      published: await hasPublishedPasswords(store),
      link: await makeFirstLink(store, { origin, now: new Date() }),
    }
  } finally {
    await store.close()
  }
}

/** Whether the installation has users, so that servers of an earlier version may be running. */
function hasUsers(store: Store): Promise<boolean> {
  return store.asPlatform(async (tx) => (await tx.$count(users)) > 0)
}

/** The people and API clients of the demo, as the console shows them. */
export function demoSignIns(): string {
  return [
    `Sign in with the password ${demoPassword}`,
    ...demoUsers.map((user) => `  ${user.email.padEnd(28)} ${user.position}${user.trust === 'meadow' ? ' of another trust' : ''}`),
    '\nAPI clients (client-credentials grant)',
    ...demoClients.map((client) => `  ${client.clientId.padEnd(28)} ${client.secret}`),
    '\nAll of this is published, the keys of these trusts too: for real people and figures make an organisation of your own.',
  ].join('\n')
}
