import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CostTotals } from '../../domain/budget/budget.ts'
import { assertDefined, requireItemAt } from '../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { dayInLondon, displayCount, displayDate, displayDateTime, displayFigure, displayList } from '../../domain/values/format.ts'
import { toBudgetId, toContractId, toLocationId, toOrganisationId } from '../../domain/values/ids.ts'
import type { Pennies } from '../../domain/values/units.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { listChangesBetweenVersions } from '../audit/compare/diff.ts'
import { projectionNames, rebuildProjections } from '../audit/rebuild/rebuild.ts'
import { explainCost } from '../audit/replay/explain.ts'
import {
  createInputsReader,
  exportLogAsJsonLines,
  findBudget,
  readExportedLog,
  readStoredBudgetLog,
  type StoredBudgetLog,
} from '../audit/replay/logSource.ts'
import { replayMonitoringOfLocation } from '../audit/replay/monitoring.ts'
import { replayBudget } from '../audit/replay/replayBudget.ts'
import { type ReplayedRecalculation, replayLog } from '../audit/replay/replayLog.ts'
import { summariseReproduction } from '../audit/replay/reproduction.ts'
import type { AuditFinding } from '../audit/verify/verify.ts'
import { verifyOrganisations } from '../audit/verify/verifyAll.ts'
import { loadSecretFiles } from '../core/config.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { readUserNamesWithin } from '../core/database/userNames.ts'
import { env } from '../core/settings.ts'
import { type AnchorReadResult, readAnchors, readPublicKey } from '../core/stream/anchorFiles.ts'
import { writeOutsideAnchor } from '../core/stream/anchors.ts'
import { findAnchorsFolder, findDataFolder, withWholeDatabase } from '../launch/toolDatabase.ts'
import { formatTable } from './formatTable.ts'

const usage = `Usage: npm run -s audit -- COMMAND [options] [--json]
  verify  [--organisation ID | --budget ID]            checks chains, versions, heads, anchors, inputs, reference records, definitions
          [--anchors FOLDER|FILE] [--key FILE]         anchors stored elsewhere, and the public key that verifies them
  anchor  [--new-key]                                  writes and mails a signed anchor with the heads of all chains;
                                                       --new-key creates the signing key of a folder that has none
  key                                                  prints the public key that verifies this data folder's anchors
  replay  --budget ID [--at VERSION|DATE] | --file F   replays the log, repeats each recalculation, compares with the tables
  replay  --organisation ID --location ID [--at ...]   replays the monitoring log of a location; 0 for the organisation's own
  diff    --budget ID --from V --to V                  lists what changed, by contract and amount, and who changed it
  explain --budget ID --contract ID --year Y --period P
  export  --budget ID                                  prints the log and its inputs as JSON Lines
  rebuild [--organisation ID | --budget ID]            builds the tables again from their logs, and replaces the rows that differ
          [--projection TABLE] [--dry-run]             one table only; lists the differences and replaces nothing
          [--anchors FOLDER|FILE] [--key FILE]         as for verify
Exit code 0: everything is intact. 1: there are problems, or rebuild found differences. 2: the command is invalid. 3: there are no problems, but some
results could not be reproduced, or rebuild could not rebuild something.`

type ExitCode = 0 | 1 | 3

class UsageError extends Error {}

const { values, positionals } = readArguments()
const print = (text: string): void => void (values.json || console.log(text))
const printJson = (value: unknown): void => void (values.json && console.log(JSON.stringify(value, null, 2)))

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        organisation: text,
        budget: text,
        location: text,
        at: text,
        from: text,
        to: text,
        contract: text,
        year: text,
        period: text,
        file: text,
        anchors: text,
        key: text,
        'new-key': { type: 'boolean', default: false },
        projection: text,
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error(`${getErrorMessage(error)}\n${usage}`)
    process.exit(2)
  }
}

function readRequired(name: 'budget' | 'contract' | 'from' | 'to' | 'year' | 'period'): string {
  const value = values[name]
  if (!value) throw new UsageError(`--${name} is missing.`)
  return value
}

