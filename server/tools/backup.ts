import { cpSync, existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyBeside, copyRunningDatabase } from '../launch/copyData.ts'
import { runningOn } from '../launch/lock.ts'

/** `npm run backup -- FOLDER`: a copy of everything, also while Bursar runs. A copy is a data folder: DATA_DIR=FOLDER npm start opens it. */
const dataFolder = resolve(process.env.DATA_DIR ?? join(import.meta.dirname, '../../.data'))
const target = process.argv[2] && resolve(process.argv[2])

async function backUp(folder: string): Promise<void> {
  if (process.env.DATABASE_URL)
    throw new Error(
      'DATABASE_URL names a server of yours: make its copies with pg_dump or as its host does, and keep DATA_KEY (or secrets.json of the data folder) as well, apart from them.',
    )
  if (!existsSync(join(dataFolder, 'postgres'))) throw new Error(`There is no data in ${dataFolder} yet.`)
  if (existsSync(folder) && readdirSync(folder).length) throw new Error(`${folder} is not empty. Name a folder that does not exist yet.`)
  try {
    const url = runningOn(dataFolder)?.databaseUrl
    copyBeside(dataFolder, folder)
    if (url) await copyRunningDatabase(url, join(folder, 'postgres'))
    else cpSync(realpathSync(join(dataFolder, 'postgres')), join(folder, 'postgres'), { recursive: true })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  console.log(`${folder} holds a copy of everything. Look at it with: PORT=3100 DATA_DIR=${folder} npm start`)
  console.log(
    process.env.DATA_KEY
      ? 'It opens with the DATA_KEY that is set here, which is not in the copy: keep that as well, and apart from it.'
      : 'Its secrets.json opens who the staff are. Keep the copy as safe as the data.',
  )
}

if (!target) {
  console.error('Name the folder that the copy goes to: npm run backup -- FOLDER')
  process.exitCode = 2
} else
  await backUp(target).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
