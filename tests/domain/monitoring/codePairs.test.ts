import { describe, expect, it } from 'vitest'
import { readCodePairs } from '../../../domain/monitoring/ledger/codePairs.ts'

const targets = [
  { id: 1, codes: ['4000'] },
  { id: 2, codes: ['4240'] },
]
const read = (text: string) =>
  readCodePairs(
    text.split('\n').map((line) => line.split(',')),
    targets,
  )

describe('a list of old codes with their budget codes', () => {
  it('is read by its headings, below titles and beside names', () => {
    const list = read('Chart of accounts\n\nOld name,Old code,Budget code,Name\nAgency,E01,4000,Supply\nGas,E16,4240,Energy\nUnused,E99,,')
    expect(list).toEqual({
      pairs: [
        { text: 'E01', id: 1 },
        { text: 'E16', id: 2 },
      ],
      problems: [],
    })
  })
  it('needs no headings if it has two columns', () => {
    expect(read('E01,4000\nE16,4240')?.pairs).toHaveLength(2)
  })
  it('is not guessed from three columns without headings', () => {
    expect(read('E01,Agency,4000\nE16,Gas,4240')).toBeNull()
  })
  it('names the rows with an unknown budget code or with a second one', () => {
    expect(read('Old code,New code\nE01,4000\nE02,9999\nE01,4240')).toEqual({
      pairs: [{ text: 'E01', id: 1 }],
      problems: [
        { row: 3, column: null, value: '9999', message: 'There is no budget code with this code.' },
        { row: 4, column: null, value: 'E01', message: 'Row 2 gives this code another budget code.' },
      ],
    })
  })
})
