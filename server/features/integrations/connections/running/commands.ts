import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decodeText } from '../../../../../domain/files/encoding.ts'
import { readRecords } from '../../../../../domain/files/sheets.ts'
import type { CellProblem } from '../../../../../domain/files/texts.ts'
import { findConnectionKind } from '../../../../../domain/integrations/connections/all.ts'
import {
  type ExchangeFormat,
  fillMonthInPath,
  findMonthInFileName,
  maximumFileBytes,
  type RunOutcome,
} from '../../../../../domain/integrations/connections/connection.ts'
import {
  findRecordLists,
  listConnectionColumns,
  type MappedRows,
  mapRows,
  type RecordList,
  readReplyRows,
  summariseRecordList,
} from '../../../../../domain/integrations/connections/mapping.ts'
import { describeUnreadFields } from '../../../../../domain/integrations/connections/unreadFields.ts'
import { describeDestination, fillInParameterDefaults, type ParameterValues } from '../../../../../domain/integrations/credentials.ts'
import { outgoingFileKinds } from '../../../../../domain/integrations/files/connections.ts'
import { integrationState, integrationType } from '../../../../../domain/lookups/lookupIds.ts'
import { formatMonth } from '../../../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../../../domain/values/canonicalJson.ts'
import { dayInLondon, displayCount, displayDate, displayMoney } from '../../../../../domain/values/format.ts'
import type { OrganisationId } from '../../../../../domain/values/ids.ts'
import { DomainError } from '../../../../../domain/words/errors.ts'
import { connectionRuns, connections, integrationCredentials } from '../../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../../core/calls/call.ts'
import type { CallerRights } from '../../../../core/calls/context.ts'
import type { OrganisationTx, Store } from '../../../../core/database/database.ts'
import { ensureOrganisationKey, sealBytes } from '../../../../core/database/vault.ts'
import { log } from '../../../../core/log.ts'
import { OutsideError } from '../../../../core/outside/addresses.ts'
import type { OutsideAccess } from '../../../../core/outside/exchangeFolder.ts'
import { sha256 } from '../../../../core/stream/hash.ts'
import { writePlainCsv } from '../../../../resources/files.ts'
import { type ConnectionRow, connectionCondition } from '../../../../shared/integrations/connections/queries.ts'
import { buildLedgerFile } from '../../files/queries.ts'
import { decryptSettings, readCredential } from '../../queries.ts'
import { calculateNextDue } from '../commands.ts'
import { findPeriodInName, type ImportSummary, type IncomingData, importIncomingData } from './receiving.ts'
import { type FileHandling, fetchFile, postFile, processFolder, putFile, type WaitingFile } from './transfer.ts'

/** How long a worker may hold a run before another claims it: longer than any run takes. */
const claimedFor = sql`interval '10 minutes'`
/** The most concurrent runs of one organisation, so that its slow systems cannot delay other organisations. */
const mostOfOne = 3
/** How many times a run is started if its worker dies each time before finishing. */
const mostAttempts = 3
/** Milliseconds before a retry after a failure, doubled each time. If the schedule is due earlier, that applies. */
const [firstWaitMs, longestWaitMs] = [15 * 60_000, 24 * 3_600_000]

/** A connection runs with all permissions, because its rights were checked when a user saved it. */
const allPermissions: CallerRights = { isAdministrator: true, permissions: [], locationIds: null }

/** A claimed connection, with the decrypted secrets of its credential. */
export interface ClaimedRun {
  connection: ConnectionRow
  type: number
  values: ParameterValues
  destination: string
}

