import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { displayDateTime } from '../../domain/values/format.ts'
import { errorMessage } from '../../domain/words/errors.ts'
import { recordBackup, writeDatabaseBackup } from '../backup/dump.ts'
import { loadSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { findAnchorsFolder, readToolDataKey, withDatabaseUrl } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run backup -- FILE
       npm run backup -- --done   records that a backup was made by other means, so that the doctor and the metrics know its age
  BACKUP_PASSPHRASE  seals the file with a passphrase
  BACKUP_RECIPIENT   or seals it for an age public key (age1…)`

/** `npm run backup -- FILE`: writes a consistent snapshot of the database to a file. People can work meanwhile. */
async function run(file: string): Promise<void> {
  loadSecretFiles()
  if (existsSync(file)) throw new Error(`${file} already exists. Choose a new file name.`)
  const { BACKUP_PASSPHRASE: passphrase, BACKUP_RECIPIENT: recipient } = env
  const written = await withDatabaseUrl('npm run backup', async (databaseUrl) => {
    const summary = await writeDatabaseBackup(
      file,
      { databaseUrl, dataKey: readToolDataKey(), anchors: findAnchorsFolder() },
      { passphrase, recipient },
    )
    await recordBackup(databaseUrl).catch((error) => {
      console.error(`The time of this backup could not be recorded, so the doctor does not know of it: ${errorMessage(error)}`)
    })
    return summary
  })
  console.log(
    `${file} contains the database as of ${displayDateTime(written.at)}: ${written.rows} rows in ${written.tables} tables. Test it with: npm run restore -- ${file}`,
  )
  console.log(
    written.holdsKey
      ? 'It is sealed and includes the DATA_KEY: anyone who can open it can read the names of staff.'
      : 'It does not include the DATA_KEY, without which nobody can read the names of staff. Keep the key too (npm start stores it in secrets.json beside the data), separately from the file.',
  )
  if (!passphrase && !recipient)
    console.log('The file is not sealed. Keep it as safe as the data, or set BACKUP_PASSPHRASE or BACKUP_RECIPIENT.')
}

/** `npm run backup -- --done`: records a backup that was made by other means, such as pgBackRest. */
async function recordOutsideBackup(): Promise<void> {
  loadSecretFiles()
  await withDatabaseUrl('npm run backup', recordBackup)
  console.log('Recorded that a backup was made now.')
}

const [argument] = process.argv.slice(2)
if (!argument) {
  console.error(usage)
  process.exitCode = 2
} else
  await (argument === '--done' ? recordOutsideBackup() : run(resolve(argument))).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
