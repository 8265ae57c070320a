import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { advisoryLocks } from '../../server/core/database/advisoryLocks.ts'

const root = resolve(import.meta.dirname, '../..')
const home = 'server/core/database/advisoryLocks.ts'

it('no two purposes share the number of an advisory lock', () => {
  const numbers = Object.values(advisoryLocks)
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
})

it('the numbers of advisory locks are defined in one file', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'server', 'worker', 'drizzle/migrations'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => /\.(ts|sql)$/.test(file) && file !== home)
  const numbersIn = (file: string): string[] => readFileSync(join(root, file), 'utf8').match(/\b7_?342_?\d{3}\b/g) ?? []
  const elsewhere = files.flatMap((file) => numbersIn(file).map((number) => ({ file, number: Number(number.replaceAll('_', '')) })))
  // A database trigger takes this lock, so the migration repeats its number.
  const isOfDatabase = ({ file, number }: (typeof elsewhere)[number]) => file.endsWith('.sql') && number === advisoryLocks.chain
  expect(elsewhere.some(isOfDatabase)).toBe(true)
  expect(elsewhere.filter((one) => !isOfDatabase(one))).toEqual([])
})
