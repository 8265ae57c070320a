import { monitoringNoteType, openingBalanceType } from '../../domain/lookups/lookupIds.ts'
import { saveOpeningCash } from '../../domain/monitoring/cash.ts'
import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import { buildMonthEndKey, buildOpeningCashKey, monthEndSteps } from '../../domain/monitoring/monitoring.ts'
import { markMonthEndStep } from '../../domain/monitoring/monthEnd.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { addMonths, firstDayOfMonth, toIsoDate } from '../../domain/values/calendar.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  toBudgetGroupId,
  toContractId,
} from '../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../domain/values/mongoId.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runCloseMonth } from '../features/monitoring/monthEnd/commands.ts'
import { runFinishPack, runSavePack, runStartPack } from '../features/packs/commands.ts'
import { findPack } from '../features/packs/queries.ts'
import { runApprovalStep, runNameVersion } from '../shared/approval/commands.ts'
import { runCreateBudgets } from '../shared/budgets/commands.ts'
import { runSaveNote } from '../shared/monitoring/commands.ts'
import { readMonthEndStates } from '../shared/monitoring/monthEnd/queries.ts'
import { runChangeEntries } from '../shared/nonStaffing/entries/commands.ts'
import { readOverview } from '../shared/overview/queries.ts'
import { loadItems } from '../streams/budget/items.ts'
import { loadBudget } from '../streams/budget/queries.ts'
import { changeMonitoring } from '../streams/monitoring/stream.ts'
import { type Diary, openConversation } from './diary.ts'
import { importLedgerMonth, listBudgetedLines, type SchoolLedger } from './monitoring.ts'
import { enterNonStaffing, listBalancesBroughtForward, saveOpeningBalances } from './nonStaffing.ts'
import { createRandomSource, generateSeededBytes } from './random.ts'
import { enterContracts } from './staffing.ts'
import { type BuiltSchool, createBudgetGroup, toBudgetInput } from './trust.ts'

/** The entries of 2025/26, as a percentage of those of 2026/27. */
const entryPercentage = 97

const months = Array.from({ length: 12 }, (_unused, index) => ({
  year: index < 4 ? 2025 : 2026,
  month: ((index + 8) % 12) + 1,
  period: index + 1,
}))

/** Budget codes over or under the 2025/26 budget in every school: each month as a percentage of budget. */
const variances: Record<string, number[]> = {
  '4000': [100, 104, 112, 118, 131, 127, 110, 102, 100, 96, 100, 100],
  '4240': [92, 95, 104, 109, 112, 106, 98, 94, 96, 92, 95, 97],
  '4200': [100, 70, 88, 130, 60, 100, 96, 140, 84, 118, 150, 96],
}

const explanations: Record<string, { notes: string; action: string }> = {
  '4000': {
    notes: 'More cover than planned: flu before and after Christmas, and one long-term absence.',
    action: 'Agency rates to be renegotiated for the spring term. Headteachers review the cover log every Friday.',
  },
  '4240': {
    notes: 'A cold autumn on the old tariff; the new contract started in January.',
    action: 'None needed: the new tariff should bring spending back in line by the summer.',
  },
  '4200': {
    notes: 'Timing: repairs were carried out in different months from those budgeted.',
    action: 'The budget will be profiled to the site manager’s plan from September.',
  },
}
const defaultExplanation = {
  notes: 'Timing: paid earlier in the year than budgeted.',
  action: 'None needed: the full year is expected to be on budget.',
}

/**
 * Creates the previous year through the product's own commands: for each school a 2025/26 budget, approved and locked (Northgate's after
 * being returned once); twelve months of ledgers, explained and closed; and a pack for Northgate's governors.
 */
