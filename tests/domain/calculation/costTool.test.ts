import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const golden = join(import.meta.dirname, '../golden')

it('the cost tool writes everything, even to a slow reader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'))
  const cases = readdirSync(golden).map((file) => JSON.parse(readFileSync(join(golden, file), 'utf8')))
  writeFileSync(join(folder, 'cases.json'), JSON.stringify([...cases, ...cases]))
  const tool = join(import.meta.dirname, '../../../server/tools/cost.ts')
  // A pipe between two programs, as in a shell: the reader starts only after the writer has filled the pipe.
  const child = spawn('sh', ['-c', 'node --import tsx "$0" "$1" | { sleep 4; cat; }', tool, join(folder, 'cases.json')])
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  rmSync(folder, { recursive: true })
  const text = Buffer.concat(chunks).toString()
  expect(text.length).toBeGreaterThan(200_000)
  expect(JSON.parse(text)).toHaveLength(cases.length * 2)
}, 60_000)
