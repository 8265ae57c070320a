import { createHash } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { CostTotals, StaffContract, StoredContract } from '../../../../domain/budget/budget.ts'
import { withdrawLevyShares } from '../../../../domain/budget/decideShared.ts'
import type { BudgetEvent, StoredEvent } from '../../../../domain/budget/events.ts'
import { emptyBudget, evolve } from '../../../../domain/budget/evolve.ts'
import { type Engine, engineVersion } from '../../../../domain/calculation/engine.ts'
import { engineOf } from '../../../../domain/calculation/engines/engines.ts'
import type { ContractCost, Figure } from '../../../../domain/calculation/inputs.ts'
import {
  codingOf,
  costContracts,
  hasPay,
  linesOf,
  overYears,
  type SharedInputs,
  yearTotals,
} from '../../../../domain/calculation/staffing/frozen.ts'
import { costText, keptText } from '../../../../domain/calculation/staffing/keptCost.ts'
import { type LineOfYears, type TermCoding, yearsOfLines } from '../../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import type { ContractId, StaffId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import { carryOut, type OrganisationTx } from '../../../core/database/database.ts'
import { sha256 } from '../../../core/stream/hash.ts'
import {
  type Posted,
  replaceContractLines,
  replacementOfContractLinesBut,
  standingContents,
  standingCosts,
  standsAsWritten,
  writeLines,
} from '../../../streams/budget/lines.ts'
import { markBudgetRequired, markGroupOf } from '../../../streams/budget/marks.ts'
import { contractsOfEmployees, loadBudget, loadContracts } from '../../../streams/budget/queries.ts'
import { commitTo, readEvents } from '../../../streams/budget/stream.ts'
import { postLevyOfPay, refreshLevy, withdrawAllowance, withdrawLevy, withdrawLevyBeside } from '../../groupMoney/levy/commands.ts'
import { grossOf, grossOfPay } from '../../groupMoney/levy/queries.ts'
import { keepInputs } from '../inputs/commands.ts'
import { inputsNow, isGivenTheSame, type ReadAlready, readInputs } from '../inputs/queries.ts'
import { costsOf, totalsOf } from './queries.ts'

/** The hash of a result: over the costings by contract id. */
export function resultHash(costs: ReadonlyMap<ContractId, ContractCost>): string {
  return resultOf(textsOf(costs))
}

/** The canonical JSON of costings, by contract: what is hashed is what is written. */
function textsOf(costs: ReadonlyMap<ContractId, ContractCost>): Map<string, string> {
  return new Map([...costs].map(([id, cost]) => [id, costText(cost)]))
}

function resultOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  let before = '['
  for (const id of [...texts.keys()].sort((a, b) => (a < b ? -1 : 1))) {
    hash.update(`${before}[${JSON.stringify(id)},${texts.get(id)}]`)
    before = ','
  }
  return hash.update(texts.size ? ']' : '[]').digest('hex')
}

/**
 * The name of all that the rows of a contract's costing follow from: the costing, by which engine, and what posts it to lines. Rows that were
 * made of the same are the same.
 * @param text the canonical JSON of the costing
 */
export function contentOf(
  contract: StaffContract,
  { text, shared, engine = engineVersion }: { text: string; shared: SharedInputs; engine?: string },
): string {
  return sha256(`${engine} ${text} [${codingText(codingOf(contract, shared))},${canonicalJson(contract.fundCodes)}]`)
}

/** The few codings that the contracts of a trust have, as they stand in what they are named by. */
const codingTexts = new WeakMap<TermCoding, string>()

function codingText(coding: TermCoding | undefined): string {
  if (!coding) return 'null'
  const known = codingTexts.get(coding)
  if (known !== undefined) return known
  const text = canonicalJson(coding)
  codingTexts.set(coding, text)
  return text
}

/** What contracts came to, with the inputs they were costed with and why. */
export interface Costing {
  costs: ReadonlyMap<ContractId, ContractCost>
  shared: SharedInputs
  /** The SHA-256 of the kept inputs. */
  inputs: string
  cause: 'saved' | 'group'
  /**
   * What becomes of the shares of the levy allowance where the pay of some month is another: those of the whole group are taken back, as after
   * every save; or the budget's own alone, as the run that it is part of shares the allowance out anew at its end; or they stay.
   */
  share: 'ifSamePay' | 'ofRun' | 'kept'
  /** What is written with it: the save that it follows from, and the contracts as they stood before. */
  save?: { events: readonly BudgetEvent[]; before: readonly StoredContract[] }
}

