import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { costCase } from '../../../domain/calculation/staffing/case.ts'
import { readCase } from '../../../domain/calculation/staffing/readCase.ts'

const folder = join(import.meta.dirname, '../golden')
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const teacher = () => read('teacher-m6-full-time.json')

describe('a case from a file', () => {
  it('is read as written: every worked case gives the same figures after reading', () => {
    for (const file of readdirSync(folder)) expect(costCase(readCase(read(file))), file).toEqual(read(file).expect)
  })
  it.each([
    [
      'a contract type that is not there',
      (one: ReturnType<typeof teacher>) => (one.employee.contracts[0].contractType = 'Techer'),
      'there is no contract type Techer',
    ],
    [
      'an allowance that is not there',
      (one: ReturnType<typeof teacher>) => one.employee.contracts[0].rows[0].allowances.push('TLR 9'),
      'there is no allowance TLR 9',
    ],
    [
      'a table that is not there',
      (one: ReturnType<typeof teacher>) => (one.budgetElements.nationalInsurance[0].table = 'NI 1999'),
      'there is no table NI 1999',
    ],
    [
      'a date that does not exist',
      (one: ReturnType<typeof teacher>) => (one.employee.contracts[0].startDate = '2026-02-30'),
      'startDate: is not a valid date',
    ],
    [
      'words where a figure belongs',
      (one: ReturnType<typeof teacher>) => (one.employee.contracts[0].rows[0].fte = 'half'),
      'fte: is not a decimal number',
    ],
    ['no budget', (one: ReturnType<typeof teacher>) => delete one.budget, 'budget:'],
  ])('with %s is refused, and the refusal says where', (_what, spoil, sentence) => {
    const one = teacher()
    spoil(one)
    expect(() => readCase(one)).toThrow(sentence)
  })
})
