import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { backUp } from '../backup/dump.ts'
import { takeSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { anchorsFolderOf, dataKeyOfTool, withDatabaseUrl } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run backup -- FILE
  BACKUP_PASSPHRASE  seals the file with a passphrase
  BACKUP_RECIPIENT   or seals it for an age public key (age1…)`

/** `npm run backup -- FILE`: writes a consistent snapshot of the database to a file, also while people work. */
async function run(file: string): Promise<void> {
  takeSecretFiles()
  if (existsSync(file)) throw new Error(`There is a file ${file} already. Name one that does not exist yet.`)
  const { BACKUP_PASSPHRASE: passphrase, BACKUP_RECIPIENT: recipient } = env
  const written = await withDatabaseUrl('npm run backup', (databaseUrl) =>
    backUp(file, { databaseUrl, dataKey: dataKeyOfTool(), anchors: anchorsFolderOf() }, { passphrase, recipient }),
  )
  console.log(
    `${file} holds everything of ${written.at}: ${written.rows} rows of ${written.tables} tables. Look at it with: npm run restore -- ${file}`,
  )
  console.log(
    written.holdsKey
      ? 'It is sealed, and holds the DATA_KEY as well: whoever can open it can open who the staff are.'
      : 'The DATA_KEY is not in it, without which nobody can open who the staff are: keep that as well (npm start keeps it in secrets.json beside the data), and apart from the file.',
  )
  if (!passphrase && !recipient)
    console.log('The file is not sealed. Keep it as safe as the data, or set BACKUP_PASSPHRASE or BACKUP_RECIPIENT.')
}

if (!process.argv[2]) {
  console.error(usage)
  process.exitCode = 2
} else
  await run(resolve(process.argv[2])).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