/** Claims connections that are due, so that no other worker runs them. If the worker is killed, they are run again. */
export async function claimRuns(store: Store, most: number): Promise<ClaimedRun[]> {
  const claimed = await store.asPlatform((tx) =>
    tx.execute<{ organisationId: OrganisationId; id: number }>(sql`
      update connections set claimed_until = now() + ${claimedFor}, attempts = attempts + 1
      where (organisation_id, id) in (
        select organisation_id, id from (
          select organisation_id, id, due_at,
            row_number() over (partition by organisation_id order by due_at)
              + (select count(*) from connections busy where busy.organisation_id = due.organisation_id and busy.claimed_until > now()) as place
          from connections due where due_at <= now() and (claimed_until is null or claimed_until <= now())) as due
        where place <= ${mostOfOne} order by due_at limit ${most})
      -- Said again for the row that another worker has just taken.
      and due_at <= now() and (claimed_until is null or claimed_until <= now())
      returning organisation_id as "organisationId", id`),
  )
  const runs: ClaimedRun[] = []
  for (const { organisationId, id } of claimed)
    await store
      .inOrganisation(organisationId, async (tx) => {
        const [connection] = await tx.select().from(connections).where(connectionCondition({ organisationId, id }))
        if (!connection) return
        // Give up a run that killed several workers, before it kills more.
        if (connection.attempts > mostAttempts)
          return endRun(
            { tx, now: new Date() },
            { connection },
            { results: [createResult('failed', 'The run was interrupted three times.')], hasTaken: false },
          )
        const credential = await readCredential(tx, { organisationId, holder: allPermissions }, connection.credentialId)
        const values = fillInParameterDefaults(credential.integrationType, await decryptSettings(tx, credential))
        runs.push({
          connection,
          type: credential.integrationType,
          values,
          destination: describeDestination(credential.integrationType, values),
        })
      })
      // A connection that cannot be started must not stop the others claimed with it.
      .catch((error) => log.error({ err: error, connection: id }, 'a connection could not be started'))
  return runs
}

/** The result of a run for one file. */
interface FileResult {
  outcome: RunOutcome
  file: string | null
  rows: number | null
  message: string
  digest: string | null
}

/** The result of a run for all its files. */
interface RunResult {
  /** One result for each file, except for imported files, whose results are written in the transaction that imports them. */
  results: readonly FileResult[]
  /** Whether a file was imported. */
  hasTaken: boolean
  /** The lists of records in the data received. */
  found?: readonly RecordList[] | null
}

const createResult = (outcome: RunOutcome, message: string, more: Partial<FileResult> = {}): FileResult => ({
  file: null,
  rows: null,
  digest: null,
  ...more,
  outcome,
  message,
})

/** The message of an error: its own if meant for users, otherwise a general one. */
function toUserMessage(error: unknown, connection: ConnectionRow): string {
  if (error instanceof OutsideError || error instanceof DomainError) return error.message
  log.error({ err: error, connection: connection.id }, 'a connection could not be run')
  return 'The run failed. The reason is in the installation’s log.'
}

/**
 * Runs a connection and records the result. No transaction is open while it waits for the other system.
 * @returns for each file imported, whose figures it changed
 */
export async function runClaimed(store: Store, run: ClaimedRun, reach: OutsideAccess): Promise<ImportSummary['changed'][]> {
  const { connection } = run
  const work = new Work(store, run, reach)
  try {
    if (run.destination !== connection.destination)
      throw new OutsideError(
        'The credential’s address has changed since this connection was saved. Check it, and save the connection again.',
      )
    await work.run()
  } catch (error) {
    work.results.push(createResult('failed', addFirstCell(toUserMessage(error, connection), error)))
  }
  const came = { results: work.results, hasTaken: work.taken.length > 0, found: work.found }
  await store.inOrganisation(connection.organisationId, (tx) => endRun({ tx, now: new Date() }, run, came))
  return work.taken
}

/** Thrown to roll back a try, which must not save anything. */
class TryRolledBack extends Error {}

/** The state of one run in progress. */
class Work {
  readonly results: FileResult[] = []
  /** For each file imported, whose figures it changed. */
  readonly taken: ImportSummary['changed'][] = []
  /** The lists of records in the first data received, shown to the user as samples. */
  found: RecordList[] | null = null
  /** How many files of a folder have been read. */
  private looked = 0
  constructor(
    readonly store: Store,
    readonly claimed: ClaimedRun,
    readonly reach: OutsideAccess,
  ) {}

