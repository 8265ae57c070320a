import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { findBudgetOfRecord, locateMonth } from '../../../domain/budget/budgetOfRecord.ts'
import type { ListRequest, Paged } from '../../../domain/lists/lists.ts'
import { actualType, budgetCodeCategory, budgetCodeType, importType, monitoringNoteType } from '../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { mergeCodesOfFewPeople } from '../../../domain/monitoring/codesOfFewPeople.ts'
import type { CodeId } from '../../../domain/monitoring/figures.ts'
import {
  type AdjustmentsAtClose,
  type CalendarMonth,
  defaultExplanationSettings,
  type ExplanationSettings,
  fromMonthIndex,
  type LineDocument,
  settingsKey,
  toMonthIndex,
} from '../../../domain/monitoring/monitoring.ts'
import { buildMonitoringRows, type MonitoredCode, type MonitoringScreen, type MonitoringTableRow } from '../../../domain/monitoring/rows.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { toPounds } from '../../../domain/values/format.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  organisationWideLocationId,
  type UserId,
} from '../../../domain/values/ids.ts'
import type { Pounds } from '../../../domain/values/units.ts'
import { invalid, notFound } from '../../../domain/words/errors.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups, budgets } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { readRecordsAsOf } from '../../resources/asOf.ts'
import { buildIntegerArray, type ListColumn } from '../../resources/listConditions.ts'
import { buildListQuery, buildLondonDayColumn, createTextSearch } from '../../resources/listPages.ts'
import { loadGroupOfBudget, selectGroups } from '../../streams/budget/groupMembers.ts'
import { loadMonitoringItems } from '../../streams/monitoring/items.ts'
import { readAltDescriptions, readAltDescriptionsAsOf } from '../altDescriptions/queries.ts'
import { readVisibleGroup } from '../budgetGroups/queries.ts'
import { buildVisibleActualLines, type FiguresReader, refuseCodeOfFewPeople } from '../fewPeople/queries.ts'
import {
  findMonitoredScope,
  listCodesOfYear,
  listShownBudgetIds,
  type MonitoredScope,
  type MonitoringFacts,
  readBroughtForward,
  readMonitoringFacts,
  toCodeFigures,
} from './facts/queries.ts'
import {
  findRequestedBudgets,
  type LimitedCaller,
  type LocatedBudgetHead,
  type MonitoringRequest,
  readBudgetHeads,
} from './requests/queries.ts'

export async function readExplanationSettings(tx: OrganisationTx, organisationId: OrganisationId): Promise<ExplanationSettings> {
  const found = (await loadMonitoringItems({ tx, organisationId, locationId: organisationWideLocationId }, [settingsKey])).items.get(
    settingsKey,
  )?.item
  if (found?.kind !== 'settings') return defaultExplanationSettings
  const { kind: _kind, ...settings } = found
  return settings
}

/**
 * The level whose notes and adjustments a request shows: the requested group, otherwise the budget's group, otherwise the organisation
 * (null); undefined if it shows none. Notes and adjustments of the whole organisation are hidden from callers limited to some locations.
 */
async function findRemarkLevel(
  call: Call & LimitedCaller,
  { budgetId, budgetGroupId }: MonitoringRequest,
): Promise<string | null | undefined> {
  const { tx } = call
  if (budgetGroupId) return (await readVisibleGroup(call, budgetGroupId)).id
  const group = budgetId ? await loadGroupOfBudget(tx, call.organisationId, budgetId) : undefined
  return group?.id ?? (call.holder.locationIds ? undefined : null)
}

/** The notes, decrypted, and the adjustments of a page, month and level, by code. */
async function readRemarks(
  { tx, organisationId }: Call<'organisationId'>,
  level: string | null | undefined,
  { month: { year, month }, type }: { month: CalendarMonth; type: number },
): Promise<{ notes: Map<number, { note: string; action: string | null }>; adjustments: Map<number, number> }> {
  const notes = new Map<number, { note: string; action: string | null }>()
  const adjustments = new Map<number, number>()
  if (level === undefined) return { notes, adjustments }
  const rows = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, organisationWideLocationId),
        inArray(monitoringItems.kind, ['note', 'adjustment']),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
        sql`group_id is not distinct from ${level}`,
      ),
    )
  const key = rows.length ? await ensureOrganisationKey(tx, organisationId) : null
  for (const { item } of rows) {
    if (item.kind === 'note' && item.type === type) {
      const action = item.sealedAction ? decryptText(assertDefined(key), item.sealedAction) : null
      notes.set(item.budgetCodeId, { note: decryptText(assertDefined(key), item.sealedNotes), action })
    }
    if (item.kind === 'adjustment' && item.type === type) adjustments.set(item.budgetCodeId, item.value)
  }
  return { notes, adjustments }
}

