import { describe, expect, it } from 'vitest'
import {
  invalidatedByReconnect,
  type ListeningScreen,
  type LiveArguments,
  type LiveTarget,
  listQueriesForCall,
  listQueriesForMessage,
  listsShowingRecordNames,
  liveTargets,
} from '../../../domain/changes/live.ts'
import { allResources } from '../../../domain/resources/all.ts'
import { type BudgetId, toBudgetGroupId, toBudgetId, toLocationId, toUserId } from '../../../domain/values/ids.ts'

it('the lists that show a name are those whose declarations refer to it', () => {
  const declared: Record<string, string[]> = {}
  for (const { name, grid, fields } of allResources)
    for (const field of grid.map((column) => fields[column]))
      if (field?.kind === 'reference' || field?.kind === 'references') (declared[field.to] ??= []).push(name)
  expect(listsShowingRecordNames).toEqual(
    Object.fromEntries(Object.entries(declared).map(([to, names]) => [to, [...new Set(names)].sort()])),
  )
})

const open = toBudgetId('a'.repeat(24))
const beside = toBudgetId('b'.repeat(24))
const elsewhere = toBudgetId('c'.repeat(24))

/** A user with one budget open and one to switch to; events come from other pages and users. */
const listener: ListeningScreen = {
  budgetId: open,
  budgetIds: [open, beside],
  isOwnCall: false,
  userId: toUserId(1),
  record: '/staffing/staff-contracts/a',
}
const own: ListeningScreen = { ...listener, isOwnCall: true }

function heard<T extends LiveTarget>(target: T, argument: LiveArguments[T], who = listener) {
  const stale = listQueriesForMessage({ target, argument } as Parameters<typeof listQueriesForMessage>[0], who)
  return { ...stale, queries: stale.queries === 'all' ? ['all'] : [...stale.queries] }
}
const changed = (budgetId: BudgetId, version = 7) => ({ budgetId, version, byId: toUserId(1), requestId: 'r' })
const ended = { budgetIds: [open], totals: [], position: 1, failed: false, cancelled: false, failure: null }