export async function createLastYear(tx: OrganisationTx, schools: readonly BuiltSchool[], diary: Diary): Promise<void> {
  const { organisationId } = assertDefined(schools[0])
  const before: SchoolLedger[] = []
  for (const school of schools)
    before.push({ ...school, budgetId: await createBudgetOfLastYear(tx, school, diary), random: createRandomSource(2025 + school.index) })
  const groupId = toBudgetGroupId(mongoIdFromBytes(generateSeededBytes(2025)))
  const budgetIds = before.map(({ budgetId }) => budgetId)
  const group = { id: groupId, name: 'Harbour Learning Trust 2025/26', description: 'Budgets approved by governors', budgetIds }
  await createBudgetGroup({ tx, organisationId, actor: diary.by(diary.finance, '2025-03-03T10:05') }, group)
  for (const [index, { budgetId }] of before.entries()) await saveLastYearBalances({ tx, budgetId }, assertDefined(schools[index]), diary)
  await createNorthgateRound(tx, assertDefined(before[0]), diary)
  for (const { budgetId } of before.slice(1)) await approveAsSubmitted(tx, { organisationId, budgetId }, diary)
  for (const ledger of before) await saveCash(tx, ledger, diary.by(diary.finance, '2025-10-06T09:10'))
  const rows = new Map<SchoolLedger, Awaited<ReturnType<typeof listBudgetedLines>>>()
  for (const ledger of before) rows.set(ledger, await listBudgetedLines(tx, ledger))
  for (const month of months) {
    for (const ledger of before)
      await importLedgerMonth({ tx, actor: afterMonth(diary, month, 6) }, ledger, {
        rows: assertDefined(rows.get(ledger)),
        month,
        percentageOf: percentageOfBudget(month.period),
        ordered: {},
      })
    await closeMonth(
      tx,
      { organisationId, groupId, names: assertDefined(before[0]).names, locationIds: before.map(({ locationId }) => locationId) },
      { period: month, diary },
    )
    if (month.month === 6) await createPack(tx, assertDefined(before[0]), { period: month, diary })
  }
}

const percentageOfBudget =
  (period: number) =>
  (name: string | undefined, isAsBudgeted: boolean): number =>
    isAsBudgeted || !name ? 100 : (variances[name]?.[period - 1] ?? 100)

function afterMonth(diary: Diary, { year, month }: CalendarMonth, day: number): Actor {
  return diary.by(diary.finance, `${toIsoDate(addMonths(firstDayOfMonth(year, month), 1) + day - 1)}T09:20`)
}

/** Creates a school's 2025/26 budget with the same staff and slightly less money. @returns its id */
async function createBudgetOfLastYear(tx: OrganisationTx, built: BuiltSchool, diary: Diary): Promise<BudgetId> {
  const { organisationId, names, points, school, index } = built
  const actor = diary.by(diary.finance, '2025-02-24T10:40')
  const later = toBudgetInput(built, names, built.elements)
  const tables = { ...later, topSliceTables: later.topSliceTables.map((table) => ({ ...table, effectiveDate: '2025-09-01' })) }
  const call = { organisationId, organisationType: 1, scope: { organisationId, locationIds: null, isAdministrator: false }, actor }
  const budgetId = requireSingleRow(
    await runCreateBudgets(tx, call, { ...tables, name: 'Approved 2025/26', firstYear: 2025, numberOfYears: 1 }),
  )
  const random = createRandomSource(2025 + index)
  const ids = built.posts.map(() => toContractId(mongoIdFromBytes(Uint8Array.from({ length: 12 }, () => random.whole(0, 255)))))
  const staying = { ...school, leave: undefined }
  await enterContracts(tx, { organisationId, budgetId, names, points, school: staying, actor }, { posts: built.posts, ids })
  await enterNonStaffing(tx, { organisationId, budgetId, names, school, actor }, { rise: 0, entryPercentage })
  return budgetId
}

/** Sets opening balances so that the budgeted year ends at what the 2026/27 budget brings forward. */
async function saveLastYearBalances(
  { tx, budgetId }: Call<'budgetId'>,
  { organisationId, names, school }: BuiltSchool,
  diary: Diary,
): Promise<void> {
  const { years } = await readOverview(tx, await loadBudget({ tx, organisationId }, budgetId))
  const balances = assertDefined(years[0]).balances
  const during = (type: number): number => Math.round((balances.find((one) => one.type === type)?.inYear ?? 0) / 100)
  const { revenue, capital } = listBalancesBroughtForward(school)
  const opening = { revenue: revenue - during(openingBalanceType.revenue), capital: capital - during(openingBalanceType.capital) }
  await saveOpeningBalances(tx, { organisationId, budgetId, names, school, actor: diary.by(diary.finance, '2025-03-03T10:30') }, opening)
}

