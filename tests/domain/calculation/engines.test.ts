import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Engine, engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { findEngine, getEngine } from '../../../domain/calculation/engines/engines.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import type { CaseResult, CostCase } from '../../../domain/calculation/staffing/case.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

const folder = join(import.meta.dirname, '../../../domain/calculation/engines')
const frozen: Record<string, string> = JSON.parse(readFileSync(join(folder, 'frozen.json'), 'utf8'))

function filesOf(version: string): string[] {
  return readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The result of a worked case in one engine. */
function resultOf(engine: Engine, { employee: { dateOfBirth, leaves, contracts }, ...inputs }: CostCase): CaseResult {
  const ages = calculateAgesReached(dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget)
  const costs = engine.costing(inputs)({ ages, leaves, contracts })
  return {
    unit: 'pennies',
    contracts: costs.map(({ name, problems, years }) => ({ name, problems: problems.map((problem) => problem.code).sort(), years })),
  }
}

const casesIn = (cases: string): { name: string; given: CostCase; expected: CaseResult }[] =>
  readdirSync(cases).map((file) => {
    const { expect: expected, ...given } = JSON.parse(readFileSync(join(cases, file), 'utf8'))
    return { name: file, given, expected }
  })

describe.each(Object.keys(frozen))('engine %s, which was released with a version of the product', (version) => {
  it('is never changed: its results would replay to other pennies', () => {
    const hash = createHash('sha256')
    for (const path of filesOf(version)) hash.update(`${relative(join(folder, version), path)}\n`).update(readFileSync(path))
    expect(hash.digest('hex')).toBe(frozen[version])
  })
  it('imports nothing from outside its folder', () => {
    for (const path of filesOf(version).filter((name) => name.endsWith('.ts')))
      for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(/ from '([^']+)'/g))
        expect(relative(join(folder, version), join(dirname(path), from)), `${path} imports ${from}`).not.toMatch(/^\.\.|node_modules/)
  })
  it.each(casesIn(join(folder, version, 'golden')))('gives the results of its worked case: $name', ({ given, expected }) => {
    expect(getEngine(version).version).toBe(version)
    expect(resultOf(getEngine(version), given)).toEqual(expected)
  })
})

describe('the newest engine', () => {
  const differing = (other: Engine): string[] =>
    casesIn(join(import.meta.dirname, '../golden'))
      .filter(({ given }) => canonicalJson(resultOf(newestEngine, given)) !== canonicalJson(resultOf(other, given)))
      .map(({ name }) => name)

  it('has a new version number as soon as a figure differs from a released engine’s', () => {
    const released = Object.keys(frozen).map((version) => getEngine(version))
    const same = released.find((engine) => engine.version === newestEngine.version)
    expect(same ? differing(same) : [], 'raise engineVersion in domain/calculation/engine.ts').toEqual([])
  })
  it('is one that the product includes', () => {
    expect(findEngine('0.9.0')).toBeUndefined()
    expect(() => getEngine('0.9.0')).toThrow('This version of Bursar does not have engine 0.9.0')
  })
})