/** The part of a month's adjustments that is back pay from the payroll ledger, by budget code; whole pennies. */
export async function readAccruedBackPay(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { groupId, year, month, type }: CalendarMonth & { groupId: BudgetGroupId | null; type: number },
): Promise<Map<number, number>> {
  const rows = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, organisationWideLocationId),
        eq(monitoringItems.kind, 'adjustment'),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
      ),
    )
    .orderBy(monitoringItems.key)
  return new Map(
    rows.flatMap(({ item }) =>
      item.kind === 'adjustment' && item.groupId === groupId && item.type === type && item.backPay
        ? [[item.budgetCodeId, item.backPay] as const]
        : [],
    ),
  )
}

const adjustmentsOf = ({ adjustments }: AdjustmentsAtClose, type: number): Map<number, number> =>
  new Map(adjustments.flatMap((one) => (one.type === type ? [[one.budgetCodeId, one.value] as const] : [])))

const schemeFields = ['', 'cfrCodeId', 'gagCodeId', 'acoaCodeId', 'customCodeId'] as const
const categories = 5

/** A monitoring page, and how to find the codes that must not be shown separately to its reader. */
export interface MonitoringPage {
  screen: MonitoringScreen
  findHiddenCodes: (budgetIds: readonly BudgetId[]) => Promise<ReadonlySet<CodeId>>
}

