import { and, eq, inArray, sql } from 'drizzle-orm'
import { describeLearnedChanges, type LearnedText } from '../../../../domain/files/learned.ts'
import { actualType } from '../../../../domain/lookups/lookupIds.ts'
import type { ColumnMeaning, LedgerLayout } from '../../../../domain/monitoring/ledger/columns.ts'
import { type AmountSign, type MappedKind, mappedKinds } from '../../../../domain/monitoring/ledger/mapping.ts'
import type { EarlierActual } from '../../../../domain/monitoring/ledger/month.ts'
import { type ActualLine, type CalendarMonth, fromMonthIndex, toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { isOneOf } from '../../../../domain/values/keysOf.ts'
import { ledgers, ledgerTextMappings } from '../../../../drizzle/ledgerTables.ts'
import { actualLines, monitoringItems } from '../../../../drizzle/monitoringTables.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { refuseLimitedCaller } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { buildIntegerArray } from '../../../resources/listConditions.ts'
import { type FileMappingHistoryLine, readFileMappingHistory } from '../../../resources/referenceLog.ts'
import { readCumulativeSetting } from '../../../shared/monitoring/facts/queries.ts'
import type { LimitedCaller } from '../../../shared/monitoring/requests/queries.ts'
import type { MappedText } from './file.ts'

/** A ledger whose files were imported before. */
export interface Ledger {
  id: number
  name: string
  layout: LedgerLayout
  columns: { heading: string; meaning: ColumnMeaning }[]
  sign: AmountSign
  isCumulative: boolean
  costCentreId: number | null
  version: number
  texts: Record<MappedKind, MappedText[]>
}

/** A record that texts may be mapped to. */
export interface MappingTarget {
  id: number
  codes: string[]
  name: string
  /** For budget codes, whether they are income or expenditure, which decides their sign. */
  type: number | null
  /** The locations at which it is used; empty means all. */
  locationIds: LocationId[]
  isArchived: boolean
}

export interface LedgerOptions {
  ledgers: Ledger[]
  targets: Record<MappedKind, MappingTarget[]>
  /** Whether stored months hold the year to date. */
  keptIsCumulative: boolean
  /** The month in which most budget years start. */
  startMonth: number
}

/** The ledgers of an organisation with their mappings, in order of name. */
export async function listLedgers(tx: OrganisationTx, organisationId: OrganisationId): Promise<Ledger[]> {
  const rows = await tx.select().from(ledgers).where(eq(ledgers.organisationId, organisationId)).orderBy(ledgers.name)
  const texts = await tx.select().from(ledgerTextMappings).where(eq(ledgerTextMappings.organisationId, organisationId))
  return rows.map(({ organisationId: _own, saved: _saved, ...ledger }) => {
    const ownTexts = texts.filter((one) => one.ledgerId === ledger.id)
    const of = (kind: MappedKind): MappedText[] =>
      ownTexts.filter((one) => one.kind === kind).map((one) => ({ text: one.text, id: one[targetColumns[kind]] }))
    return {
      ...ledger,
      texts: { account: of('account'), costCentre: of('costCentre'), fund: of('fund'), tag: of('tag'), location: of('location') },
    }
  })
}

/** The column that stores which record a text of each kind is mapped to. */
export const targetColumns = {
  account: 'budgetCodeId',
  costCentre: 'costCentreId',
  fund: 'fundCodeId',
  tag: 'analysisTagId',
  location: 'locationId',
} as const satisfies Record<MappedKind, keyof typeof ledgerTextMappings.$inferSelect>

/** The records that the caller may see and that the texts of a file may be mapped to. */
export async function listMappingTargets({
  tx,
  organisationId,
  holder,
}: Call & LimitedCaller): Promise<Record<MappedKind, MappingTarget[]>> {
  const { locationIds } = holder
  const isSeen = (id: LocationId): boolean => !locationIds || locationIds.includes(id)
  /** Records of the organisation, except those that only schools hidden from the caller use. */
  const ownedRows = <R extends { organisationId?: unknown; locations?: LocationId[] }>(rows: readonly R[]): R[] =>
    rows.filter((row) => row.organisationId === organisationId && (!row.locations?.length || row.locations.some(isSeen)))
  const [codes, centres, funds, tags, schools] = [
    ownedRows(await readResourceRecords(tx, resources.budgetCode)),
    ownedRows(await readResourceRecords(tx, resources.costCentre)),
    ownedRows(await readResourceRecords(tx, resources.fundCode)),
    ownedRows(await readResourceRecords(tx, resources.analysisTag)),
    ownedRows(await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })),
  ]
  const coded = ({
    id,
    code,
    description,
    locations,
  }: {
    id: number
    code: string
    description: string
    locations: LocationId[]
  }): MappingTarget => ({
    id,
    codes: [code],
    name: description,
    type: null,
    locationIds: locations.filter(isSeen),
    isArchived: false,
  })
  return {
    account: codes.map((code) => ({ ...coded(code), type: code.type })),
    costCentre: centres.map(coded),
    fund: funds.map(coded),
    tag: tags.map(({ id, name }) => ({ id, codes: [], name, type: null, locationIds: [], isArchived: false })),
    location: schools
      .filter(({ id }) => isSeen(id))
      .map(({ id, name, budgetCodeFilter, alias, dfeNumber, referenceNumber, archive }) => ({
        id,
        codes: [budgetCodeFilter, alias, dfeNumber, referenceNumber].filter((code): code is string => Boolean(code)),
        name,
        type: null,
        locationIds: [],
        isArchived: Boolean(archive),
      })),
  }
}