function wholeNumber(name: 'from' | 'to' | 'period'): number {
  const value = Number(readRequired(name))
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`--${name} must be a whole number.`)
  return value
}

/** Returns a path from the command line. @throws UsageError if it does not exist */
function existingPath(path: string, what: string): string {
  if (!existsSync(path)) throw new UsageError(`There is nothing at ${path}. Give the file or folder that holds ${what}.`)
  return path
}

function reportFindings(findings: readonly AuditFinding[]): void {
  for (const { budgetId, version, problem } of findings)
    print(`  ${budgetId === null ? '' : `${budgetId}${version === null ? '' : ` version ${version}`}: `}${problem}`)
}

/** Finds the anchors outside the database: those that the command names, otherwise those of the data folder. */
function findOutsideAnchors(): { outside: string | null; readOutside: () => AnchorReadResult } {
  const outside = values.anchors ?? findAnchorsFolder()
  const key = values.key ? readFileSync(existingPath(values.key, 'the public key'), 'utf8') : null
  const isThere = outside !== null && existsSync(values.anchors ? existingPath(outside, 'the anchors') : outside)
  return { outside, readOutside: () => (isThere ? readAnchors(outside, key) : { anchors: [], problems: [] }) }
}

async function verify(store: Store): Promise<ExitCode> {
  const { outside, readOutside } = findOutsideAnchors()
  const only = { organisation: values.organisation ? Number(values.organisation) : undefined, budget: values.budget }
  const verified = await verifyOrganisations(store, only, readOutside)
  if (!verified.budgets && (only.budget || only.organisation !== undefined)) throw new UsageError('No budget matches.')
  const { budgets, events, changes, definitions, chainedSince, removed, sealings, anchors, findings } = verified
  print(
    `${displayCount(budgets, 'budget')}, ${displayCount(events, 'event')}, ${displayCount(changes, 'change')} of reference records${chainedSince ? `, chained since ${displayDate(chainedSince)}` : ''}: ${findings.length ? displayCount(findings.length, 'problem') : 'every chain is intact'}`,
  )
  for (const { organisationId, name, at, sequence } of removed)
    print(
      `Organisation ${organisationId} (${name}) was removed completely on ${displayDateTime(at)}, when its chain had ${sequence} links.`,
    )
  for (const { at, changes } of sealings)
    print(
      `${displayCount(changes, 'change of a user was', 'changes of users were')} sealed on ${displayDateTime(at)}, after being written. An upgrade does this: see docs/auditors/what-the-log-proves.md.`,
    )
  if (sealings.length && !store.keySeal.hasSecret)
    print('The sealed changes were not compared with their original text, because DATA_KEY is not set.')
  if (definitions) print(`${definitions} definitions of tables, views, functions and rules were compared with those of this version.`)
  else if (!only.budget && !only.organisation)
    print(
      'The definitions of views, functions and rules were not compared, because the data belongs to another version of Bursar. Verify it with that version.',
    )
  const last = anchors.at(-1)
  print(
    last
      ? `${displayCount(anchors.length, 'anchor')} in ${outside}, the latest from ${displayDateTime(last.at)}`
      : `No anchors outside the database were read${outside ? ` (there are none in ${outside})` : ''}: a log that was rewritten completely, with its chain, would not be noticed.`,
  )
  reportFindings(findings)
  printJson({
    budgets,
    events,
    changes,
    definitions,
    chainedSince,
    removed,
    sealings,
    anchors: anchors.length,
    lastAnchor: last?.at ?? null,
    findings,
  })
  return findings.length ? 1 : 0
}

async function anchor(store: Store): Promise<ExitCode> {
  const folder = join(findDataFolder(), 'anchors')
  // Writing to the wrong folder by mistake would create a new key, and start a chain of anchors that nobody can verify.
  if (!values['new-key']) readPublicKey(folder)
  const { SMTP_URL: url, MAIL_FROM: from, ANCHOR_MAIL: mailTo } = env
  const line = await writeOutsideAnchor(store, {
    config: { mail: url && from ? { url, from } : null },
    to: { folder, mailTo: mailTo || null },
    reason: 'command',
    now: new Date(),
  })
  print(`An anchor was added to ${folder}. Store its line where nobody who runs Bursar can change it:\n\n${line}`)
  printJson(JSON.parse(assertDefined(line)))
  return 0
}

