import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { openStore } from '../../server/store/database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a database with the demo trusts that every test file copies. */
    templateUrl: string
  }
}

/** One real PostgreSQL for all tests, with the demo trusts in a template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-tests-'))
  const server = await startPostgres(folder, ['-c', 'fsync=off', '-c', 'synchronous_commit=off'])
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    project.provide('templateUrl', await makeTemplate(server.url))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function makeTemplate(url: string): Promise<string> {
  const admin = postgres(url, { max: 1 })
  await admin.unsafe('create database demo')
  await admin.end()
  const templateUrl = url.replace(/\/[^/]*$/, '/demo')
  await migrateDatabase(templateUrl)
  const store = openStore(templateUrl, 2)
  await loadDemo(store)
  await store.close()
  return templateUrl
}
