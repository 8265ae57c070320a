import { describe, expect, it } from 'vitest'
import {
  invalidatedByReconnect,
  type Listener,
  type LiveArguments,
  type LiveTarget,
  listQueriesForCall,
  listQueriesForMessage,
  listsShowingNames,
  liveTargets,
} from '../../../domain/changes/live.ts'
import { allResources } from '../../../domain/resources/all.ts'
import { type BudgetId, toBudgetGroupId, toBudgetId, toLocationId, toUserId } from '../../../domain/values/ids.ts'

it('the lists that show a name are those whose declarations refer to it', () => {
  const declared: Record<string, string[]> = {}
  for (const { name, grid, fields } of allResources)
    for (const field of grid.map((column) => fields[column]))
      if (field?.kind === 'reference' || field?.kind === 'references') (declared[field.to] ??= []).push(name)
  expect(listsShowingNames).toEqual(Object.fromEntries(Object.entries(declared).map(([to, names]) => [to, [...new Set(names)].sort()])))
})

const open = toBudgetId('a'.repeat(24))
const beside = toBudgetId('b'.repeat(24))
const elsewhere = toBudgetId('c'.repeat(24))

/** A user with one budget open and one to switch to; events come from other pages and users. */
const listener: Listener = {
  budgetId: open,
  budgetIds: [open, beside],
  isOwnCall: false,
  userId: toUserId(1),
  record: '/staffing/staff-contracts/a',
}
const own: Listener = { ...listener, isOwnCall: true }

function heard<T extends LiveTarget>(target: T, argument: LiveArguments[T], who = listener) {
  const stale = listQueriesForMessage({ target, argument } as Parameters<typeof listQueriesForMessage>[0], who)
  return { ...stale, queries: stale.queries === 'all' ? ['all'] : [...stale.queries] }
}
const changed = (budgetId: BudgetId, version = 7) => ({ budgetId, version, byId: toUserId(1), requestId: 'r' })
const ended = { budgetIds: [open], totals: [], position: 1, failed: false, cancelled: false, failure: null }

