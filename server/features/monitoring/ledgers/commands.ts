import { and, eq, sql } from 'drizzle-orm'
import { normaliseHeading } from '../../../../domain/files/headings.ts'
import {
  applyColumnChanges,
  createColumnChoiceError,
  findChangedTexts,
  type LearnedText,
  type LearnedTextChanges,
  listEarlierMappings,
} from '../../../../domain/files/learned.ts'
import { toStoredLeftOutRows } from '../../../../domain/files/leftOut.ts'
import { sumFileMoney } from '../../../../domain/files/proof.ts'
import { createRefusedImportError } from '../../../../domain/files/refusals.ts'
import { type CellProblem, normaliseMappingText } from '../../../../domain/files/texts.ts'
import { importType } from '../../../../domain/lookups/lookupIds.ts'
import { importActuals } from '../../../../domain/monitoring/decide.ts'
import { type ColumnMeaning, detectLedgerLayout } from '../../../../domain/monitoring/ledger/columns.ts'
import {
  isLedgerProved,
  type LedgerProof,
  type MappedKind,
  type MappedLedger,
  mapLedger,
  mappedKinds,
} from '../../../../domain/monitoring/ledger/mapping.ts'
import { buildLinesToStore, compareMonthLines, type LineChange } from '../../../../domain/monitoring/ledger/month.ts'
import { findMonthProblems } from '../../../../domain/monitoring/ledger/rows.ts'
import { type ActualLine, buildMonthKey, type CalendarMonth, formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { abbreviateNameList, createMonthClosedError } from '../../../../domain/monitoring/monthEnd.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { displayCount, displayMoney } from '../../../../domain/values/format.ts'
import { type LocationId, toLocationId } from '../../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../../domain/words/errors.ts'
import { ledgers, ledgerTextMappings } from '../../../../drizzle/ledgerTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { refuseLimitedCaller } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { ImportProgressReporter } from '../../../resources/import/commands.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { type MonitoringEditor, readCodesByLocation, refuseImportedFile } from '../../../shared/monitoring/commands.ts'
import { readCumulativeSetting } from '../../../shared/monitoring/facts/queries.ts'
import { findImportOfFile, findYearStarts, readClosedLocations } from '../../../shared/monitoring/queries.ts'
import { lockReferencedCodes } from '../../../streams/monitoring/references.ts'
import { changeMonitoring } from '../../../streams/monitoring/stream.ts'
import type { ParsedLedger, SentLedger } from './file.ts'
import {
  findForbiddenKinds,
  findLedger,
  type Ledger,
  listLedgers,
  listMappingTargets,
  type MappingTarget,
  readEarlierActuals,
  readLaterActualMonths,
  readStoredMonth,
  targetColumns,
} from './queries.ts'

/** Maximum number of changes listed, largest first; the rest are only counted and summed. */
const mostChanges = 1000

/** A parsed and checked file, with the stored lines that it would replace and the new lines. */
interface PreparedImport {
  mapped: MappedLedger
  /** The lines to store, by location, with an entry for each location in the file. */
  linesToStore: Map<LocationId, ActualLine[]>
  standing: Map<LocationId, { version: number; lines: ActualLine[] }>
  starts: Map<LocationId, number>
  keptIsCumulative: boolean
}

const headings: Record<MappedKind, { meaning: ColumnMeaning; missing: string }> = {
  account: { meaning: 'account', missing: 'This is not mapped to a budget code. Map it, or leave it out on purpose.' },
  costCentre: {
    meaning: 'costCentre',
    missing: 'This is not mapped to a cost centre. Map it, or choose a cost centre for rows without one.',
  },
  fund: { meaning: 'fund', missing: 'This is not mapped to a fund code. Map it, or choose no fund code for these rows.' },
  tag: { meaning: 'tag', missing: 'This is not mapped to an analysis tag. Map it, or choose no tag for these rows.' },
  location: { meaning: 'location', missing: 'This is not mapped to a location. Map it, or leave it out on purpose.' },
}

/**
 * Parses a file, maps it to the organisation's records and checks its totals.
 * @throws DomainError with row, column, value and message for each invalid cell; 409 if the totals differ
 */
async function prepareImport(call: Call & MonitoringEditor, sent: SentLedger, file: ParsedLedger): Promise<PreparedImport> {
  const { tx, organisationId } = call
  const { table, read, mapping } = file
  const targets = await listMappingTargets(call)
  const [strange] = findForbiddenKinds(sent.mapping, targets)
  const isCentre = sent.costCentreId === null || targets.costCentre.some((one) => one.id === sent.costCentreId)
  const isPlace = sent.locationId === null || targets.location.some((one) => one.id === sent.locationId)
  if (strange || !isCentre || !isPlace) throw notFound(strange ? thingOf[strange] : isCentre ? 'Location' : 'Cost centre')
  const types = new Map(targets.account.map((code) => [code.id, code.type ?? undefined]))
  const mapped = mapLedger(read.rows, {
    layout: file.layout,
    sign: sent.sign,
    mapping,
    locationId: sent.locationId,
    costCentreId: sent.costCentreId,
    typeOf: (id) => types.get(id),
  })
  const month = { year: sent.year, month: sent.month }
  const all = await findYearStarts(call, month)
  const starts = new Map(mapped.locationIds.flatMap((id) => (all.has(id) ? [[id, assertDefined(all.get(id))] as const] : [])))
  const yearStart = Math.min(...(starts.size ? starts : all).values())
  const wanted = {
    ...month,
    isCumulative: sent.isCumulative,
    yearStart,
    startMonth: Number.isFinite(yearStart) ? (yearStart % 12) + 1 : 9,
    isMeant: sent.monthIsMeant,
  }
  const errors: CellProblem[] = [
    ...read.problems,
    ...(sent.isCumulative
      ? read.leftOut.map(({ row }) => ({
          row,
          column: null,
          value: null,
          message:
            'A row of a year-to-date file cannot be left out, because that would remove the earlier months of its code. Correct the row.',
        }))
      : []),
    ...findMonthProblems(read.rows, table, wanted),
    ...mapped.unmapped.map(({ row, kind }) => ({
      row: row.row,
      column: getHeading(file, headings[kind].meaning),
      value: row[kind] || null,
      message: row[kind] || kind === 'account' ? headings[kind].missing : blank[kind],
    })),
    ...(await findMisplacedLines(tx, file, { mapped, targets, withYear: new Set(all.keys()), month })),
  ]
  if (errors.length) throw createRefusedImportError(errors, read.rows.length)
  checkTotals(mapped.proof, sent.total, file)
  const ended = await readClosedLocations({ tx, organisationId }, mapped.locationIds, month)
  if (ended.size) {
    const names = targets.location.filter((location) => ended.has(toLocationId(location.id))).map((location) => location.name)
    throw createMonthClosedError(month, abbreviateNameList(names))
  }
  const keptIsCumulative = await readCumulativeSetting(tx, organisationId)
  const before =
    sent.isCumulative === keptIsCumulative
      ? new Map()
      : await readEarlierActuals({ tx, organisationId }, starts, { month, keptIsCumulative })
  const lines = new Map<LocationId, MappedLedger['lines']>(mapped.locationIds.map((id) => [id, []]))
  for (const line of mapped.lines) assertDefined(lines.get(line.locationId)).push(line)
  const keeping = { ...month, fileIsCumulative: sent.isCumulative, storedIsCumulative: keptIsCumulative }
  const linesToStore = new Map(
    [...lines].map(([id, locationLines]) => [id, buildLinesToStore(locationLines, { ...keeping, before: before.get(id) ?? [] })]),
  )
  return {
    mapped,
    linesToStore,
    standing: await readStoredMonth({ tx, organisationId }, mapped.locationIds, month),
    starts,
    keptIsCumulative,
  }
}

const thingOf: Record<MappedKind, string> = {
  account: 'Budget code',
  costCentre: 'Cost centre',
  fund: 'Fund code',
  tag: 'Analysis tag',
  location: 'Location',
}

/** The messages for rows without a required value. */
const blank: Record<MappedKind, string> = {
  account: headings.account.missing,
  costCentre: 'This row has no cost centre. Choose one for rows without a cost centre.',
  location: 'This row has no location. Choose the location that the file is for.',
  fund: headings.fund.missing,
  tag: headings.tag.missing,
}

function getHeading({ table }: ParsedLedger, meaning: ColumnMeaning): string | null {
  return table.headings[table.columns.indexOf(meaning)] || null
}

/** Problems of lines at locations without a budget for the month, and of codes that are not used at their line's location. */
async function findMisplacedLines(
  tx: OrganisationTx,
  file: ParsedLedger,
  {
    mapped: { lines },
    targets,
    withYear,
    month,
  }: {
    mapped: MappedLedger
    targets: Record<MappedKind, readonly MappingTarget[]>
    withYear: ReadonlySet<LocationId>
    month: CalendarMonth
  },
): Promise<CellProblem[]> {
  const names = new Map(targets.location.map((location) => [location.id, location.name]))
  const offered = await readCodesByLocation(tx)
  const errors: CellProblem[] = []
  const text = (row: number, meaning: ColumnMeaning): string | null =>
    file.cells[row - 1]?.[file.table.columns.indexOf(meaning)]?.trim() || null
  // Report each problem once, at the first row that has it.
  const described = new Set<string>()
  const say = (key: string, { row, meaning, message }: { row: number; meaning: ColumnMeaning; message: string }): void => {
    if (described.has(key)) return
    described.add(key)
    errors.push({ row, column: getHeading(file, meaning), value: text(row, meaning), message })
  }
  for (const { row, locationId, budgetCodeId, costCentreId, fundCodeId } of lines) {
    const locationName = assertDefined(names.get(locationId))
    if (!withYear.has(locationId))
      say(`year ${locationId}`, {
        row,
        meaning: 'location',
        message: `${formatMonth(month)} is not covered by any budget for ${locationName}. Add a budget for that year, or choose another month.`,
      })
    for (const [meaning, name, id] of [
      ['account', 'budgetCode', budgetCodeId],
      ['costCentre', 'costCentre', costCentreId],
      ['fund', 'fundCode', fundCodeId],
    ] as const) {
      const at = id ? offered.get(`${name} ${id}`) : undefined
      if (at && !at.includes(locationId))
        say(`${name} ${id} ${locationId}`, { row, meaning, message: `This code is not used at ${locationName}. Choose one that is.` })
    }
  }
  return errors
}

/**
 * @throws DomainError 409 if a file's totals differ from those that the screen calculated, or if part of it is neither imported nor
 * deliberately left out
 */
function checkTotals(proof: LedgerProof, total: SentLedger['total'], { cells, read }: ParsedLedger): void {
  if (proof.file.amount !== total.amount || proof.file.commitment !== total.commitment)
    throw conflict(
      'totalsDiffer',
      `The file has actuals of ${displayMoney(proof.file.amount)} and commitments of ${displayMoney(proof.file.commitment)}, but ${displayMoney(total.amount)} and ${displayMoney(total.commitment)} were confirmed. Choose the file again.`,
      { proof },
    )
  // As a second check, sum the cells independently of the rows that were parsed from them.
  if (!isLedgerProved(proof) || sumFileMoney(cells, read.table).read !== proof.file.amount + proof.file.commitment)
    throw conflict('totalsDiffer', 'The imported and left-out amounts do not add up to the file total. Nothing was imported.', {
      proof,
    })
}

/** A changed line with its location; whole pennies. */
export interface LocatedLineChange extends LineChange {
  locationId: LocationId
}

interface LineCounts {
  lines: number
  value: number
}

export interface LedgerComparison {
  proof: LedgerProof
  /** How many lines the month would have. */
  kept: number
  added: LineCounts
  gone: LineCounts
  changed: LineCounts
  same: LineCounts
  changes: LocatedLineChange[]
  /** The month into which the same file was imported before, if any. */
  alreadyIn: (CalendarMonth & { at: string }) | null
  /** The version of each location's month; the import replaces exactly these. */
  versions: { locationId: LocationId; version: number }[]
  /** Later months of the year whose figures were derived from the current lines. */
  later: CalendarMonth[]
}

/** What an import of a file would change, line by line. Nothing is saved. */
export async function compareLedger(call: Call & MonitoringEditor, sent: SentLedger, file: ParsedLedger): Promise<LedgerComparison> {
  const { tx } = call
  const { mapped, linesToStore, standing, starts, keptIsCumulative } = await prepareImport(call, sent, file)
  const comparison: LedgerComparison = {
    proof: mapped.proof,
    kept: [...linesToStore.values()].reduce((sum, lines) => sum + lines.length, 0),
    added: { lines: 0, value: 0 },
    gone: { lines: 0, value: 0 },
    changed: { lines: 0, value: 0 },
    same: { lines: 0, value: 0 },
    changes: [],
    alreadyIn: (await findImportOfFile(tx, call.organisationId, file.digest)) ?? null,
    versions: [...standing].map(([locationId, { version }]) => ({ locationId, version })),
    later: sent.isCumulative === keptIsCumulative ? [] : await readLaterActualMonths(call, starts, sent),
  }
  const changes: LocatedLineChange[] = []
  for (const [locationId, lines] of linesToStore) {
    const before = sent.type === importType.add ? [] : assertDefined(standing.get(locationId)).lines
    const monthChanges = compareMonthLines(before, lines)
    comparison.same.lines += monthChanges.same.lines
    comparison.same.value += monthChanges.same.value
    for (const change of monthChanges.changes) {
      const sum = comparison[change.kind]
      sum.lines++
      sum.value += (change.after ?? 0) - (change.before ?? 0)
      changes.push({ ...change, locationId })
    }
  }
  const size = (change: LineChange): number => Math.abs((change.after ?? 0) - (change.before ?? 0))
  comparison.changes = changes.sort((a, b) => size(b) - size(a)).slice(0, mostChanges)
  return comparison
}

/** An import that the user confirmed after seeing its comparison. */
export interface ConfirmedImport {
  versions: readonly { locationId: LocationId; version: number }[]
  /** Whether the user confirmed importing a file that has already been imported. */
  again: boolean
}

/**
 * Imports a ledger file, all or nothing, and remembers how it was read and mapped.
 * @throws DomainError as `prepareImport`; 409 for a file that has already been imported, or if the month changed since the comparison
 */
export async function runLedgerImport(
  call: Call & MonitoringEditor,
  { sent, file }: { sent: SentLedger; file: ParsedLedger },
  { wanted: { versions, again }, progress }: { wanted: ConfirmedImport; progress: ImportProgressReporter },
): Promise<{ imported: number; locationIds: LocationId[] }> {
  const { tx, organisationId, actor } = call
  await progress('checking', 0, file.read.rows.length)
  const { linesToStore } = await prepareImport(call, sent, file)
  if (!again) await refuseImportedFile(call, file.digest)
  const total = [...linesToStore.values()].reduce((sum, lines) => sum + lines.length, 0)
  const month = { year: sent.year, month: sent.month }
  const seen = new Map(versions.map(({ locationId, version }) => [locationId, version]))
  const hasActuals = file.table.columns.some((meaning) => meaning === 'amount' || meaning === 'debit')
  await lockReferencedCodes(call, [...linesToStore.values()].flat())
  let imported = 0
  // Locations are locked in a fixed order, so that concurrent imports cannot deadlock.
  for (const locationId of [...linesToStore.keys()].sort((a, b) => a - b)) {
    const lines = assertDefined(linesToStore.get(locationId))
    await progress('saving', imported, total)
    await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthKey(month)], (state) => {
      if ((state.items.get(buildMonthKey(month))?.version ?? 0) !== (seen.get(locationId) ?? 0))
        throw conflict('changed', `${formatMonth(month)} has changed since you last looked. Check the changes again.`)
      const isNamed = hasActuals && file.layout !== 'template'
      const leftOut = toStoredLeftOutRows(file.read.leftOut, sent.locationId !== null)
      return importActuals({ ...month, mode: sent.type, digest: file.digest, lines, isNamed, ...(leftOut.length && { leftOut }) })
    })
    imported += lines.length
  }
  await rememberLedger(call, sent, file)
  return { imported, locationIds: [...linesToStore.keys()] }
}

