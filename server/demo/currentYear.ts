import { pickBudgetSettings } from '../../domain/budget/budget.ts'
import { resources } from '../../domain/resources/all.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { type BudgetGroupId, type BudgetId, type OrganisationId, toBudgetGroupId } from '../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../domain/values/mongoId.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runCopyBudgets } from '../features/budgets/copies/commands.ts'
import { fillBudget } from '../features/budgets/filling/commands.ts'
import { runSaveScenario } from '../features/scenarios/commands.ts'
import { runSaveContract } from '../features/staffing/contracts/commands.ts'
import { updateRecord } from '../resources/commands.ts'
import { listAllRecords } from '../resources/queries.ts'
import { runApprovalStep, runNameVersion } from '../shared/approval/commands.ts'
import { runUpdateBudget } from '../shared/budgets/commands.ts'
import { runChangeEntries } from '../shared/nonStaffing/entries/commands.ts'
import { loadItems } from '../streams/budget/items.ts'
import { markBudgetAnnounced } from '../streams/budget/jobs.ts'
import { markBudgetsUsing } from '../streams/budget/marks.ts'
import { loadBudget, loadContracts } from '../streams/budget/queries.ts'
import { type Diary, openConversation } from './diary.ts'
import { generateSeededBytes } from './random.ts'
import { type BuiltSchool, type BuiltTrust, calculateSharedGroupFigures, createBudgetGroup } from './trust.ts'

interface Change {
  organisationId: OrganisationId
  budgetId: BudgetId
  actor: Actor
}

async function nameCurrentVersion(call: Call<'organisationId' | 'budgetId' | 'actor'>, name: string): Promise<void> {
  await runNameVersion(call, (await loadBudget(call, call.budgetId)).version, name)
}

/**
 * The 2026/27 budget round, from spring to summer 2026. Approved budgets are locked copies in a group of their own; the schools continue to
 * work on the originals.
 * @returns the group of the approved budgets, which are the budgets of record
 */
export async function createBudgetRound(
  tx: OrganisationTx,
  schools: readonly BuiltSchool[],
  { groupId, diary }: { groupId: BudgetGroupId; diary: Diary },
): Promise<BudgetGroupId> {
  const { finance, administrator, by } = diary
  const { organisationId } = assertDefined(schools[0])
  const [northgate, ...others] = schools
  for (const { budgetId } of others)
    await nameCurrentVersion({ tx, organisationId, budgetId, actor: by(finance, '2026-05-13T16:10') }, 'For the finance committee')
  // Northgate comes last, because the contract that it adds in June withdraws the other schools' shares of the levy allowance.
  await createNorthgateRound(tx, assertDefined(northgate), diary)
  const budgetIds = schools.map(({ budgetId }) => budgetId)
  await calculateSharedGroupFigures({ tx, organisationId, actor: by(finance, '2026-07-07T09:10') }, { id: groupId, budgetIds })
  const change = { organisationId, budgetId: assertDefined(northgate).budgetId, actor: by(diary.manager, '2026-07-08T18:20') }
  await nameCurrentVersion({ ...change, tx }, 'Agreed by governors')
  const approvedIds: BudgetId[] = []
  for (const sourceId of budgetIds) {
    const copying = by(finance, '2026-07-09T09:30')
    const wishes = { name: 'Approved 2026/27' }
    const budgetId = requireSingleRow(
      await runCopyBudgets({ tx, organisationId, actor: copying }, { how: 'duplicate', sourceIds: [sourceId] }, wishes),
    )
    await fillCopy({ tx, organisationId, budgetId, actor: copying })
    await runApprovalStep({ tx, organisationId, budgetId, actor: by(finance, '2026-07-09T09:45') }, { kind: 'submit' }, null)
    const approval = { kind: 'approve' as const, name: 'Approved by trustees', others: [finance.name] }
    const approving = { organisationId, budgetId, actor: by(administrator, '2026-07-13T10:30') }
    await runApprovalStep({ ...approving, tx }, approval, 'Approved by the trust board on 10 July, as submitted by governors.')
    approvedIds.push(budgetId)
  }
  const approved = {
    id: toBudgetGroupId(mongoIdFromBytes(generateSeededBytes(2026))),
    name: 'Harbour Learning Trust 2026/27 approved',
    description: 'Budgets approved by trustees',
    budgetIds: approvedIds,
  }
  // These budgets are locked, so sharing money within their group does not change their figures.
  await createBudgetGroup({ tx, organisationId, actor: by(administrator, '2026-07-13T11:00') }, approved)
  return approved.id
}

async function fillCopy({ tx, organisationId, budgetId, actor }: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  await fillBudget({ tx, organisationId, budgetId, now: actor.now })
  await markBudgetAnnounced({ tx, organisationId, budgetId, now: actor.now })
}

