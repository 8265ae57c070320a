import { users } from '../../drizzle/accessTables.ts'
import { createFirstAdministratorLink } from '../auth/firstAdministrator.ts'
import type { Config } from '../core/config.ts'
import { openStore, type Store } from '../core/database/database.ts'
import { demoClients, demoPassword, demoUsers } from '../demo/access.ts'
import { loadDemo, loadFoundation } from '../demo/load.ts'
import { restoreDemoYear } from '../demo/storedYear.ts'
import { markBudgetsOfOlderEngines } from '../streams/budget/marks.ts'
import { assertNoPublishedPasswords, hasPublishedPasswords } from './databaseChecks.ts'
import { requirePlatformKey, sealKeys, withOwnerConnection } from './sealKeys.ts'
import { sealUserHistory } from './sealUserHistory.ts'

export interface PreparedData {
  /** Whether this start loaded the demo. */
  hasNewDemo: boolean
  published: boolean
  link: string | null
}

/**
 * Loads the initial data and, if requested, the demo trusts.
 * @param config `databaseUrl`: signs in as the owner; `serverPassword`: for the role of servers and workers; `hasYear`: whether the first
 * demo trust gets a year of history; `isDemoCopied`: whether the copied database already has that year; `onRestored`: called after the
 * stored year is restored and before its keys are sealed
 * @throws Error with one sentence if published passwords would work in a production installation
 */
export async function prepareData(
  config: Pick<Config, 'databaseUrl' | 'dataKey' | 'demo' | 'production' | 'origin'> & {
    serverPassword: string
    hasYear: boolean
    isDemoCopied?: boolean
    onRestored?: () => Promise<void>
  },
): Promise<PreparedData> {
  const { dataKey, demo, hasYear, production, origin, isDemoCopied = false, onRestored } = config
  const store = openStore(config, 2)
  try {
    // The stored year contains keys that are public, so a production installation generates the year itself.
    const isLoaded = demo && hasYear && !production && !isDemoCopied && (await restoreDemoYear(store, config))
    if (isLoaded) await onRestored?.()
    const isRestored = isLoaded || isDemoCopied
    await sealKeys(store, config.databaseUrl)
    await sealUserHistory(store, config.databaseUrl)
    const from = isRestored || !(await hasUsers(store)) ? 'now' : 'tomorrow'
    if (dataKey !== null) await withOwnerConnection(config.databaseUrl, (owner) => requirePlatformKey(owner, dataKey, { from }))
    const loaded = demo ? await loadDemo(store, { hasYear }) : await loadFoundation(store)
    await store.asPlatform((tx) => markBudgetsOfOlderEngines({ tx, now: new Date() }))
    await assertNoPublishedPasswords(store, { demo, production })
    return {
      hasNewDemo: isRestored || Boolean(loaded),
      published: await hasPublishedPasswords(store),
      link: await createFirstAdministratorLink(store, { origin, now: new Date() }),
    }
  } finally {
    await store.close()
  }
}

/** Whether there are users, in which case servers of an earlier version may be running. */
function hasUsers(store: Store): Promise<boolean> {
  return store.asPlatform(async (tx) => (await tx.$count(users)) > 0)
}

export function describeDemoSignIns(): string {
  return [
    `Sign in with the password ${demoPassword}`,
    ...demoUsers.map((user) => `  ${user.email.padEnd(28)} ${user.position}${user.trust === 'meadow' ? ' of another trust' : ''}`),
    '\nAPI clients (client-credentials grant)',
    ...demoClients.map((client) => `  ${client.clientId.padEnd(28)} ${client.secret}`),
    '\nAll of this is public, including the keys of these trusts. For real people and figures, create your own organisation.',
  ].join('\n')
}