/**
 * Stores how a ledger is read and mapped. Callers limited to some locations can add mappings but not change existing
 * ones.
 */
async function rememberLedger(call: Call & MonitoringEditor, sent: SentLedger, { table, layout, read }: ParsedLedger): Promise<void> {
  const { tx, organisationId, actor, holder } = call
  // Lock the ledger until the mapping is stored, because another user may be changing its settings.
  await tx.execute(sql`select from ledgers where organisation_id = ${organisationId} and lower(name) = lower(${sent.ledger}) for update`)
  const before = await findLedger(tx, organisationId, sent.ledger)
  const maySet = !before || !holder.locationIds
  const columns = table.columns.flatMap((meaning, index) =>
    meaning ? [{ heading: normaliseHeading(table.headings[index] ?? ''), meaning }] : [],
  )
  const settings = { layout, columns, sign: sent.sign, isCumulative: sent.isCumulative, costCentreId: sent.costCentreId }
  // The mapping of a row without a code applies to this file only.
  const loose = new Set(read.rows.filter((row) => row.isLoose).map((row) => normaliseMappingText(row.account)))
  const known = new Map(mappedKinds.flatMap((kind) => (before?.texts[kind] ?? []).map((one) => [`${kind} ${one.text}`, one.id] as const)))
  const changed = mappedKinds.flatMap((kind) =>
    sent.mapping[kind].flatMap(({ text, id: target }) => {
      const key = normaliseMappingText(text)
      const isKnown = known.has(`${kind} ${key}`)
      if (!key || (kind === 'account' && loose.has(key)) || (isKnown && (!maySet || known.get(`${kind} ${key}`) === target))) return []
      return [{ kind, text: key, target }]
    }),
  )
  const isSame = before && sameSettings(before, settings)
  if (before && (!maySet || isSame) && !changed.length) return
  const id = before?.id ?? (await addLedger(tx, { organisationId, name: sent.ledger, ...settings, saved: actor.now.toISOString() }))
  await storeLedger(call, { id, before, name: sent.ledger, settings: before && !maySet ? before : settings, changed, forgotten: [] })
}

