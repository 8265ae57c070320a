import { resolve } from 'node:path'
import { errorMessage } from '../../domain/words/errors.ts'
import { restore } from '../backup/restore.ts'
import { verifyRestored } from '../backup/verifyRestored.ts'
import { takeSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { keepSecret, keptSecret, secretOf } from '../launch/secrets.ts'
import { dataFolderOf, dataKeyOfTool, withOwnDatabase, withStore } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run restore -- FILE
  DATA_DIR           an empty folder; or DATABASE_URL, an empty database, as its owner, with DATABASE_APP_PASSWORD
  BACKUP_PASSPHRASE  or BACKUP_IDENTITY (AGE-SECRET-KEY-…) opens a sealed file
  DATA_KEY           of the installation, if the file does not hold it`

/** The password of the role of servers and workers. @throws Error where a database of yours is given none */
function serverPasswordIn(folder: string): string {
  const { DATABASE_APP_PASSWORD: given, DATABASE_URL: url } = env
  if (given) return given
  if (url) throw new Error('DATABASE_APP_PASSWORD is not set. Choose the password with which servers and workers sign in to the database.')
  return secretOf(folder, 'databaseServer')
}

/** `npm run restore -- FILE`: a backup into a new data folder or an empty database, and the proof that it is what it was. @returns whether it is */
async function run(file: string): Promise<boolean> {
  takeSecretFiles()
  const folder = dataFolderOf()
  const hasFolder = Boolean(env.DATA_DIR) || !env.DATABASE_URL
  return withOwnDatabase('npm run restore', async (databaseUrl) => {
    const { BACKUP_PASSPHRASE: passphrase, BACKUP_IDENTITY: identity } = env
    const to = { databaseUrl, serverPassword: serverPasswordIn(folder), dataKey: dataKeyOfTool(), folder: hasFolder ? folder : null }
    const { head, rows, dataKey, anchors } = await restore(file, to, { passphrase, identity })
    if (dataKey && !env.DATABASE_URL && keptSecret(folder, 'dataKey') !== dataKey) keepSecret(folder, 'dataKey', dataKey)
    console.log(`${rows} rows of ${head.at} are restored. They are being verified ...`)
    const { budgets, events, changes, replayed, findings } = await withStore(databaseUrl, dataKey, (store) =>
      verifyRestored(store, anchors),
    )
    for (const { budgetId, version, problem } of findings)
      console.error(`  ${budgetId === null ? '' : `${budgetId}${version === null ? '' : ` version ${version}`}: `}${problem}`)
    console.log(
      findings.length
        ? `${findings.length} problems: what was restored is not what it was.`
        : `Every chain of ${budgets} budgets, ${events} events and ${changes} changes of reference records is whole, and ${replayed} budgets replay to the penny${anchors ? '' : '; there were no anchors to hold them against'}.`,
    )
    if (dataKey && env.DATABASE_URL && dataKey !== env.DATA_KEY)
      console.log(`Set DATA_KEY of every server and worker to the one of the backup, which is:\n${dataKey}`)
    return !findings.length
  })
}

if (!process.argv[2]) {
  console.error(usage)
  process.exitCode = 2
} else
  try {
    process.exitCode = (await run(resolve(process.argv[2]))) ? 0 : 1
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