/** The rows of a monitoring page, with its locations and months; whole pennies. */
export async function readMonitoringTable(
  call: Call & LimitedCaller,
  request: MonitoringRequest,
  { screen, findHiddenCodes }: MonitoringPage,
): Promise<MonitoredScope & { rows: MonitoringTableRow[] }> {
  const { tx } = call
  const facts = await readMonitoringFacts(call, request, { way: 'together' })
  const [only] = new Set(facts.locations.map((location) => location.locationId)).size === 1 ? facts.locations : []
  const level = await findRemarkLevel(call, request)
  const type = screen === 'actuals' ? monitoringNoteType.versusActuals : monitoringNoteType.versusForecast
  const remarks = await readRemarks(call, level, { month: request, type })
  const { notes } = remarks
  // A closed location keeps the adjustments with which it closed, even if its group's adjustments change later.
  const adjustedAtClose = only && (await readClosedLocations(call, [only.locationId], request)).get(only.locationId)
  const adjustments = adjustedAtClose && adjustedAtClose.groupId === level ? adjustmentsOf(adjustedAtClose, type) : remarks.adjustments
  const codes = await readCodesInRows(tx, facts, { also: [...adjustments.keys(), ...notes.keys()], scheme: request.scheme ?? 0 })
  const settings = await readExplanationSettings(tx, call.organisationId)
  const brought = await readBroughtForward(tx, call.organisationId, facts.budgets)
  const few = await findHiddenCodes(listShownBudgetIds(facts, request))
  const all = codes.map((code): MonitoredCode => {
    const { codeId } = code
    const remark = codeId === null ? undefined : notes.get(codeId)
    return {
      ...code,
      figures: toCodeFigures(facts, codeId),
      adjustment: codeId === null ? 0 : (adjustments.get(codeId) ?? 0),
      note: remark?.note ?? null,
      action: remark?.action ?? null,
    }
  })
  const rows = buildMonitoringRows(mergeCodesOfFewPeople(all, few), {
    versus: screen,
    broughtForward: sum([...brought.values()]),
    settings,
    byScheme: Boolean(request.scheme),
  })
  return { ...facts, rows }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A code with its name and position in the rows, without figures. */
type NamedCode = Omit<MonitoredCode, 'figures' | 'adjustment' | 'note' | 'action'>

/**
 * The codes in the rows, with the location's descriptions if there is only one location.
 * @param also codes without figures that are shown too
 * @param scheme how codes are grouped, as in `MonitoringRequest`
 * @param past the moment at which to read names and settings, from the change log; now if omitted
 */
export async function readCodesInRows(
  tx: OrganisationTx,
  facts: MonitoringFacts,
  { also, scheme, past }: { also: readonly CodeId[]; scheme: number; past?: { organisationId: OrganisationId; until: string } },
): Promise<NamedCode[]> {
  const { budgetCode, financialReportingCode } = resources
  const used = new Set<CodeId>([...facts.years.flatMap(listCodesOfYear), ...also])
  const [only] = new Set(facts.locations.map((location) => location.locationId)).size === 1 ? facts.locations : []
  const wordsAt = (locationId: LocationId): Promise<Map<number, string>> =>
    past ? readAltDescriptionsAsOf({ tx, locationId }, budgetCode, past.until) : readAltDescriptions(tx, budgetCode, locationId)
  const words = only ? await wordsAt(only.locationId) : new Map<number, string>()
  const codes = past
    ? await readRecordsAsOf({ tx, organisationId: past.organisationId }, budgetCode, past.until)
    : await readResourceRecords(tx, budgetCode)
  const records = new Map(codes.map((record) => [record.id, record]))
  const schemeCodes =
    !scheme || scheme === categories
      ? []
      : past
        ? await readRecordsAsOf({ tx, organisationId: past.organisationId }, financialReportingCode, past.until)
        : await readResourceRecords(tx, financialReportingCode)
  const reporting = new Map(schemeCodes.map((record) => [record.id, record]))
  return [...used].flatMap((codeId): NamedCode[] => {
    const record = codeId === null ? undefined : records.get(codeId)
    // Balance codes carry money between years and are not income or expenditure.
    if (record?.category === budgetCodeCategory.balance) return []
    const name = schemeFields[scheme]
    const under = name && record?.[name] != null ? reporting.get(record[name]) : undefined
    const category = lookups.budgetCodeCategories.find((one) => one.id === record?.category)
    return [
      {
        codeId,
        code: record?.code ?? null,
        description: codeId === null ? 'Apprenticeship levy' : (words.get(codeId) ?? record?.altDescription ?? record?.description ?? ''),
        isIncome: record?.type === budgetCodeType.income,
        isStaff: facts.staffCodes.has(codeId) || record?.category === budgetCodeCategory.staffing,
        scheme:
          scheme === categories
            ? category
              ? { code: String(category.id), description: category.name }
              : null
            : under
              ? { code: under.code, description: under.description }
              : null,
        missing: facts.missing.get(codeId) ?? 0,
      },
    ]
  })
}

/**
 * Checks that some budget codes belong to the organisation.
 * @throws DomainError 404
 */
export async function checkBudgetCodes(tx: OrganisationTx, organisationId: OrganisationId, ids: readonly number[]): Promise<void> {
  const records = await readResourceRecords(tx, resources.budgetCode, { column: 'id', ids })
  const ownRecordIds = new Set(records.filter((record) => record.organisationId === organisationId).map((record) => record.id))
  if (!ids.every((id) => ownRecordIds.has(id))) throw notFound('Budget code')
}

/**
 * The lines that add up to the actual to date of a code, or its commitments (behaviour B-233).
 * @param hasWords whether the caller may read ledger texts, which can name people
 */
export async function readLinesOfFigure(
  call: Call<'store'> & LimitedCaller & FiguresReader,
  request: MonitoringRequest,
  { codeId, type, hasWords }: { codeId: number; type: number; hasWords: boolean },
) {
  const { tx, store } = call
  const { locations, budgets: monitoredBudgets, cumulative } = await findMonitoredScope(call, request)
  const shownBudgetIds = listShownBudgetIds({ budgets: monitoredBudgets }, request)
  await refuseCodeOfFewPeople(call, shownBudgetIds, codeId)
  const actualLinesTold = hasWords ? sql`actual_lines` : await buildVisibleActualLines(call, shownBudgetIds)
  const wanted = locations.flatMap(({ locationId, closed, period, start }) => {
    const counted = closed.flatMap((isClosed, at) => (isClosed && at < period ? [at] : []))
    const periods = type === actualType.commitment ? [period - 1] : cumulative ? counted.slice(-1) : counted
    return periods.map((at) => ({ locationId, ...fromMonthIndex(start + at) }))
  })
  const rows = wanted.length
    ? await tx.execute<{
        locationId: LocationId
        year: number
        month: number
        version: number
        line: number
        description: string | null
        costCentre: string | null
        fundCode: string | null
        value: number
      }>(sql`
        select line.location_id as "locationId", line.year, line.month, line.version, line.line, line.description, centre.code as "costCentre",
          fund.code as "fundCode", value::float8 as value
        from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted("locationId" integer, year smallint, month smallint)
        join ${actualLinesTold} line on line.organisation_id = ${call.organisationId} and line.location_id = wanted."locationId"
          and line.year = wanted.year and line.month = wanted.month and line.type = ${type} and line.budget_code_id = ${codeId}
        left join cost_centres centre on centre.id = line.cost_centre_id left join fund_codes fund on fund.id = line.fund_code_id
        order by line.year, line.month, line.location_id, line.version, line.line`)
    : []
  const total = [...rows].reduce((sum, row) => sum + row.value, 0)
  const documents = hasWords ? await readLineDocuments(call, rows, { codeId, type }) : new Map<string, LineDocument>()
  return {
    total: toPounds(total),
    imports: await readLineImports({ ...call, store }, rows),
    lines: [...rows].map(({ value, description, costCentre, line, ...row }) => ({
      ...row,
      ...(documents.get(`${row.locationId} ${row.version} ${line}`) ?? { date: null, reference: null, supplier: null }),
      description: hasWords ? (description ?? '') : '',
      costCentre: costCentre ?? '',
      value: toPounds(value),
      type,
    })),
  }
}

/**
 * The documents of a code's lines, by location, version and position in the import. They come from the log, if the file
 * had them.
 */
async function readLineDocuments(
  { tx, organisationId }: Call<'organisationId'>,
  lines: Iterable<{ locationId: LocationId; version: number }>,
  { codeId, type }: { codeId: number; type: number },
): Promise<Map<string, LineDocument>> {
  const wanted = [...new Map([...lines].map(({ locationId, version }) => [`${locationId} ${version}`, { locationId, version }])).values()]
  if (!wanted.length) return new Map()
  const rows = await tx.execute<{ locationId: LocationId; version: number; line: number; document: LineDocument }>(sql`
    select event.location_id as "locationId", event.version, one.line::integer as line, one.value -> 'document' as document
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted("locationId" integer, version integer)
    join monitoring_events event on event.organisation_id = ${organisationId} and event.location_id = wanted."locationId"
      and event.version = wanted.version and event.type = 'ActualsImported'
    cross join lateral jsonb_array_elements(event.data -> 'lines') with ordinality as one(value, line)
    where one.value -> 'document' is not null and (one.value ->> 'budgetCodeId')::integer = ${codeId} and (one.value ->> 'type')::integer = ${type}`)
  return new Map([...rows].map(({ locationId, version, line, document }) => [`${locationId} ${version} ${line}`, document]))
}

/** The import in which lines were stored: who imported it, when, and its size. */
export interface ImportOfLines extends CalendarMonth {
  locationId: LocationId
  version: number
  at: string
  by: string
  /** Whether the import was added to existing lines; otherwise it replaced them. */
  isAdded: boolean
  /** The number of the import's lines at that location. */
  lines: number
}

/** The imports in which some lines were stored, by location and log version. */
async function readLineImports(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  lines: Iterable<{ locationId: LocationId; version: number }>,
): Promise<ImportOfLines[]> {
  const wanted = [...new Map([...lines].map(({ locationId, version }) => [`${locationId} ${version}`, { locationId, version }])).values()]
  if (!wanted.length) return []
  const rows = await tx.execute<Omit<ImportOfLines, 'by' | 'isAdded'> & { actorId: UserId | null; mode: number }>(sql`
    select event.location_id as "locationId", event.version, event.actor_id as "actorId", (event.data ->> 'year')::integer as year,
      (event.data ->> 'month')::integer as month, (event.data ->> 'mode')::integer as mode, jsonb_array_length(event.data -> 'lines') as lines,
      to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted("locationId" integer, version integer)
    join monitoring_events event on event.organisation_id = ${organisationId} and event.location_id = wanted."locationId"
      and event.version = wanted.version and event.type = 'ActualsImported'
    order by event.occurred_at, event.location_id, event.version`)
  const names = await readUserNames(
    store,
    [...rows].map((row) => row.actorId),
  )
  return [...rows].map(({ actorId, mode, ...row }) => ({
    ...row,
    by: nameActor(names, actorId),
    isAdded: mode === importType.add,
  }))
}

const listed: Record<string, ListColumn> = {
  id: { value: sql`c.id`, kind: 'number' },
  version: { value: sql`c.version`, kind: 'number' },
  type: { value: sql`c.type`, kind: 'number' },
  budgetCodeFilter: { value: sql`place.budget_code_filter`, kind: 'text' },
  value: { value: sql`c.value`, kind: 'pennies' },
  budgetCode: { value: sql`c.budget_code_id`, kind: 'number', sortedBy: { value: sql`code.code`, kind: 'text' } },
  costCentre: { value: sql`c.cost_centre_id`, kind: 'number' },
  description: { value: sql`c.description`, kind: 'text' },
  fundCode: { value: sql`c.fund_code_id`, kind: 'number' },
  analysisTag: { value: sql`c.analysis_tag_id`, kind: 'number' },
  locationId: { value: sql`c.location_id`, kind: 'number', sortedBy: { value: sql`place.name`, kind: 'text' } },
  created: buildLondonDayColumn(sql`c.created`),
}

/** An actual or commitment as a list shows it (entities.json ActualCommitment); pounds. */
export interface ListedActual {
  id: number
  version: number
  type: number
  budgetCodeFilter: string | null
  value: Pounds
  budgetCode: number
  costCentre: number
  description: string | null
  fundCode: number | null
  analysisTag: number | null
  year: number
  month: number
  locationId: LocationId
  created: string
}

/**
 * One page of the lines of a month at the locations that the caller may see.
 * @throws DomainError 400 for a filter that the list does not have
 */
export async function listActuals(
  { tx, organisationId, holder }: Call & LimitedCaller,
  { year, month }: CalendarMonth,
  request: ListRequest,
): Promise<Paged<ListedActual>> {
  const list = {
    from: sql`actual_lines c left join locations place on place.id = c.location_id left join budget_codes code on code.id = c.budget_code_id`,
    where: sql`c.organisation_id = ${organisationId} and c.year = ${year} and c.month = ${month} ${
      holder.locationIds ? sql`and c.location_id = any(${buildIntegerArray(holder.locationIds)})` : sql``
    }`,
    id: sql`c.id`,
    columns: listed,
    search: createTextSearch([sql`c.description`, sql`place.budget_code_filter`, sql`code.code`]),
    defaultSort: 'budgetCode',
    ties: sql`c.id`,
  }
  const { where, order } = buildListQuery(list, request)
  const from = sql`from ${list.from} where ${where}`
  const rows = await tx.execute<ListedActual & Record<string, unknown>>(sql`
    select c.id::float8 as id, c.version, c.type, place.budget_code_filter as "budgetCodeFilter", (c.value / 100.0)::float8 as value,
      c.budget_code_id as "budgetCode", c.cost_centre_id as "costCentre", c.description, c.fund_code_id as "fundCode",
      c.analysis_tag_id as "analysisTag", c.year, c.month, c.location_id as "locationId",
      to_char(c.created at time zone 'Europe/London', 'YYYY-MM-DD') as created
    ${from} order by ${order}
    limit ${request.pageSize} offset ${(request.pageNumber - 1) * request.pageSize}`)
  const counted = requireSingleRow(await tx.execute<{ total: number }>(sql`select count(*)::integer as total ${from}`))
  return { rows: [...rows], total: counted.total }
}

/** The locations that have data in a month and that the caller may see. */
export async function listLocationsWithDataInMonth(
  { tx, organisationId, holder }: Call & LimitedCaller,
  { year, month }: CalendarMonth,
): Promise<LocationId[]> {
  const rows = await tx
    .select({ locationId: monitoringItems.locationId })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.kind, 'month'),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
        holder.locationIds ? inArray(monitoringItems.locationId, holder.locationIds) : undefined,
      ),
    )
  return rows.map((row) => row.locationId).sort((a, b) => a - b)
}