type Text = LearnedText<MappedKind>

/** Stores a ledger's settings and mappings, and adds the changes to its history. */
async function storeLedger(
  call: Call & MonitoringEditor,
  of: {
    id: number
    /** Undefined for a new ledger. */
    before: Ledger | undefined
    name: string
    settings: Settings
    changed: readonly Text[]
    forgotten: readonly Omit<Text, 'target'>[]
  },
): Promise<{ version: number }> {
  const { tx, organisationId, actor } = call
  const { id, before, settings, changed, forgotten } = of
  const { layout, columns, sign, isCumulative: cumulative, costCentreId } = settings
  const saved = actor.now.toISOString()
  const rows = changed.map(({ kind, text, target }) => ({ kind, text, [targetColumns[kind]]: target }))
  for (let start = 0; start < rows.length; start += 1000)
    await tx.execute(sql`
      insert into ledger_texts (organisation_id, ledger_id, kind, text, budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id)
      select ${organisationId}, ${id}, kind, text, "budgetCodeId", "costCentreId", "fundCodeId", "analysisTagId", "locationId"
      from json_to_recordset(${JSON.stringify(rows.slice(start, start + 1000))}::json) as row(kind text, text text, "budgetCodeId" integer,
        "costCentreId" integer, "fundCodeId" integer, "analysisTagId" integer, "locationId" integer)
      on conflict (organisation_id, ledger_id, kind, text) do update set budget_code_id = excluded.budget_code_id,
        cost_centre_id = excluded.cost_centre_id, fund_code_id = excluded.fund_code_id, analysis_tag_id = excluded.analysis_tag_id,
        location_id = excluded.location_id`)
  if (forgotten.length)
    await tx.execute(sql`
      delete from ledger_texts text using json_to_recordset(${JSON.stringify(forgotten)}::json) as gone(kind text, text text)
      where text.organisation_id = ${organisationId} and text.ledger_id = ${id} and text.kind = gone.kind and text.text = gone.text`)
  const version = (before?.version ?? 0) + 1
  if (before)
    await tx
      .update(ledgers)
      .set({ layout, columns, sign, isCumulative: cumulative, costCentreId, version, saved })
      .where(and(eq(ledgers.organisationId, organisationId), eq(ledgers.id, id)))
  const was = listEarlierMappings(before?.texts, mappedKinds, [...changed, ...forgotten])
  const record = (settings: Settings, texts: readonly Text[], at: number) => ({
    id,
    version: at,
    organisationId,
    name: of.name,
    layout: settings.layout,
    sign: settings.sign,
    isCumulative: settings.isCumulative,
    costCentreId: settings.costCentreId,
    columns: settings.columns,
    texts,
    created: saved,
  })
  await logRecordChange(
    call,
    { name: 'ledger' },
    {
      action: before ? 'updated' : 'created',
      before: before ? record(before, was, before.version) : null,
      after: record(settings, changed, version),
    },
  )
  return { version }
}

