import { describe, expect, it } from 'vitest'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { compareSnapshots } from '../../../domain/budget/snapshots/compare.ts'
import { listEditsBetween } from '../../../domain/budget/snapshots/edits.ts'
import { foldLog } from '../../../domain/budget/snapshots/foldLog.ts'
import type { BudgetSnapshot, SnapshotLine } from '../../../domain/budget/snapshots/snapshot.ts'
import { contractsRecalculated, snapshotAt, teacherDeleted, teacherSaved } from '../../support/stories/budgetSnapshots.ts'
import { byUser, created, idOf, kim, sam, toStoredEvents } from '../../support/stories/budgetStory.ts'

const snapshot = (lines: Partial<SnapshotLine>[]): BudgetSnapshot =>
  ({
    head: { firstYear: 2026, numberOfYears: 1 },
    contracts: new Map(),
    state: { items: new Map(), origins: new Map() },
    lines: lines.map((line) => ({ year: 0, missing: 0, budgetCodeId: null, ...line })),
  }) as unknown as BudgetSnapshot

it('the items that differ add up to the change by code: pools, top slices and the levy are listed too', () => {
  const slice = { source: 'transfer', root: 'topSlice 7 2', budgetCodeId: 5 } as const
  const before = snapshot([
    { ...slice, total: -100 },
    { source: 'levy', root: 'levy', total: 30 },
  ])
  const after = snapshot([
    { ...slice, total: -250 },
    { source: 'transfer', root: 'gagPool 8 ', budgetCodeId: 5, total: 40 },
    { source: 'levy', root: 'levy', total: 45 },
  ])
  const { codes, things } = compareSnapshots(before, after, () => '')
  expect(things.map(({ name, what, years }) => [name, what, years[0]!.a, years[0]!.b])).toEqual([
    ['Top slice', 'recosted', -100, -250],
    ['Apprenticeship levy', 'recosted', 30, 45],
    ['GAG pool', 'added', 0, 40],
  ])
  const change = (rows: readonly { years: { a: number | null; b: number | null }[] }[]): number =>
    rows.reduce((sum, row) => sum + row.years[0]!.b! - row.years[0]!.a!, 0)
  expect(change(things)).toBe(change(codes))
})

it('a figure not calculated on one side counts as a difference and is shown as such, never as zero', () => {
  const before = snapshot([{ source: 'levy', root: 'levy', total: 30 }])
  const after = snapshot([{ source: 'levy', root: 'levy', total: 0, missing: 12 }])
  const { codes, things } = compareSnapshots(before, after, () => '')
  const year = { a: 30, b: null, missing: { a: 0, b: 12 } }
  expect(codes.map((code) => code.years[0])).toEqual([year])
  expect(things.map(({ what, years }) => [what, years[0]])).toEqual([['recosted', year]])
})

describe('two versions of a budget', () => {
  const nameOf = (kind: string, id: number) => `${kind} ${id}`
  const story: BudgetEvent[] = [created(), teacherSaved(1), teacherSaved(2), contractsRecalculated()]
  const then = snapshotAt(story)
  it('with no change in between have no difference', () => {
    const { codes, things } = compareSnapshots(then, snapshotAt([...story, contractsRecalculated()]), nameOf)
    expect(things.map(({ what }) => what)).toEqual(['same', 'same', 'same'])
    for (const code of codes) for (const year of code.years) expect(year.a).toBe(year.b)
  })
  it('list what was changed, added and removed, with the same total difference by item and by code', () => {
    const since: BudgetEvent[] = [
      ...story,
      teacherSaved(1, { position: 'Another post' }),
      teacherDeleted(2),
      teacherSaved(3),
      contractsRecalculated(),
    ]
    const { codes, things } = compareSnapshots(then, snapshotAt(since), nameOf)
    expect(things.filter(({ kind }) => kind === 'contract').map(({ name, what }) => [name, what])).toEqual([
      ['Teacher 1', 'changed'],
      ['Teacher 2', 'removed'],
      ['Teacher 3', 'added'],
    ])
    expect(things[0]!.changes).toMatchObject([{ field: 'Position', after: 'Another post' }])
    const difference = (rows: readonly { years: { a: number | null; b: number | null }[] }[]): number =>
      rows.reduce((sum, row) => sum + (row.years[0]!.b ?? 0) - (row.years[0]!.a ?? 0), 0)
    expect(difference(things)).toBe(difference(codes))
  })
  it('show who changed what in between', () => {
    const since = [
      ...story.map((event) => byUser(sam, event)),
      byUser(kim, teacherSaved(1, { position: 'Another post' })),
      byUser(kim, teacherSaved(3)),
    ]
    const log = (events: Parameters<typeof toStoredEvents>[0]) => ({
      snapshot: { ...then, version: events.length, state: foldLog(toStoredEvents(events)).state } as BudgetSnapshot,
      events: toStoredEvents(events),
    })
    const touched = listEditsBetween(log(since.slice(0, story.length)), log(since))
    expect([...touched].map(([root, touches]) => [root, touches.map(({ actorId }) => actorId)])).toEqual([
      [idOf('1'), [kim]],
      [idOf('3'), [kim]],
    ])
  })
})