/**
 * Writes costings, the lines they are posted to, and the event that records them. Of a recalculation of a whole budget only what comes to
 * something else than what stands is written again.
 */
export async function storeCosts(
  call: Call<'actor'>,
  row: BudgetRow,
  { contracts, costing: { costs, shared, inputs, cause, share, save } }: { contracts: readonly StaffContract[]; costing: Costing },
): Promise<Recorded> {
  const { tx, actor } = call
  const { organisationId, id: budgetId } = row
  const totalsBy = new Map([...costs].map(([id, cost]) => [id, yearTotals(cost)]))
  const totals = totalsOf(totalsBy.values(), row.head.numberOfYears)
  const texts = textsOf(costs)
  const result = resultOf(texts)
  const data = { cause, contracts: cause === 'group' ? null : [...costs.keys()].sort(), inputs, engine: engineVersion, totals, result }
  const events: BudgetEvent[] = [...(save?.events ?? []), { type: 'StaffContractsRecalculated', data }]
  const version = row.version + events.length
  const written = contracts.map((contract): WrittenCost => {
    const [cost, text] = [assertDefined(costs.get(contract.id)), assertDefined(texts.get(contract.id))]
    return {
      id: contract.id,
      cost,
      totals: assertDefined(totalsBy.get(contract.id)),
      content: contentOf(contract, { text, shared }),
      lines: () => linesOf(contract, cost, shared),
    }
  })
  if (cause === 'saved') {
    // Beside contracts that another engine costed it follows other rules, until all are recalculated.
    if (row.recalculated && row.recalculated.engine !== engineVersion)
      await markBudgetRequired({ tx, organisationId, budgetId, now: actor.now }, 'Rules of calculation')
    const { now } = await commitTo(call, row, { events, known: save?.before })
    const posted = written.map(postedBy)
    await carryOut(tx, writingOf(row, { written, posted, version }))
    const pay = await replaceContractLines({ tx, organisationId, budgetId }, posted)
    await followPay(call, row, { before: grossOfPay(row.head, pay.before), after: grossOfPay(row.head, pay.after) })
    if (pay.touchesAllowance) await insuranceChanged({ tx, organisationId, budgetId, actor })
    return { row: assertDefined(now), totals, result }
  }
  const { before, gross, statements } = await wholeOf(tx, row, { written, version })
  const isOther = !isSame(before, gross)
  // What is written first is sent first: were it refused, so would be the event, and nothing more would be asked.
  const [, { now }] = await Promise.all([
    carryOut(tx, statements),
    commitTo(call, row, { events: isOther && share === 'ofRun' ? [...events, ...withdrawLevyShares(row.levyShares)] : events }),
  ])
  if (isOther && share === 'ifSamePay') await payChanged({ tx, organisationId, budgetId, actor })
  else await refreshLevy(tx, assertDefined(now), gross)
  if (statements.length && share === 'ifSamePay') await insuranceChanged({ tx, organisationId, budgetId, actor })
  return { row: assertDefined(now), totals, result }
}

const isSame = (before: readonly Figure[], after: readonly Figure[]): boolean => JSON.stringify(before) === JSON.stringify(after)

/** What a calculation came to, and the budget's row as it stands after its event. */
interface Recorded {
  row: BudgetRow
  totals: CostTotals
  result: string
}

/**
 * Records the recalculation of a whole budget that is given what its last one was given, where nothing of it has been touched since: the same
 * contracts and inputs give the same pennies (rules.md §16), so they are not worked out again.
 * @returns null where something is another, or some row is not as it was written then
 */
