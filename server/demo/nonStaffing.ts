import { calculatorRow } from '../../domain/budget/items/fields.ts'
import { fundingRow } from '../../domain/budget/items/fundingPrediction.ts'
import { calculatorRowKind } from '../../domain/calculation/nonStaffing/calculator.ts'
import type { PupilRow } from '../../domain/calculation/nonStaffing/pupils.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import type { Pounds } from '../../domain/values/units.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runPostCalculation, runSaveCalculation } from '../features/nonStaffing/calculator/commands.ts'
import { runSavePupils } from '../features/nonStaffing/pupils/commands.ts'
import { runSaveBalance } from '../features/overview/openingBalances/commands.ts'
import { type EntryChange, runChangeEntries } from '../shared/nonStaffing/entries/commands.ts'
import { runCreatePrediction, runPostPrediction, runUpdatePrediction } from '../shared/nonStaffing/funding/commands.ts'
import { loadItem } from '../streams/budget/items.ts'
import type { School } from './jobs.ts'
import type { IdsByName } from './trustRecords.ts'

export interface NonStaffingContext {
  organisationId: OrganisationId
  budgetId: BudgetId
  school: School
  names: IdsByName
  actor: Actor
}

/** Pupils per year group, chosen so that budgets are realistic; other schools are sized by their staff. */
const pupilsByAlias: Record<string, number> = {
  Northgate: 53,
  'St Anne’s': 37,
  Harbour: 120,
  Riverside: 113,
  Beacon: 9,
  Meadow: 19,
  Orchard: 20,
}

function choosePupils({ alias, dfe, contracts, central }: School): { groups: number[]; each: number } {
  const kind = dfe.slice(4, 5)
  if (central) return { groups: [], each: 0 }
  const each = (share: number): number => pupilsByAlias[alias] ?? Math.round(contracts * share)
  if (kind === '4') return { groups: [9, 10, 11, 12, 13], each: each(1.2) }
  if (kind === '7') return { groups: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], each: each(0.2) }
  return { groups: [2, 3, 4, 5, 6, 7, 8], each: each(1.08) }
}

/** The pupils of each year: those of the October before the first year move up, and each year has a new intake. */
function toPupilRows(school: School): PupilRow[] {
  const { groups, each } = choosePupils(school)
  const row = (part: Partial<PupilRow>): PupilRow => ({
    kind: 'Phase',
    phase: null,
    yearGroup: null,
    description: null,
    before: null,
    years: [null, null, null, null, null],
    ...part,
  })
  const rows = groups.map((yearGroup, index) =>
    row({
      yearGroup,
      before: each + ((index * 3) % 5) - 2,
      years: index === 0 ? [each, each - 1, each + 1, each - 2, each - 2] : [null, null, null, null, null],
    }),
  )
  const placesForPupils = school.dfe.slice(4, 5) === '7' ? groups.length * each : 0
  if (placesForPupils)
    rows.push(row({ kind: 'HighNeeds', yearGroup: 16, before: placesForPupils, years: Array<number>(5).fill(placesForPupils) }))
  return rows
}

/** Entries: description, budget code, cost centre, fund code, pounds, profile template. */
type EntryPlan = [description: string, code: string, centre: string | null, fund: string, amount: number, profile?: string]

function planEntries(pupils: number): EntryPlan[] {
  const each = (pounds: Pounds): number => Math.round(pupils * pounds)
  return [
    ['Pupil premium', '1020', null, 'PPG', each(310)],
    ['PE and sport premium', '1040', null, 'RES', 16_000 + each(6)],
    ['Paid school meals', '1100', 'CAT', 'GEN', each(112), 'Term time'],
    ['Hall and pitch lettings', '1110', 'SITE', 'GEN', 9_600, 'Term time'],
    ['Music lessons', '1120', null, 'GEN', each(21), 'Term time'],
    ['Parents’ association donations', '1130', null, 'RES', 4_500],
    ['Bank deposit interest', '1140', null, 'GEN', 2_400],
    ['Devolved formula capital', '1900', 'SITE', 'CAP', 4_000 + each(11.25)],
    ['Agency supply cover', '4000', null, 'GEN', each(88), 'Term time'],
    ['Courses and training', '4100', null, 'GEN', each(19)],
    ['Repairs and servicing', '4200', 'SITE', 'GEN', each(71)],
    ['Grounds contract', '4210', 'SITE', 'GEN', 7_800],
    ['Cleaning materials', '4220', 'SITE', 'GEN', each(14)],
    ['Water and sewerage', '4230', 'SITE', 'GEN', each(16)],
    ['Gas', '4240', 'SITE', 'GEN', each(52), 'Winter'],
    ['Electricity', '4240', 'SITE', 'GEN', each(58)],
    ['Business rates', '4250', 'SITE', 'GEN', each(49)],
    ['Classroom supplies', '4300', 'KS2', 'GEN', each(66), 'Term time'],
    ['Licences and software', '4330', 'OFF', 'GEN', each(31)],
    ['Risk protection arrangement', '4340', 'OFF', 'GEN', each(27)],
    ['Kitchen provisions', '4360', 'CAT', 'GEN', each(148), 'Term time'],
    ['Audit and payroll services', '4370', 'OFF', 'GEN', 8_900],
    ['East wing roof', '4900', 'SITE', 'CAP', 4_000 + each(10)],
  ]
}

type ChangeForPart = (part: string) => { organisationId: OrganisationId; budgetId: BudgetId; actor: Actor }

const changeForPart = ({ organisationId, budgetId, actor }: NonStaffingContext): ChangeForPart => {
  return (part) => ({ organisationId, budgetId, actor: { ...actor, requestId: `${actor.requestId}-${budgetId}-${part}` } })
}

