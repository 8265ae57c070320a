import { displayCount } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { createFirstAdministratorLink } from '../auth/firstAdministrator.ts'
import { unlinkAllFromIssuer } from '../auth/outside/people.ts'
import { loadSecretFiles, readDataKey, readOrigin } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { endDemo } from '../demo/end.ts'
import { changeDataKey, readNewDataKey, resealKeysWithFirstSecret } from '../launch/sealKeys.ts'
import { findSecret, storeSecret } from '../launch/secrets.ts'
import { findDataFolder, withWholeDatabase } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run admin -- COMMAND
  link        creates a one-time link for the first administrator and revokes the previous one
  unlink      unlinks everyone from the outside issuer, for a new client ID there; with an email address, only that person
  end-demo    disables the published passwords and secrets of the demo
  change-key  seals the keys in the database with the first line of DATA_KEY, while Bursar runs; or, while it is stopped, with NEW_DATA_KEY`

const commands: Record<string, () => Promise<string>> = {
  link: () =>
    withWholeDatabase(
      'npm run admin',
      async (store) =>
        (await createFirstAdministratorLink(store, { origin: readOrigin(env), now: new Date(), again: true })) ??
        'There is already an administrator, who can invite others under Administrator → Users.',
    ),
  unlink: () =>
    withWholeDatabase('npm run admin', async (store) => {
      const count = await store.asPlatform((tx) => unlinkAllFromIssuer(tx, process.argv[3] ?? null, new Date()))
      return `${displayCount(count, 'person was', 'people were')} unlinked from the outside issuer. The next sign-in there links by email address again.`
    }),
  'end-demo': () =>
    withWholeDatabase('npm run admin', async (store) => {
      const { people, clients } = await endDemo(store, new Date())
      return `${people} demo users can no longer sign in, and ${clients} demo API clients are revoked. If no administrator is left, create one with npm run admin -- link. The keys of the demo trusts remain public, so do not put real data in them.`
    }),
  'change-key': () =>
    withWholeDatabase('npm run admin', async (store, databaseUrl) => {
      if (env.DATA_KEY && !env.NEW_DATA_KEY) {
        const { count, hasEnded } = await resealKeysWithFirstSecret(store, databaseUrl, readDataKey(env))
        const next = hasEnded
          ? 'No key in the database is sealed with another one. Earlier backups still need the old key: keep it with them, or delete them.'
          : 'When every server and worker has read both lines, remove the old key from DATA_KEY and run this again.'
        return `${displayCount(count, 'key is', 'keys are')} sealed with the first key in DATA_KEY. ${next}`
      }
      const folder = findDataFolder()
      const isKept = !env.DATA_KEY && findSecret(folder, 'dataKey') !== null
      const next = readNewDataKey(env, env.DATA_KEY || findSecret(folder, 'dataKey'))
      const count = await changeDataKey(store, databaseUrl, next)
      if (isKept) storeSecret(folder, 'dataKey', next)
      const where = isKept
        ? `secrets.json in ${folder} holds it now.`
        : 'Set DATA_KEY to it for every server and worker before they start again.'
      return `${displayCount(count, 'key is', 'keys are')} sealed with the new key. ${where} Earlier copies still need the old key: keep it with them, or delete them.`
    }),
}

const command = commands[process.argv[2] ?? '']
if (!command) {
  console.error(usage)
  process.exitCode = 2
} else
  try {
    loadSecretFiles()
    console.log(await command())
  } catch (error) {
    console.error(getErrorMessage(error))
    process.exitCode = 1
  }
