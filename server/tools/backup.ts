import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { displayDateTime } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { type BackupSummary, recordBackup, writeDatabaseBackup } from '../backup/dump.ts'
import { isRehearsalDue, recordRehearsal, rehearseRestore } from '../backup/rehearseRestore.ts'
import { type BackupRetention, buildBackupName, chooseExpiredBackups, findScheduledBackups, isBackupDue } from '../backup/schedule.ts'
import { loadSecretFiles } from '../core/config.ts'
import { env } from '../core/settings.ts'
import { findAnchorsFolder, readToolDataKey, withDatabaseUrl } from '../launch/toolDatabase.ts'

const usage = `Usage: npm run backup -- FILE
       npm run backup -- --nightly     makes a scheduled backup in BACKUP_DIR, deletes expired ones, and rehearses a restore once a week
       npm run backup -- --schedule    does that every night until it is stopped
       npm run backup -- --rehearse    rehearses the restore of the newest scheduled backup now
       npm run backup -- --done        records that a backup was made by other means, so that the doctor and the metrics know its age
       npm run backup -- --rehearsed   records that a restore was rehearsed by other means
  BACKUP_PASSPHRASE  seals the file with a passphrase
  BACKUP_RECIPIENT   or seals it for an age public key (age1…)`

const tool = 'npm run backup'

/** The environment before the files of secrets are read into it. */
const givenEnv = { ...env }

async function writeBackupFile(file: string, databaseUrl: string): Promise<BackupSummary> {
  const { BACKUP_PASSPHRASE: passphrase, BACKUP_RECIPIENT: recipient } = env
  const from = { databaseUrl, dataKey: readToolDataKey(), anchors: findAnchorsFolder() }
  const summary = await writeDatabaseBackup(file, from, { passphrase, recipient })
  await recordBackup(databaseUrl).catch((error) => {
    console.error(`The time of this backup could not be recorded, so the doctor does not know of it: ${getErrorMessage(error)}`)
  })
  console.log(`${file} contains the database as of ${displayDateTime(summary.at)}: ${summary.rows} rows in ${summary.tables} tables.`)
  return summary
}

