import { type Bridge, buildBridge } from '../../../domain/budget/bridge/bridge.ts'
import type { PredictionRecalculator } from '../../../domain/budget/bridge/moneyBridge.ts'
import { mergeStepsOfFewPeople } from '../../../domain/budget/bridge/stepsOfFewPeople.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { isStaffSource, type SharedSource, sharedSourceNames, sharedSources } from '../../../domain/budget/sharedSources.ts'
import { type BudgetComparison, compareSnapshots, type YearPair } from '../../../domain/budget/snapshots/compare.ts'
import { listEditsBetween } from '../../../domain/budget/snapshots/edits.ts'
import { canShowDifference, canShowVersion } from '../../../domain/budget/snapshots/fewPeopleDiffer.ts'
import { foldLog } from '../../../domain/budget/snapshots/foldLog.ts'
import {
  type BudgetSnapshot,
  buildSnapshot,
  type RecalculationInputsLoader,
  type SnapshotLine,
} from '../../../domain/budget/snapshots/snapshot.ts'
import { calculateFunding } from '../../../domain/calculation/nonStaffing/funding.ts'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import type { FrozenBudget, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { canSeeStaff } from '../../../domain/people/permissions.ts'
import { assertDefined, requireItemAt } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { formatLondonTime, toPounds } from '../../../domain/values/format.ts'
import type { BudgetId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights, Services } from '../../core/calls/context.ts'
import { type OrganisationTx, openStoreWithin } from '../../core/database/database.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { writeCsvFile } from '../../resources/files.ts'
import { loadStaffByIds } from '../../streams/budget/people.ts'
import { readBudgetEvents } from '../../streams/budget/stream.ts'
import { readHistoryNames } from '../budgetHistory/queries.ts'
import { loadVisibleBudget } from '../budgets/queries.ts'
import { readStoredInputs } from '../costing/inputs/queries.ts'
import { readFundingTable } from '../funding/queries.ts'
import { readCodesForTotals } from '../overview/queries.ts'

/** One side of a comparison: a budget, at a version or as it is now. */
export interface ComparedSideInput {
  budgetId: BudgetId
  version?: number | null
}

export interface ComparisonCaller {
  organisationId: OrganisationId
  holder: CallerRights
  services: Services
  now: Date
}

/** A caller who reads an earlier version. */
type VersionReader = Pick<ComparisonCaller, 'organisationId' | 'holder'>

const pounds = ({ a, b, missing }: YearPair) => ({
  a: a === null ? null : toPounds(a),
  b: b === null ? null : toPounds(b),
  missing,
})

/** The title of a side: the name of its budget, and its moment unless it is the current version. */
function formatSideTitle({ head, version }: BudgetSnapshot, input: ComparedSideInput): string {
  if (input.version == null) return head.name
  return `${head.name}, ${head.moments.find((moment) => moment.version === version)?.name ?? `version ${version}`}`
}

async function loadSides(
  call: Call & ComparisonCaller,
  a: ComparedSideInput,
  b: ComparedSideInput,
): Promise<[LoadedSnapshot, LoadedSnapshot]> {
  const { tx } = call
  for (const { budgetId } of [a, b]) await loadVisibleBudget(tx, call, budgetId)
  return [
    await loadSnapshot({ ...call, budgetId: a.budgetId }, a.version),
    await loadSnapshot({ ...call, budgetId: b.budgetId }, b.version),
  ]
}

const fewSentence =
  'Between these versions the pay of fewer than three people changed. Choose other versions, or ask someone who can view staff.'

/**
 * Refuses comparisons that would reveal the pay of one or two people to callers who may not see staff.
 * @throws DomainError 403
 */
async function refuseRevealingFewPeople(
  call: Call & VersionReader,
  pair: readonly (readonly [ComparedSideInput, BudgetSnapshot])[],
): Promise<void> {
  if (canSeeStaff(call.holder)) return
  for (const [{ budgetId }, snapshot] of pair)
    if (!canShowVersion(snapshot, await readBudgetEvents({ ...call, budgetId }, snapshot.version))) throw fewPeopleError()
  const [first, ...others] = pair
  if (first && others.some(([, other]) => !canShowDifference(first[1], other))) throw fewPeopleError()
}

const fewPeopleError = (): DomainError => new DomainError('forbidden', 'fewPeople', fewSentence)

/**
 * An earlier version, unless its differences from the current one reveal the pay of one or two people.
 * @throws DomainError 403, 404
 */
export async function loadVisibleSnapshot(
  call: Call<'organisationId' | 'budgetId'> & VersionReader,
  version: number,
): Promise<LoadedSnapshot> {
  const loaded = await loadSnapshot(call, version)
  if (canSeeStaff(call.holder)) return loaded
  const { budgetId } = call
  const now = await loadSnapshot(call, null)
  await refuseRevealingFewPeople(call, [
    [{ budgetId, version }, loaded.snapshot],
    [{ budgetId }, now.snapshot],
  ])
  return loaded
}

/** The label under which the codes with staff costs are combined. */
export const combinedStaffCode = { code: '', description: 'Staff budget codes', isIncome: false }

/**
 * Rows of budget codes for a reader. For readers who may not see staff, codes with pay are combined, because a code may be one person's.
 * @param ofStaff codes with pay; null to show all codes
 */
export function combineStaffCodes<Row extends { budgetCodeId: number | null }>(
  rows: readonly Row[],
  ofStaff: ReadonlySet<number | null> | null,
  sum: (rows: readonly Row[]) => Row,
): { row: Row; isStaff: boolean }[] {
  const hidden = rows.filter(({ budgetCodeId }) => ofStaff?.has(budgetCodeId))
  const shown = rows.filter((row) => !hidden.includes(row)).map((row) => ({ row, isStaff: false }))
  return hidden.length ? [...shown, { row: sum(hidden), isStaff: true }] : shown
}

/** The sum of one year over several codes, leaving out figures that are not calculated. */
function sumOfPairs(pairs: readonly YearPair[]): YearPair {
  const total = (side: 'a' | 'b'): YearPair['a'] => {
    const known = pairs.flatMap((pair) => pair[side] ?? [])
    return known.length ? known.reduce((sum, amount) => sum + amount, 0) : null
  }
  const missing = (side: 'a' | 'b'): number => pairs.reduce((sum, pair) => sum + pair.missing[side], 0)
  return { a: total('a'), b: total('b'), missing: { a: missing('a'), b: missing('b') } }
}

/** The codes with pay in any of the snapshots. */
export function findStaffCodes(snapshots: readonly BudgetSnapshot[]): Set<number | null> {
  return new Set(
    snapshots.flatMap(({ lines }) => lines.flatMap(({ source, budgetCodeId }) => (isStaffSource(source) ? [budgetCodeId] : []))),
  )
}

/** The names of codes in two snapshots and, for callers who may see staff, of people. */
async function readNames(
  { tx, organisationId, holder }: Call & ComparisonCaller,
  { snapshot }: LoadedSnapshot,
  staffIds: readonly (StaffId | null)[],
) {
  const codes = await readCodesForTotals(tx, snapshot.head.locationId)
  const known = [...new Set(staffIds.filter((id) => id !== null))]
  const people = canSeeStaff(holder) ? await loadStaffByIds(tx, organisationId, known) : new Map()
  return {
    codes,
    code: (id: number | null) =>
      id === null
        ? { code: '', description: 'Apprenticeship levy', isIncome: false }
        : {
            code: codes.get(id)?.record.code ?? String(id),
            description: codes.get(id)?.description ?? '',
            isIncome: codes.get(id)?.facts.isIncome ?? false,
          },
    person: (id: number | null): string | null => {
      const member = id === null ? undefined : people.get(id)
      return member ? `${member.surname}, ${member.forename}` : null
    },
  }
}

/**
 * Compares two budgets or versions by code, contract and entry, with who changed what and when. Contracts are included
 * only for callers who may see staff.
 */
export async function compareSides(call: Call & ComparisonCaller, a: ComparedSideInput, b: ComparedSideInput) {
  const { tx } = call
  const [left, right] = await loadSides(call, a, b)
  await refuseRevealingFewPeople(call, [
    [a, left.snapshot],
    [b, right.snapshot],
  ])
  const nameOf = await readHistoryNames(tx, call.organisationId, right.events)
  const result: BudgetComparison = compareSnapshots(left.snapshot, right.snapshot, nameOf)
  const touches = listEditsBetween(left, right)
  const shown = result.things.filter((thing) => thing.what !== 'same' && (thing.kind !== 'contract' || canSeeStaff(call.holder)))
  const names = await readNames(
    call,
    right,
    shown.map((thing) => thing.staffId),
  )
  const userNames = await readUserNames(
    openStoreWithin(tx, call.services.store, call.organisationId),
    [...touches.values()].flat().map((touch) => touch.actorId),
  )
  return {
    a: formatSideTitle(left.snapshot, a),
    b: formatSideTitle(right.snapshot, b),
    years: result.years,
    codes: combineStaffCodes(result.codes, canSeeStaff(call.holder) ? null : findStaffCodes([left.snapshot, right.snapshot]), (rows) => ({
      budgetCodeId: null,
      years: result.years.map((_year, index) => sumOfPairs(rows.map((row) => assertDefined(row.years[index])))),
    }))
      .map(({ row, isStaff }) => ({
        budgetCodeId: row.budgetCodeId,
        ...(isStaff ? combinedStaffCode : names.code(row.budgetCodeId)),
        years: row.years.map(pounds),
      }))
      .sort(
        (one, other) => Number(other.isIncome) - Number(one.isIncome) || one.code.localeCompare(other.code, 'en-GB', { numeric: true }),
      ),
    things: shown.map(({ years, staffId, ...thing }) => ({
      ...thing,
      person: names.person(staffId),
      code: thing.budgetCodeId === null ? null : names.code(thing.budgetCodeId).code,
      years: years.map(pounds),
      touches: (touches.get(thing.root) ?? []).slice(-5).map((touch) => ({
        at: touch.at,
        actor: nameActor(userNames, touch.actorId),
      })),
    })),
    unchanged: result.things.length - shown.length,
  }
}

type ComparedSides = Awaited<ReturnType<typeof compareSides>>

const kindsInWords: Readonly<Record<SnapshotLine['source'], string>> = {
  contract: 'Contract',
  entry: 'Budget entry',
  transfer: 'Pool or top slice',
  levy: 'Levy',
  employmentAllowance: 'Employment Allowance',
}

/** A comparison as a file: the codes first, then one line for each difference. */
export function toComparisonFile({ a, b, years, codes, things }: ComparedSides, now: Date) {
  const cells = (pairs: ComparedSides['codes'][number]['years']): string[] =>
    pairs.flatMap(({ a: left, b: right, missing }) => {
      const amount = (value: number | null, gaps: number): string => (value !== null ? value.toFixed(2) : gaps > 0 ? 'not calculated' : '')
      const difference = left === null || right === null ? '' : amount((Math.round(right * 100) - Math.round(left * 100)) / 100, 0)
      return [amount(left, missing.a), amount(right, missing.b), difference]
    })
  const headings = years.flatMap((year) => [`${year} ${a}`, `${year} ${b}`, `${year} difference`])
  const lines = [
    ...codes.map((row) => ['Budget code', row.code, row.description, '', '', ...cells(row.years)]),
    ...things.map((thing) => [
      kindsInWords[thing.kind],
      thing.code ?? '',
      [thing.person, thing.name].filter(Boolean).join(': '),
      thing.what,
      [
        ...thing.changes.map(({ field, before, after }) => `${field}: ${before} to ${after}`),
        ...thing.touches.map((touch) => `${touch.actor} ${formatLondonTime(touch.at).slice(0, 16).replace('T', ' ')}`),
      ].join('; '),
      ...cells(thing.years),
    ]),
  ]
  const stamp = formatLondonTime(now).slice(0, 16).replace(/[-:T]/g, '')
  return writeCsvFile(`Comparison-${stamp}.csv`, ['Kind', 'Code', 'Name', 'What', 'Changes, and who made them', ...headings], lines)
}

/**
 * Calculates the steps from one year of a budget or version to another, with the items of each step. People are named
 * only for callers who may see staff.
 */
export async function calculateBridge(
  call: Call & ComparisonCaller,
  a: ComparedSideInput & { year: number },
  b: ComparedSideInput & { year: number },
) {
  const { tx } = call
  const [left, right] = await loadSides(call, a, b)
  await refuseRevealingFewPeople(call, [
    [a, left.snapshot],
    [b, right.snapshot],
  ])
  for (const [side, { year }, field] of [
    [left, a, 'yearA'],
    [right, b, 'yearB'],
  ] as const)
    if (year >= side.snapshot.head.numberOfYears)
      throw invalid([{ field, message: `${side.snapshot.head.name} does not cover that year.` }])
  const rightCodes = await readCodesForTotals(tx, right.snapshot.head.locationId)
  const withPupils = await pupilEffects(tx, left.snapshot)
  const result: Bridge = buildBridge({
    from: { snapshot: left.snapshot, year: a.year, inputsOf: left.inputsOf },
    to: { snapshot: right.snapshot, year: b.year, inputsOf: right.inputsOf },
    factsOf: (id) => rightCodes.get(id)?.facts,
    withPupils,
  })
  const names = await readNames(
    call,
    right,
    result.steps.flatMap((step) => step.items.map((item) => item.staffId)),
  )
  const seesStaff = canSeeStaff(call.holder)
  const inPounds = <T extends { income: number; staffing: number; other: number }>(sums: T) => ({
    income: toPounds(sums.income),
    staffing: toPounds(sums.staffing),
    other: toPounds(sums.other),
  })
  const title = (side: LoadedSnapshot, input: ComparedSideInput & { year: number }): string =>
    `${formatSideTitle(side.snapshot, input)} · ${formatBudgetYear(side.snapshot.head.firstYear, input.year)}`
  return {
    a: title(left, a),
    b: title(right, b),
    from: inPounds(result.from),
    to: inPounds(result.to),
    notCalculated: [left.snapshot, right.snapshot].map(
      (snapshot, side) =>
        [...snapshot.contracts.values()].filter((one) => one.years[assertDefined([a.year, b.year][side])] === null).length,
    ),
    /** A sentence on each part of the levy, pools and top slices that is not calculated on one of the sides and so distorts a step. */
    leftOut: [
      ...describeMissingShares(left.snapshot, a.year, title(left, a)),
      ...describeMissingShares(right.snapshot, b.year, title(right, b)),
    ],
    steps: (seesStaff ? result.steps : mergeStepsOfFewPeople(result.steps)).map((step) => ({
      cause: step.cause,
      name: step.name,
      ...inPounds(step),
      items: step.items
        .filter((item) => item.kind !== 'contract' || seesStaff)
        .slice(0, 500)
        .map((item) => ({
          kind: item.kind,
          root: item.root,
          /** The id in the target budget, so that the page can open the contract there. */
          contractId: item.kind === 'contract' ? (right.snapshot.contracts.get(item.root)?.contract.id ?? null) : null,
          name: item.name,
          person: names.person(item.staffId),
          code: item.budgetCodeId === null ? null : names.code(item.budgetCodeId).code,
          ...inPounds(item),
        })),
    })),
  }
}

const midSentence: Readonly<Record<SharedSource, string>> = {
  levy: 'apprenticeship levy',
  employmentAllowance: sharedSourceNames.employmentAllowance,
}

/** A sentence on each kind of the group's shared money that could not be fully calculated in a year of a snapshot. */
function describeMissingShares({ lines }: BudgetSnapshot, year: number, where: string): string[] {
  const isMissing = (source: SnapshotLine['source']): boolean =>
    lines.some((line) => line.source === source && line.year === year && line.missing > 0)
  return [
    ...sharedSources.flatMap((source) =>
      isMissing(source) ? [`The ${midSentence[source]} for ${where} is not calculated in full: the missing part is left out.`] : [],
    ),
    ...(isMissing('transfer') ? [`Pools and top slices for ${where} are not calculated in full: the missing parts are left out.`] : []),
  ]
}

/** Recalculates predictions with another budget's pupils, at the rates of their own tables. */
async function pupilEffects(tx: OrganisationTx, snapshot: BudgetSnapshot): Promise<PredictionRecalculator> {
  const tables = new Map<number, Awaited<ReturnType<typeof readFundingTable>>>()
  for (const stored of snapshot.state.items.values())
    if (stored.kind === 'prediction' && !tables.has(stored.item.versionId))
      tables.set(stored.item.versionId, await readFundingTable(tx, snapshot.head, stored.item.versionId))
  const counted = ({ state, head }: BudgetSnapshot, years: number) => {
    const pupils = [...state.items.values()].find((item) => item.kind === 'pupils')
    return pupils ? rollUpPupilCounts(pupils.item.rows, Math.max(years, head.numberOfYears)) : []
  }
  return ({ snapshot, id, other, year }) => {
    const stored = snapshot.state.items.get(id)
    // Pupil numbers of budgets that start in different years cannot be matched.
    if (stored?.kind !== 'prediction' || snapshot.head.firstYear !== other.head.firstYear) return null
    const table = tables.get(stored.item.versionId)
    const years = snapshot.head.numberOfYears
    const total = (of: BudgetSnapshot) =>
      requireItemAt(
        calculateFunding({
          rows: stored.item.rows,
          rates: table?.rates ?? new Map(),
          pupils: counted(of, years),
          years,
          tableYear: table?.tableYear ?? 0,
        }).total,
        year,
      )
    return { own: total(snapshot), other: total(other) }
  }
}

/** A budget at a version, with its log and the stored inputs of its figures. */
export interface LoadedSnapshot {
  snapshot: BudgetSnapshot
  events: StoredEvent[]
  inputsOf: RecalculationInputsLoader
}

/**
 * A budget at a version, with every figure, read only from its log and stored inputs; the current version if none is given.
 * @throws DomainError 404 for a version that the budget does not have
 */
export async function loadSnapshot(call: Call<'organisationId' | 'budgetId'>, version: number | null | undefined): Promise<LoadedSnapshot> {
  const events = await readBudgetEvents(call, 0, version ?? undefined)
  const folded = foldLog(events)
  if (!folded.state.head || (version != null && folded.state.version !== version)) throw notFound('Version')
  const read = new Map<string, { frozen: FrozenBudget; shared: SharedInputs }>()
  for (const sha of new Set([...folded.recalculations.values()].map((run) => run.inputs))) read.set(sha, await readStoredInputs(call, sha))
  const inputsOf: RecalculationInputsLoader = (run) => assertDefined(read.get(run.inputs))
  return { snapshot: buildSnapshot(folded, inputsOf), events, inputsOf }
}