/** A change to a ledger's settings that the user makes without importing a file. */
export interface LedgerChange extends LearnedTextChanges<MappedKind> {
  id: number
  /** The version that the user saw. */
  version: number
  columns: Ledger['columns']
  sign: Ledger['sign']
  isCumulative: boolean
  costCentreId: number | null
}

/**
 * Changes how a ledger's files are read and mapped from now on. Imported months do not change.
 * @returns the current version, which is the old one if nothing changed
 * @throws DomainError 403 for a caller limited to some locations; 404; 409 if the ledger changed since the caller read it; 400 for columns
 * that do not form a table and for unknown texts
 */
export async function changeLedgerSettings(call: Call & MonitoringEditor, change: LedgerChange): Promise<{ version: number }> {
  const { tx, organisationId, holder } = call
  refuseLimitedCaller(holder)
  // Lock the ledger, so that if two people change it at once, the second sees what the first saved.
  const isIt = and(eq(ledgers.organisationId, organisationId), eq(ledgers.id, change.id))
  await tx.select({ id: ledgers.id }).from(ledgers).where(isIt).for('update')
  const before = (await listLedgers(tx, organisationId)).find((one) => one.id === change.id)
  if (!before) throw notFound('Ledger')
  if (before.version !== change.version)
    throw conflict('changed', `The settings of ${before.name} have changed since you last looked. Check them again.`)
  const columns = applyColumnChanges(before.columns, change.columns)
  const layout = detectLedgerLayout(columns.map((one) => one.meaning))
  if (!layout) throw createColumnChoiceError('Choose the column of account codes and a column of amounts.')
  const targets = await listMappingTargets(call)
  const [strange] = findForbiddenKinds(change.mapping, targets)
  if (strange) throw notFound(thingOf[strange])
  const { sign, isCumulative: cumulative, costCentreId } = change
  if (costCentreId !== null && !targets.costCentre.some((one) => one.id === costCentreId)) throw notFound('Cost centre')
  const texts = findChangedTexts(before, mappedKinds, change)
  const settings = { layout, columns, sign, isCumulative: cumulative, costCentreId }
  if (sameSettings(before, settings) && !texts.changed.length && !texts.forgotten.length) return { version: before.version }
  return storeLedger(call, { id: before.id, before, name: before.name, settings, ...texts })
}