async function createNorthgateRound(tx: OrganisationTx, { organisationId, budgetId, posts }: BuiltSchool, diary: Diary): Promise<void> {
  const { finance, manager, by } = diary
  const change = (actor: Actor): Change => ({ organisationId, budgetId, actor })
  const entries = new Map(
    (await loadItems({ tx, organisationId, budgetId }, 'entry')).map(({ id, item }) => [item.description, { id, item }]),
  )
  const amount = (actor: Actor, description: string, pounds: (now: number) => number) => {
    const { id, item } = assertDefined(entries.get(description))
    const changes = { amount: pounds((item.years[0]?.amount ?? 0) / 100) }
    return runChangeEntries({ tx, organisationId, budgetId, actor }, [{ id, changes }])
  }
  await nameCurrentVersion({ ...change(by(manager, '2026-03-13T15:40')), tx }, 'First draft')
  await amount(by(manager, '2026-04-21T09:25'), 'Courses and training', (now) => now + 1800)
  await amount(by(finance, '2026-04-28T14:10'), 'Electricity', (now) => Math.round(now * 0.94))
  await nameCurrentVersion({ ...change(by(finance, '2026-05-13T16:05')), tx }, 'For the finance committee')
  await amount(by(manager, '2026-06-16T10:50'), 'Repairs and servicing', (now) => now + 2400)
  const assistant = assertDefined(posts.find(({ input }) => input.position === 'Teaching assistant')).input
  const vacancy = {
    ...assistant,
    employeeNumber: null,
    contractName: 'Vacancy: Year 2 teaching assistant',
    startDate: '2027-01-04',
    endDate: null,
  }
  const salary = [{ ...assertDefined(assistant.salary.at(-1)), effectiveDate: '2027-01-04', allowances: [] }]
  await runSaveContract(tx, { ...change(by(manager, '2026-06-23T11:30')), input: { ...vacancy, salary } })
}

/** The current autumn: comments on Northgate's figures, its scenarios, and the first 2027/28 drafts. */
export async function createAutumn(tx: OrganisationTx, { organisationId, budgets }: BuiltTrust, diary: Diary): Promise<void> {
  const budgetOf = (alias: string): BudgetId => assertDefined(budgets.get(alias))
  const northgate = { organisationId, budgetId: budgetOf('Northgate') }
  await createResolvedThread(tx, northgate, diary)
  await createScenarios(tx, northgate, diary)
  await createOpenThreads(tx, northgate, diary)
  await createNextYearDrafts({ tx, organisationId }, ['Northgate', 'St Anne’s'].map(budgetOf), diary)
}

type BudgetPlace = Omit<Change, 'actor'>

async function findEntry(tx: OrganisationTx, { organisationId, budgetId }: BudgetPlace, description: string) {
  return assertDefined((await loadItems({ tx, organisationId, budgetId }, 'entry')).find(({ item }) => item.description === description))
}

async function createScenarios(
  tx: OrganisationTx,
  { organisationId, budgetId }: BudgetPlace,
  { finance, manager, by }: Diary,
): Promise<void> {
  const contracts = await loadContracts({ tx, organisationId, budgetId })
  const entryId = async (description: string): Promise<string> => (await findEntry(tx, { organisationId, budgetId }, description)).id
  const assistants = contracts.filter((one) => one.position === 'Teaching assistant' && one.staffId !== null && !one.endDate)
  await runSaveScenario(
    { tx, organisationId, budgetId, actor: by(manager, '2026-10-13T10:15') },
    {
      name: 'Ten fewer in Reception',
      changes: [
        { kind: 'pupils', yearGroup: 2, firstYear: 1, by: -10 },
        { kind: 'hours', contractId: assertDefined(assistants[0]).id, from: '2027-09-01', percentage: 60 },
      ],
    },
  )
  await runSaveScenario(
    { tx, organisationId, budgetId, actor: by(finance, '2026-10-20T14:45') },
    {
      name: 'A colder winter',
      changes: [
        { kind: 'entry', entryId: await entryId('Gas'), percentage: 18 },
        { kind: 'entry', entryId: await entryId('Electricity'), percentage: 12 },
      ],
    },
  )
}

async function createResolvedThread(tx: OrganisationTx, budget: BudgetPlace, diary: Diary): Promise<void> {
  const { finance, manager } = diary
  const { say, read, resolve } = openConversation(tx, budget, diary)
  const repairs = { kind: 'entry' as const, ref: (await findEntry(tx, budget, 'Repairs and servicing')).id }
  const questionId = await say(finance, '2026-09-22T09:40', {
    about: repairs,
    text: `@${manager.name}, does this include the new fire doors for the hall?`,
    mentioned: [manager],
  })
  await read(manager, '2026-09-22T13:00', [questionId])
  const answered = await say(manager, '2026-09-22T13:05', {
    about: repairs,
    text: 'Yes, £2,400 as quoted in June. They are being fitted at half-term.',
  })
  await read(finance, '2026-09-23T08:25', [answered])
  await resolve(finance, '2026-09-23T08:30', [questionId, answered])
}