describe('a live message invalidates', () => {
  it('given a renamed location, the lists that show its name, and no others', () => {
    const { queries } = heard('RecordsChanged', { resource: 'location', byId: toUserId(1), requestId: 'r' })
    expect(queries).toEqual(expect.arrayContaining(['resources.location', 'resources.costCentre.list', 'resources.budgetCode.list']))
    expect(queries).not.toContain('resources.inflation.list')
  })
  it('given a colleague’s message, nothing', () => {
    expect(heard('ReceiveMessage', { severity: 1, title: 'Ruth', fromId: 1, message: 'Payroll is in', at: '2026-09-01' })).toEqual({
      queries: [],
      core: [],
    })
  })
  it('given a colleague’s import, monitoring; given one’s own, nothing', () => {
    const imported = { locationIds: [toLocationId(1)], byId: toUserId(1), requestId: 'r' }
    expect(heard('MonitoringChanged', imported)).toEqual({ queries: ['monitoring', 'home', 'packs', 'reports.glance'], core: [] })
    expect(heard('MonitoringChanged', imported, own)).toEqual({ queries: [], core: [] })
  })
  it('given an imported payroll, payrolls and the month-end checklist', () => {
    const came = { byId: toUserId(1), requestId: 'r' }
    expect(heard('PayrollChanged', came)).toEqual({ queries: ['payroll', 'monitoring', 'home', 'packs', 'reports.glance'], core: [] })
    expect(heard('PayrollChanged', came, own)).toEqual({ queries: [], core: [] })
  })
  it('given a finished file, the list of files for its owner only', () => {
    expect(heard('FileMade', { forId: toUserId(1), fileId: open, isMade: true })).toEqual({
      queries: ['files'],
      immediately: ['packs'],
      core: [],
    })
    expect(heard('FileMade', { forId: toUserId(2), fileId: open, isMade: true })).toEqual({ queries: [], core: [] })
  })
  it('given a user who comes or goes, only the list of users present', () => {
    const there = { locationId: toLocationId(1), record: null }
    expect(heard('PresenceChanged', { ...there, budgetId: open })).toEqual({ queries: ['presence'], core: [] })
    expect(heard('PresenceChanged', { ...there, budgetId: beside })).toEqual({ queries: [], core: [] })
  })
  it('given a user who moves from field to field, that list for users with the record open', () => {
    const there = { locationId: toLocationId(1), budgetId: open }
    expect(heard('PresenceChanged', { ...there, record: listener.record })).toEqual({ queries: ['presence'], core: [] })
    expect(heard('PresenceChanged', { ...there, record: '/staffing/staff-contracts/b' })).toEqual({ queries: [], core: [] })
  })
  it('given groups that need recalculating, their state and the overview, and no contract', () => {
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
  it('given the start of a recalculation, the locks; given its progress, nothing', () => {
    const run = { budgetGroupId: toBudgetGroupId('g'), budgetId: null, of: 3 }
    expect(heard('RecalculationProgress', { ...run, done: 0 })).toMatchObject({ core: ['locked'] })
    expect(heard('RecalculationProgress', { ...run, done: 0 }).queries).toContain('groups')
    expect(heard('RecalculationProgress', { ...run, done: 2 })).toEqual({ queries: [], core: [] })
  })
  it('given the end of a recalculation, of a group or one budget, the lock and every figure', () => {
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
  it('given budgets being made, their list; given that all are made, the selectable budgets too', () => {
    const made = { jobId: 'j', of: 2, failed: 0, budgetIds: [open, beside] }
    expect(heard('BudgetsMade', { ...made, done: 1 })).toEqual({ queries: ['budgets.list', 'budgets.listByLocation'], core: [] })
    expect(heard('BudgetsMade', { ...made, done: 2 })).toMatchObject({ core: ['budgets'] })
    expect(heard('BudgetsMade', { ...made, done: 2 }).queries).toContain('budgets')
  })
  it('given that somebody locks, renames or deletes the open budget, whether it may be changed and everything in it', () => {
    const { queries, core } = heard('BudgetChanged', changed(open))
    expect(core).toEqual(['budgets'])
    for (const one of ['approval', 'budgets', 'contracts', 'entries', 'funding', 'moments', 'overview', 'pupils', 'scenarios'])
      expect(queries).toContain(one)
    expect(queries.filter((name) => name.startsWith('resources') || name === 'codes')).toEqual([])
  })
  it('given another budget in the same bar, its name and lock, and nothing of the open one except whether costs are out of date', () => {
    const { queries, core } = heard('BudgetChanged', changed(beside))
    expect(core).toEqual(['budgets'])
    expect(queries).toContain('recalculating')
    expect(queries).not.toContain('contracts')
    expect(queries).not.toContain('entries')
  })
  it('given a budget of another school, nothing in the bar; given a new one, the bar', () => {
    expect(heard('BudgetChanged', changed(elsewhere)).core).toEqual([])
    expect(heard('BudgetChanged', changed(elsewhere, 1)).core).toEqual(['budgets'])
  })
  it('given a save of this page, nothing: its reply said what to reload', () => {
    expect(heard('BudgetChanged', changed(open), own)).toEqual({ queries: [], core: [] })
  })
  it('given records that somebody changed, their queries and everything derived from them', () => {
    const records = { resource: 'budgetCode', byId: toUserId(1), requestId: 'r' }
    const { queries, core } = heard('RecordsChanged', records)
    expect(queries).toEqual(expect.arrayContaining(['resources.budgetCode', 'codes', 'lookups', 'entries', 'overview']))
    expect(queries).not.toContain('resources.costCentre')
    expect(core).toEqual([])
    expect(heard('RecordsChanged', records, own)).toEqual({ queries: [], core: [] })
  })
  it('given a renamed school or organisation, the bar', () => {
    for (const resource of ['location', 'organisation'])
      expect(heard('RecordsChanged', { resource, byId: toUserId(1), requestId: 'r' }).core).toEqual(['places'])
  })
  it('given a time without a connection, everything', () => {
    expect(invalidatedByReconnect).toEqual({ queries: 'all', core: ['places', 'budgets', 'terms', 'locked'] })
  })
  it('and every kind of message says what it invalidates', () => {
    expect(new Set(liveTargets).size).toBe(11)
  })
})

describe('a call of this page invalidates', () => {
  it('given a saved contract, everything that a colleague with the budget open reloads, and no record', () => {
    const { queries, core } = listQueriesForCall('contracts.save')
    expect(queries).toEqual(heard('BudgetChanged', changed(open)).queries)
    expect(queries).not.toContain('codes')
    expect(core).toEqual([])
  })
  it('given a saved record, its queries and everything derived from it', () => {
    const { queries, core } = listQueriesForCall('resources.costCentre.update')
    expect({ queries, core }).toEqual(heard('RecordsChanged', { resource: 'costCentre', byId: toUserId(1), requestId: 'r' }))
  })
  it('given a saved message or article, the top of every page, for the people addressed too', () => {
    for (const resource of ['flashMessage', 'newsArticle']) {
      expect(listQueriesForCall(`resources.${resource}.update`).queries).toContain('communications')
      expect(heard('RecordsChanged', { resource, byId: toUserId(1), requestId: 'r' }).queries).toContain('communications')
    }
    expect(listQueriesForCall('resources.costCentre.update').queries).not.toContain('communications')
  })
  it('given a renamed school, the bar too', () => {
    expect(listQueriesForCall('resources.location.update').core).toEqual(['places'])
  })
  it('given a cell of the sheet, everything but the sheet, which inserts the reply', () => {
    expect(listQueriesForCall('entries.change')).toMatchObject({ except: ['entries.sheet'], core: [] })
    expect(listQueriesForCall('entries.change').queries).toContain('entries')
    expect(listQueriesForCall('budgets.undo').except).toBeUndefined()
  })
  it('given a budget that was made, locked or deleted, the selectable budgets too', () => {
    for (const call of ['budgets.create', 'budgetRound.lockMany', 'budgetRound.deleteMany', 'scenarios.become', 'approval.approve'])
      expect(listQueriesForCall(call).core).toContain('budgets')
  })
  it('given a finished pack, its page at once, while what shows every school is reloaded only at intervals', () => {
    expect(listQueriesForCall('packs.finish').immediately).toEqual(['packs'])
    expect(listQueriesForCall('monitoring.saveNote').immediately).toBeUndefined()
  })
  it('given a contract’s reminder, reminders and no contract', () => {
    expect(listQueriesForCall('contracts.addReminder').queries).toEqual(['reminders', 'contracts.reminders', 'staff.reminders'])
  })
  it('given an unknown call, it fails instead of leaving out-of-date data on the screen', () => {
    expect(() => listQueriesForCall('weather.post')).toThrow('weather.post')
  })
})