  private get isTry(): boolean {
    return this.claimed.connection.asked === 'try'
  }

  run(): Promise<void> {
    return findConnectionKind(this.claimed.connection.kind).direction === 'out' ? this.send() : this.take()
  }

  private async send(): Promise<void> {
    const { connection, values, type } = this.claimed
    const { organisationId, kind, file, format, path, turn, asked } = connection
    const name = assertDefined(outgoingFileKinds.find((one) => one === kind))
    const ledgerFile = await this.store.inOrganisation(organisationId, (tx) =>
      buildLedgerFile({ tx, organisationId, holder: allPermissions, now: new Date() }, { connection: name, ...assertDefined(file) }),
    )
    if (ledgerFile.problems.length) throw new OutsideError(ledgerFile.problems.join(' '))
    const isWeb = type === integrationType.webService
    const isJson = isWeb && format === 'json'
    const { headings, rows, scope: of } = ledgerFile
    const records = rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index]])))
    const body = isJson ? JSON.stringify({ title: of.title, year: of.year, rows: records }) : writePlainCsv('', headings, rows).body
    const digest = sha256(body)
    const fileName = `${of.title} ${of.year.replace('/', '-')} ${String(turn + 1).padStart(4, '0')}.${isJson ? 'json' : 'csv'}`
    const about = { file: fileName, rows: rows.length, digest }
    const left = ledgerFile.leftOut.length ? ` ${displayCount(ledgerFile.leftOut.length, 'location')} left out.` : ''
    const sums = `${displayCount(rows.length, 'row')}, debits ${displayMoney(ledgerFile.debits)}, credits ${displayMoney(ledgerFile.credits)}`
    const last = await this.store.inOrganisation(organisationId, (tx) => this.lastDone(tx))
    const isSame = last?.digest === digest
    if (this.isTry) {
      const same = isSame ? ' The file is the same as the last one accepted, so the schedule would not send it.' : ''
      this.results.push(createResult('tried', `It would send ${sums}.${left}${same}`, about))
      return
    }
    if (isSame && asked !== 'run') {
      this.results.push(createResult('nothing', 'Not sent: the file is the same as the last one accepted.', about))
      return
    }
    const key = `bursar-${organisationId}-${connection.id}-${turn + 1}-${digest.slice(0, 16)}`
    if (isWeb) await postFile(values, { path, format, body, key }, this.reach.networks)
    else await putFile({ organisationId, values, path }, { name: fileName, body }, this.reach)
    this.results.push(createResult('done', `Sent ${sums}.${left}`, about))
  }

  /** The last file that was sent and accepted, or imported. */
  private async lastDone(tx: OrganisationTx) {
    const { organisationId, id } = this.claimed.connection
    const [row] = await tx
      .select({ digest: connectionRuns.digest })
      .from(connectionRuns)
      .where(
        and(eq(connectionRuns.organisationId, organisationId), eq(connectionRuns.connectionId, id), eq(connectionRuns.outcome, 'done')),
      )
      .orderBy(desc(connectionRuns.id))
      .limit(1)
    return row
  }

  private async take(): Promise<void> {
    const { connection, values, type } = this.claimed
    const { path, format } = connection
    if (type === integrationType.fileExchange) {
      await processFolder({ organisationId: connection.organisationId, values, path }, this.reach, (file) => this.look(file))
      if (!this.looked) this.results.push(createResult(this.isTry ? 'tried' : 'nothing', 'There is no file in the folder.'))
      return
    }
    const today = dayInLondon(new Date())
    const filePath = fillMonthInPath(path, today)
    const isOfMonth = findConnectionKind(connection.kind).of === 'month'
    const month = findMonthInFileName(filePath) ?? assertDefined(findMonthInFileName(fillMonthInPath('{month}', today)))
    const bytes = await fetchFile(values, { path: filePath, format }, this.reach.networks)
    const file = isOfMonth ? formatMonth(month) : displayDate(today)
    const read = this.readAnswer(bytes, format)
    const { rows } = read
    if (!rows.length) {
      this.results.push(createResult(this.isTry ? 'tried' : 'nothing', `There is no data for ${file} yet.`, { file }))
      return
    }
    // The digest of a monthly file includes its name, so that two months with the same rows count as different files.
    const digest = this.digestOf(bytes, isOfMonth ? `${file}\n` : '')
    await this.import({ name: connection.name, rows, month, day: today }, { file, digest, unread: this.unread(read.records) })
  }

  /** Parses an answer and maps its rows to our columns. @throws OutsideError if it is not a list of records, or lacks a mapped field */
  private readAnswer(bytes: Uint8Array, format: ExchangeFormat): Exclude<MappedRows, { problem: string }> {
    const from = new URL(assertDefined(this.claimed.values.address)).hostname
    const read = format === 'json' ? this.readList(decodeText(bytes), from) : this.readFile(bytes, from)
    if ('problem' in read) throw new OutsideError(read.problem)
    return read
  }

  private readList(text: string, from: string): MappedRows {
    if (!text.trim()) return { rows: [], records: [] }
    let answer: unknown
    try {
      answer = JSON.parse(text)
    } catch {
      return { problem: `${from} responded, but not with a list of records.` }
    }
    this.found ??= findRecordLists(answer)
    return readReplyRows(answer, this.claimed.connection.mapping, from)
  }

  /** Parses a file and maps its rows to our columns. @throws DomainError if it is malformed */
  private readFile(bytes: Uint8Array, from: string): MappedRows {
    const rows = readRecords('', bytes)
    if (rows.length) this.found ??= [summariseRecordList('', rows)]
    const { mapping } = this.claimed.connection
    return mapping?.columns.length ? mapRows(rows, mapping, from) : { rows, records: rows }
  }

  /**
   * A sentence that says which money in the file is not imported. Daily files contain people or pupils, so none of their money is imported.
   */
  private unread(records: readonly object[]): string {
    const { kind, mapping } = this.claimed.connection
    const connectionKind = findConnectionKind(kind)
    return connectionKind.of === 'month'
      ? describeUnreadFields(records, mapping, {
          columns: listConnectionColumns(connectionKind).map(({ heading }) => heading),
          hasSums: kind !== 'payroll',
        })
      : ''
  }

  /** A digest that identifies a file. It includes the mapping of fields, so that a file is imported again after the mapping changes. */
  private digestOf(bytes: Uint8Array, of = ''): string {
    const { mapping } = this.claimed.connection
    return sha256(Buffer.concat([Buffer.from(`${mapping ? `${canonicalJson(mapping)}\n` : ''}${of}`), bytes]))
  }

  /** Reads one file of a folder and decides what happens to it. */
  private async look({ name, bytes }: WaitingFile): Promise<FileHandling> {
    this.looked++
    const refuse = (message: string, error?: unknown): FileHandling => {
      this.results.push(createResult('failed', addFirstCell(message, error), { file: name }))
      return { moveTo: this.isTry ? null : 'refused', problems: addAllCells(message, error) }
    }
    if (bytes === null) return refuse(`The file is larger than ${maximumFileBytes / 1_000_000} megabytes.`)
    const { of, example } = findConnectionKind(this.claimed.connection.kind)
    const period = findPeriodInName(name, dayInLondon(new Date()))
    if (of === 'month' && !period.month)
      return refuse(`The file name does not contain a month, or contains more than one. Name it as ${example?.fileName}.`)
    let read: MappedRows
    try {
      read = this.readFile(bytes, 'The file')
    } catch (error) {
      return refuse(toUserMessage(error, this.claimed.connection), error)
    }
    if ('problem' in read) return refuse(read.problem)
    const { rows } = read
    if (!rows.length) return refuse('The file has no rows.')
    const about = { file: name, digest: this.digestOf(bytes), unread: this.unread(read.records) }
    const problems = await this.import({ name, rows, ...period }, about)
    return { moveTo: this.isTry ? null : problems === null ? 'taken' : 'refused', problems: problems ?? '' }
  }

  /**
   * Imports a file, all or nothing, and records that in the same transaction: if the worker is killed, neither is stored.
   * @returns null once imported, otherwise what is wrong with it
   */
  private async import(
    incoming: IncomingData,
    { file, digest, unread }: { file: string; digest: string; unread: string },
  ): Promise<string | null> {
    const { organisationId, id, kind, askedById, turn } = this.claimed.connection
    const { rows } = incoming
    const now = new Date()
    const actor = { userId: askedById, requestId: `connection-${id}-${turn + 1}`, now }
    const about = { file, rows: rows.length, digest }
    try {
      await this.store.inOrganisation(organisationId, async (tx) => {
        // Lock the connection: if two workers have the same file, the second waits and then finds it imported.
        await tx.select({ id: connections.id }).from(connections).where(connectionCondition(this.claimed.connection)).for('update')
        const taken = and(
          eq(connectionRuns.organisationId, organisationId),
          eq(connectionRuns.connectionId, id),
          eq(connectionRuns.outcome, 'done'),
          eq(connectionRuns.digest, digest),
        )
        // A daily file may repeat an earlier one if another came in between. A file for budgets is imported again, because budgets may have
        // been created since.
        const { of, isTakenAgain } = findConnectionKind(kind)
        const isLast = of === 'day' ? (await this.lastDone(tx))?.digest === digest : (await tx.$count(connectionRuns, taken)) > 0
        if (isLast && !isTakenAgain) {
          this.results.push(createResult(this.isTry ? 'tried' : 'nothing', 'This file has already been imported.', about))
          return
        }
        const caller = { organisationId, holder: allPermissions, actor }
        const { sentence, changed, isKnown } = await importIncomingData(kind, { tx, caller, incoming })
        if (this.isTry) throw new TryRolledBack(`${sentence}.${unread}`)
        if (isKnown) {
          this.results.push(createResult('nothing', `Imported ${sentence}.${unread}`, about))
          return
        }
        this.taken.push(changed)
        await tx.insert(connectionRuns).values({
          ...about,
          organisationId,
          connectionId: id,
          at: now.toISOString(),
          askedById,
          outcome: 'done',
          message: `Imported ${sentence}.${unread}`,
        })
      })
      return null
    } catch (error) {
      if (error instanceof TryRolledBack) {
        this.results.push(createResult('tried', `It would import ${error.message}`, about))
        return null
      }
      const message = toUserMessage(error, this.claimed.connection)
      this.results.push(createResult('failed', addFirstCell(message, error), about))
      return addAllCells(message, error)
    }
  }
}

