import { settingsOf } from '../../domain/budget/budget.ts'
import { resources } from '../../domain/resources/all.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runCopyBudgets } from '../features/budgets/copies/commands.ts'
import { fillBudget } from '../features/budgets/filling/commands.ts'
import { runSaveScenario } from '../features/scenarios/commands.ts'
import { runSaveContract } from '../features/staffing/contracts/commands.ts'
import { update } from '../resources/commands.ts'
import { all } from '../resources/queries.ts'
import { runApprovalStep, runNameMoment } from '../shared/approval/commands.ts'
import { runUpdateBudget } from '../shared/budgets/commands.ts'
import { runChangeEntries } from '../shared/nonStaffing/entries/commands.ts'
import { loadItems } from '../streams/budget/items.ts'
import { keepTold } from '../streams/budget/jobs.ts'
import { markRequired } from '../streams/budget/marks.ts'
import { loadBudget, loadContracts } from '../streams/budget/queries.ts'
import { conversation, type Diary } from './diary.ts'
import { type BuiltSchool, type BuiltTrust, shareOut } from './trust.ts'

interface Change {
  organisationId: OrganisationId
  budgetId: BudgetId
  actor: Actor
}

async function nameNow(call: Call<'organisationId' | 'budgetId' | 'actor'>, name: string): Promise<void> {
  await runNameMoment(call, (await loadBudget(call, call.budgetId)).version, name)
}

/**
 * How the budgets of 2026/27 were worked on, from the spring to the summer of 2026, and what of them was approved: copies, locked for good,
 * beside which the schools go on working.
 */
export async function rounds(
  tx: OrganisationTx,
  schools: readonly BuiltSchool[],
  { groupId, diary }: { groupId: BudgetGroupId; diary: Diary },
): Promise<void> {
  const { finance, administrator, by } = diary
  const { organisationId } = must(schools[0])
  const [northgate, ...others] = schools
  for (const { budgetId } of others)
    await nameNow({ tx, organisationId, budgetId, actor: by(finance, '2026-05-13T16:10') }, 'For the finance committee')
  // Last: a contract that it adds in June takes the others' shares of the levy back.
  await northgateRound(tx, must(northgate), diary)
  const budgetIds = schools.map(({ budgetId }) => budgetId)
  await shareOut({ tx, organisationId, actor: by(finance, '2026-07-07T09:10') }, { id: groupId, budgetIds })
  const change = { organisationId, budgetId: must(northgate).budgetId, actor: by(diary.manager, '2026-07-08T18:20') }
  await nameNow({ ...change, tx }, 'As governors agreed it')
  for (const sourceId of budgetIds) {
    const copying = by(finance, '2026-07-09T09:30')
    const wishes = { name: 'Approved 2026/27' }
    const budgetId = onlyRow(
      await runCopyBudgets({ tx, organisationId, actor: copying }, { how: 'duplicate', sourceIds: [sourceId] }, wishes),
    )
    await filled({ tx, organisationId, budgetId, actor: copying })
    await runApprovalStep({ tx, organisationId, budgetId, actor: by(finance, '2026-07-09T09:45') }, { kind: 'submit' }, null)
    const approval = { kind: 'approve' as const, name: 'Approved by trustees', others: [finance.name] }
    const approving = { organisationId, budgetId, actor: by(administrator, '2026-07-13T10:30') }
    await runApprovalStep({ ...approving, tx }, approval, 'Agreed at the board of 10 July, as governors sent them.')
  }
}

/** Fills a budget that was just made of another, and keeps that this was told. */
async function filled({ tx, organisationId, budgetId, actor }: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  await fillBudget({ tx, organisationId, budgetId, now: actor.now })
  await keepTold({ tx, organisationId, budgetId, now: actor.now })
}