export async function storeSameCosts(call: Call<'actor'>, row: BudgetRow, inputs: string): Promise<Recorded | null> {
  const { tx } = call
  const { organisationId, id: budgetId, recalculated: last } = row
  if (last?.cause !== 'group' || last.engine !== engineVersion) return null
  if (!(await isGivenTheSame({ tx, organisationId, budgetId }, last.inputs, inputs))) return null
  if (!(await standsAsWritten({ tx, organisationId, budgetId }, { version: last.version, contracts: last.totals.contracts }))) return null
  const { cause, contracts, engine, totals, result } = last
  const data = { cause, contracts, inputs, engine, totals, result }
  const { now } = await commitTo(call, row, { events: [{ type: 'StaffContractsRecalculated', data }] })
  await refreshLevy(tx, assertDefined(now))
  return { row: assertDefined(now), totals, result }
}

/** A costing as it is written. */
interface WrittenCost {
  id: ContractId
  cost: ContractCost
  /** What it comes to in each year. */
  totals: (Pennies | null)[]
  content: string
  lines: () => LineOfYears[]
}

const postedBy = ({ id, lines }: WrittenCost): { sourceId: string; lines: LineOfYears[] } => ({ sourceId: id, lines: lines() })

/** What keeps costings, if there are any. @param posted the lines of each, in the same order, which it does not write */
function writingOf(
  { organisationId, id: budgetId }: BudgetRow,
  { written, posted, version }: { written: readonly WrittenCost[]; posted: readonly Posted[]; version: number },
): SQL[] {
  if (!written.length) return []
  const column = (values: readonly string[]) => sql.param(`{${values.join(',')}}`)
  // No JSON has this character, so that nothing in it need be set apart.
  const list = (values: readonly string[]) => sql`string_to_array(${values.join('\u001f')}, chr(31))`
  return [
    sql`
      insert into staff_costs (organisation_id, budget_id, contract_id, costing, year_totals, version, content, posted, has_problems, has_pay)
      select ${organisationId}, ${budgetId}, id, costing::json, totals::jsonb, ${version}, content, posted, "hasProblems", "hasPay"
      from unnest(
        ${column(written.map(({ id }) => id))}::char(24)[], ${list(written.map(({ cost }) => keptText(cost)))},
        ${list(written.map(({ totals }) => JSON.stringify(totals)))},
        ${column(written.map(({ content }) => content))}::char(64)[], ${column(posted.map(({ lines }) => String(yearsOfLines(lines))))}::smallint[],
        ${column(written.map(({ cost }) => String(cost.problems.length > 0)))}::boolean[], ${column(written.map(({ cost }) => String(hasPay(cost))))}::boolean[]
      ) as cost(id, costing, totals, content, posted, "hasProblems", "hasPay")
      on conflict (organisation_id, budget_id, contract_id) do update
      set costing = excluded.costing, year_totals = excluded.year_totals, version = excluded.version, content = excluded.content, posted = excluded.posted,
        has_problems = excluded.has_problems, has_pay = excluded.has_pay`,
  ]
}

/** The costings of a whole budget, as far as others stand. @returns the pay of every month before and after, and the statements that write them */
async function wholeOf(
  tx: OrganisationTx,
  row: BudgetRow,
  { written, version }: { written: readonly WrittenCost[]; version: number },
): Promise<{ before: readonly Figure[]; gross: readonly Figure[]; statements: SQLWrapper[] }> {
  const { organisationId, id: budgetId } = row
  const call = { tx, organisationId, budgetId }
  const [contents, pay] = await Promise.all([standingContents(call), grossOf(tx, organisationId, [row])])
  const before = assertDefined(pay.get(budgetId))
  const same = written.filter(({ id, content }) => contents.get(id) === content)
  // What is to be written takes the place of everything but what stays: only where all might stay it need be known what else there is.
  const standing = await standingCosts(call, same.length < written.length ? same.map(({ id }) => id) : undefined)
  const kept = same.filter(({ id }) => standing.get(id))
  if (kept.length === written.length && standing.size === written.length) return { before, gross: before, statements: [] }
  const staying = new Set(kept.map(({ id }) => id))
  const other = written.filter(({ id }) => !staying.has(id))
  const posted = other.map(postedBy)
  const { statements, pay: after } = replacementOfContractLinesBut(call, posted, kept.map(postedBy))
  return {
    before,
    gross: grossOfPay(row.head, after),
    statements: [...statements, ...writingOf(row, { written: other, posted, version })],
  }
}