async function createNorthgateRound(tx: OrganisationTx, { organisationId, budgetId, names }: SchoolLedger, diary: Diary): Promise<void> {
  const { finance, manager, by } = diary
  const change = (actor: Actor) => ({ organisationId, budgetId, actor })
  const version = async (): Promise<number> => (await loadBudget({ tx, organisationId }, budgetId)).version
  const entries = new Map(
    (await loadItems({ tx, organisationId, budgetId }, 'entry')).map(({ id, item }) => [item.description, { id, item }]),
  )
  const amount = (actor: Actor, description: string, pounds: (now: number) => number) => {
    const { id, item } = assertDefined(entries.get(description))
    return runChangeEntries({ tx, organisationId, budgetId, actor }, [
      { id, changes: { amount: pounds((item.years[0]?.amount ?? 0) / 100) } },
    ])
  }
  await runNameVersion({ ...change(by(manager, '2025-03-14T15:20')), tx }, await version(), 'First draft')
  await amount(by(manager, '2025-04-29T09:15'), 'Courses and training', (now) => now + 1200)
  await amount(by(manager, '2025-04-29T09:31'), 'Classroom supplies', (now) => now - 900)
  const about = { kind: 'code' as const, ref: String(assertDefined(names.get('budgetCode 4240'))), year: 0 }
  const { say, read, resolve } = openConversation(tx, { organisationId, budgetId }, diary)
  const question = `@${finance.name}, does the new energy tariff in the trust’s contract start in January?`
  const questionId = await say(manager, '2025-05-06T11:02', { about, text: question, mentioned: [finance] })
  await read(finance, '2025-05-06T16:35', [questionId])
  const answer = 'Yes, from 1 January. The broker expects to save about 6%, but I would leave the budget as it is.'
  const answered = await say(finance, '2025-05-06T16:40', { about, text: answer })
  await read(manager, '2025-05-07T08:45', [answered])
  await resolve(manager, '2025-05-07T08:50', [questionId, answered])
  await runNameVersion({ ...change(by(manager, '2025-05-20T14:05')), tx }, await version(), 'For the finance committee')
  await runApprovalStep(
    { ...change(by(manager, '2025-05-21T09:00')), tx },
    { kind: 'submit' },
    'As reviewed by the finance committee on 20 May.',
  )
  const why =
    'Supply is below what the school spent in each of the last two years. Please increase it, and say what you have cut to pay for it.'
  await runApprovalStep({ ...change(by(finance, '2025-05-28T13:25')), tx }, { kind: 'return' }, why)
  await amount(by(manager, '2025-06-03T10:12'), 'Agency supply cover', (now) => Math.round(now * 1.08))
  await amount(by(manager, '2025-06-03T10:18'), 'Licences and software', (now) => now - 1500)
  await runApprovalStep(
    { ...change(by(manager, '2025-06-04T08:45')), tx },
    { kind: 'submit' },
    'Supply is up by 8%, partly paid for by cancelling two unused licences.',
  )
  const approval = { kind: 'approve' as const, name: 'Approved by governors', others: [manager.name] }
  await runApprovalStep({ ...change(by(finance, '2025-06-11T17:30')), tx }, approval, 'Approved by the full governing body on 10 June.')
}

async function approveAsSubmitted(
  tx: OrganisationTx,
  change: { organisationId: OrganisationId; budgetId: BudgetId },
  diary: Diary,
): Promise<void> {
  const { finance, administrator, by } = diary
  const { version } = await loadBudget({ ...change, tx }, change.budgetId)
  await runNameVersion({ tx, ...change, actor: by(finance, '2025-05-20T15:10') }, version, 'For the finance committee')
  await runApprovalStep({ tx, ...change, actor: by(finance, '2025-06-09T11:20') }, { kind: 'submit' }, null)
  const approval = { kind: 'approve' as const, name: 'Approved by trustees', others: [finance.name] }
  await runApprovalStep(
    { tx, ...change, actor: by(administrator, '2025-06-16T10:00') },
    approval,
    'Approved by the trust board on 13 June.',
  )
}