/** Call this in commands that need the whole log. @throws Error that names the damaged event */
function requireReadable({ budgetId, damaged }: StoredBudgetLog): void {
  if (damaged) throw new Error(`Version ${damaged.version} of budget ${budgetId}: ${damaged.problem}`)
}

function versionAt({ events }: StoredBudgetLog): number {
  if (!values.at) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(values.at)) return Number(values.at)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(values.at)) throw new UsageError('--at must be a version or a date such as 2026-09-30.')
  return events.filter((event) => dayInLondon(event.occurredAt) <= assertDefined(values.at)).at(-1)?.version ?? 0
}

async function replay(source: StoredBudgetLog, tx: OrganisationTx | null): Promise<ExitCode> {
  const upTo = versionAt(source)
  const { replayed, findings, isCompared } = await replayBudget(source, tx, upTo)
  const { state, recalculations } = replayed
  if (!state.head && source.damaged) {
    reportFindings(findings)
    printJson({ budgetId: source.budgetId, findings })
    return 1
  }
  if (!state.head)
    throw new UsageError(
      upTo >= state.version ? 'The budget was deleted. Choose an earlier version with --at.' : 'The budget did not exist then.',
    )
  const { reproduced, recorded, notReproduced } = summariseReproduction(replayed)
  const years = Array.from({ length: state.head.numberOfYears }, (_unused, year) =>
    formatBudgetYear(assertDefined(state.head).firstYear, year),
  )
  const last = recalculations.at(-1)
  print(
    `${state.head.name}: ${displayCount(state.version, 'event')}, ${displayCount(state.contracts.size, 'contract')}, ${displayCount(recalculations.length, 'recalculation')}`,
  )
  if (recalculations.length)
    print(
      formatTable(
        ['Version', 'Contracts', ...years],
        recalculations.slice(-12).map((run) => [String(run.version), String(run.contracts), ...totalsOf(run).years.map(displayFigure)]),
      ),
    )
  print(
    `Reproduced to the penny with the recorded engines: ${displayCount(reproduced.recalculations, 'recalculation')}, ${displayCount(reproduced.entries, 'entry', 'entries')}.`,
  )
  if (recorded.entries + recorded.transfers)
    print(
      `Accepted as recorded: ${displayCount(recorded.entries, 'entry', 'entries')} from calculations and predictions, ${displayCount(recorded.transfers, 'amount')} from pools and top slices.`,
    )
  if (notReproduced.engines.length)
    print(
      `Could not be reproduced: ${displayCount(notReproduced.recalculations, 'recalculation')} and ${displayCount(notReproduced.entries, 'entry', 'entries')} of engine ${displayList(notReproduced.engines)}, which this version of Bursar does not have. Their recorded results were accepted.`,
    )
  if (findings.length) print(displayCount(findings.length, 'problem'))
  else if (isCompared) print('The tables match the log.')
  reportFindings(findings)
  printJson({
    budgetId: source.budgetId,
    version: state.version,
    contracts: state.contracts.size,
    recalculations,
    last: last ? totalsOf(last) : null,
    compared: isCompared,
    reproduced,
    recorded,
    notReproduced,
    findings,
  })
  return findings.length ? 1 : notReproduced.engines.length ? 3 : 0
}

/** The totals of the repeated recalculation, or the recorded totals if this version lacks the engine. */
const totalsOf = ({ outcome, recorded, recomputed }: ReplayedRecalculation): CostTotals =>
  outcome === 'notReproduced' ? recorded : recomputed

