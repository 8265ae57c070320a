import { makeFirstLink } from '../auth/firstAdministrator.ts'
import { originOf } from '../core/config.ts'
import { endDemo } from '../demo/end.ts'
import { withDatabase } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run admin -- COMMAND
  link      a new one-time link for the first administrator; the one before is good no longer
  end-demo  takes the published passwords and secrets of the demo out of use`

/** What only somebody at the machine may do: the first administrator, and the end of a demonstration. */
const commands: Record<string, () => Promise<string>> = {
  link: () =>
    withDatabase(
      'npm run admin',
      async (store) =>
        (await makeFirstLink(store, originOf(process.env), new Date(), true)) ??
        'There is an administrator already, who invites others in Administrator, Users.',
    ),
  'end-demo': () =>
    withDatabase('npm run admin', async (store) => {
      const { people, clients } = await endDemo(store, new Date())
      return `${people} people of the demo can no longer sign in, ${clients} of its API clients are revoked. npm run admin -- link makes an administrator where none is left.`
    }),
}

const command = commands[process.argv[2] ?? '']
if (!command) {
  console.error(usage)
  process.exitCode = 2
} else
  try {
    console.log(await command())
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