const refusedCells = z.object({
  errors: z.array(z.object({ row: z.number(), column: z.string().nullable(), value: z.string().nullable(), message: z.string() })),
})

/** The invalid cells for which an import was refused. */
function listInvalidCells(error: unknown): CellProblem[] {
  const cells = error instanceof DomainError ? refusedCells.safeParse(error.details) : undefined
  return cells?.success ? cells.data.errors : []
}

const lineOf = ({ row, column, value, message }: CellProblem): string =>
  [row ? `Row ${row}` : null, column, value, message].filter((part) => part !== null && part !== '').join(' · ')

/** The sentence of a refused import, followed by all its invalid cells. */
function addAllCells(message: string, error: unknown): string {
  return [message, ...listInvalidCells(error).map(lineOf)].join('\r\n')
}

/** The sentence of a refused import, with its first invalid cell. The problem file lists them all. */
function addFirstCell(message: string, error: unknown): string {
  const [first] = listInvalidCells(error)
  return first?.row ? `${message} Row ${first.row}${first.column ? `, ${first.column}` : ''}: ${first.message}` : message
}

/**
 * The problem to show after a run. A refused file is not retried automatically, so it stays reported until another file is imported. An
 * unreachable system is retried soon, and its problem is cleared when it answers.
 */
function findProblemAfter(
  before: Pick<ConnectionRow, 'problem' | 'failures'>,
  { results, hasTaken }: RunResult,
): Pick<ConnectionRow, 'problem' | 'failures'> {
  const wrong = results.filter(({ outcome }) => outcome === 'failed')
  const [first] = wrong
  if (first) {
    const isReached = wrong.every(({ file }) => file !== null)
    const problem = first.file === null ? first.message : `${first.file}: ${first.message}`
    return { problem, failures: isReached ? 0 : Math.min(before.failures + 1, 100) }
  }
  const isOfFile = before.problem !== null && !before.failures
  const isIdle = !hasTaken && results.every(({ outcome }) => outcome === 'nothing')
  return { problem: isOfFile && isIdle ? before.problem : null, failures: 0 }
}

