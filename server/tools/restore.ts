import { resolve } from 'node:path'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { restoreBackup } from '../backup/restore.ts'
import { verifyRestoredDatabase } from '../backup/verifyRestored.ts'
import { loadSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { findSecret, storeSecret } from '../launch/secrets.ts'
import { findDataFolder, readServerPassword, readToolDataKey, withDatabaseToFill, withStore } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run restore -- FILE
  DATA_DIR           an empty folder; or DATABASE_URL, an empty database, as its owner, with DATABASE_APP_PASSWORD
  BACKUP_PASSPHRASE  or BACKUP_IDENTITY (AGE-SECRET-KEY-…) opens an encrypted file
  DATA_KEY           of the installation, if the file does not hold it`

/** `npm run restore -- FILE`: restores a backup and verifies the result. @returns whether the result is intact */
async function run(file: string): Promise<boolean> {
  loadSecretFiles()
  const folder = findDataFolder()
  const hasFolder = Boolean(env.DATA_DIR) || !env.DATABASE_URL
  return withDatabaseToFill('npm run restore', async (databaseUrl) => {
    const { BACKUP_PASSPHRASE: passphrase, BACKUP_IDENTITY: identity } = env
    const to = { databaseUrl, serverPassword: readServerPassword(folder), dataKey: readToolDataKey(), folder: hasFolder ? folder : null }
    const { head, rows, dataKey, anchors } = await restoreBackup(file, to, { passphrase, identity })
    if (dataKey && !env.DATABASE_URL && findSecret(folder, 'dataKey') !== dataKey) storeSecret(folder, 'dataKey', dataKey)
    console.log(`${rows} rows as of ${displayDateTime(head.at)} are restored. Verifying ...`)
    const { budgets, events, changes, replayed, findings } = await withStore(databaseUrl, dataKey, (store) =>
      verifyRestoredDatabase(store, anchors),
    )
    for (const { budgetId, version, problem } of findings)
      console.error(`  ${budgetId === null ? '' : `${budgetId}${version === null ? '' : ` version ${version}`}: `}${problem}`)
    console.log(
      findings.length
        ? `${displayCount(findings.length, 'problem')}: the restored data differs from the original.`
        : `Every chain of ${displayCount(budgets, 'budget')}, ${displayCount(events, 'event')} and ${displayCount(changes, 'change')} of reference records is intact, and ${displayCount(replayed, 'budget replays', 'budgets replay')} to the penny${anchors ? '' : '; there were no anchors to compare them with'}.`,
    )
    if (dataKey && env.DATABASE_URL && dataKey !== env.DATA_KEY)
      console.log(`Set DATA_KEY of every server and worker to that of the backup:\n${dataKey}`)
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
    console.error(getErrorMessage(error))
    process.exitCode = 1
  }
