import { displayCount } from '../../domain/values/format.ts'
import { errorMessage } from '../../domain/words/errors.ts'
import { makeFirstLink } from '../auth/firstAdministrator.ts'
import { unlinkEverybody } from '../auth/outside/people.ts'
import { originOf, takeSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { endDemo } from '../demo/end.ts'
import { changeDataKey, newDataKeyOf } from '../launch/sealKeys.ts'
import { keepSecret, keptSecret } from '../launch/secrets.ts'
import { dataFolderOf, withWholeDatabase } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run admin -- COMMAND
  link        a new one-time link for the first administrator; the one before is good no longer
  unlink      forgets who everybody is at the outside issuer, once Bursar has another client ID there; with an address, that person alone
  end-demo    takes the published passwords and secrets of the demo out of use
  change-key  seals the keys in the database with NEW_DATA_KEY in place of DATA_KEY, while no server and no worker runs`

/** What only somebody at the machine may do: the first administrator, the end of a demonstration, and another secret for the keys. */
const commands: Record<string, () => Promise<string>> = {
  link: () =>
    withWholeDatabase(
      'npm run admin',
      async (store) =>
        (await makeFirstLink(store, { origin: originOf(env), now: new Date(), again: true })) ??
        'There is an administrator already, who invites others in Administrator, Users.',
    ),
  unlink: () =>
    withWholeDatabase('npm run admin', async (store) => {
      const count = await store.asPlatform((tx) => unlinkEverybody(tx, process.argv[3] ?? null, new Date()))
      return `Forgot who ${displayCount(count, 'person is', 'people are')} at the outside issuer. At the next sign-in there the address says so again.`
    }),
  'end-demo': () =>
    withWholeDatabase('npm run admin', async (store) => {
      const { people, clients } = await endDemo(store, new Date())
      return `${people} people of the demo can no longer sign in, ${clients} of its API clients are revoked. npm run admin -- link makes an administrator where none is left. The keys of the demo's trusts stay published: nothing real belongs into them.`
    }),
  'change-key': () =>
    withWholeDatabase('npm run admin', async (store, databaseUrl) => {
      const folder = dataFolderOf()
      const isKept = !env.DATA_KEY && keptSecret(folder, 'dataKey') !== null
      const next = newDataKeyOf(env, env.DATA_KEY || keptSecret(folder, 'dataKey'))
      const count = await changeDataKey(store, databaseUrl, next)
      if (isKept) keepSecret(folder, 'dataKey', next)
      const where = isKept
        ? `secrets.json in ${folder} holds it now.`
        : 'Set DATA_KEY to it for every server and worker before they start again.'
      return `${count} keys are sealed with the new key. ${where} Copies made before still open with the old one: keep it with them, or delete them.`
    }),
}

const command = commands[process.argv[2] ?? '']
if (!command) {
  console.error(usage)
  process.exitCode = 2
} else
  try {
    takeSecretFiles()
    console.log(await command())
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