describe('what a live message makes stale', () => {
  it('given a location that was renamed, the lists that show its name are read again, and no others', () => {
    const { queries } = heard('RecordsChanged', { resource: 'location', byId: toUserId(1), requestId: 'r' })
    expect(queries).toEqual(expect.arrayContaining(['resources.location', 'resources.costCentre.list', 'resources.budgetCode.list']))
    expect(queries).not.toContain('resources.inflation.list')
  })
  it('given a message of a colleague, nothing is read again', () => {
    expect(heard('ReceiveMessage', { severity: 1, title: 'Ruth', fromId: 1, message: 'Payroll is in', at: '2026-09-01' })).toEqual({
      queries: [],
      core: [],
    })
  })
  it('given an import of a colleague, monitoring is read again; given one’s own, nothing is', () => {
    const imported = { locationIds: [toLocationId(1)], byId: toUserId(1), requestId: 'r' }
    expect(heard('MonitoringChanged', imported)).toEqual({ queries: ['monitoring', 'home', 'packs', 'reports.glance'], core: [] })
    expect(heard('MonitoringChanged', imported, own)).toEqual({ queries: [], core: [] })
  })
  it('given a payroll that came in, payrolls and the checklist of the month end are read again', () => {
    const came = { byId: toUserId(1), requestId: 'r' }
    expect(heard('PayrollChanged', came)).toEqual({ queries: ['payroll', 'monitoring', 'home', 'packs', 'reports.glance'], core: [] })
    expect(heard('PayrollChanged', came, own)).toEqual({ queries: [], core: [] })
  })
  it('given a file that is made, its owner reads the list of files again and nobody else does', () => {
    expect(heard('FileMade', { forId: toUserId(1), fileId: open, isMade: true })).toEqual({
      queries: ['files'],
      immediately: ['packs'],
      core: [],
    })
    expect(heard('FileMade', { forId: toUserId(2), fileId: open, isMade: true })).toEqual({ queries: [], core: [] })
  })
  it('given somebody who comes or goes, only who is there is read again', () => {
    const there = { locationId: toLocationId(1), record: null }
    expect(heard('PresenceChanged', { ...there, budgetId: open })).toEqual({ queries: ['presence'], core: [] })
    expect(heard('PresenceChanged', { ...there, budgetId: beside })).toEqual({ queries: [], core: [] })
  })
  it('given somebody who goes from field to field, it is read again by those who have that record open', () => {
    const there = { locationId: toLocationId(1), budgetId: open }
    expect(heard('PresenceChanged', { ...there, record: listener.record })).toEqual({ queries: ['presence'], core: [] })
    expect(heard('PresenceChanged', { ...there, record: '/staffing/staff-contracts/b' })).toEqual({ queries: [], core: [] })
  })
  it('given groups that are to be recalculated, their state and the overview are read again, and no contract', () => {
    const { queries, core } = heard('BudgetGroupsRequireContractRecalculation', {
      budgetGroupIds: [toBudgetGroupId('g')],
      budgetIds: [open],
      names: ['Trust'],
      reason: 'Pay awards',
    })
    expect(queries).toEqual(expect.arrayContaining(['groups', 'recalculating', 'contracts.sinceRecalculation', 'overview']))
    expect(queries).not.toContain('contracts')
    expect(core).toEqual([])
  })
  it('given a recalculation that begins, what is locked is read again; given one that goes on, nothing', () => {
    const run = { budgetGroupId: toBudgetGroupId('g'), budgetId: null, of: 3 }
    expect(heard('RecalculationProgress', { ...run, done: 0 })).toMatchObject({ core: ['locked'] })
    expect(heard('RecalculationProgress', { ...run, done: 0 }).queries).toContain('groups')
    expect(heard('RecalculationProgress', { ...run, done: 2 })).toEqual({ queries: [], core: [] })
  })
  it('given a recalculation that has ended, for a group or one budget, the lock and every figure are read again', () => {
    for (const run of [
      { budgetGroupId: toBudgetGroupId('g'), budgetId: null },
      { budgetGroupId: null, budgetId: open },
    ]) {
      const { queries, core } = heard('BudgetsRecalculated', { ...run, ...ended })
      expect(core).toEqual(['locked'])
      expect(queries).toEqual(expect.arrayContaining(['contracts', 'lines', 'overview', 'groups', 'recalculating']))
      expect(queries).not.toContain('users')
    }
  })
  it('given budgets that are being made, their list is read again; given that all are made, those to choose from too', () => {
    const made = { jobId: 'j', of: 2, failed: 0, budgetIds: [open, beside] }
    expect(heard('BudgetsMade', { ...made, done: 1 })).toEqual({ queries: ['budgets.list', 'budgets.listByLocation'], core: [] })
    expect(heard('BudgetsMade', { ...made, done: 2 })).toMatchObject({ core: ['budgets'] })
    expect(heard('BudgetsMade', { ...made, done: 2 }).queries).toContain('budgets')
  })
  it('given that somebody locks, renames or deletes the open budget, whether it may still be changed is read again with all of it', () => {
    const { queries, core } = heard('BudgetChanged', changed(open))
    expect(core).toEqual(['budgets'])
    for (const one of ['approval', 'budgets', 'contracts', 'entries', 'funding', 'moments', 'overview', 'pupils', 'scenarios'])
      expect(queries).toContain(one)
    expect(queries.filter((name) => name.startsWith('resources') || name === 'codes')).toEqual([])
  })
  it('given another budget of the same bar, its name and lock are read again, and nothing of the open one but how far costs are behind', () => {
    const { queries, core } = heard('BudgetChanged', changed(beside))
    expect(core).toEqual(['budgets'])
    expect(queries).toContain('recalculating')
    expect(queries).not.toContain('contracts')
    expect(queries).not.toContain('entries')
  })
  it('given a budget of another school, the bar is left alone; given one that was just made, it is read again', () => {
    expect(heard('BudgetChanged', changed(elsewhere)).core).toEqual([])
    expect(heard('BudgetChanged', changed(elsewhere, 1)).core).toEqual(['budgets'])
  })
  it('given a save of this very page, nothing is read again: its answer said what to read', () => {
    expect(heard('BudgetChanged', changed(open), own)).toEqual({ queries: [], core: [] })
  })
  it('given records that somebody changed, their own answers and all that is made of them are read again', () => {
    const records = { resource: 'budgetCode', byId: toUserId(1), requestId: 'r' }
    const { queries, core } = heard('RecordsChanged', records)
    expect(queries).toEqual(expect.arrayContaining(['resources.budgetCode', 'codes', 'lookups', 'entries', 'overview']))
    expect(queries).not.toContain('resources.costCentre')
    expect(core).toEqual([])
    expect(heard('RecordsChanged', records, own)).toEqual({ queries: [], core: [] })
  })
  it('given a school or an organisation that was renamed, the bar is read again', () => {
    for (const resource of ['location', 'organisation'])
      expect(heard('RecordsChanged', { resource, byId: toUserId(1), requestId: 'r' }).core).toEqual(['places'])
  })
  it('given a time in which nothing was heard, everything is read again', () => {
    expect(invalidatedByReconnect).toEqual({ queries: 'all', core: ['places', 'budgets', 'terms', 'locked'] })
  })
  it('every message says what it makes stale', () => {
    expect(new Set(liveTargets).size).toBe(11)
  })
})