/** Balances that a school brings into its 2026/27 budget; pounds. */
export function listBalancesBroughtForward({ central, contracts }: School): { revenue: number; capital: number } {
  return { revenue: central ? 60_000 : contracts * 3_150, capital: 12_500 }
}

export async function saveOpeningBalances(
  tx: OrganisationTx,
  plan: NonStaffingContext,
  { revenue, capital }: { revenue: number; capital: number },
): Promise<void> {
  const change = changeForPart(plan)
  await runSaveBalance({ ...change('revenue'), tx }, { description: 'Revenue brought forward', type: 1, value: revenue })
  await runSaveBalance({ ...change('capital'), tx }, { description: 'Capital brought forward', type: 2, value: capital })
}

/**
 * Enters a school's pupils, funding, entries and a calculation through the product's own commands.
 * @param year `rise`: the percentage by which funding rises from the 2025/26 table to the first year; `entryPercentage`: the entries as a
 *   percentage of those of 2026/27
 */
export async function enterNonStaffing(
  tx: OrganisationTx,
  plan: NonStaffingContext,
  year: { rise: number; entryPercentage: number } = { rise: 2.2, entryPercentage: 100 },
): Promise<void> {
  const { school, names } = plan
  const change = changeForPart(plan)
  const code = (wanted: string): number => assertDefined(names.get(`budgetCode ${wanted}`))
  if (school.central) return
  await runSavePupils({ ...change('pupils'), tx }, { rows: toPupilRows(school) })
  const { groups, each } = choosePupils(school)
  await enterEntries({ tx, actor: change('entries').actor }, plan, { pupils: groups.length * each, entryPercentage: year.entryPercentage })
  const meals = await runSaveCalculation({ ...change('meals'), tx }, planMeals(names, groups.length * each))
  await runPostCalculation({ ...change('meals-processed'), tx }, meals, null)
  await enterFunding(tx, plan, { pupils: groups.length * each, rise: year.rise, change, budgetCodeId: code('1000') })
}

async function enterEntries(
  { tx, actor }: Call<'actor'>,
  { organisationId, budgetId, names }: NonStaffingContext,
  { pupils, entryPercentage }: { pupils: number; entryPercentage: number },
): Promise<void> {
  const changes = planEntries(pupils).map(
    ([description, code, centre, fund, amount, profile]): EntryChange => ({
      id: null,
      changes: {
        description,
        budgetCodeId: assertDefined(names.get(`budgetCode ${code}`)),
        costCentreId: centre ? assertDefined(names.get(`costCentre ${centre}`)) : null,
        fundCodes: [{ fundCodeId: assertDefined(names.get(`fundCode ${fund}`)), percentage: 100 }],
        profileTemplateId: profile ? assertDefined(names.get(`profileTemplate ${profile}`)) : null,
        amount: Math.round((amount * entryPercentage) / 100),
      },
    }),
  )
  await runChangeEntries({ tx, organisationId, budgetId, actor }, changes)
}

/** Universal infant free school meals: eligible pupils × days × rate, paid in term time. */
function planMeals(names: IdsByName, pupils: number) {
  const row = (kind: number, part: object) => calculatorRow.parse({ kind, ...part })
  return {
    name: 'Universal infant free school meals',
    description: 'Infants taking a meal, by school days and the rate per meal',
    budgetCodeId: assertDefined(names.get('budgetCode 1030')),
    costCentreId: assertDefined(names.get('costCentre CAT')),
    fundCodes: [{ fundCodeId: assertDefined(names.get('fundCode RES')), percentage: 100 }],
    rows: [
      row(calculatorRowKind.criteria, { description: 'Infants taking a meal', value: Math.round(pupils * 0.36) }),
      row(calculatorRowKind.criteria, { description: 'School days', value: 190 }),
      row(calculatorRowKind.amount, { description: 'Rate per meal', value: 2.61 }),
      row(calculatorRowKind.inflation, { description: 'Increase in the rate', years: [0, 2, 2, 2, 2] }),
      row(calculatorRowKind.total, { description: 'Grant' }),
      row(calculatorRowKind.period, { description: 'Term time', periods: [2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 1, 0] }),
    ],
  }
}

/** Fractions of pupils who attract additional funding, by category. */
const fundedShares: [number, number][] = [
  [4, 0.21],
  [5, 0.21],
  [6, 0.24],
  [7, 0.24],
  [20, 0.28],
  [21, 0.26],
  [22, 0.07],
  [23, 0.02],
]

async function enterFunding(
  tx: OrganisationTx,
  { names }: NonStaffingContext,
  { pupils, rise, change, budgetCodeId }: { pupils: number; rise: number; change: ChangeForPart; budgetCodeId: number },
): Promise<void> {
  const id = await runCreatePrediction(
    { ...change('funding'), tx },
    { id: assertDefined(names.get('adminTable NFF 2025/26')), budgetCodeId },
  )
  const { item } = await loadItem({ ...change('funding'), tx }, 'prediction', id)
  const rows = item.rows.map((row) => {
    const share = fundedShares.find(([category]) => category === row.category)?.[1]
    if (share) return fundingRow.parse({ ...row, years: [Math.round(pupils * share), null, null, null, null] })
    return row.kind === 'Inflation' ? fundingRow.parse({ ...row, years: [rise, 2, 2, 2, 2] }) : row
  })
  await runUpdatePrediction({ ...change('funding-rows'), tx }, { id, name: 'General annual grant', budgetCodeId, rows })
  await runPostPrediction({ ...change('funding-processed'), tx }, id)
}