/** Northgate's round: two people on several days. */
async function northgateRound(tx: OrganisationTx, { organisationId, budgetId, posts }: BuiltSchool, diary: Diary): Promise<void> {
  const { finance, manager, by } = diary
  const change = (actor: Actor): Change => ({ organisationId, budgetId, actor })
  const entries = new Map(
    (await loadItems({ tx, organisationId, budgetId }, 'entry')).map(({ id, item }) => [item.description, { id, item }]),
  )
  const amount = (actor: Actor, description: string, pounds: (now: number) => number) => {
    const { id, item } = must(entries.get(description))
    const changes = { amount: pounds((item.years[0]?.amount ?? 0) / 100) }
    return runChangeEntries({ tx, organisationId, budgetId, actor }, [{ id, changes }])
  }
  await nameNow({ ...change(by(manager, '2026-03-13T15:40')), tx }, 'First draft')
  await amount(by(manager, '2026-04-21T09:25'), 'Courses and training', (now) => now + 1800)
  await amount(by(finance, '2026-04-28T14:10'), 'Electricity', (now) => Math.round(now * 0.94))
  await nameNow({ ...change(by(finance, '2026-05-13T16:05')), tx }, 'For the finance committee')
  await amount(by(manager, '2026-06-16T10:50'), 'Repairs and servicing', (now) => now + 2400)
  const assistant = must(posts.find(({ input }) => input.position === 'Teaching assistant')).input
  // The day after Christmas from which somebody is looked for, who is not there yet.
  const vacancy = {
    ...assistant,
    employeeNumber: null,
    contractName: 'Vacancy: Year 2 teaching assistant',
    startDate: '2027-01-04',
    endDate: null,
  }
  const salary = [{ ...must(assistant.salary.at(-1)), effectiveDate: '2027-01-04', allowances: [] }]
  await runSaveContract(tx, { ...change(by(manager, '2026-06-23T11:30')), input: { ...vacancy, salary } })
}

/** What is going on this autumn: what was said of Northgate's figures, what is tried there, and the first drafts of 2027/28. */
export async function autumn(tx: OrganisationTx, { organisationId, budgets }: BuiltTrust, diary: Diary): Promise<void> {
  const budgetOf = (alias: string): BudgetId => must(budgets.get(alias))
  const northgate = { organisationId, budgetId: budgetOf('Northgate') }
  await askedAndAnswered(tx, northgate, diary)
  await tried(tx, northgate, diary)
  await talked(tx, northgate, diary)
  await nextYear({ tx, organisationId }, ['Northgate', 'St Anne’s'].map(budgetOf), diary)
}

type Place = Omit<Change, 'actor'>

async function entryOf(tx: OrganisationTx, { organisationId, budgetId }: Place, description: string) {
  return must((await loadItems({ tx, organisationId, budgetId }, 'entry')).find(({ item }) => item.description === description))
}

/** Two scenarios of Northgate: fewer pupils than hoped for, and a dearer winter. */
async function tried(tx: OrganisationTx, { organisationId, budgetId }: Place, { finance, manager, by }: Diary): Promise<void> {
  const contracts = await loadContracts({ tx, organisationId, budgetId })
  const entryId = async (description: string): Promise<string> => (await entryOf(tx, { organisationId, budgetId }, description)).id
  const assistants = contracts.filter((one) => one.position === 'Teaching assistant' && one.staffId !== null && !one.endDate)
  await runSaveScenario(
    { tx, organisationId, budgetId, actor: by(manager, '2026-10-13T10:15') },
    {
      name: 'Ten fewer in Reception',
      changes: [
        { kind: 'pupils', yearGroup: 2, firstYear: 1, by: -10 },
        { kind: 'hours', contractId: must(assistants[0]).id, from: '2027-09-01', percentage: 60 },
      ],
    },
  )
  await runSaveScenario(
    { tx, organisationId, budgetId, actor: by(finance, '2026-10-20T14:45') },
    {
      name: 'A dearer winter',
      changes: [
        { kind: 'entry', entryId: await entryId('Gas'), percentage: 18 },
        { kind: 'entry', entryId: await entryId('Electricity'), percentage: 12 },
      ],
    },
  )
}

/** A question of September that was answered and is settled. */
async function askedAndAnswered(tx: OrganisationTx, place: Place, diary: Diary): Promise<void> {
  const { finance, manager } = diary
  const { say, read, resolve } = conversation(tx, place, diary)
  const repairs = { kind: 'entry' as const, ref: (await entryOf(tx, place, 'Repairs and servicing')).id }
  const asked = await say(finance, '2026-09-22T09:40', {
    about: repairs,
    text: `@${manager.name}, does this hold the fire doors of the hall?`,
    mentioned: [manager],
  })
  await read(manager, '2026-09-22T13:00', [asked])
  const answered = await say(manager, '2026-09-22T13:05', {
    about: repairs,
    text: 'It does: £2,400, quoted in June. They are fitted at half-term.',
  })
  await read(finance, '2026-09-23T08:25', [answered])
  await resolve(finance, '2026-09-23T08:30', [asked, answered])
}