/**
 * Posts the costs of a budget that got other years over the years it has now: those that were added stand as not calculated until the budget
 * is recalculated, and no sum takes them for nothing.
 * @param before how many years it had
 */
export async function postOtherYears(call: Call<'organisationId' | 'budgetId'>, before: number): Promise<void> {
  const { budgetId } = call
  const { head } = await loadBudget(call, budgetId)
  const contracts = await loadContracts(call)
  const costs = await costsOf(call)
  const posted = []
  const runs = new Map<number, { engine: Engine; shared: SharedInputs }>()
  for (const contract of contracts) {
    const kept = costs.get(contract.id)
    if (!kept || kept.costing.years.length >= Math.max(before, head.numberOfYears)) continue
    if (!runs.has(kept.version)) {
      const [event] = await readEvents(call, kept.version - 1, kept.version)
      if (event?.type !== 'StaffContractsRecalculated') throw new Error(`Version ${kept.version} of ${budgetId} is no recalculation`)
      runs.set(kept.version, { engine: engineOf(event.data.engine), shared: (await readInputs(call, event.data.inputs)).shared })
    }
    const run = assertDefined(runs.get(kept.version))
    const lines = run.engine.linesOf(contract, overYears(kept.costing, contract, head), run.shared)
    posted.push({ sourceId: contract.id, lines })
  }
  if (posted.length) await writeLines(call, 'contract', { posted, replacesAll: false })
}

/**
 * Writes what the contracts of a restored budget last came to: worked out again from the inputs that its log names, which gives the same pennies
 * (rules.md §16). Nothing of it stands in any table when this begins.
 */
export async function restoreCosts(
  call: Call<'organisationId' | 'budgetId'>,
  { row, log, contracts }: { row: BudgetRow; log: readonly StoredEvent[]; contracts: ReadonlyMap<string, StoredContract> },
): Promise<void> {
  const { tx } = call
  const lastOf = new Map<string, number>()
  const state = emptyBudget()
  for (const event of log) {
    evolve(state, event)
    if (event.type === 'StaffContractDeleted') lastOf.delete(event.data.id)
    if (event.type === 'StaffContractsRecalculated')
      for (const id of event.data.contracts ?? state.contracts.keys()) if (state.contracts.has(id)) lastOf.set(id, event.version)
  }
  const wanted = new Set(lastOf.values())
  const again = emptyBudget()
  const posted: { sourceId: string; lines: LineOfYears[] }[] = []
  for (const event of log) {
    evolve(again, event)
    if (event.type !== 'StaffContractsRecalculated' || !wanted.has(event.version)) continue
    const { frozen, shared } = await readInputs(call, event.data.inputs)
    const { contracts: ids, engine: version } = event.data
    const engine = engineOf(version)
    const costed = ids ? ids.flatMap((id) => again.contracts.get(id) ?? []) : [...again.contracts.values()]
    const written = [...engine.costContracts(costed, frozen, shared)].flatMap(([id, cost]): WrittenCost[] => {
      if (lastOf.get(id) !== event.version) return []
      const contract = assertDefined(again.contracts.get(id))
      return [
        {
          id,
          cost,
          totals: yearTotals(cost),
          content: contentOf(contract, { text: costText(cost), shared, engine: version }),
          lines: () => engine.linesOf(contract, cost, shared),
        },
      ]
    })
    const own = written.map(postedBy)
    await carryOut(tx, writingOf(row, { written, posted: own, version: event.version }))
    const lines = new Map(own.map((one) => [one.sourceId, one]))
    for (const { id, cost } of written) {
      // Years that the budget was given since stand as not calculated, as they did.
      const contract = assertDefined(contracts.get(id))
      const whole = overYears(cost, contract, row.head)
      posted.push(whole === cost ? assertDefined(lines.get(id)) : { sourceId: id, lines: engine.linesOf(contract, whole, shared) })
    }
  }
  await carryOut(tx, replacementOfContractLinesBut(call, posted).statements)
  await refreshLevy(tx, row)
}

