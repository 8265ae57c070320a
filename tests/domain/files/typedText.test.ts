import { describe, expect, it } from 'vitest'
import { userFile } from '../../../domain/resources/personFile.ts'
import { buildNewRecord, checkRecord } from '../../../domain/resources/schema.ts'

const person = { ...buildNewRecord(userFile), forename: 'Amira', surname: 'Okafor', email: 'amira@oak.example', userGroupIds: [1] }
const check = (typed: Record<string, string>) => checkRecord(userFile, { ...person, ...typed })

describe('typed text', () => {
  it('is stored as it looks, without invisible characters from copying', () => {
    const { values, problems } = check({
      forename: '\u200bAmi\u202Era ',
      surname: 'Okafor\r\nof Oakfield',
      email: '\ufeffamira@oak.example\u200b',
    })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ forename: 'Amira', surname: 'Okafor\r\nof Oakfield', email: 'amira@oak.example' })
  })
  it('keeps the letters of every language and combined emoji', () => {
    const typed = { forename: 'نیم\u200cفاصله', surname: 'כיתה 👩‍🏫' }
    expect(check(typed).values).toMatchObject(typed)
  })
  it('without visible characters counts as missing', () => {
    expect(check({ surname: '\u200b \ufeff' }).problems).toEqual([{ field: 'surname', message: 'Surname is required.' }])
  })
  it('that is an email address contains no other invisible characters', () => {
    expect(check({ email: 'ami\u00adra@oak.example' }).problems).toEqual([{ field: 'email', message: 'Email is not an email address.' }])
  })
})
