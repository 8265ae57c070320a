import { expect, it } from 'vitest'
import { compare } from '../../domain/budget/pictures/compare.ts'
import type { Picture, PictureLine } from '../../domain/budget/pictures/picture.ts'

const picture = (lines: Partial<PictureLine>[]): Picture =>
  ({
    head: { firstYear: 2026, numberOfYears: 1 },
    contracts: new Map(),
    state: { items: new Map(), origins: new Map() },
    lines: lines.map((line) => ({ year: 0, missing: 0, budgetCodeId: null, ...line })),
  }) as unknown as Picture

it('what differs adds up to the change by code: pools, top slices and the levy are listed too', () => {
  const slice = { source: 'transfer', root: 'topSlice 7 2', budgetCodeId: 5 } as const
  const before = picture([
    { ...slice, total: -100 },
    { source: 'levy', root: 'levy', total: 30 },
  ])
  const after = picture([
    { ...slice, total: -250 },
    { source: 'transfer', root: 'gagPool 8 ', budgetCodeId: 5, total: 40 },
    { source: 'levy', root: 'levy', total: 45 },
  ])
  const { codes, things } = compare(before, after, () => '')
  expect(things.map(({ name, what, years }) => [name, what, years[0]!.a, years[0]!.b])).toEqual([
    ['Top slice', 'recosted', -100, -250],
    ['Apprenticeship levy', 'recosted', 30, 45],
    ['GAG pool', 'added', 0, 40],
  ])
  const change = (rows: readonly { years: { a: number | null; b: number | null }[] }[]): number =>
    rows.reduce((sum, row) => sum + row.years[0]!.b! - row.years[0]!.a!, 0)
  expect(change(things)).toBe(change(codes))
})

it('what is not calculated on one side differs, and stands as such, never as nought', () => {
  const before = picture([{ source: 'levy', root: 'levy', total: 30 }])
  const after = picture([{ source: 'levy', root: 'levy', total: 0, missing: 12 }])
  const { codes, things } = compare(before, after, () => '')
  const year = { a: 30, b: null, missing: { a: 0, b: 12 } }
  expect(codes.map((code) => code.years[0])).toEqual([year])
  expect(things.map(({ what, years }) => [what, years[0]])).toEqual([['recosted', year]])
})
