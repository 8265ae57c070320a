import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'

const folder = mkdtempSync(join(tmpdir(), 'bursar-embedded-'))
const copy = `${folder}-copy`
let running: RunningPostgres

const processOf = (data: string) =>
  Number(readFileSync(join(realpathSync(join(data, 'postgres')), 'postmaster.pid'), 'utf8').split('\n')[0])

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await client.unsafe(query)
  } finally {
    await client.end({ timeout: 1 })
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  running = await startPostgres(folder)
  await ask(running.url, 'create table saved (value int); insert into saved values (1)')
})

afterAll(async () => {
  await running.stop()
  removeDataFolders(folder, copy)
})

test('a killed database is restarted at the same address with everything that was saved', async () => {
  process.kill(processOf(folder), 'SIGKILL')
  await vi.waitFor(async () => expect(await running.isUp()).toBe(false), { timeout: 10_000 })
  // The killed server’s sessions may hold its shared memory for a moment.
  await vi.waitFor(() => running.restart(), { timeout: 20_000, interval: 500 })
  expect(await ask(running.url, 'select value from saved')).toEqual([{ value: 1 }])
})

test('starting a copy of a data folder does not affect the database of the original', async () => {
  const alive = processOf(folder)
  const data = realpathSync(join(folder, 'postgres'))
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  if (data === `${realpathSync(join(folder))}/postgres`) {
    const second = await startPostgres(copy)
    expect(await ask(second.url, 'select value from saved')).toEqual([{ value: 1 }])
    await second.stop()
  } else await expect(startPostgres(copy)).rejects.toThrow(`${copy} is a copy without its database`)
  expect(processOf(folder)).toBe(alive)
  expect(await running.isUp()).toBe(true)
  expect(await ask(running.url, 'select value from saved')).toEqual([{ value: 1 }])
})

test('a second start on the same folder takes over the database left by a killed start', async () => {
  const left = processOf(folder)
  const second = await startPostgres(folder)
  expect(processOf(folder)).not.toBe(left)
  expect(existsSync(`/proc/${left}`)).toBe(false)
  expect(await ask(second.url, 'select value from saved where value = 1')).toEqual([{ value: 1 }])
  await second.stop()
})