/** How many lines some locations have in a month. */
export function countActualLines(
  { tx, organisationId }: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  { year, month }: CalendarMonth,
): Promise<number> {
  return tx.$count(
    actualLines,
    and(
      eq(actualLines.organisationId, organisationId),
      inArray(actualLines.locationId, [...locationIds]),
      eq(actualLines.year, year),
      eq(actualLines.month, month),
    ),
  )
}

/**
 * The index of the budget year that starts in a calendar year.
 * @throws DomainError 400
 */
export function findYearIndex({ firstYear, numberOfYears }: BudgetHead, year: number): number {
  const index = year - firstYear
  if (index < 0 || index >= numberOfYears)
    throw invalid([{ field: 'year', message: `${formatBudgetYear(year, 0)} is not a year of this budget. Choose one of its years.` }])
  return index
}

/**
 * The locations that a level's notes and adjustments cover: those of its budgets, or those with a budget of record in
 * the month.
 */
export async function listLocationsOfLevel(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { groupId, ...month }: CalendarMonth & { groupId: BudgetGroupId | null },
): Promise<{ id: LocationId; name: string }[]> {
  const everybody: LimitedCaller = { organisationId, holder: { locationIds: null } }
  const members = groupId ? ((await selectGroups(tx, organisationId, eq(budgetGroups.id, groupId)))[0]?.budgetIds ?? []) : null
  const heads = members
    ? await readBudgetHeads({ ...everybody, tx }, members.length ? inArray(budgets.id, members) : sql`false`)
    : (await findRequestedBudgets({ ...everybody, tx }, month)).requested
  const ids = new Set(heads.map((one) => one.locationId))
  return (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] }))
    .filter((location) => ids.has(location.id))
    .map(({ id, name }) => ({ id, name }))
}