/** `npm run backup -- FILE`: writes a consistent snapshot of the database to a file. People can work meanwhile. */
async function run(file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} already exists. Choose a new file name.`)
  const { holdsKey } = await withDatabaseUrl(tool, (databaseUrl) => writeBackupFile(file, databaseUrl))
  console.log(`Test it with: npm run restore -- ${file}`)
  console.log(
    holdsKey
      ? 'It is sealed and includes the DATA_KEY: anyone who can open it can read the names of staff.'
      : 'It does not include the DATA_KEY, without which nobody can read the names of staff. Keep the key too (npm start stores it in secrets.json beside the data), separately from the file.',
  )
  if (!env.BACKUP_PASSPHRASE && !env.BACKUP_RECIPIENT)
    console.log('The file is not sealed. Keep it as safe as the data, or set BACKUP_PASSPHRASE or BACKUP_RECIPIENT.')
}

interface Schedule extends BackupRetention {
  folder: string
  time: string
}

/** @throws Error with one sentence if a setting is missing or wrong */
function readSchedule(): Schedule {
  const { BACKUP_DIR: folder, BACKUP_TIME: time = '', BACKUP_DAYS: days = '', BACKUP_WEEKS: weeks = '' } = env
  if (!folder) throw new Error('BACKUP_DIR is not set. Choose the folder of scheduled backups.')
  if (time && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) throw new Error(`BACKUP_TIME is ${time}. It must be a time of day, such as 02:00.`)
  const read = (name: string, text: string, [least, most]: [number, number]): number => {
    const number = Number(text)
    if (Number.isInteger(number) && number >= least && number <= most) return number
    throw new Error(`${name} is ${text}. It must be a number from ${least} to ${most}.`)
  }
  return {
    folder: resolve(folder),
    time: time || '02:00',
    days: read('BACKUP_DAYS', days || '14', [1, 3650]),
    weeks: read('BACKUP_WEEKS', weeks || '8', [0, 520]),
  }
}

/** Rehearses the restore of a backup and records the result. @returns whether the backup can be restored */
async function rehearse(file: string, databaseUrl: string): Promise<boolean> {
  const { BACKUP_PASSPHRASE: passphrase, BACKUP_IDENTITY: identity } = env
  const from = { databaseUrl, dataKey: readToolDataKey() }
  const problem = await rehearseRestore(file, from, { passphrase, identity })
  await recordRehearsal(databaseUrl, problem)
  if (problem === null) console.log(`${file} was restored into a temporary database, and is whole to the penny.`)
  else console.error(`${file} cannot be restored: ${problem}`)
  return problem === null
}

/** Whether this machine can open the backups that it makes. */
const canOpenBackups = (): boolean => Boolean(env.BACKUP_PASSPHRASE || env.BACKUP_IDENTITY || !env.BACKUP_RECIPIENT)

/**
 * Makes a scheduled backup, rehearses a restore if one is due, and then deletes expired backups: if this one cannot be restored, an older one
 * may be the only good one.
 * @returns whether the rehearsal succeeded
 */
async function makeScheduledBackup({ folder, ...retention }: Schedule): Promise<boolean> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, buildBackupName(new Date()))
  return withDatabaseUrl(tool, async (databaseUrl) => {
    await writeBackupFile(file, databaseUrl)
    // Delete what interrupted backups left behind. The backup just written no longer ends in `.part`.
    const names = readdirSync(folder)
    const parts = names.filter((name) => name.endsWith('.backup.part') && findScheduledBackups([name.replace(/\.part$/, '')]).length)
    const expired = chooseExpiredBackups(names, new Date(), retention)
    for (const name of parts) rmSync(join(folder, name), { force: true })
    const isDue = await isRehearsalDue(databaseUrl)
    if (isDue && canOpenBackups() && !(await rehearse(file, databaseUrl))) return false
    if (isDue && !canOpenBackups())
      console.log(
        'A rehearsal of the restore is due. This machine cannot open the backup: restore it on another one, then run --rehearsed.',
      )
    for (const name of expired) rmSync(join(folder, name), { force: true })
    if (expired.length) console.log(`Deleted ${expired.join(', ')}.`)
    return true
  })
}

/** Milliseconds between two looks at the clock, and before a failed backup is tried again. */
const [lookMs, retryMs] = [60_000, 3_600_000]

/**
 * Makes a scheduled backup in a process of its own, which reads the files of secrets as they are now. That process prints what went wrong.
 */
async function makeBackupInOwnProcess(): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', '--nightly'], { env: givenEnv, stdio: 'inherit' })
  const stop = (): boolean => child.kill()
  process.once('exit', stop)
  // @throws Error if Node could not be started
  await once(child, 'exit')
  process.off('exit', stop)
}

/** Makes a backup whenever one is due. It ends on a signal, or when the process that started it ends. */
async function keepSchedule(schedule: Schedule): Promise<never> {
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
  const isDue = (): boolean => {
    const [last] = existsSync(schedule.folder) ? findScheduledBackups(readdirSync(schedule.folder)) : []
    return isBackupDue(last?.at, new Date(), schedule.time)
  }
  let notBeforeMs = 0
  for (;;) {
    if (Date.now() >= notBeforeMs && isDue()) {
      await makeBackupInOwnProcess().catch((error) => console.error(getErrorMessage(error)))
      if (isDue()) {
        console.error('No backup was made. Trying again in an hour.')
        notBeforeMs = Date.now() + retryMs
      }
    }
    await wait(lookMs)
  }
}

/** Rehearses the newest scheduled backup. @throws Error with one sentence if there is none */
async function rehearseNewest({ folder }: Schedule): Promise<boolean> {
  const [newest] = existsSync(folder) ? findScheduledBackups(readdirSync(folder)) : []
  if (!newest) throw new Error(`There is no scheduled backup in ${folder} yet. Make one: npm run backup -- --nightly.`)
  return withDatabaseUrl(tool, (databaseUrl) => rehearse(join(folder, newest.name), databaseUrl))
}

/** @returns whether everything succeeded */
async function carryOut(argument: string): Promise<boolean> {
  loadSecretFiles()
  if (argument === '--nightly') return makeScheduledBackup(readSchedule())
  if (argument === '--schedule') return keepSchedule(readSchedule())
  if (argument === '--rehearse') return rehearseNewest(readSchedule())
  if (argument === '--done') {
    await withDatabaseUrl(tool, recordBackup)
    console.log('Recorded that a backup was made now.')
  } else if (argument === '--rehearsed') {
    await withDatabaseUrl(tool, (databaseUrl) => recordRehearsal(databaseUrl, null))
    console.log('Recorded that a restore was rehearsed now.')
  } else await run(resolve(argument))
  return true
}

const [argument] = process.argv.slice(2)
if (!argument) {
  console.error(usage)
  process.exitCode = 2
} else
  try {
    process.exitCode = (await carryOut(argument)) ? 0 : 1
  } catch (error) {
    console.error(getErrorMessage(error))
    process.exitCode = 1
  }