/** Everything that a screen needs to parse and map a ledger file. */
export async function readLedgerOptions(call: Call & LimitedCaller): Promise<LedgerOptions> {
  const { tx } = call
  const targets = await listMappingTargets(call)
  const [common] = await tx
    .select({ startMonth: sql<number>`(${budgets.head} ->> 'startMonth')::integer` })
    .from(budgets)
    .where(eq(budgets.organisationId, call.organisationId))
    .groupBy(sql`1`)
    .orderBy(sql`count(*) desc, 1`)
    .limit(1)
  const all = await listLedgers(tx, call.organisationId)
  const seen = new Set(targets.location.map((location) => location.id))
  return {
    // Leave out mappings to locations that the caller may not see, because they reveal the locations' names.
    ledgers: all.map((ledger) => ({
      ...ledger,
      texts: { ...ledger.texts, location: ledger.texts.location.filter(({ id }) => id === null || seen.has(id)) },
    })),
    targets,
    keptIsCumulative: await readCumulativeSetting(tx, call.organisationId),
    startMonth: common?.startMonth ?? 9,
  }
}

/** Finds a ledger by name, ignoring case. */
export async function findLedger(tx: OrganisationTx, organisationId: OrganisationId, name: string): Promise<Ledger | undefined> {
  return (await listLedgers(tx, organisationId)).find((one) => one.name.toLowerCase() === name.toLowerCase())
}

/** The stored lines of a month at some locations, and the log version of each location's month; 0 if there is none. */
export async function readStoredMonth(
  { tx, organisationId }: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  { year, month }: CalendarMonth,
): Promise<Map<LocationId, { version: number; lines: ActualLine[] }>> {
  const standing = new Map<LocationId, { version: number; lines: ActualLine[] }>(locationIds.map((id) => [id, { version: 0, lines: [] }]))
  if (!locationIds.length) return standing
  const items = await tx
    .select({ locationId: monitoringItems.locationId, version: monitoringItems.version })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        inArray(monitoringItems.locationId, [...locationIds]),
        eq(monitoringItems.kind, 'month'),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
      ),
    )
  for (const { locationId, version } of items) assertDefined(standing.get(locationId)).version = version
  const rows = await tx
    .select({
      locationId: actualLines.locationId,
      type: actualLines.type,
      budgetCodeId: actualLines.budgetCodeId,
      costCentreId: actualLines.costCentreId,
      fundCodeId: actualLines.fundCodeId,
      analysisTagId: actualLines.analysisTagId,
      description: actualLines.description,
      value: actualLines.value,
    })
    .from(actualLines)
    .where(
      and(
        eq(actualLines.organisationId, organisationId),
        inArray(actualLines.locationId, [...locationIds]),
        eq(actualLines.year, year),
        eq(actualLines.month, month),
      ),
    )
    .orderBy(actualLines.version, actualLines.line)
  for (const { locationId, ...line } of rows) assertDefined(standing.get(locationId)).lines.push(line)
  return standing
}

/**
 * What was imported for a budget year before a month, by location (rules.md §17): the sum of the closed months, or the last closed month if
 * months hold the year to date.
 * @param starts the first month of each location's budget year, counted in months from year 0
 */
