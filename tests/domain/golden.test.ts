import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { costCase } from '../../domain/calculation/case.ts'

const folder = join(import.meta.dirname, 'golden')

describe('worked cases of an independent calculation', () => {
  for (const file of readdirSync(folder)) {
    const { expect: expected, ...given } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    it(`${given.name}: ${given.checks}`, () => {
      expect(costCase(given)).toEqual(expected)
    })
  }
})
