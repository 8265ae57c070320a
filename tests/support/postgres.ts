import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeData } from '../../server/launch/removeData.ts'
import { testDataKey } from './dataKey.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a database with the demo trusts that every test file copies, as the owner of its tables. */
    templateUrl: string
    /** The same as servers and workers sign in. */
    serverUrl: string
  }
}

/** One real PostgreSQL for all tests, with the demo trusts in a template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-tests-'))
  const server = await startPostgres(folder, ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=300'])
  const stop = async (): Promise<void> => {
    await server.stop()
    removeData(folder)
  }
  try {
    await makeTemplate(server.url, project)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function makeTemplate(url: string, project: TestProject): Promise<void> {
  const admin = postgres(url, { max: 1 })
  await admin.unsafe('create database demo')
  await admin.end()
  const templateUrl = url.replace(/\/[^/]*$/, '/demo')
  project.provide('templateUrl', templateUrl)
  project.provide('serverUrl', await migrateDatabase(templateUrl))
  const store = openStore({ databaseUrl: templateUrl, dataKey: testDataKey }, 2)
  await loadDemo(store)
  await store.close()
}