/**
 * The locations, among some, that have closed a month, each with the adjustments stored when it closed; null if it closed before
 * adjustments were stored.
 */
export async function readClosedLocations(
  { tx, organisationId }: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  { year, month }: CalendarMonth,
): Promise<Map<LocationId, AdjustmentsAtClose | null>> {
  const rows = await tx
    .select({ locationId: monitoringItems.locationId, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        inArray(monitoringItems.locationId, [...locationIds]),
        eq(monitoringItems.kind, 'monthEnd'),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
      ),
    )
  return new Map(
    rows.flatMap(({ locationId, item }) =>
      item.kind === 'monthEnd' && item.closed ? [[locationId, item.closed.adjusted ?? null] as const] : [],
    ),
  )
}

/** The months that a location has closed between two months, both counted as `toMonthIndex` does. */
export async function readClosedMonths(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  from: number,
  to: number,
): Promise<CalendarMonth[]> {
  const rows = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, locationId),
        eq(monitoringItems.kind, 'monthEnd'),
        sql`year * 12 + month - 1 between ${from} and ${to}`,
      ),
    )
  return rows.flatMap(({ item }) => (item.kind === 'monthEnd' && item.closed ? [{ year: item.year, month: item.month }] : []))
}

/** The start month of the location's budget year that starts in a calendar year; September if there is no such budget. */
export async function findStartMonth(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  year: number,
): Promise<number> {
  const heads = await readBudgetHeads({ tx, organisationId, holder: { locationIds: [locationId] } }, undefined)
  const headOfYear = heads.map((one) => one.head).find((head) => year >= head.firstYear && year < head.firstYear + head.numberOfYears)
  return headOfYear?.startMonth ?? 9
}

