import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CostTotals } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/values/calendar.ts'
import { dayInLondon, displayCount, displayList, figure } from '../../domain/values/format.ts'
import { budgetIdOf, contractIdOf, locationIdOf, organisationIdOf } from '../../domain/values/ids.ts'
import { elementAt, must } from '../../domain/values/must.ts'
import type { Pennies } from '../../domain/values/units.ts'
import { messageOf } from '../../domain/words/errors.ts'
import { diffLog } from '../audit/compare/diff.ts'
import { explainCost } from '../audit/replay/explain.ts'
import { replayLocation } from '../audit/replay/monitoring.ts'
import { replayBudget } from '../audit/replay/replayBudget.ts'
import { type Recomputed, replayLog } from '../audit/replay/replayLog.ts'
import { reproducedBy } from '../audit/replay/reproduced.ts'
import { exportLines, findBudget, inputsReader, type LogSource, readExport, sourceOf } from '../audit/replay/source.ts'
import type { Finding } from '../audit/verify/verify.ts'
import { verifyStore } from '../audit/verify/verifyAll.ts'
import { takeSecretFiles } from '../core/config.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { env } from '../core/settings.ts'
import { publicKeyOf, type ReadAnchors, readAnchors } from '../core/stream/anchorFiles.ts'
import { anchorOutside } from '../core/stream/anchors.ts'
import { anchorsFolderOf, dataFolderOf, withWholeDatabase } from '../launch/toolDatabase.ts'
import { userNamesIn } from '../resources/referenceLog.ts'
import { table } from './print.ts'

const usage = `Usage: npm run -s audit -- COMMAND [options] [--json]
  verify  [--organisation ID | --budget ID]            hash chains, versions, heads, anchors, inputs, reference records, definitions
          [--anchors FOLDER|FILE] [--key FILE]         anchors kept elsewhere, and the public key that signed them
  anchor  [--new-key]                                  write the heads of all chains out now, signed, and mail them;
                                                       a folder without a key gets one only if you say so
  key                                                  the public key that signs the anchors of this data folder
  replay  --budget ID [--at VERSION|DATE] | --file F   fold the log, recompute every recalculation, compare with the tables
  replay  --organisation ID --location ID [--at ...]   fold the monitoring log of a location, 0 for the organisation's own
  diff    --budget ID --from V --to V                  what changed, by contract and by pounds, and who did it
  explain --budget ID --contract ID --year Y --period P
  export  --budget ID                                  log and inputs as JSON Lines
Exit code 0: everything holds. 1: something is wrong. 2: the command cannot be read. 3: nothing is wrong, but some of it could not be worked out again.`

/** What the process ends with; the usage says what each means. */
type ExitCode = 0 | 1 | 3

class UsageError extends Error {}

const { values, positionals } = readArguments()
const say = (text: string): void => void (values.json || console.log(text))
const answer = (value: unknown): void => void (values.json && console.log(JSON.stringify(value, null, 2)))

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
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error(`${messageOf(error)}\n${usage}`)
    process.exit(2)
  }
}

function required(name: 'budget' | 'contract' | 'from' | 'to' | 'year' | 'period'): string {
  const value = values[name]
  if (!value) throw new UsageError(`--${name} is missing.`)
  return value
}

function whole(name: 'from' | 'to' | 'period'): number {
  const value = Number(required(name))
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`--${name} must be a whole number.`)
  return value
}

/** A path that somebody named. @throws UsageError where there is nothing */
function existing(path: string, what: string): string {
  if (!existsSync(path)) throw new UsageError(`There is nothing at ${path}. Name the file or folder of ${what}.`)
  return path
}

function reportFindings(findings: readonly Finding[]): void {
  for (const { budgetId, version, problem } of findings)
    say(`  ${budgetId === null ? '' : `${budgetId}${version === null ? '' : ` version ${version}`}: `}${problem}`)
}