type Settings = Pick<typeof ledgers.$inferSelect, 'layout' | 'columns' | 'sign' | 'isCumulative' | 'costCentreId'>

function sameSettings(a: Settings, b: Settings): boolean {
  const text = ({ layout, columns, sign, isCumulative: cumulative, costCentreId }: Settings): string =>
    JSON.stringify([layout, columns.map(({ heading, meaning }) => [heading, meaning]), sign, cumulative, costCentreId])
  return text(a) === text(b)
}

async function addLedger(tx: OrganisationTx, values: typeof ledgers.$inferInsert): Promise<number> {
  const [row] = await tx.insert(ledgers).values(values).onConflictDoNothing().returning({ id: ledgers.id })
  // Another user imported this ledger's first file at the same time.
  if (!row) throw conflict('changed', `Someone has just imported a file of ${values.name}. Check the changes again.`)
  return row.id
}

/**
 * Deletes the settings and mappings of a ledger. Its imported months remain.
 * @throws DomainError 404; 403 for a caller limited to some locations
 */
export async function deleteLedger(call: Call & MonitoringEditor, id: number): Promise<void> {
  const { tx, organisationId, holder, actor } = call
  refuseLimitedCaller(holder)
  const [gone] = await tx
    .select()
    .from(ledgers)
    .where(and(eq(ledgers.organisationId, organisationId), eq(ledgers.id, id)))
  if (!gone) throw notFound('Ledger')
  const texts = await tx.$count(
    ledgerTextMappings,
    and(eq(ledgerTextMappings.organisationId, organisationId), eq(ledgerTextMappings.ledgerId, id)),
  )
  await tx.delete(ledgers).where(and(eq(ledgers.organisationId, organisationId), eq(ledgers.id, id)))
  await logRecordChange(
    { tx, actor },
    { name: 'ledger' },
    { action: 'deleted', before: { ...gone, created: gone.saved, texts: displayCount(texts, 'text') }, after: null },
  )
}