async function replayMonitoringLog(tx: OrganisationTx): Promise<ExitCode> {
  const [organisationId, locationId] = [toOrganisationId(Number(values.organisation)), toLocationId(Number(values.location))]
  if (!Number.isInteger(organisationId) || organisationId < 1) throw new UsageError('--organisation must be a number.')
  if (!Number.isInteger(locationId) || locationId < 0) throw new UsageError('--location must be a number.')
  const { at } = values
  if (at && !/^(\d{1,9}|\d{4}-\d{2}-\d{2})$/.test(at)) throw new UsageError('--at must be a version or a date such as 2026-09-30.')
  const replayed = await replayMonitoringOfLocation({ tx, organisationId, locationId }, at ? (at.includes('-') ? at : Number(at)) : null)
  const { version, events, months, kept, compared, findings } = replayed
  if (!events) throw new UsageError('This location has no monitoring log.')
  const things = Object.entries(kept).map(([kind, count]) => `${count} ${kind}`)
  print(`Version ${version}, ${events} events: ${things.join(', ') || 'no items'}`)
  if (months.length)
    print(
      formatTable(
        ['Month', 'Actuals', 'Commitments', 'Lines', 'In', 'Closed'],
        months.map((one) => [
          one.month,
          displayFigure(one.actuals),
          displayFigure(one.commitments),
          String(one.lines),
          one.isIn ? 'yes' : 'no',
          one.isClosed ? 'yes' : 'no',
        ]),
      ),
    )
  print(findings.length ? `${findings.length} problems` : `The log is intact${compared ? ', and the tables match it' : ''}.`)
  reportFindings(findings)
  printJson({ organisationId, locationId, ...replayed })
  return findings.length ? 1 : 0
}

async function diff(tx: OrganisationTx, source: StoredBudgetLog): Promise<ExitCode> {
  requireReadable(source)
  const differences = listChangesBetweenVersions(source.events, {
    inputsOf: createInputsReader(source),
    from: wholeNumber('from'),
    to: wholeNumber('to'),
  })
  const names = await readUserNamesWithin(
    tx,
    differences.flatMap((one) => one.actorIds),
  )
  const nameActor = (id: number | null): string => (id === null ? 'System' : (names.get(id) ?? `user ${id}`))
  const amount = (pennies: Pennies | null): string => (pennies === null ? 'not calculated' : displayFigure(pennies))
  print(
    formatTable(
      ['Contract', 'Name', 'What', 'Before', 'After', 'Change', 'By'],
      differences.map((one) => [
        one.contractId,
        one.contractName,
        one.what,
        amount(one.before),
        amount(one.after),
        amount(one.before === null || one.after === null ? null : one.after - one.before),
        one.actorIds.map(nameActor).join(', '),
      ]),
    ),
  )
  for (const one of differences) for (const field of one.fields) print(`  ${one.contractName}: ${field}`)
  printJson(differences.map((one) => ({ ...one, by: one.actorIds.map(nameActor) })))
  return 0
}

function explain(source: StoredBudgetLog): ExitCode {
  requireReadable(source)
  const inputs = createInputsReader(source)
  const replayed = replayLog(source.events, inputs)
  const { head } = replayed.state
  const requestedYear = readRequired('year')
  const years = Array.from({ length: assertDefined(head).numberOfYears }, (_unused, index) =>
    formatBudgetYear(assertDefined(head).firstYear, index),
  )
  const year = years.includes(requestedYear) ? years.indexOf(requestedYear) + 1 : Number(requestedYear)
  if (!Number.isInteger(year) || year < 1 || year > years.length)
    throw new UsageError(`--year must be 1 to ${years.length} or one of ${years.join(', ')}.`)
  const period = wholeNumber('period')
  if (period < 1 || period > 12) throw new UsageError('--period must be 1 to 12.')
  const { steps, cost } = explainCost(replayed, { inputs, contractId: toContractId(readRequired('contract')), year, period })
  const costs = assertDefined(cost.years[year - 1])
  const amount = (pennies: Pennies | null): string => (pennies === null ? 'not calculated' : displayFigure(pennies))
  print(
    formatTable(
      ['Figure', 'Step', 'Value', 'Rule'],
      steps.map((step) => [step.figure, step.label, step.value, step.rule]),
    ),
  )
  print(
    `\nBasic ${amount(requireItemAt(costs.basic, period - 1))} · gross ${amount(requireItemAt(costs.gross, period - 1))} · NI ${amount(requireItemAt(costs.ni, period - 1))} · pension ${amount(requireItemAt(costs.pension, period - 1))}`,
  )
  printJson({
    year: years[year - 1],
    period,
    steps,
    pennies: {
      basic: costs.basic[period - 1],
      gross: costs.gross[period - 1],
      ni: costs.ni[period - 1],
      pension: costs.pension[period - 1],
    },
  })
  return 0
}