/**
 * Records the result of a run and schedules the next. Does nothing if another worker has claimed the run since, because that worker will do
 * so.
 */
async function endRun(
  { tx, now }: Call<'now'>,
  { connection }: Pick<ClaimedRun, 'connection'>,
  { results, hasTaken, found }: RunResult,
): Promise<void> {
  const { organisationId, id, claimedUntil, asked, askedById } = connection
  const [current] = await tx.select().from(connections).where(connectionCondition(connection)).for('update')
  // The connection was deleted, or another worker has claimed it.
  if (!current || current.claimedUntil !== claimedUntil) return
  const isTry = asked === 'try'
  const values = results.map((result) => {
    const outcome: RunOutcome = isTry && result.outcome === 'failed' ? 'tryFailed' : result.outcome
    return { ...result, outcome, organisationId, connectionId: id, at: now.toISOString(), askedById }
  })
  const [only] = values
  const isQuiet = values.length === 1 && only?.outcome === 'nothing' && !asked
  // Consecutive scheduled runs that find no data share one row, which shows the time of the latest.
  if (!isQuiet || !(await updateIdleRun(tx, current, now))) if (values.length) await tx.insert(connectionRuns).values(values)
  const { problem, failures } = isTry ? current : findProblemAfter(current, { results, hasTaken })
  const scheduled = calculateNextDue(current, now)
  const sample = isTry && found?.length ? await sealSamples(tx, organisationId, found) : null
  const again = new Date(now.getTime() + Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs)).toISOString()
  await tx
    .update(connections)
    .set({
      claimedUntil: null,
      asked: null,
      askedById: null,
      attempts: 0,
      problem,
      failures,
      ...(sample && { sample, sampleAt: now.toISOString() }),
      turn: hasTaken || results.some(({ outcome }) => outcome === 'done') ? current.turn + 1 : current.turn,
      dueAt: scheduled && failures && !isTry && again < scheduled ? again : scheduled,
    })
    .where(connectionCondition(connection))
  if (results.every(({ outcome }) => outcome !== 'failed')) await retestCredential(tx, current, now)
}