async function verify(store: Store): Promise<ExitCode> {
  const outside = values.anchors ?? anchorsFolderOf()
  const key = values.key ? readFileSync(existing(values.key, 'the public key'), 'utf8') : null
  const isThere = outside !== null && existsSync(values.anchors ? existing(outside, 'the anchors') : outside)
  const only = { organisation: values.organisation ? Number(values.organisation) : undefined, budget: values.budget }
  const verified = await verifyStore(store, only, () => (isThere ? readAnchors(outside, key) : noAnchors))
  if (!verified.budgets && (only.budget || only.organisation !== undefined)) throw new UsageError('No budget matches.')
  const { budgets, events, changes, definitions, chainedSince, removed, sealings, anchors, findings } = verified
  say(
    `${budgets} budgets, ${events} events, ${changes} changes of reference records${chainedSince ? `, chained since ${chainedSince}` : ''}: ${findings.length ? `${findings.length} problems` : 'every chain is whole'}`,
  )
  for (const { organisationId, name, at, sequence } of removed)
    say(`Organisation ${organisationId} (${name}) was removed whole at ${at}, with ${sequence} links of its chain.`)
  for (const { at, changes } of sealings)
    say(
      `${displayCount(changes, 'change of a user was', 'changes of users were')} sealed at ${at}, some time after being written. An upgrade does this: see docs/auditors/what-the-log-proves.md.`,
    )
  if (sealings.length && !store.keySeal.hasSecret)
    say('The sealed changes were not compared with what was written before, because DATA_KEY is not set.')
  if (definitions) say(`${definitions} definitions of tables, views, functions and rules were compared with those of this version.`)
  else if (!only.budget && !only.organisation)
    say(
      'The definitions of views, functions and rules were not compared: the data is of another version of Bursar. Verify it with that one.',
    )
  const last = anchors.at(-1)
  say(
    last
      ? `${anchors.length} anchors in ${outside}, the last of ${last.at}`
      : `No anchors outside the database were read${outside ? ` (there are none in ${outside})` : ''}: a log that was rewritten whole, with its chain, would not be seen.`,
  )
  reportFindings(findings)
  answer({
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

const noAnchors: ReadAnchors = { anchors: [], problems: [] }

/** Writes the heads of all chains out now. */
async function anchor(store: Store): Promise<ExitCode> {
  const folder = join(dataFolderOf(), 'anchors')
  // In a wrong folder a new key would sign a chain of anchors that nobody knows.
  if (!values['new-key']) publicKeyOf(folder)
  const { SMTP_URL: url, MAIL_FROM: from, ANCHOR_MAIL: mailTo } = env
  const line = await anchorOutside(store, {
    config: { mail: url && from ? { url, from } : null },
    to: { folder, mailTo: mailTo || null },
    reason: 'command',
    now: new Date(),
  })
  say(`An anchor was added to ${folder}. Its line, to be kept where nobody who runs the product can change it:\n\n${line}`)
  answer(JSON.parse(must(line)))
  return 0
}

/** A version, or the last version of a day. */
function versionAt({ events }: LogSource): number {
  if (!values.at) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(values.at)) return Number(values.at)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(values.at)) throw new UsageError('--at must be a version or a date as 2026-09-30.')
  return events.filter((event) => dayInLondon(event.occurredAt) <= must(values.at)).at(-1)?.version ?? 0
}

async function replay(source: LogSource, tx: OrganisationTx | null): Promise<ExitCode> {
  const upTo = versionAt(source)
  const { replayed, findings, isCompared } = await replayBudget(source, tx, upTo)
  const { state, recalculations } = replayed
  if (!state.head)
    throw new UsageError(
      upTo >= state.version ? 'The budget was deleted. Name a version before that with --at.' : 'The budget did not exist then.',
    )
  const { reproduced, recorded, notReproduced } = reproducedBy(replayed)
  const years = Array.from({ length: state.head.numberOfYears }, (_unused, year) => yearName(must(state.head).firstYear, year))
  const last = recalculations.at(-1)
  say(
    `${state.head.name}: ${state.version} events, ${state.contracts.size} contracts, ${displayCount(recalculations.length, 'recalculation')}`,
  )
  if (recalculations.length)
    say(
      table(
        ['Version', 'Contracts', ...years],
        recalculations.slice(-12).map((run) => [String(run.version), String(run.contracts), ...cameTo(run).years.map(figure)]),
      ),
    )
  say(
    `Replays to the penny, by the engine that each names: ${displayCount(reproduced.recalculations, 'recalculation')}, ${displayCount(reproduced.entries, 'entry', 'entries')}.`,
  )
  if (recorded.entries + recorded.transfers)
    say(
      `Taken as recorded: ${displayCount(recorded.entries, 'entry', 'entries')} of calculations and predictions, ${displayCount(recorded.transfers, 'amount')} of pools and top slices.`,
    )
  if (notReproduced.engines.length)
    say(
      `Could not be worked out again: ${displayCount(notReproduced.recalculations, 'recalculation')} and ${displayCount(notReproduced.entries, 'entry', 'entries')} of engine ${displayList(notReproduced.engines)}, which this version of Bursar does not have. What was recorded stands.`,
    )
  if (findings.length) say(displayCount(findings.length, 'problem'))
  else if (isCompared) say('The tables say the same as the log.')
  reportFindings(findings)
  answer({
    budgetId: source.budgetId,
    version: state.version,
    contracts: state.contracts.size,
    recalculations,
    last: last ? cameTo(last) : null,
    compared: isCompared,
    reproduced,
    recorded,
    notReproduced,
    findings,
  })
  return findings.length ? 1 : notReproduced.engines.length ? 3 : 0
}

/** What a recalculation came to: as it was worked out again, or as it was recorded where it could not be. */
const cameTo = ({ outcome, recorded, recomputed }: Recomputed): CostTotals => (outcome === 'notReproduced' ? recorded : recomputed)

/** Folds the monitoring log of a location, or of the organisation itself. */
async function replayMonitoringOf(tx: OrganisationTx): Promise<ExitCode> {
  const [organisationId, locationId] = [organisationIdOf(Number(values.organisation)), locationIdOf(Number(values.location))]
  if (!Number.isInteger(organisationId) || organisationId < 1) throw new UsageError('--organisation must be a number.')
  if (!Number.isInteger(locationId) || locationId < 0) throw new UsageError('--location must be a number.')
  const { at } = values
  if (at && !/^(\d{1,9}|\d{4}-\d{2}-\d{2})$/.test(at)) throw new UsageError('--at must be a version or a date as 2026-09-30.')
  const replayed = await replayLocation({ tx, organisationId, locationId }, at ? (at.includes('-') ? at : Number(at)) : null)
  const { version, events, months, kept, compared, findings } = replayed
  if (!events) throw new UsageError('This location has no monitoring log.')
  const things = Object.entries(kept).map(([kind, count]) => `${count} ${kind}`)
  say(`Version ${version} of ${events} events: ${things.join(', ') || 'nothing kept'}`)
  if (months.length)
    say(
      table(
        ['Month', 'Actuals', 'Commitments', 'Lines', 'In', 'Closed'],
        months.map((one) => [
          one.month,
          figure(one.actuals),
          figure(one.commitments),
          String(one.lines),
          one.isIn ? 'yes' : 'no',
          one.isClosed ? 'yes' : 'no',
        ]),
      ),
    )
  say(findings.length ? `${findings.length} problems` : `The log is whole${compared ? ', and the tables say the same' : ''}.`)
  reportFindings(findings)
  answer({ organisationId, locationId, ...replayed })
  return findings.length ? 1 : 0
}

async function diff(tx: OrganisationTx, source: LogSource): Promise<ExitCode> {
  const differences = diffLog(source.events, { inputsOf: inputsReader(source), from: whole('from'), to: whole('to') })
  const names = await userNamesIn(
    tx,
    differences.flatMap((one) => one.actorIds),
  )
  const who = (id: number | null): string => (id === null ? 'System' : (names.get(id) ?? `user ${id}`))
  const amount = (pennies: Pennies | null): string => (pennies === null ? 'not calculated' : figure(pennies))
  say(
    table(
      ['Contract', 'Name', 'What', 'Before', 'After', 'Change', 'By'],
      differences.map((one) => [
        one.contractId,
        one.contractName,
        one.what,
        amount(one.before),
        amount(one.after),
        amount(one.before === null || one.after === null ? null : one.after - one.before),
        one.actorIds.map(who).join(', '),
      ]),
    ),
  )
  for (const one of differences) for (const field of one.fields) say(`  ${one.contractName}: ${field}`)
  answer(differences.map((one) => ({ ...one, by: one.actorIds.map(who) })))
  return 0
}

function explain(source: LogSource): ExitCode {
  const inputs = inputsReader(source)
  const replayed = replayLog(source.events, inputs)
  const { head } = replayed.state
  const asked = required('year')
  const years = Array.from({ length: must(head).numberOfYears }, (_unused, index) => yearName(must(head).firstYear, index))
  const year = years.includes(asked) ? years.indexOf(asked) + 1 : Number(asked)
  if (!Number.isInteger(year) || year < 1 || year > years.length)
    throw new UsageError(`--year must be 1 to ${years.length} or one of ${years.join(', ')}.`)
  const period = whole('period')
  if (period < 1 || period > 12) throw new UsageError('--period must be 1 to 12.')
  const { steps, cost } = explainCost(replayed, { inputs, contractId: contractIdOf(required('contract')), year, period })
  const costs = must(cost.years[year - 1])
  const amount = (pennies: Pennies | null): string => (pennies === null ? 'not calculated' : figure(pennies))
  say(
    table(
      ['Figure', 'Step', 'Value', 'Rule'],
      steps.map((step) => [step.figure, step.label, step.value, step.rule]),
    ),
  )
  say(
    `\nBasic ${amount(elementAt(costs.basic, period - 1))} · gross ${amount(elementAt(costs.gross, period - 1))} · NI ${amount(elementAt(costs.ni, period - 1))} · pension ${amount(elementAt(costs.pension, period - 1))}`,
  )
  answer({
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

async function run(command: string | undefined): Promise<ExitCode> {
  if (!command || !['verify', 'anchor', 'key', 'replay', 'diff', 'explain', 'export'].includes(command))
    throw new UsageError(command ? `There is no command ${command}.` : 'Name a command.')
  takeSecretFiles()
  if (command === 'replay' && values.file) return replay(readExport(values.file), null)
  if (command === 'key') {
    console.log(publicKeyOf(join(dataFolderOf(), 'anchors')).trim())
    return 0
  }
  const isMonitoring = command === 'replay' && values.location !== undefined
  if (command !== 'verify' && command !== 'anchor' && !isMonitoring) required('budget')
  return withWholeDatabase('npm run audit', (store) => {
    if (command === 'verify') return verify(store)
    if (command === 'anchor') return anchor(store)
    if (isMonitoring) return store.snapshot(replayMonitoringOf)
    return store.snapshot(async (tx) => {
      const { organisationId, id } = await findBudget(tx, budgetIdOf(required('budget')))
      const source = await sourceOf(tx, organisationId, id)
      if (command === 'replay') return replay(source, tx)
      if (command === 'diff') return diff(tx, source)
      if (command === 'explain') return explain(source)
      for (const line of exportLines(source)) console.log(line)
      return 0
    })
  })
}

try {
  process.exitCode = await run(positionals[0])
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n${usage}` : messageOf(error))
  process.exitCode = error instanceof UsageError ? 2 : 1
}