export async function readEarlierActuals(
  { tx, organisationId }: Call<'organisationId'>,
  starts: ReadonlyMap<LocationId, number>,
  { month, keptIsCumulative }: { month: CalendarMonth; keptIsCumulative: boolean },
): Promise<Map<LocationId, EarlierActual[]>> {
  const before = new Map<LocationId, EarlierActual[]>()
  if (!starts.size) return before
  const end = toMonthIndex(month)
  const wanted = JSON.stringify([...starts].map(([locationId, start]) => ({ locationId, start })))
  const rows = await tx.execute<EarlierActual & { locationId: LocationId } & Record<string, unknown>>(sql`
    with closed as (
      select item.location_id, item.year, item.month, row_number() over (partition by item.location_id order by item.year desc, item.month desc) as back
      from json_to_recordset(${wanted}::json) as wanted("locationId" integer, start integer)
      join monitoring_items item on item.organisation_id = ${organisationId} and item.location_id = wanted."locationId" and item.kind = 'month'
        and (item.item ->> 'isClosed')::boolean and item.year * 12 + item.month - 1 >= wanted.start and item.year * 12 + item.month - 1 < ${end}
    )
    select line.location_id as "locationId", line.budget_code_id as "budgetCodeId", line.cost_centre_id as "costCentreId",
      line.fund_code_id as "fundCodeId", line.analysis_tag_id as "analysisTagId", sum(line.value)::float8 as value
    from closed join actual_lines line on line.organisation_id = ${organisationId} and line.location_id = closed.location_id
      and line.year = closed.year and line.month = closed.month and line.type = ${actualType.actual}
    where ${keptIsCumulative ? sql`closed.back = 1` : sql`true`}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
  for (const { locationId, ...line } of rows) {
    const storedLines = before.get(locationId)
    if (storedLines) storedLines.push(line)
    else before.set(locationId, [line])
  }
  return before
}

/**
 * Later months of the same budget year with actuals at some of the locations. Their figures were derived from the
 * earlier lines.
 */
export async function readLaterActualMonths(
  { tx, organisationId }: Call<'organisationId'>,
  starts: ReadonlyMap<LocationId, number>,
  month: CalendarMonth,
): Promise<CalendarMonth[]> {
  if (!starts.size) return []
  const last = Math.max(...starts.values()) + 11
  const rows = await tx.execute<{ at: number }>(sql`
    select distinct (year * 12 + month - 1)::integer as at from monitoring_items
    where organisation_id = ${organisationId} and kind = 'month' and location_id = any(${buildIntegerArray([...starts.keys()])})
      and year * 12 + month - 1 > ${toMonthIndex(month)} and year * 12 + month - 1 <= ${last} order by 1`)
  return [...rows].map(({ at }) => fromMonthIndex(at))
}

/** The kinds in which a text is mapped to a record that the caller may not use. */
export function findForbiddenKinds(
  mapping: Record<MappedKind, readonly MappedText[]>,
  targets: Record<MappedKind, readonly MappingTarget[]>,
): MappedKind[] {
  return mappedKinds.filter((kind) => {
    const ids = new Set(targets[kind].map((one) => one.id))
    return mapping[kind].some(({ id }) => id !== null && !ids.has(id))
  })
}

/**
 * How a ledger's settings and mappings have changed, newest first. They mention locations, so it requires access to all of them.
 * @throws DomainError 403
 */
export async function readLedgerHistory(call: Call<'store'> & LimitedCaller, id: number): Promise<FileMappingHistoryLine[]> {
  refuseLimitedCaller(call.holder)
  const targets = await listMappingTargets(call)
  const names = new Map<string, string>(
    mappedKinds.flatMap((kind) =>
      targets[kind].map((one) => [`${kind} ${one.id}`, [...one.codes.slice(0, 1), one.name].join(' ').trim()] as const),
    ),
  )
  const nameOf = (kind: string, target: number | null): string =>
    target === null
      ? (isOneOf(mappedKinds, kind) && withoutWords[kind]) || 'nothing'
      : (names.get(`${kind} ${target}`) ?? 'a deleted record')
  const settings = (record: LedgerRecord | null): string[] =>
    record
      ? [
          record.isCumulative ? 'amounts are the year to date' : 'amounts are for the month only',
          record.sign === 'debit' ? 'income is negative' : 'income is positive',
          record.costCentreId === null
            ? 'rows without a cost centre have none'
            : `rows without a cost centre go to ${nameOf('costCentre', record.costCentreId)}`,
        ]
      : []
  return readFileMappingHistory<LedgerRecord>(call, { name: 'ledger', id }, (change) =>
    describeLearnedChanges(change, nameOf, { before: settings(change.before), after: settings(change.after) }),
  )
}

/** A ledger as its history stores it. */
type LedgerRecord = Pick<Ledger, 'columns' | 'isCumulative' | 'sign' | 'costCentreId'> & { texts: LearnedText<MappedKind>[] }

/** The labels to show for a text that is mapped to no record. */
const withoutWords: Record<MappedKind, string> = {
  account: 'nothing: left out on purpose',
  location: 'nothing: left out on purpose',
  costCentre: 'the usual cost centre',
  fund: 'no fund code',
  tag: 'no analysis tag',
}
