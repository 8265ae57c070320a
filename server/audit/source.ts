import { readFileSync } from 'node:fs'
import { and, asc, eq } from 'drizzle-orm'
import type { StoredEvent } from '../../domain/budget/events.ts'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../domain/calculation/frozen.ts'
import { notFound } from '../../domain/errors.ts'
import { calculationInputs } from '../../drizzle/costTables.ts'
import { budgetEvents, budgets } from '../../drizzle/schema.ts'
import type { OrganisationTx } from '../store/database.ts'
import { readEvents } from '../store/eventLog.ts'
import { sha256 } from '../store/hash.ts'
import type { InputsOf } from './replayLog.ts'
import type { Head } from './verify.ts'

/** The log of one budget with the inputs its recalculations used. */
export interface LogSource {
  organisationId: number
  budgetId: string
  events: StoredEvent[]
  /** Bodies by SHA-256, as they were written. */
  bodies: Map<string, string>
}

/** A budget of any organisation, deleted ones too: the tool is run by the one who owns the database. */
export async function findBudget(tx: OrganisationTx, budgetId: string): Promise<{ organisationId: number; id: string }> {
  const [row] = await tx
    .select({ organisationId: budgetEvents.organisationId, id: budgetEvents.budgetId })
    .from(budgetEvents)
    .where(eq(budgetEvents.budgetId, budgetId))
    .limit(1)
  if (!row) throw notFound('Budget')
  return row
}

/** Every log there is, with where its budget stands; `gone` for one without a row, which its log must say was deleted. */
export async function allLogs(tx: OrganisationTx): Promise<{ id: string; organisationId: number; head: Head | 'gone' }[]> {
  const logs = await tx
    .selectDistinct({ id: budgetEvents.budgetId, organisationId: budgetEvents.organisationId })
    .from(budgetEvents)
    .orderBy(budgetEvents.organisationId, budgetEvents.budgetId)
  const rows = await tx
    .select({ id: budgets.id, organisationId: budgets.organisationId, version: budgets.version, lastHash: budgets.lastHash })
    .from(budgets)
  const heads = new Map(rows.map((row) => [row.id, row]))
  const unlogged = rows.filter((row) => !logs.some((log) => log.id === row.id))
  return [...logs, ...unlogged].map(({ id, organisationId }) => ({ id, organisationId, head: heads.get(id) ?? 'gone' }))
}

export async function sourceOf(tx: OrganisationTx, organisationId: number, budgetId: string): Promise<LogSource> {
  const events = await readEvents(tx, organisationId, budgetId)
  const bodies = new Map<string, string>()
  const fetch = async (sha: string): Promise<string | undefined> => {
    if (!bodies.has(sha)) {
      const [row] = await tx
        .select({ body: calculationInputs.body })
        .from(calculationInputs)
        .where(and(eq(calculationInputs.organisationId, organisationId), eq(calculationInputs.sha256, sha)))
        .orderBy(asc(calculationInputs.sha256))
      if (row) bodies.set(sha, row.body)
    }
    return bodies.get(sha)
  }
  for (const event of events) {
    if (event.type !== 'StaffContractsRecalculated') continue
    const body = await fetch(event.data.inputs)
    if (!body) continue
    const { shared, budgets } = JSON.parse(body) as FrozenInputs
    await fetch(shared)
    const part = budgets[budgetId]
    if (typeof part === 'string') await fetch(part)
  }
  return { organisationId, budgetId, events, bodies }
}

/** Reads the kept inputs of a source, each parsed once. */
export function inputsReader({ bodies }: LogSource): InputsOf {
  const parsed = new Map<string, unknown>()
  const read = <T>(sha: string): T => {
    if (!parsed.has(sha)) {
      const body = bodies.get(sha)
      if (body === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} are missing.`)
      if (sha256(body) !== sha) throw new Error(`The inputs ${sha.slice(0, 12)} are not what was written: their hash does not match.`)
      parsed.set(sha, JSON.parse(body))
    }
    return parsed.get(sha) as T
  }
  return (sha, budgetId) => {
    const root = read<FrozenInputs>(sha)
    const part = root.budgets[budgetId]
    if (part === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} are not of budget ${budgetId}.`)
    return { frozen: typeof part === 'string' ? read<FrozenBudget>(part) : part, shared: read<SharedInputs>(root.shared) }
  }
}

/** A source as JSON Lines: inputs first, then the events in order. */
export function* exportLines({ events, bodies }: LogSource): Generator<string> {
  for (const [sha, body] of bodies) yield JSON.stringify({ kind: 'inputs', sha256: sha, body })
  for (const event of events) yield JSON.stringify({ kind: 'event', ...event })
}

/** A source from exported JSON Lines; it needs no database. @throws Error for a line that is none of ours */
export function readExport(file: string): LogSource {
  const source: LogSource = { organisationId: 0, budgetId: '', events: [], bodies: new Map() }
  const lines = readFileSync(file === '-' ? 0 : file, 'utf8')
    .split('\n')
    .filter(Boolean)
  for (const [index, line] of lines.entries()) {
    let entry: { kind?: string; sha256: string; body: string } & StoredEvent
    try {
      entry = JSON.parse(line)
    } catch {
      throw new Error(`Line ${index + 1} of ${file} is not JSON.`)
    }
    if (entry.kind === 'inputs') source.bodies.set(entry.sha256, entry.body)
    else if (entry.kind === 'event') {
      const { kind: _kind, ...event } = entry
      source.events.push(event as unknown as StoredEvent)
    } else throw new Error(`Line ${index + 1} of ${file} is neither an event nor inputs.`)
  }
  if (!source.events[0]) throw new Error(`${file} holds no events.`)
  return { ...source, organisationId: source.events[0].organisationId, budgetId: source.events[0].budgetId }
}
