import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const project = mkdtempSync(join(tmpdir(), 'bursar-reset-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('npm run reset with an empty DATA_DIR removes the usual data folder, not the folder it runs in', () => {
  const program = join(project, 'server/tools/reset.mjs')
  cpSync(join(import.meta.dirname, '../../server/tools/reset.mjs'), program)
  mkdirSync(join(project, '.data'))
  execFileSync(process.execPath, [program], { cwd: project, env: { DATA_DIR: '' } })
  expect(existsSync(join(project, '.data'))).toBe(false)
  expect(existsSync(program)).toBe(true)
})
