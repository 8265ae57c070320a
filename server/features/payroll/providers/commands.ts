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
import { type CellProblem, normaliseMappingText } from '../../../../domain/files/texts.ts'
import { formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { groupPayRows, type LocatedPayRow, severalPeopleSentence } from '../../../../domain/payroll/fileRows.ts'
import { detectPayLayout, type PayMeaning, repeatablePayMeanings } from '../../../../domain/payroll/provider/columns.ts'
import {
  findPayMonthProblems,
  isMappingLearned,
  isPayrollOfMonth,
  isPayrollProved,
  mapPayrollRows,
  type PayTextKind,
  payTextKinds,
} from '../../../../domain/payroll/provider/rows.ts'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { displayCount, displayMoney } from '../../../../domain/values/format.ts'
import { conflict, forbidden, notFound, otherLocationsAffected } from '../../../../domain/words/errors.ts'
import { payrollProviders, payrollTextMappings } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { refuseLimitedCaller } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { ImportProgressReporter } from '../../../resources/import/commands.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { refuseHiddenLocation } from '../../../shared/monitoring/commands.ts'
import { readLocationsWithBudget } from '../../../shared/monitoring/queries.ts'
import {
  lockOrganisationPayroll,
  organisationChangePermissions,
  type PayrollEditor,
  type PayrollImportResult,
  refuseCompletedMonth,
  storePayrollFile,
} from '../../../shared/payroll/commands.ts'
import { readPayrollPeople } from '../../../shared/payroll/people/queries.ts'
import { readProviderCodes } from '../../../shared/payroll/queries.ts'
import type { ParsedProviderFile, SentPayroll } from './file.ts'
import { listPayTargets, type PayrollProvider, type ProviderOptions, readPayrollProviders } from './queries.ts'

const missing: Record<PayTextKind, { meaning: PayMeaning; none: string; blank: string }> = {
  code: {
    meaning: 'code',
    none: 'This is not mapped to a payroll provider code. Map it, set it up, or leave it out on purpose.',
    blank: 'This row has no code. Fill it in, or remove the row.',
  },
  location: {
    meaning: 'location',
    none: 'This is not mapped to a location. Map it, or leave it out on purpose.',
    blank: 'This row has no location. Fill it in, or import the file for one location.',
  },
}

/**
 * Imports a provider's file in its original layout, all or nothing, and remembers how it was read and mapped.
 * @throws DomainError with row, column, value and message for each invalid cell; 409 if the totals differ from those that the screen
 * calculated, for a completed month, and for a file of another month
 */
export async function runProviderImport(
  call: Call & PayrollEditor,
  sent: SentPayroll,
  { file, progress }: { file: ParsedProviderFile; progress: ImportProgressReporter },
): Promise<PayrollImportResult> {
  const { tx, organisationId, holder } = call
  const month = { year: sent.year, month: sent.month }
  if (!hasAnyPermission(holder, sent.locationId === null ? organisationChangePermissions : ['BudgetingPayrollReconciliationReadUpdate']))
    throw forbidden()
  if (sent.locationId !== null) await refuseHiddenLocation({ ...call, locationId: sent.locationId })
  const targets = await listPayTargets(call)
  refuseUnusableTargets(sent.mapping, targets)
  await progress('checking', 0, file.read.rows.length)
  await lockOrganisationPayroll(call)
  // Check this before the rows, because a completed month refuses any file.
  if (sent.locationId !== null) await refuseCompletedMonth({ tx, organisationId }, [sent.locationId], month)
  const { rows, proof, unmapped } = mapPayrollRows(file.read.rows, file.mapping, sent.locationId)
  const people = await readPayrollPeople(tx, organisationId)
  const codes = new Map((await readProviderCodes(tx, organisationId)).map((code) => [code.id, code]))
  const withYear = await readLocationsWithBudget(call, month)
  const heading = (meaning: PayMeaning): string | null => file.table.headings[file.table.columns.indexOf(meaning)] || null
  const errors: CellProblem[] = [
    ...file.read.problems,
    ...findPayMonthProblems(file.read.rows, { table: file.table, month, isMeant: sent.monthIsMeant }),
    ...unmapped.map(({ row, kind }) => ({
      row: row.row,
      column: kind === 'code' && file.table.layout === 'wide' ? row.column : heading(missing[kind].meaning),
      value: row[kind] || null,
      message: row[kind] ? missing[kind].none : missing[kind].blank,
    })),
  ]
  const names = new Map(targets.locations.map((location) => [location.id, location.name]))
  const number = heading('employeeNumber')
  const placed: LocatedPayRow[] = []
  const described = new Set<string>()
  // Report each problem once, at the first row that has it.
  const say = (key: string, error: CellProblem): void => {
    if (!described.has(key)) errors.push(error)
    described.add(key)
  }
  for (const { row, column, employeeNumber, locationId, location, payrollCodeId, value, text, bankAccount } of rows) {
    const locationName = assertDefined(names.get(locationId))
    if (sent.locationId !== null && locationId !== sent.locationId)
      say(`place ${row}`, {
        row,
        column: heading('location'),
        value: location,
        message: `This row is not for ${names.get(sent.locationId)}. Remove it, or import the file for the whole organisation.`,
      })
    if (!withYear.has(locationId))
      say(`year ${locationId}`, {
        row,
        column: heading('location'),
        value: location || null,
        message: `${formatMonth(month)} is not covered by any budget for ${locationName}. Add a budget for that year, or choose another month.`,
      })
    if (people.find(employeeNumber) === 'many') {
      say(`number ${employeeNumber}`, { row, column: number, value: employeeNumber, message: severalPeopleSentence })
      continue
    }
    placed.push({
      row,
      column,
      location: { id: locationId },
      code: assertDefined(codes.get(payrollCodeId)),
      number: employeeNumber,
      value,
      text,
      bankAccount,
    })
  }
  const gathered = groupPayRows(placed, { people, errors, rowCount: file.read.rows.length })
  if (proof.file.value !== sent.total)
    throw conflict(
      'totalsDiffer',
      `The file has a total of ${displayMoney(proof.file.value)}, but ${displayMoney(sent.total)} was confirmed. Choose the file again.`,
    )
  if (proof.imported.value !== sent.imported)
    throw conflict(
      'totalsDiffer',
      `${displayMoney(proof.imported.value)} of the file would be imported, not ${displayMoney(sent.imported)} as shown. Choose the file again.`,
    )
  // As a second check, sum the cells independently of the rows that were parsed from them.
  if (!isPayrollProved(proof) || sumFileMoney(file.cells, file.read.table).read !== proof.file.value)
    throw conflict('totalsDiffer', 'The imported and left-out amounts do not add up to the file total. Nothing was imported.')
  const namesMonth = isPayrollOfMonth(file.read.rows, file.table, month)
  const toKeep = {
    ...gathered,
    namesMonth,
    digest: file.digest,
    rows: proof.imported.rows,
    again: sent.again,
    leftOut: toStoredLeftOutRows(file.read.leftOut, sent.locationId !== null),
  }
  const done = await storePayrollFile(call, month, { file: { ...toKeep, dropNewZeros: file.table.layout === 'wide' }, progress })
  await rememberProvider(call, sent, file)
  return done
}

/**
 * Stores how a provider's files are read and mapped. Callers limited to some locations can add mappings but not change
 * existing ones.
 */
async function rememberProvider(call: Call & PayrollEditor, sent: SentPayroll, { table }: ParsedProviderFile): Promise<void> {
  const { tx, organisationId, actor, holder } = call
  // Lock the provider until the mapping is stored, because another user may be changing its settings.
  await tx.execute(
    sql`select from payroll_providers where organisation_id = ${organisationId} and lower(name) = lower(${sent.provider}) for update`,
  )
  const before = (await readPayrollProviders(tx, organisationId)).find((one) => one.name.toLowerCase() === sent.provider.toLowerCase())
  const maySet = !before || !holder.locationIds
  const chosenBy = { isOfOne: sent.locationId !== null, isLimited: Boolean(holder.locationIds) }
  const columns = table.columns.flatMap((meaning, index) =>
    meaning ? [{ heading: normaliseHeading(table.headings[index] ?? ''), meaning }] : [],
  )
  const settings = { layout: table.layout, columns }
  const known = new Map(payTextKinds.flatMap((kind) => (before?.texts[kind] ?? []).map((one) => [`${kind} ${one.text}`, one.id] as const)))
  const changed = payTextKinds.flatMap((kind) =>
    sent.mapping[kind].flatMap(({ text, id }) => {
      const key = normaliseMappingText(text)
      const isKnown = known.has(`${kind} ${key}`)
      return !key || !isMappingLearned(kind, id, chosenBy) || (isKnown && (!maySet || known.get(`${kind} ${key}`) === id))
        ? []
        : [{ kind, text: key, target: id }]
    }),
  )
  const isSame = before && JSON.stringify([before.layout, before.columns]) === JSON.stringify([settings.layout, settings.columns])
  if (before && (!maySet || isSame) && !changed.length) return
  const id = before?.id ?? (await addProvider(tx, { organisationId, name: sent.provider, ...settings, saved: actor.now.toISOString() }))
  await storeProvider(call, {
    id,
    before,
    name: before?.name ?? sent.provider,
    settings: before && !maySet ? before : settings,
    changed,
    forgotten: [],
  })
}

type Settings = Pick<PayrollProvider, 'layout' | 'columns'>
type Text = LearnedText<PayTextKind>

/** Stores a provider's settings and mappings, and adds the changes to its history. */
async function storeProvider(
  call: Call & PayrollEditor,
  of: {
    id: number
    /** Undefined for a new provider. */
    before: PayrollProvider | undefined
    name: string
    settings: Settings
    changed: readonly Text[]
    forgotten: readonly Omit<Text, 'target'>[]
  },
): Promise<{ version: number }> {
  const { tx, organisationId, actor } = call
  const { id, before, changed, forgotten } = of
  const { layout, columns } = of.settings
  const saved = actor.now.toISOString()
  const rows = changed.map(({ kind, text, target }) => ({ kind, text, [kind === 'code' ? 'payrollCodeId' : 'locationId']: target }))
  if (rows.length)
    await tx.execute(sql`
      insert into payroll_provider_texts (organisation_id, provider_id, kind, text, payroll_code_id, location_id)
      select ${organisationId}, ${id}, kind, text, "payrollCodeId", "locationId"
      from json_to_recordset(${JSON.stringify(rows)}::json) as row(kind text, text text, "payrollCodeId" integer, "locationId" integer)
      on conflict (organisation_id, provider_id, kind, text)
      do update set payroll_code_id = excluded.payroll_code_id, location_id = excluded.location_id`)
  if (forgotten.length)
    await tx.execute(sql`
      delete from payroll_provider_texts text using json_to_recordset(${JSON.stringify(forgotten)}::json) as gone(kind text, text text)
      where text.organisation_id = ${organisationId} and text.provider_id = ${id} and text.kind = gone.kind and text.text = gone.text`)
  const version = (before?.version ?? 0) + 1
  if (before)
    await tx
      .update(payrollProviders)
      .set({ layout, columns, version, saved })
      .where(and(eq(payrollProviders.organisationId, organisationId), eq(payrollProviders.id, id)))
  const record = (laid: Settings, texts: readonly Text[], at: number) => ({
    id,
    version: at,
    organisationId,
    name: of.name,
    layout: laid.layout,
    columns: laid.columns,
    texts,
    created: saved,
  })
  await logRecordChange(
    call,
    { name: 'payrollProvider' },
    {
      action: before ? 'updated' : 'created',
      before: before ? record(before, listEarlierMappings(before.texts, payTextKinds, [...changed, ...forgotten]), before.version) : null,
      after: record(of.settings, changed, version),
    },
  )
  return { version }
}

/** A change to a provider's settings that the user makes without importing a file. */
export interface ProviderChange extends LearnedTextChanges<PayTextKind> {
  id: number
  /** The version that the user saw. */
  version: number
  columns: PayrollProvider['columns']
}

/**
 * Changes how a provider's files are read and mapped from now on. Imported months do not change.
 * @returns the current version, which is the old one if nothing changed
 * @throws DomainError 403 for a caller limited to some locations; 404; 409 if the provider changed since the caller read it; 400 for
 * columns that do not form a table and for unknown texts
 */
export async function changeProviderSettings(call: Call & PayrollEditor, change: ProviderChange): Promise<{ version: number }> {
  const { tx, organisationId, holder } = call
  refuseLimitedCaller(holder)
  // Lock the provider, so that if two people change it at once, the second sees what the first saved.
  const isIt = and(eq(payrollProviders.organisationId, organisationId), eq(payrollProviders.id, change.id))
  await tx.select({ id: payrollProviders.id }).from(payrollProviders).where(isIt).for('update')
  const before = (await readPayrollProviders(tx, organisationId)).find((one) => one.id === change.id)
  if (!before) throw notFound('Payroll provider')
  if (before.version !== change.version)
    throw conflict('changed', `The settings of ${before.name} have changed since you last looked. Check them again.`)
  const columns = applyColumnChanges(before.columns, change.columns, repeatablePayMeanings)
  const layout = detectPayLayout(columns.map((one) => one.meaning))
  if (!layout)
    throw createColumnChoiceError(
      'Choose the column of employee numbers, and either the columns of codes and amounts or a column for each pay element.',
    )
  refuseUnusableTargets(change.mapping, await listPayTargets(call))
  const texts = findChangedTexts(before, payTextKinds, change)
  const isSame = JSON.stringify([before.layout, before.columns]) === JSON.stringify([layout, columns])
  if (isSame && !texts.changed.length && !texts.forgotten.length) return { version: before.version }
  return storeProvider(call, { id: before.id, before, name: before.name, settings: { layout, columns }, ...texts })
}

/** @throws DomainError 404 if a text is mapped to a record that the caller may not use */
function refuseUnusableTargets(
  mapping: Record<PayTextKind, readonly { id: number | null }[]>,
  targets: Pick<ProviderOptions, 'codes' | 'locations'>,
): void {
  for (const [kind, targetsOfKind, thing] of [
    ['code', targets.codes, 'Payroll code'],
    ['location', targets.locations, 'Location'],
  ] as const) {
    const ids = new Set(targetsOfKind.map((one) => one.id))
    if (mapping[kind].some(({ id }) => id !== null && !ids.has(id))) throw notFound(thing)
  }
}

async function addProvider(tx: OrganisationTx, values: typeof payrollProviders.$inferInsert): Promise<number> {
  const [row] = await tx.insert(payrollProviders).values(values).onConflictDoNothing().returning({ id: payrollProviders.id })
  // Another user imported this provider's first file at the same time.
  if (!row) throw conflict('changed', `Someone has just imported a file of ${values.name}. Choose the file again.`)
  return row.id
}

/**
 * Deletes the settings and mappings of a provider. Its imported months remain.
 * @throws DomainError 404; 403 for a caller limited to some locations
 */
export async function deleteProvider(call: Call & PayrollEditor, id: number): Promise<void> {
  const { tx, organisationId, holder, actor } = call
  if (holder.locationIds) throw otherLocationsAffected()
  const isIt = and(eq(payrollProviders.organisationId, organisationId), eq(payrollProviders.id, id))
  const [gone] = await tx.select().from(payrollProviders).where(isIt)
  if (!gone) throw notFound('Payroll provider')
  const textsOfProvider = and(eq(payrollTextMappings.organisationId, organisationId), eq(payrollTextMappings.providerId, id))
  const texts = displayCount(await tx.$count(payrollTextMappings, textsOfProvider), 'text')
  await tx.delete(payrollProviders).where(isIt)
  await logRecordChange(
    { tx, actor },
    { name: 'payrollProvider' },
    { action: 'deleted', before: { ...gone, created: gone.saved, texts }, after: null },
  )
}