/** What is said of Northgate's budget in November, some of it not read yet by whom it is for. */
async function talked(tx: OrganisationTx, place: Place, diary: Diary): Promise<void> {
  const { finance, manager, governor } = diary
  const { say, read } = conversation(tx, place, diary)
  const { item } = await entryOf(tx, place, 'Supply cover by agencies')
  const supply = { kind: 'code' as const, ref: String(item.budgetCodeId), year: 0 }
  const question = `@${manager.name}, supply is well over in both months. What do you expect until Christmas?`
  const answer = `@${finance.name}, two long absences end on 11 December. I expect the spring to be as budgeted, and would not move money yet.`
  const asked = await say(finance, '2026-11-09T15:20', { about: supply, text: question, mentioned: [manager] })
  await read(manager, '2026-11-11T12:00', [asked])
  await say(manager, '2026-11-11T12:10', { about: supply, text: answer, mentioned: [finance] })
  const papers = `@${governor.name}, the papers for the finance committee of 26 November are ready. What governors agreed in July is under Versions.`
  await say(manager, '2026-11-17T16:35', { about: { kind: 'budget' }, text: papers, mentioned: [governor] })
}

/** First drafts of 2027/28, rolled forward: one was sent back, and one waits for approval. */
async function nextYear({ tx, organisationId }: Call<'organisationId'>, sourceIds: readonly BudgetId[], diary: Diary): Promise<void> {
  const { finance, manager, administrator, by } = diary
  const rolling = by(finance, '2026-11-12T10:00')
  const wishes = { how: 'rollForward' as const, sourceIds }
  const ids = await runCopyBudgets({ tx, organisationId, actor: rolling }, wishes, {})
  for (const budgetId of ids) {
    await filled({ tx, organisationId, budgetId, actor: rolling })
    await untilLastShared({ tx, organisationId, budgetId, actor: rolling })
  }
  const [northgate, stAnnes] = ids
  const own = (budgetId: BudgetId | undefined, actor: Actor): Change => ({ organisationId, budgetId: must(budgetId), actor })
  await nameNow({ ...own(northgate, by(manager, '2026-11-13T11:15')), tx }, 'Rolled forward')
  await runApprovalStep(
    { ...own(northgate, by(manager, '2026-11-16T09:05')), tx },
    { kind: 'submit' },
    'For a first look: nothing is changed yet.',
  )
  await runApprovalStep(
    { ...own(northgate, by(finance, '2026-11-18T14:30')), tx },
    { kind: 'return' },
    'Thank you, Sam. The October census is not in the pupil numbers yet, and the vacancy of January is still there. Please put both right.',
  )
  const offer = `@${manager.name}, I have the census file of Northgate if that is quicker. Friday week is soon enough.`
  await conversation(tx, { organisationId, budgetId: must(northgate) }, diary).say(finance, '2026-11-18T14:40', {
    about: { kind: 'budget' },
    text: offer,
    mentioned: [manager],
  })
  await runApprovalStep(
    { ...own(stAnnes, by(administrator, '2026-11-19T10:20')), tx },
    { kind: 'submit' },
    'Sent for the school. Pupil numbers are those of the October census.',
  )
}

/**
 * Plans to the last year of the trust's working budgets and no further: what is shared with the other schools of the year after that, the levy's
 * allowance and top slices, is worked out with nobody yet, and no budget is submitted without it.
 */
async function untilLastShared({ tx, organisationId, budgetId, actor }: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { head } = await loadBudget({ tx, organisationId }, budgetId)
  const { elements, ...settings } = settingsOf(head)
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const wanted = { name: head.name, versionType: head.versionType, ...settings, ...elements, numberOfYears: head.numberOfYears - 1 }
  await runUpdateBudget({ tx, organisationId, scope, actor }, { id: budgetId, version: null }, wanted)
}

/** A trust of which somebody has just changed the award that it plans with: its figures are older than what they are made of. */
export async function dearerAward(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const resource = resources.staffInflationRate
  const awards = (await all({ tx, scope }, resource, {})).filter((award) => award.effectiveDate === '2027-09-01')
  const changed: AnyRecord[] = []
  for (const award of awards)
    changed.push(await update({ tx, resource, scope, actor }, { id: award.id, version: award.version }, { ...award, rate: 3.5 }))
  await markRequired({ tx, now: actor.now }, resource, { records: changed, reason: defaultTerms[resource.key].plural })
}