describe('what a call of this page makes stale', () => {
  it('given a contract that was saved, all that a colleague with the budget open reads again, and no record', () => {
    const { queries, core } = listQueriesForCall('contracts.save')
    expect(queries).toEqual(heard('BudgetChanged', changed(open)).queries)
    expect(queries).not.toContain('codes')
    expect(core).toEqual([])
  })
  it('given a record that was saved, its own answers and all that is made of it', () => {
    const { queries, core } = listQueriesForCall('resources.costCentre.update')
    expect({ queries, core }).toEqual(heard('RecordsChanged', { resource: 'costCentre', byId: toUserId(1), requestId: 'r' }))
  })
  it('given a message or an article that was saved, what stands on top of every page, for whoever is meant too', () => {
    for (const resource of ['flashMessage', 'newsArticle']) {
      expect(listQueriesForCall(`resources.${resource}.update`).queries).toContain('communications')
      expect(heard('RecordsChanged', { resource, byId: toUserId(1), requestId: 'r' }).queries).toContain('communications')
    }
    expect(listQueriesForCall('resources.costCentre.update').queries).not.toContain('communications')
  })
  it('given a school that was renamed, the bar too', () => {
    expect(listQueriesForCall('resources.location.update').core).toEqual(['places'])
  })
  it('given a cell of the sheet, everything but the sheet, which puts the answer in its place', () => {
    expect(listQueriesForCall('entries.change')).toMatchObject({ except: ['entries.sheet'], core: [] })
    expect(listQueriesForCall('entries.change').queries).toContain('entries')
    expect(listQueriesForCall('budgets.undo').except).toBeUndefined()
  })
  it('given a budget that was made, locked or deleted, those to choose from too', () => {
    for (const call of ['budgets.create', 'budgetRound.lockMany', 'budgetRound.deleteMany', 'scenarios.become', 'approval.approve'])
      expect(listQueriesForCall(call).core).toContain('budgets')
  })
  it('given a pack that is finished, its page at once, though what shows every school is read again every while only', () => {
    expect(listQueriesForCall('packs.finish').immediately).toEqual(['packs'])
    expect(listQueriesForCall('monitoring.saveNote').immediately).toBeUndefined()
  })
  it('given a reminder of a contract, reminders and not one contract', () => {
    expect(listQueriesForCall('contracts.addReminder').queries).toEqual(['reminders', 'contracts.reminders', 'staff.reminders'])
  })
  it('given a call that nobody has thought of, it fails instead of showing what is old', () => {
    expect(() => listQueriesForCall('weather.post')).toThrow('weather.post')
  })
})