async function rebuild(store: Store): Promise<ExitCode> {
  const { organisation, budget, projection, 'dry-run': isDryRun } = values
  if (projection && !projectionNames.includes(projection))
    throw new UsageError(`There is no projection ${projection}. The projections are ${displayList(projectionNames)}.`)
  const only = { organisation: organisation ? Number(organisation) : undefined, budget, projection }
  const rebuilt = await rebuildProjections(store, { ...only, isDryRun, outside: findOutsideAnchors().readOutside() })
  if (!rebuilt.logs && !rebuilt.notRebuilt.length && (budget || organisation)) throw new UsageError('No log matches.')
  const { logs, projections, differences, notRebuilt } = rebuilt
  print(
    formatTable(
      ['Projection', 'Rows', 'Missing', 'Extra', 'Different'],
      projections.map((one) => [
        one.projection,
        ...[one.rows, one.missing, one.extra, one.different].map((count) => count.toLocaleString('en-GB')),
      ]),
    ),
  )
  for (const { log, projection: table, missing, extra, different, keys } of differences)
    print(
      `  ${table} of ${log}: ${missing} missing, ${extra} extra, ${different} different${keys.some(Boolean) ? `: ${keys.join('; ')}` : ''}${missing + extra + different > keys.length ? '; …' : ''}`,
    )
  const summary = `${displayCount(logs, 'log')}: ${differences.length ? `${displayCount(differences.length, 'projection')} differed` : 'no row differs'}`
  print(`${summary}${differences.length ? (isDryRun ? '. Nothing was replaced.' : '. The rows were replaced.') : ''}`)
  if (notRebuilt.length) print('Could not be rebuilt, and was left as it is:')
  for (const { log, version, problem } of notRebuilt) print(`  ${log}${version === null ? '' : `, version ${version}`}: ${problem}`)
  printJson({ ...rebuilt, isDryRun })
  return notRebuilt.length ? 3 : differences.length ? 1 : 0
}

async function run(command: string | undefined): Promise<ExitCode> {
  if (!command || !['verify', 'anchor', 'key', 'replay', 'diff', 'explain', 'export', 'rebuild'].includes(command))
    throw new UsageError(command ? `There is no command ${command}.` : 'Give a command.')
  loadSecretFiles()
  if (command === 'replay' && values.file) return replay(readExportedLog(values.file), null)
  if (command === 'key') {
    console.log(readPublicKey(join(findDataFolder(), 'anchors')).trim())
    return 0
  }
  const isMonitoring = command === 'replay' && values.location !== undefined
  if (!['verify', 'anchor', 'rebuild'].includes(command) && !isMonitoring) readRequired('budget')
  return withWholeDatabase('npm run audit', (store) => {
    if (command === 'verify') return verify(store)
    if (command === 'anchor') return anchor(store)
    if (command === 'rebuild') return rebuild(store)
    if (isMonitoring) return store.snapshot(replayMonitoringLog)
    return store.snapshot(async (tx) => {
      const { organisationId, id } = await findBudget(tx, toBudgetId(readRequired('budget')))
      const source = await readStoredBudgetLog(tx, organisationId, id)
      if (command === 'replay') return replay(source, tx)
      if (command === 'diff') return diff(tx, source)
      if (command === 'explain') return explain(source)
      for (const line of exportLogAsJsonLines(source)) console.log(line)
      return 0
    })
  })
}

try {
  process.exitCode = await run(positionals[0])
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n${usage}` : getErrorMessage(error))
  process.exitCode = error instanceof UsageError ? 2 : 1
}
