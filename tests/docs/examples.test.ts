import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { prepareData } from '../../server/launch/prepareData.ts'
import { createEmptyDatabase, readServerPassword } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { patience } from '../support/product/patience.ts'
import { configOf, type Product, startProduct } from '../support/product/product.ts'
import { compileFolder, createTypescriptFolder, prepareFolder, writeApiTypes } from '../support/running/typescriptFolder.ts'
import { type Example, examplesOf, isInstalled, languages, nameExample, problemOf, Session } from './blocks.ts'
import { readPages, readProject, root } from './pages.ts'

/** The first long call starts a thread, which takes long when it runs from the sources. */
const limitMs = patience * 120_000

const pages = readPages(readProject())
  .map(({ path, text }) => ({ path, examples: examplesOf({ path, text }) }))
  .filter(({ examples }) => examples.length)

/** Languages not installed here: their blocks are skipped, and the console says so. */
const missing = Object.keys(languages).filter((language) => !isInstalled(language))

let product: Product
let databaseUrl: string
let exchangeDir: string
/** Below node_modules, with a subfolder for each page. */
let folder: string

beforeAll(async () => {
  if (!pages.length) return
  databaseUrl = await createEmptyDatabase()
  const serverUrl = await migrateDatabase(databaseUrl, readServerPassword())
  const config = { ...(await configOf(databaseUrl)), serverPassword: readServerPassword(), hasYear: true }
  await prepareData(config)
  exchangeDir = mkdtempSync(join(tmpdir(), 'bursar-exchange-'))
  atEnd(() => rmSync(exchangeDir, { recursive: true, force: true }))
  product = await startProduct({ databaseUrl: serverUrl, worker: true, exchangeDir })
  folder = createTypescriptFolder()
  if (pages.some(({ examples }) => examples.some(({ language }) => language === 'ts'))) await writeApiTypes(product.origin, folder)
}, 120_000)

function sessionOf(page: string, examples: readonly Example[]): Session {
  const own = join(folder, page.replaceAll('/', '-').replace(/\.md$/, ''))
  // The audit tools look for anchors in the data folder.
  mkdirSync(join(own, 'data/anchors'), { recursive: true })
  if (examples.some(({ language }) => language === 'ts')) {
    prepareFolder(own)
    copyFileSync(join(folder, 'bursar.d.ts'), join(own, 'bursar.d.ts'))
  }
  return new Session(examples, {
    root,
    folder: own,
    origin: product.origin,
    compile: compileFolder,
    limitMs,
    env: {
      DATABASE_URL: databaseUrl,
      DATA_KEY: testDataKey,
      // Otherwise the tools would use the developer’s own data folder.
      DATA_DIR: join(own, 'data'),
      EXCHANGE_DIR: exchangeDir,
      PUBLIC_URL: product.origin,
      QUEUE_PREFIX: product.config.queuePrefix,
    },
  })
}

describe.each(pages)('the examples of $path', ({ path, examples }) => {
  let session: Session
  beforeAll(() => {
    session = sessionOf(path, examples)
  })
  afterAll(() => session.end())

  it.each(examples.map((example) => [nameExample(example), example] as const))(
    '%s',
    async (name, example) => {
      if (missing.includes(example.language))
        return console.warn(`NOT TRIED ${name}: ${languages[example.language]?.program} is not installed.`)
      expect(problemOf(example, await session.run(example))).toBeNull()
    },
    limitMs + 30_000,
  )
})