/** The locations with a budget that covers a month, by id. */
export async function readLocationsWithBudget(call: Call & LimitedCaller, month: CalendarMonth): Promise<Set<LocationId>> {
  const heads = await readBudgetHeads(call, undefined)
  return new Set(heads.flatMap(({ head, locationId }) => (locateMonth(head, month) ? [locationId] : [])))
}

/**
 * The start, in months since year 0, of the budget year that contains a month, for each location that has one: from its budget of record,
 * otherwise from any budget with that month.
 */
export async function findYearStarts(call: Call & LimitedCaller, month: CalendarMonth): Promise<Map<LocationId, number>> {
  const headsByLocation = new Map<LocationId, (LocatedBudgetHead & { start: number })[]>()
  for (const head of await readBudgetHeads(call, undefined)) {
    const monthPosition = locateMonth(head.head, month)
    if (!monthPosition) continue
    const start = toMonthIndex({ year: head.head.firstYear + monthPosition.yearIndex, month: head.head.startMonth })
    headsByLocation.set(head.locationId, [...(headsByLocation.get(head.locationId) ?? []), { ...head, start }])
  }
  return new Map(
    [...headsByLocation].map(([locationId, heads]) => [locationId, (findBudgetOfRecord(heads) ?? assertDefined(heads[0])).start]),
  )
}