/** Sets the opening cash to the balances brought forward plus 10 % that is still owed. */
async function saveCash(tx: OrganisationTx, { organisationId, locationId, budgetId }: SchoolLedger, actor: Actor): Promise<void> {
  const balances = await loadItems({ tx, organisationId, budgetId }, 'balance')
  const opening = Math.round(balances.reduce((sum, { item }) => sum + item.value, 0) * 1.1)
  const decide = (state: Parameters<typeof saveOpeningCash>[0]) => saveOpeningCash(state, 2025, opening)
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildOpeningCashKey(2025)], decide)
}

interface LedgerGroup {
  organisationId: OrganisationId
  groupId: BudgetGroupId
  names: SchoolLedger['names']
  locationIds: readonly LocationId[]
}

/** Explains and closes a month of all schools, in the middle of the following month. */
async function closeMonth(
  tx: OrganisationTx,
  { organisationId, groupId, names, locationIds }: LedgerGroup,
  { period, diary }: { period: CalendarMonth; diary: Diary },
): Promise<void> {
  const month = { year: period.year, month: period.month }
  const everything = { isAdministrator: true, permissions: [], locationIds: null }
  const explaining = { organisationId, holder: everything, actor: afterMonth(diary, month, 9) }
  const codes = new Map(
    [...names].flatMap(([name, id]) => (name.startsWith('budgetCode ') ? [[id, name.slice('budgetCode '.length)]] : [])),
  )
  const due = new Set((await readMonthEndStates({ ...explaining, tx }, month, { only: locationIds })).flatMap((one) => one.dueCodes))
  for (const budgetCodeId of [...due].sort((a, b) => a - b)) {
    const about = { ...month, groupId, budgetCodeId, type: monitoringNoteType.versusActuals }
    await runSaveNote({ ...explaining, tx }, about, explanations[codes.get(budgetCodeId) ?? ''] ?? defaultExplanation)
  }
  const closing = { ...explaining, actor: afterMonth(diary, month, 13) }
  for (const locationId of locationIds)
    await changeMonitoring({ tx, organisationId, locationId, actor: afterMonth(diary, month, 12) }, [buildMonthEndKey(month)], (state) =>
      monthEndSteps.flatMap((step) => markMonthEndStep(state, { month, step, isDone: true })),
    )
  await runCloseMonth({ ...closing, tx }, { ...month, locationIds })
}

async function createPack(
  tx: OrganisationTx,
  { organisationId, locationId }: SchoolLedger,
  { period, diary }: { period: CalendarMonth; diary: Diary },
): Promise<void> {
  const { manager, governor, by } = diary
  const month = { year: period.year, month: period.month }
  const whoAt = (at: string) => ({
    organisationId,
    holder: { isAdministrator: true, permissions: [], locationIds: null },
    actor: by(manager, at),
  })
  const { code } = await runStartPack({ ...whoAt('2026-07-14T09:05'), tx }, { ...month, locationId })
  const begun = await findPack({ ...whoAt('2026-07-14T09:05'), tx }, code)
  const content = {
    chapters: begun.item.chapters,
    title: 'Governors’ pack',
    texts: {
      summary:
        'With two months to go, expenditure is {expenditure.actual} against a budget of {expenditure.toDate}. Governors asked about supply cover: the winter’s absences are over, and June was under budget. The forecast is an in-year balance of {inYear.forecast}, with {carriedForward.forecast} carried forward.',
      decisions: 'The finance committee recommended both on 8 July.',
    },
    decisions: ['Note the financial position at the end of June.', 'Approve new boiler controls, paid for from devolved formula capital.'],
    signatories: [
      { role: 'Chair of governors', name: governor.name },
      { role: 'School business manager', name: manager.name },
    ],
  }
  await runSavePack({ ...whoAt('2026-07-14T11:40'), tx }, { code, version: begun.version, content })
  const { version } = await findPack({ ...whoAt('2026-07-15T08:30'), tx }, code)
  await runFinishPack({ ...whoAt('2026-07-15T08:30'), tx }, { code, version })
}