/** What the pay of a budget being another brings about, if it is. A budget whose pay is the same has its levy already. */
async function followPay(
  { tx, actor }: Call<'actor'>,
  row: BudgetRow,
  { before, after }: { before: readonly Figure[]; after: readonly Figure[] },
): Promise<void> {
  if (isSame(before, after)) return
  if (row.levyShares?.some((share) => share !== null))
    return payChanged({ tx, organisationId: row.organisationId, budgetId: row.id, actor })
  await postLevyOfPay(tx, row, { before, after })
  await payChangedBeside({ tx, organisationId: row.organisationId, budgetId: row.id, actor })
}

/** Other pay means other shares of the levy allowance, for the whole group: nobody's is known until it is recalculated (rules.md §7). */
async function payChanged(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  await withdrawLevy(call)
  await payChangedBeside(call)
}

async function payChangedBeside(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  await withdrawLevyBeside(call)
  await markGroupOf({ tx, organisationId, budgetId, now: actor.now }, 'Pay that the levy allowance is shared by')
}

/** Other national insurance means another reduction of it: nothing of the Employment Allowance is known until the group is recalculated (rules.md §7). */
async function insuranceChanged(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  if (await withdrawAllowance(call)) await markGroupOf({ tx, organisationId, budgetId, now: actor.now }, 'Employer national insurance')
}

/**
 * Recalculates the employees whose contracts were saved or deleted, together with their other contracts (rules.md §16).
 * @param onlyIfDifferent nothing is recorded when the figures stay as they are
 * @param areSomeGone contracts were deleted, and their pay with them
 */
export async function recalculateEmployees(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  employees: readonly (StaffId | ContractId)[],
  { onlyIfDifferent = false, areSomeGone = false } = {},
): Promise<void> {
  const { budgetId } = call
  const own = await contractsOfEmployees(call, employees)
  if (areSomeGone) {
    await payChanged(call)
    await insuranceChanged(call)
  }
  if (!own.length) return
  const row = await loadBudget(call, budgetId)
  const { shared, frozen } = await inputsNow(call, row.head, { contracts: own })
  const inputs = await keepInputs(call, shared, { [budgetId]: frozen })
  const costs = costContracts(own, frozen, shared)
  if (onlyIfDifferent) {
    const kept = await costsOf(call, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return
  }
  await storeCosts(call, row, { contracts: own, costing: { costs, shared, inputs, cause: 'saved', share: 'ifSamePay' } })
}

/** A save that was decided, and what its calculation needs, read before. */
export interface DecidedSave {
  row: BudgetRow
  events: readonly BudgetEvent[]
  /** The contracts of those whose pay it touches, as they stood. */
  before: readonly StoredContract[]
  /** The same after the save, in the order of their ids. */
  after: readonly StoredContract[]
  known: ReadAlready
}

/**
 * Writes a save of contracts together with what its employees cost from then on. Without a change it still brings the figures up to what they
 * depend on now, and records nothing when they stay as they are.
 * @returns the costings of the contracts
 */
export async function storeSave(
  tx: OrganisationTx,
  { row, events, before, after, known }: DecidedSave,
  actor: Actor,
): Promise<ReadonlyMap<ContractId, ContractCost>> {
  const { organisationId, id: budgetId } = row
  const { shared, frozen } = await inputsNow({ tx, organisationId }, row.head, { contracts: after, known })
  const inputs = await keepInputs({ tx, organisationId }, shared, { [budgetId]: frozen })
  const costs = costContracts(after, frozen, shared)
  if (!events.length) {
    const kept = await costsOf({ tx, organisationId, budgetId }, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return costs
  }
  await storeCosts({ tx, actor }, row, {
    contracts: after,
    costing: { costs, shared, inputs, cause: 'saved', share: 'ifSamePay', save: { events, before } },
  })
  return costs
}

/** Costs every contract of a budget with the inputs as they stand now. */
export async function recalculateAll(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  share: Costing['share'] = 'ifSamePay',
): Promise<void> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId)
  const contracts = await loadContracts(call)
  const { shared, frozen } = await inputsNow(call, row.head, { contracts })
  const inputs = await keepInputs(call, shared, { [budgetId]: frozen })
  await storeCosts(call, row, {
    contracts,
    costing: { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group', share },
  })
}