/** Encrypts samples for storage, because they may name people. */
async function sealSamples(tx: OrganisationTx, organisationId: OrganisationId, found: readonly RecordList[]): Promise<Buffer> {
  return sealBytes(await ensureOrganisationKey(tx, organisationId), Buffer.from(JSON.stringify(found)))
}

/** Requests a new test of the connection's credential if the last test failed, because the system has answered now. */
async function retestCredential(tx: OrganisationTx, { organisationId, credentialId }: ConnectionRow, now: Date): Promise<void> {
  const { organisationId: owner, id, state, testAsked } = integrationCredentials
  await tx
    .update(integrationCredentials)
    .set({ testAsked: now.toISOString(), attempts: 0 })
    .where(and(eq(owner, organisationId), eq(id, credentialId), eq(state, integrationState.failing), isNull(testAsked)))
}

/** If the connection's last row also reports a scheduled run without data, updates its time. @returns whether it did */
async function updateIdleRun(tx: OrganisationTx, { organisationId, id }: ConnectionRow, now: Date): Promise<boolean> {
  const moved = await tx.execute(sql`
    update connection_runs set at = ${now.toISOString()}::timestamptz
    where organisation_id = ${organisationId} and outcome = 'nothing' and asked_by_id is null
      and id = (select max(id) from connection_runs where organisation_id = ${organisationId} and connection_id = ${id})
    returning id`)
  return moved.length > 0
}