async function createOpenThreads(tx: OrganisationTx, budget: BudgetPlace, diary: Diary): Promise<void> {
  const { finance, manager, governor } = diary
  const { say, read } = openConversation(tx, budget, diary)
  const { item } = await findEntry(tx, budget, 'Agency supply cover')
  const supply = { kind: 'code' as const, ref: String(item.budgetCodeId), year: 0 }
  const question = `@${manager.name}, supply is well over budget in both months. What do you expect between now and Christmas?`
  const answer = `@${finance.name}, both long-term absences are due to end on 11 December. I expect the spring term to be on budget, so I would not move any money yet.`
  const questionId = await say(finance, '2026-11-09T15:20', { about: supply, text: question, mentioned: [manager] })
  await read(manager, '2026-11-11T12:00', [questionId])
  await say(manager, '2026-11-11T12:10', { about: supply, text: answer, mentioned: [finance] })
  const papers = `@${governor.name}, the papers for the finance committee on 26 November are ready. The budget that governors agreed in July is under Versions.`
  await say(manager, '2026-11-17T16:35', { about: { kind: 'budget' }, text: papers, mentioned: [governor] })
}

/** First 2027/28 drafts, rolled forward: one was returned, one awaits approval. */
async function createNextYearDrafts(
  { tx, organisationId }: Call<'organisationId'>,
  sourceIds: readonly BudgetId[],
  diary: Diary,
): Promise<void> {
  const { finance, manager, administrator, by } = diary
  const rolling = by(finance, '2026-11-12T10:00')
  const wishes = { how: 'rollForward' as const, sourceIds }
  const ids = await runCopyBudgets({ tx, organisationId, actor: rolling }, wishes, {})
  for (const budgetId of ids) {
    await fillCopy({ tx, organisationId, budgetId, actor: rolling })
    await shortenToSharedYears({ tx, organisationId, budgetId, actor: rolling })
  }
  const [northgate, stAnnes] = ids
  const changeOf = (budgetId: BudgetId | undefined, actor: Actor): Change => ({ organisationId, budgetId: assertDefined(budgetId), actor })
  await nameCurrentVersion({ ...changeOf(northgate, by(manager, '2026-11-13T11:15')), tx }, 'Rolled forward')
  await runApprovalStep(
    { ...changeOf(northgate, by(manager, '2026-11-16T09:05')), tx },
    { kind: 'submit' },
    'For a first look. Nothing has been changed since it was rolled forward.',
  )
  await runApprovalStep(
    { ...changeOf(northgate, by(finance, '2026-11-18T14:30')), tx },
    { kind: 'return' },
    'Thank you, Sam. The pupil numbers do not include the October census yet, and the vacancy from January is still there. Please update both.',
  )
  const offer = `@${manager.name}, I have Northgate’s census file if that is quicker. A week on Friday is soon enough.`
  await openConversation(tx, { organisationId, budgetId: assertDefined(northgate) }, diary).say(finance, '2026-11-18T14:40', {
    about: { kind: 'budget' },
    text: offer,
    mentioned: [manager],
  })
  await runApprovalStep(
    { ...changeOf(stAnnes, by(administrator, '2026-11-19T10:20')), tx },
    { kind: 'submit' },
    'Submitted on behalf of the school. Pupil numbers are from the October census.',
  )
}

/**
 * Shortens a budget to the last year that all working budgets cover. Later years have no shared figures (levy allowance, top slices) yet,
 * without which a budget cannot be submitted.
 */
async function shortenToSharedYears({ tx, organisationId, budgetId, actor }: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { head } = await loadBudget({ tx, organisationId }, budgetId)
  const { elements, ...settings } = pickBudgetSettings(head)
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const wanted = { name: head.name, versionType: head.versionType, ...settings, ...elements, numberOfYears: head.numberOfYears - 1 }
  await runUpdateBudget({ tx, organisationId, scope, actor }, { id: budgetId, version: null }, wanted)
}

export async function raise2027Award(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const scope = { organisationId, locationIds: null, isAdministrator: false }
  const resource = resources.staffInflationRate
  const awards = (await listAllRecords({ tx, scope }, resource, {})).filter((award) => award.effectiveDate === '2027-09-01')
  const changed: AnyRecord[] = []
  for (const award of awards)
    changed.push(await updateRecord({ tx, resource, scope, actor }, { id: award.id, version: award.version }, { ...award, rate: 3.5 }))
  await markBudgetsUsing({ tx, now: actor.now }, resource, { records: changed, reason: defaultTerms[resource.key].plural })
}
