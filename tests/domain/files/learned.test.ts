import { describe, expect, it } from 'vitest'
import { applyColumnChanges, describeLearnedChanges, findChangedTexts, listEarlierMappings } from '../../../domain/files/learned.ts'

const columns = [
  { heading: 'code', meaning: 'account' },
  { heading: 'actual', meaning: 'amount' },
]

describe('the columns of a ledger or payroll provider, when a user changes them', () => {
  it('are those of earlier files, each with its new meaning', () => {
    expect(applyColumnChanges(columns, columns.slice(1))).toEqual(columns.slice(1))
  })
  it('are refused if one was never in a file', () => {
    expect(() => applyColumnChanges(columns, [...columns, { heading: 'weather', meaning: 'tag' }])).toThrow(
      '“weather” is not a known column. Columns are learned from files.',
    )
  })
  it('are refused if two have the same meaning, unless several may', () => {
    const twice = columns.map((one) => ({ ...one, meaning: 'account' }))
    expect(() => applyColumnChanges(columns, twice)).toThrow('Two columns have the same meaning. Choose one of them.')
    expect(applyColumnChanges(columns, twice, ['account'])).toEqual(twice)
  })
})

describe('the texts of a ledger or payroll provider, when a user changes them', () => {
  const sage = {
    name: 'Sage',
    texts: {
      account: [
        { text: '4000', id: 1 },
        { text: '4240', id: 2 },
      ],
      location: [{ text: 's2', id: 8 }],
    },
  }
  const kinds = ['account', 'location'] as const
  const none = { account: [], location: [] }
  it('are those mapped differently than before, and those that are forgotten', () => {
    const mapping = {
      ...none,
      account: [
        { text: '4000', id: 1 },
        { text: '4240', id: null },
      ],
    }
    const forgotten = [{ kind: 'location' as const, text: 's2' }]
    const changed = findChangedTexts(sage, kinds, { mapping, forgotten })
    expect(changed).toEqual({ changed: [{ kind: 'account', text: '4240', target: null }], forgotten })
    expect(listEarlierMappings(sage.texts, kinds, [...changed.changed, ...forgotten])).toEqual([
      { kind: 'account', text: '4240', target: 2 },
      { kind: 'location', text: 's2', target: 8 },
    ])
  })
  it('are refused if one was never in a file, or occurs twice', () => {
    const change = (...account: { text: string; id: number | null }[]) =>
      findChangedTexts(sage, kinds, { mapping: { ...none, account }, forgotten: [] })
    expect(() => change({ text: 'never seen', id: null })).toThrow('“never seen” is not known for Sage. Items are learned from files.')
    expect(() => change({ text: '4000', id: 1 }, { text: '4000', id: 2 })).toThrow('“4000” appears twice. Map it once.')
    expect(() => findChangedTexts(sage, kinds, { mapping: none, forgotten: [{ kind: 'account', text: 'x' }] })).toThrow(
      'not known for Sage',
    )
  })
})

describe('the remembered choices for a ledger or payroll provider, in the history', () => {
  const nameOf = (_kind: string, id: number | null): string => (id === null ? 'nothing: left out on purpose' : `code ${id}`)
  const noSettings = { before: [], after: [] }
  it('begin with its first file and end when they are forgotten', () => {
    const first = { columns, texts: [{ kind: 'account', text: '4000', target: 1 }] }
    expect(describeLearnedChanges({ before: null, after: first }, nameOf, noSettings)).toBe(
      'imported its first file: 2 columns read, 1 item mapped',
    )
    expect(describeLearnedChanges({ before: first, after: null }, nameOf, noSettings)).toBe('forgot everything that was learned')
    expect(describeLearnedChanges({ before: first, after: { columns, texts: [] } }, nameOf, noSettings)).toContain('forgot “4000”')
  })
  it('show which columns, settings and texts have changed', () => {
    const before = {
      columns,
      texts: [
        { kind: 'account', text: '4240', target: 2 },
        { kind: 'location', text: 's2', target: 8 },
      ],
    }
    const after = { columns: columns.slice(1), texts: [{ kind: 'account', text: '4240', target: null }] }
    expect(describeLearnedChanges({ before, after }, nameOf, { before: ['income is positive'], after: ['income is negative'] })).toBe(
      'changed what columns hold; chose that income is negative; mapped “4240” to nothing: left out on purpose instead of code 2; forgot “s2”',
    )
  })
})