/** Where and when a file with this digest was imported; undefined if it was not. */
export async function findImportOfFile(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  digest: string,
): Promise<(CalendarMonth & { at: string }) | undefined> {
  const [found] = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.kind, 'month'),
        sql`${monitoringItems.item} -> 'imports' @> ${JSON.stringify([{ digest }])}::jsonb`,
      ),
    )
    .limit(1)
  if (found?.item.kind !== 'month') return undefined
  const { year, month, imports } = found.item
  return { year, month, at: assertDefined(imports.find((one) => one.digest === digest)).at }
}

/** The months between two months that have data, for each location that the caller may see. */
export async function readImportedMonths({ tx, organisationId, holder }: Call & LimitedCaller, from: CalendarMonth, to: CalendarMonth) {
  const rows = await tx
    .select({ locationId: monitoringItems.locationId, version: monitoringItems.version, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        inArray(monitoringItems.kind, ['month', 'monthEnd']),
        sql`year * 12 + month - 1 between ${toMonthIndex(from)} and ${toMonthIndex(to)}`,
        holder.locationIds ? inArray(monitoringItems.locationId, holder.locationIds) : undefined,
      ),
    )
  const counted = await tx.execute<{ locationId: LocationId; year: number; month: number; lines: number }>(sql`
    select location_id as "locationId", year, month, count(*)::integer as lines from actual_lines
    where organisation_id = ${organisationId} and year * 12 + month - 1 between ${toMonthIndex(from)} and ${toMonthIndex(to)} group by 1, 2, 3`)
  const lines = new Map([...counted].map((row) => [`${row.locationId} ${toMonthIndex(row)}`, row.lines]))
  const ended = new Set(
    rows.flatMap(({ locationId, item }) => (item.kind === 'monthEnd' && item.closed ? [`${locationId} ${toMonthIndex(item)}`] : [])),
  )
  return rows
    .flatMap(({ locationId, version, item }) =>
      item.kind === 'month'
        ? [
            {
              locationId,
              year: item.year,
              month: item.month,
              isClosed: item.isClosed,
              isEnded: ended.has(`${locationId} ${toMonthIndex(item)}`),
              lines: lines.get(`${locationId} ${toMonthIndex(item)}`) ?? 0,
              importedAt: item.imports.at(-1)?.at ?? '',
              version,
            },
          ]
        : [],
    )
    .sort((a, b) => a.locationId - b.locationId || toMonthIndex(a) - toMonthIndex(b))
}

/** The forecast methods of codes in the budget year that starts in a calendar year, with values in pounds. */
export async function listForecastMethods(
  { tx, organisationId, holder }: Call & LimitedCaller,
  year: number,
  chosen: readonly LocationId[] | null,
) {
  const rows = await tx
    .select({ locationId: monitoringItems.locationId, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.kind, 'forecast'),
        eq(monitoringItems.year, year),
        holder.locationIds ? inArray(monitoringItems.locationId, holder.locationIds) : undefined,
        chosen ? inArray(monitoringItems.locationId, [...chosen]) : undefined,
      ),
    )
  return rows.flatMap(({ locationId, item }) =>
    item.kind === 'forecast'
      ? [{ locationId, budgetCodeId: item.budgetCodeId, method: item.method, values: item.values?.map(toPounds) ?? null }]
      : [],
  )
}
