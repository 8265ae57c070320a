import { readFileSync } from 'node:fs'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { calculationInputs } from '../../../drizzle/costTables.ts'
import { budgetEvents, budgets } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { parseReadableEvents, type ReadableEvents, readStoredEventRows, type StoredEventRow } from '../../core/stream/stream.ts'

/** The log of one budget with the inputs of its recalculations. */
export interface StoredBudgetLog extends ReadableEvents<'budget'> {
  organisationId: OrganisationId
  budgetId: BudgetId
  /** Every event as it is stored. */
  records: StoredEventRow[]
  /** The stored calculation inputs, as text, by their SHA-256. */
  bodies: Map<string, string>
}

/** Finds a budget of any organisation, even a deleted budget. Only the database owner runs this tool, so it checks no permissions. */
export async function findBudget(tx: OrganisationTx, budgetId: BudgetId): Promise<{ organisationId: OrganisationId; id: BudgetId }> {
  const [row] = await tx
    .select({ organisationId: budgetEvents.organisationId, id: budgetEvents.budgetId })
    .from(budgetEvents)
    .where(eq(budgetEvents.budgetId, budgetId))
    .limit(1)
  if (!row) throw notFound('Budget')
  return row
}

/** A budget that some table refers to. `head` is `gone` if the budget has no row; its log must then end with its deletion. */
export interface ReferencedBudget {
  id: BudgetId
  organisationId: OrganisationId
  head: LogHead | 'gone'
}

/**
 * Lists every budget of an organisation that any table refers to: logs, rows, anchors, figures, groups past and present, recalculations and
 * copies. A budget removed with its log is found because one of the other tables still refers to it.
 */
export async function listReferencedBudgets(tx: OrganisationTx, organisationId: OrganisationId): Promise<ReferencedBudget[]> {
  const referenced = await tx.execute<{ id: BudgetId }>(sql`
    select id from (select organisation_id, budget_id as id from budget_events
    union select organisation_id, id from budgets
    union select organisation_id, budget_id from chain_anchors
    union select organisation_id, budget_id from staff_contracts
    union select organisation_id, budget_id from staff_costs
    union select organisation_id, budget_id from budget_items
    union select organisation_id, budget_id from posted_lines
    union select organisation_id, budget_id from budget_days
    union select organisation_id, budget_id from quick_calculations
    union select organisation_id, budget_id from recalculation_budgets
    union select organisation_id, budget_id from budget_job_items
    union select organisation_id, source_id from budget_job_items
    union select organisation_id, budget_id from budget_group_members
    union select organisation_id, jsonb_array_elements_text(after -> 'budgetIds')::char(24) from reference_changes
      where resource = 'budgetGroup' and jsonb_typeof(after -> 'budgetIds') = 'array') named
    where organisation_id = ${organisationId} order by id`)
  const rows = await tx
    .select({ id: budgets.id, version: budgets.version, lastHash: budgets.lastHash })
    .from(budgets)
    .where(eq(budgets.organisationId, organisationId))
  const heads = new Map(rows.map(({ id, ...head }) => [id, head]))
  return referenced.map(({ id }) => ({ id, organisationId, head: heads.get(id) ?? 'gone' }))
}

export async function readStoredBudgetLog(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<StoredBudgetLog> {
  const records = await readStoredEventRows({ tx, organisationId }, { name: 'budget', id: budgetId })
  const readable = parseReadableEvents('budget', records)
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
  for (const event of readable.events) {
    if (event.type !== 'StaffContractsRecalculated') continue
    const body = await fetch(event.data.inputs)
    if (!body) continue
    const { shared, budgets }: FrozenInputs = JSON.parse(body)
    await fetch(shared)
    const part = budgets[budgetId]
    if (typeof part === 'string') await fetch(part)
  }
  return { organisationId, budgetId, records, ...readable, bodies }
}

/** Returns a function that reads stored inputs, checks their hash and parses each once. */
export function createInputsReader({ bodies }: StoredBudgetLog): InputsReader {
  const parsed = new Map<string, unknown>()
  const read = <T>(sha: string): T => {
    if (!parsed.has(sha)) {
      const body = bodies.get(sha)
      if (body === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} are missing.`)
      if (sha256(body) !== sha) throw new Error(`The inputs ${sha.slice(0, 12)} were changed: their hash does not match.`)
      parsed.set(sha, JSON.parse(body))
    }
    // The caller knows the type of the digest's content, and the hash was checked when it was read.
    return parsed.get(sha) as T
  }
  return (sha, budgetId) => {
    const root = read<FrozenInputs>(sha)
    const part = root.budgets[budgetId]
    if (part === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} do not belong to budget ${budgetId}.`)
    return { frozen: typeof part === 'string' ? read<FrozenBudget>(part) : part, shared: read<SharedInputs>(root.shared) }
  }
}

/** Exports a source as JSON Lines: inputs first, then the events in order. */
export function* exportLogAsJsonLines({ records, bodies }: StoredBudgetLog): Generator<string> {
  for (const [sha, body] of bodies) yield JSON.stringify({ kind: 'inputs', sha256: sha, body })
  for (const record of records) yield JSON.stringify({ kind: 'event', ...record })
}

/** Reads an exported source, without a database. @throws Error for a line that is not from an export */
export function readExportedLog(file: string): StoredBudgetLog {
  const records: StoredEventRow[] = []
  const bodies: StoredBudgetLog['bodies'] = new Map()
  const lines = readFileSync(file === '-' ? 0 : file, 'utf8')
    .split('\n')
    .filter(Boolean)
  for (const [index, line] of lines.entries()) {
    let entry: { kind?: string; sha256: string; body: string } & StoredEventRow
    try {
      entry = JSON.parse(line)
    } catch {
      throw new Error(`Line ${index + 1} of ${file} is not JSON.`)
    }
    if (entry.kind === 'inputs') bodies.set(entry.sha256, entry.body)
    else if (entry.kind === 'event') {
      const { kind: _kind, ...record } = entry
      // Exports of versions without schema versions do not have this field.
      records.push({ ...record, schema: record.schema ?? 1 })
    } else throw new Error(`Line ${index + 1} of ${file} is neither an event nor inputs.`)
  }
  const [first] = records
  if (!first || !('budgetId' in first)) throw new Error(`${file} contains no events of a budget.`)
  return { organisationId: first.organisationId, budgetId: first.budgetId, records, ...parseReadableEvents('budget', records), bodies }
}

export interface LogHead {
  version: number
  lastHash: string
}

/** Reads the stored inputs of a budget by the SHA-256 of their root. @throws Error if they are missing or their hash does not match */
export type InputsReader = (sha256: string, budgetId: BudgetId) => { frozen: FrozenBudget; shared: SharedInputs }
