import type { TestProject } from 'vitest/node'
import { root } from '../../../server/core/root.ts'
import { bundlePrograms } from '../../../server/launch/bundle.ts'
import { startPostgres } from '../../../server/launch/postgres.ts'
import { removeDataFolders } from '../../../server/launch/removeData.ts'
import { toServerUrl } from '../../../server/launch/roles.ts'
import { ensureSecret } from '../../../server/launch/secrets.ts'
import { startPgBouncer } from '../running/pgBouncer.ts'
import { copyTemplate } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the database with the demo trusts that every test file copies, for the owner of its tables. */
    templateUrl: string
    /** The same for the role of servers and workers. */
    serverUrl: string
    /** The host and port of PgBouncer; null without `POOLER`. */
    poolerHost: string | null
    /** The folder of the product’s programs, bundled. */
    programs: string
  }
}

/** Faster but unsafe: test data need not survive a crash. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']

/** Starts one real PostgreSQL for all tests, with the demo trusts in a template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // First, because it fails if the sources do not compile.
  project.provide('programs', await bundlePrograms(root))
  const folder = copyTemplate()
  const server = await startPostgres(
    folder,
    settings.flatMap((setting) => ['-c', setting]),
  ).catch((error) => {
    removeDataFolders(folder)
    throw error
  })
  project.provide('templateUrl', server.url)
  const serverUrl = toServerUrl(server.url, ensureSecret(folder, 'databaseServer'))
  project.provide('serverUrl', serverUrl)
  const pooler = process.env.POOLER ? await startPgBouncer(serverUrl) : null
  project.provide('poolerHost', pooler?.host ?? null)
  return async () => {
    await pooler?.stop()
    await server.stop()
    removeDataFolders(folder)
  }
}
