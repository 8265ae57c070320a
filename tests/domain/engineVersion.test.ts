import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { costCase } from '../../domain/calculation/staffing/case.ts'
import { engineVersion } from '../../domain/calculation/staffing/cost.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'

const folder = join(import.meta.dirname, 'golden')
/** What each engine came to in each worked case, as the first digits of the SHA-256 of its result. Lines are added, never changed. */
const recorded: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(import.meta.dirname, 'resultsByEngine.json'), 'utf8'))

function resultsNow(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => {
        const { expect: _expected, ...given } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
        return [
          file,
          createHash('sha256')
            .update(canonicalJson(costCase(given)))
            .digest('hex')
            .slice(0, 16),
        ]
      }),
  )
}

it('an engine that comes to another figure has another version: raise engineVersion and record its results beside those of before', () => {
  const now = resultsNow()
  expect(recorded[engineVersion], `resultsByEngine.json must hold ${JSON.stringify({ [engineVersion]: now })}`).toEqual(now)
})

it('a version that is not the newest came to something else than the next one in at least one case', () => {
  const versions = Object.values(recorded)
  for (const [index, later] of versions.slice(1).entries()) {
    const before = versions[index]!
    expect(Object.keys(before).some((file) => before[file] !== later[file])).toBe(true)
  }
})
