import { createHash } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { CostTotals, StaffContract, StoredContract } from '../../../../domain/budget/budget.ts'
import { withdrawLevyShares } from '../../../../domain/budget/decideShared.ts'
import type { BudgetEvent, Recalculation, StoredEvent } from '../../../../domain/budget/events.ts'
import { createEmptyBudget, evolve } from '../../../../domain/budget/evolve.ts'
import { type Engine, engineVersion, engine as newestEngine } from '../../../../domain/calculation/engine.ts'
import { getEngine } from '../../../../domain/calculation/engines/engines.ts'
import type { ContractCost, Figure } from '../../../../domain/calculation/inputs.ts'
import {
  buildContractLines,
  calculateYearTotals,
  costContracts,
  extendToYears,
  type FrozenBudget,
  findCoding,
  hasPay,
  type SharedInputs,
} from '../../../../domain/calculation/staffing/frozen.ts'
import { countLineYears, type MultiYearLine, type TermCoding } from '../../../../domain/calculation/staffing/posting.ts'
import { stringifyCanonicalCost, stringifyCost } from '../../../../domain/calculation/staffing/storedCost.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import type { ContractId, StaffId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import { executePipelined, type OrganisationTx } from '../../../core/database/database.ts'
import { sha256 } from '../../../core/stream/hash.ts'
import {
  areAllCostsUntouched,
  buildContractLineReplacement,
  findUntouchedCosts,
  readCostDigests,
  replaceContractLines,
  replaceSourceLines,
  type SourceLines,
} from '../../../streams/budget/lines.ts'
import { markBudgetForRecalculation, markGroupForRecalculation } from '../../../streams/budget/marks.ts'
import { loadBudget, loadContracts, loadContractsOfEmployees } from '../../../streams/budget/queries.ts'
import { commitEventsReturningRow, readBudgetEvents } from '../../../streams/budget/stream.ts'
import {
  repostLevy,
  repostLevyWithoutShare,
  withdrawEmploymentAllowance,
  withdrawLevyShare,
  withdrawOtherLevyShares,
} from '../../groupMoney/levy/commands.ts'
import { readMonthlyGross, toMonthlyGross } from '../../groupMoney/levy/queries.ts'
import { storeInputs } from '../inputs/commands.ts'
import { haveSameInputs, type LoadedInputs, readCurrentInputs, readStoredInputs } from '../inputs/queries.ts'
import { readCosts, sumCosts } from './queries.ts'

/** The hash of the costings of contracts. */
export function hashCosts(costs: ReadonlyMap<ContractId, ContractCost>): string {
  return hashCostTexts(toCostTexts(costs))
}

/** The canonical JSON of costings, by contract. Both the hash and the stored rows use this text. */
function toCostTexts(costs: ReadonlyMap<ContractId, ContractCost>): Map<string, string> {
  return new Map([...costs].map(([id, cost]) => [id, stringifyCanonicalCost(cost)]))
}

function hashCostTexts(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  let before = '['
  for (const id of [...texts.keys()].sort((a, b) => (a < b ? -1 : 1))) {
    hash.update(`${before}[${JSON.stringify(id)},${texts.get(id)}]`)
    before = ','
  }
  return hash.update(texts.size ? ']' : '[]').digest('hex')
}

/**
 * A digest of everything that a contract's stored costing depends on: the costing, the engine version and the codings
 * that post it to lines. The same digest means the same rows.
 * @param text the canonical JSON of the costing
 */
export function digestCosting(
  contract: StaffContract,
  { text, shared, engine = engineVersion }: { text: string; shared: SharedInputs; engine?: string },
): string {
  return sha256(`${engine} ${text} [${codingText(findCoding(contract, shared))},${canonicalJson(contract.fundCodes)}]`)
}

/** The contracts of a trust share few codings, so each coding is converted to text only once. */
const codingTexts = new WeakMap<TermCoding, string>()

function codingText(coding: TermCoding | undefined): string {
  if (!coding) return 'null'
  const known = codingTexts.get(coding)
  if (known !== undefined) return known
  const text = canonicalJson(coding)
  codingTexts.set(coding, text)
  return text
}

/** The save or deletion of a contract, and the contract before it; undefined if the save created it. */
export interface ContractSave {
  id: ContractId
  before: StaffContract | undefined
}

/** The saves and deletions of contracts in a commit; empty if the commit also has other events. */
export function findContractSaves(events: readonly BudgetEvent[], before: Iterable<StaffContract>): ContractSave[] {
  const contracts = new Map([...before].map((contract) => [contract.id, contract]))
  const saves = events.flatMap((event) =>
    event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted'
      ? { id: event.data.id, before: contracts.get(event.data.id) }
      : [],
  )
  return saves.length === events.length ? saves : []
}

/**
 * What contracts cost before some of them were saved or deleted, calculated with the inputs of the recalculation that follows. The
 * difference to the recalculation is then the effect of the saves alone, not of changed tables.
 * @param contracts the contracts after the saves
 */
export function calculateTotalBeforeSaves(
  contracts: readonly StaffContract[],
  saves: readonly ContractSave[],
  { frozen, shared, years, engine = newestEngine }: { frozen: FrozenBudget; shared: SharedInputs; years: number; engine?: Engine },
): CostTotals {
  const earlier = new Map(contracts.map((contract) => [contract.id, contract]))
  for (const { id, before } of saves.toReversed())
    if (before) earlier.set(id, before)
    else earlier.delete(id)
  const inOrder = [...earlier.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return sumCosts([...engine.costContracts(inOrder, frozen, shared).values()].map(calculateYearTotals), years)
}

/** The cost before the saves, as a recalculation after them records it; empty without saves. */
function recordBefore(
  contracts: readonly StaffContract[],
  saves: readonly ContractSave[],
  inputs: Parameters<typeof calculateTotalBeforeSaves>[2],
): Pick<Recalculation, 'before' | 'saves'> {
  if (!saves.length) return {}
  return { before: calculateTotalBeforeSaves(contracts, saves, inputs), ...(saves.length > 1 && { saves: saves.length }) }
}

/** The results of costing contracts, with the inputs and the reason. */
export interface CostingResult {
  costs: ReadonlyMap<ContractId, ContractCost>
  shared: SharedInputs
  /** The SHA-256 of the stored inputs. */
  inputs: string
  cause: 'saved' | 'group'
  /**
   * What happens to shares of the levy allowance if pay changed in any month. `ifSamePay`, as after every save: the shares of the whole
   * group are withdrawn. `ofRun`: only the budget's own share is withdrawn, because the surrounding run shares the allowance again at its
   * end. `kept`: no share is withdrawn.
   */
  levyShareRule: 'ifSamePay' | 'ofRun' | 'kept'
  /** The save that caused the recalculation, stored together with it, and the contracts before that save. */
  save?: { events: readonly BudgetEvent[]; before: readonly StoredContract[] }
  /** The cost of the contracts before the saves that this costing follows; the event then records the effect of the saves on the cost. */
  costBefore?: Pick<Recalculation, 'before' | 'saves'>
}

/**
 * Stores costings, the lines they are posted to, and the event that records them. A recalculation of a whole budget
 * writes only what differs from the stored rows.
 */
export async function storeCosts(
  call: Call<'actor'>,
  row: BudgetRow,
  {
    contracts,
    costing: { costs, shared, inputs, cause, levyShareRule, save, costBefore },
  }: { contracts: readonly StaffContract[]; costing: CostingResult },
): Promise<RecordedCosts> {
  const { tx, actor } = call
  const { organisationId, id: budgetId } = row
  const totalsBy = new Map([...costs].map(([id, cost]) => [id, calculateYearTotals(cost)]))
  const totals = sumCosts(totalsBy.values(), row.head.numberOfYears)
  const texts = toCostTexts(costs)
  const result = hashCostTexts(texts)
  const ids = [...costs.keys()].sort()
  const data = {
    cause,
    contracts: cause === 'group' ? null : ids,
    ...costBefore,
    inputs,
    engine: engineVersion,
    totals,
    result,
  }
  const events: BudgetEvent[] = [...(save?.events ?? []), { type: 'StaffContractsRecalculated', data }]
  const version = row.version + events.length
  const written = contracts.map((contract): WrittenCost => {
    const [cost, text] = [assertDefined(costs.get(contract.id)), assertDefined(texts.get(contract.id))]
    return {
      id: contract.id,
      cost,
      totals: assertDefined(totalsBy.get(contract.id)),
      content: digestCosting(contract, { text, shared }),
      lines: () => buildContractLines(contract, cost, shared),
    }
  })
  if (cause === 'saved') {
    // The budget's other contracts were costed by an earlier engine with different rules, so the whole budget requires recalculation.
    if (row.recalculated && row.recalculated.engine !== engineVersion)
      await markBudgetForRecalculation({ tx, organisationId, budgetId, now: actor.now }, 'Calculation rules')
    const { now } = await commitEventsReturningRow(call, row, { events, currentContracts: save?.before })
    const posted = written.map(toPostedLines)
    await executePipelined(tx, buildCostStatements(row, { written, posted, version }))
    const pay = await replaceContractLines({ tx, organisationId, budgetId }, posted)
    await updateLevyAfterPay(call, row, { before: toMonthlyGross(row.head, pay.before), after: toMonthlyGross(row.head, pay.after) })
    if (pay.touchesAllowance) await withdrawGroupAllowance({ tx, organisationId, budgetId, actor })
    return { row: assertDefined(now), totals, result }
  }
  const { before, gross, statements } = await compareWithStoredCosts(tx, row, { written, version })
  const isOther = !isSame(before, gross)
  // The statements are sent in this order: if the database refuses the first ones, it also refuses the event, and those below are not sent.
  const [, { now }] = await Promise.all([
    executePipelined(tx, statements),
    commitEventsReturningRow(call, row, {
      events: isOther && levyShareRule === 'ofRun' ? [...events, ...withdrawLevyShares(row.levyShares)] : events,
    }),
  ])
  if (isOther && levyShareRule === 'ifSamePay') await withdrawGroupLevy({ tx, organisationId, budgetId, actor })
  else await repostLevy(tx, assertDefined(now), gross)
  if (statements.length && levyShareRule === 'ifSamePay') await withdrawGroupAllowance({ tx, organisationId, budgetId, actor })
  return { row: assertDefined(now), totals, result }
}

const isSame = (before: readonly Figure[], after: readonly Figure[]): boolean => JSON.stringify(before) === JSON.stringify(after)

/** The result of a calculation, and the budget's row after its event. */
interface RecordedCosts {
  row: BudgetRow
  totals: CostTotals
  result: string
}

/**
 * Records the recalculation of a whole budget whose inputs are the same as last time and which nobody has changed since. The same contracts
 * and inputs give the same pennies (rules.md §16), so nothing is calculated again.
 * @returns null if an input differs, or a stored row has changed since
 */
export async function recordUnchangedRecalculation(call: Call<'actor'>, row: BudgetRow, inputs: string): Promise<RecordedCosts | null> {
  const { tx } = call
  const { organisationId, id: budgetId, recalculated: last } = row
  if (last?.cause !== 'group' || last.engine !== engineVersion) return null
  if (!(await haveSameInputs({ tx, organisationId, budgetId }, last.inputs, inputs))) return null
  if (!(await areAllCostsUntouched({ tx, organisationId, budgetId }, { version: last.version, contracts: last.totals.contracts })))
    return null
  const { cause, contracts, engine, totals, result } = last
  const data = { cause, contracts, inputs, engine, totals, result }
  const { now } = await commitEventsReturningRow(call, row, { events: [{ type: 'StaffContractsRecalculated', data }] })
  await repostLevy(tx, assertDefined(now))
  return { row: assertDefined(now), totals, result }
}

/** A costing as stored. */
interface WrittenCost {
  id: ContractId
  cost: ContractCost
  /** The contract's total for each budget year in whole pennies; null if not calculated. */
  totals: (Pennies | null)[]
  content: string
  lines: () => MultiYearLine[]
}

const toPostedLines = ({ id, lines }: WrittenCost): { sourceId: string; lines: MultiYearLine[] } => ({ sourceId: id, lines: lines() })

/**
 * The statement that stores costings, if there are any.
 * @param posted the lines of each costing, in the same order; they are stored elsewhere
 */
function buildCostStatements(
  { organisationId, id: budgetId }: BudgetRow,
  { written, posted, version }: { written: readonly WrittenCost[]; posted: readonly SourceLines[]; version: number },
): SQL[] {
  if (!written.length) return []
  const column = (values: readonly string[]) => sql.param(`{${values.join(',')}}`)
  // JSON never contains this character, so nothing needs escaping.
  const list = (values: readonly string[]) => sql`string_to_array(${values.join('\u001f')}, chr(31))`
  return [
    sql`
      insert into staff_costs (organisation_id, budget_id, contract_id, costing, year_totals, version, content, posted, has_problems, has_pay)
      select ${organisationId}, ${budgetId}, id, costing::json, totals::jsonb, ${version}, content, posted, "hasProblems", "hasPay"
      from unnest(
        ${column(written.map(({ id }) => id))}::char(24)[], ${list(written.map(({ cost }) => stringifyCost(cost)))},
        ${list(written.map(({ totals }) => JSON.stringify(totals)))},
        ${column(written.map(({ content }) => content))}::char(64)[], ${column(posted.map(({ lines }) => String(countLineYears(lines))))}::smallint[],
        ${column(written.map(({ cost }) => String(cost.problems.length > 0)))}::boolean[], ${column(written.map(({ cost }) => String(hasPay(cost))))}::boolean[]
      ) as cost(id, costing, totals, content, posted, "hasProblems", "hasPay")
      on conflict (organisation_id, budget_id, contract_id) do update
      set costing = excluded.costing, year_totals = excluded.year_totals, version = excluded.version, content = excluded.content, posted = excluded.posted,
        has_problems = excluded.has_problems, has_pay = excluded.has_pay`,
  ]
}

/**
 * Compares the costings of a whole budget with the stored ones.
 * @returns the pay of every month before and after, and the statements that store what differs
 */
async function compareWithStoredCosts(
  tx: OrganisationTx,
  row: BudgetRow,
  { written, version }: { written: readonly WrittenCost[]; version: number },
): Promise<{ before: readonly Figure[]; gross: readonly Figure[]; statements: SQLWrapper[] }> {
  const { organisationId, id: budgetId } = row
  const call = { tx, organisationId, budgetId }
  const [contents, pay] = await Promise.all([readCostDigests(call), readMonthlyGross(tx, organisationId, [row])])
  const before = assertDefined(pay.get(budgetId))
  const same = written.filter(({ id, content }) => contents.get(id) === content)
  // Rows with unchanged content stay, and new rows replace all others. If every costing is unchanged, all stored rows are checked,
  // otherwise only the rows that stay.
  const standing = await findUntouchedCosts(call, same.length < written.length ? same.map(({ id }) => id) : undefined)
  const kept = same.filter(({ id }) => standing.get(id))
  if (kept.length === written.length && standing.size === written.length) return { before, gross: before, statements: [] }
  const staying = new Set(kept.map(({ id }) => id))
  const other = written.filter(({ id }) => !staying.has(id))
  const posted = other.map(toPostedLines)
  const { statements, pay: after } = buildContractLineReplacement(call, posted, kept.map(toPostedLines))
  return {
    before,
    gross: toMonthlyGross(row.head, after),
    statements: [...statements, ...buildCostStatements(row, { written: other, posted, version })],
  }
}

/**
 * Posts the stored costs of a budget to its current years, after its years changed. Added years are marked as not calculated until the
 * budget is recalculated, so that no total counts them as zero.
 * @param before how many years the budget had before
 */
export async function postCostsToChangedYears(call: Call<'organisationId' | 'budgetId'>, before: number): Promise<void> {
  const { budgetId } = call
  const { head } = await loadBudget(call, budgetId)
  const contracts = await loadContracts(call)
  const costs = await readCosts(call)
  const posted = []
  const runs = new Map<number, { engine: Engine; shared: SharedInputs }>()
  for (const contract of contracts) {
    const kept = costs.get(contract.id)
    if (!kept || kept.costing.years.length >= Math.max(before, head.numberOfYears)) continue
    if (!runs.has(kept.version)) {
      const [event] = await readBudgetEvents(call, kept.version - 1, kept.version)
      if (event?.type !== 'StaffContractsRecalculated') throw new Error(`Version ${kept.version} of ${budgetId} is no recalculation`)
      runs.set(kept.version, { engine: getEngine(event.data.engine), shared: (await readStoredInputs(call, event.data.inputs)).shared })
    }
    const run = assertDefined(runs.get(kept.version))
    const lines = run.engine.linesOf(contract, extendToYears(kept.costing, contract, head), run.shared)
    posted.push({ sourceId: contract.id, lines })
  }
  if (posted.length) await replaceSourceLines(call, 'contract', { posted, replacesAll: false })
}

/**
 * Stores the last costing of the contracts of a restored budget, recalculated from the inputs that its log names, which gives the same
 * pennies (rules.md §16). Before the call, none of these costs are stored.
 */
export async function restoreCosts(
  call: Call<'organisationId' | 'budgetId'>,
  { row, log, contracts }: { row: BudgetRow; log: readonly StoredEvent[]; contracts: ReadonlyMap<string, StoredContract> },
): Promise<void> {
  const { tx } = call
  const lastOf = new Map<string, number>()
  const state = createEmptyBudget()
  for (const event of log) {
    evolve(state, event)
    if (event.type === 'StaffContractDeleted') lastOf.delete(event.data.id)
    if (event.type === 'StaffContractsRecalculated')
      for (const id of event.data.contracts ?? state.contracts.keys()) if (state.contracts.has(id)) lastOf.set(id, event.version)
  }
  const wanted = new Set(lastOf.values())
  const again = createEmptyBudget()
  const posted: { sourceId: string; lines: MultiYearLine[] }[] = []
  for (const event of log) {
    evolve(again, event)
    if (event.type !== 'StaffContractsRecalculated' || !wanted.has(event.version)) continue
    const { frozen, shared } = await readStoredInputs(call, event.data.inputs)
    const { contracts: ids, engine: version } = event.data
    const engine = getEngine(version)
    const costed = ids ? ids.flatMap((id) => again.contracts.get(id) ?? []) : [...again.contracts.values()]
    const written = [...engine.costContracts(costed, frozen, shared)].flatMap(([id, cost]): WrittenCost[] => {
      if (lastOf.get(id) !== event.version) return []
      const contract = assertDefined(again.contracts.get(id))
      return [
        {
          id,
          cost,
          totals: calculateYearTotals(cost),
          content: digestCosting(contract, { text: stringifyCanonicalCost(cost), shared, engine: version }),
          lines: () => engine.linesOf(contract, cost, shared),
        },
      ]
    })
    const own = written.map(toPostedLines)
    await executePipelined(tx, buildCostStatements(row, { written, posted: own, version: event.version }))
    const lines = new Map(own.map((one) => [one.sourceId, one]))
    for (const { id, cost } of written) {
      // Years added after that costing stay not calculated, as they were.
      const contract = assertDefined(contracts.get(id))
      const whole = extendToYears(cost, contract, row.head)
      posted.push(whole === cost ? assertDefined(lines.get(id)) : { sourceId: id, lines: engine.linesOf(contract, whole, shared) })
    }
  }
  await executePipelined(tx, buildContractLineReplacement(call, posted).statements)
  await repostLevy(tx, row)
}

/** Updates the levy if pay changed. If pay did not change, the stored levy is still right. */
async function updateLevyAfterPay(
  { tx, actor }: Call<'actor'>,
  row: BudgetRow,
  { before, after }: { before: readonly Figure[]; after: readonly Figure[] },
): Promise<void> {
  if (isSame(before, after)) return
  if (row.levyShares?.some((share) => share !== null))
    return withdrawGroupLevy({ tx, organisationId: row.organisationId, budgetId: row.id, actor })
  await repostLevyWithoutShare(tx, row, { before, after })
  await withdrawOtherLevies({ tx, organisationId: row.organisationId, budgetId: row.id, actor })
}

/**
 * A change of pay changes the levy allowance shares of the whole group, so all become unknown until the group is recalculated (rules.md
 * §7).
 */
async function withdrawGroupLevy(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  await withdrawLevyShare(call)
  await withdrawOtherLevies(call)
}

async function withdrawOtherLevies(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  await withdrawOtherLevyShares(call)
  await markGroupForRecalculation({ tx, organisationId, budgetId, now: actor.now }, 'Pay used to share the levy allowance')
}

/**
 * A change of national insurance changes how much of it the Employment Allowance covers, so the allowance is unknown until the group is
 * recalculated (rules.md §7).
 */
async function withdrawGroupAllowance(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  if (await withdrawEmploymentAllowance(call))
    await markGroupForRecalculation({ tx, organisationId, budgetId, now: actor.now }, 'Employer national insurance')
}

/**
 * Recalculates the employees whose contracts were saved or deleted, with all their contracts (rules.md §16).
 * @param onlyIfDifferent records nothing if the figures do not change
 * @param areSomeGone whether contracts, and with them their pay, were deleted
 * @param saves the saves and deletions of contracts, if they are the only changes of this call and the last events of the log
 */
export async function recalculateEmployees(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  employees: readonly (StaffId | ContractId)[],
  {
    onlyIfDifferent = false,
    areSomeGone = false,
    saves = [],
  }: { onlyIfDifferent?: boolean; areSomeGone?: boolean; saves?: readonly ContractSave[] } = {},
): Promise<void> {
  const own = await loadContractsOfEmployees(call, employees)
  if (own.length || saves.length) await recalculateContracts(call, own, { onlyIfDifferent, saves })
  if (!areSomeGone) return
  await withdrawGroupLevy(call)
  await withdrawGroupAllowance(call)
}

async function recalculateContracts(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  own: readonly StoredContract[],
  { onlyIfDifferent, saves }: { onlyIfDifferent: boolean; saves: readonly ContractSave[] },
): Promise<void> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId)
  const { shared, frozen } = await readCurrentInputs(call, row.head, {
    contracts: [...own, ...saves.flatMap(({ before }) => before ?? [])],
  })
  const inputs = await storeInputs(call, shared, { [budgetId]: frozen })
  const costs = costContracts(own, frozen, shared)
  if (onlyIfDifferent) {
    const kept = await readCosts(call, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return
  }
  const costBefore = recordBefore(own, saves, { frozen, shared, years: row.head.numberOfYears })
  await storeCosts(call, row, {
    contracts: own,
    costing: { costs, shared, inputs, cause: 'saved', levyShareRule: 'ifSamePay', costBefore },
  })
}

/** A save that has been decided but not stored, with the data that its calculation needs. */
export interface DecidedContractSave {
  row: BudgetRow
  events: readonly BudgetEvent[]
  /** The contracts, before the save, of the employees whose pay the save affects. */
  before: readonly StoredContract[]
  /** The same employees' contracts after the save, in order of id. */
  after: readonly StoredContract[]
  known: LoadedInputs
}

/**
 * Stores a save of contracts together with the new costs of its employees. If the save changes nothing, it still brings the figures up to
 * date, and records nothing if they stay the same.
 * @returns the costings of the contracts
 */
export async function storeContractSave(
  tx: OrganisationTx,
  { row, events, before, after, known }: DecidedContractSave,
  actor: Actor,
): Promise<ReadonlyMap<ContractId, ContractCost>> {
  const { organisationId, id: budgetId } = row
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, row.head, { contracts: [...after, ...before], known })
  const inputs = await storeInputs({ tx, organisationId }, shared, { [budgetId]: frozen })
  const costs = costContracts(after, frozen, shared)
  if (!events.length) {
    const kept = await readCosts({ tx, organisationId, budgetId }, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return costs
  }
  const costBefore = recordBefore(after, findContractSaves(events, before), { frozen, shared, years: row.head.numberOfYears })
  await storeCosts({ tx, actor }, row, {
    contracts: after,
    costing: { costs, shared, inputs, cause: 'saved', levyShareRule: 'ifSamePay', save: { events, before }, costBefore },
  })
  return costs
}

/** Costs every contract of a budget with current inputs. */
export async function recalculateAllContracts(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  levyShareRule: CostingResult['levyShareRule'] = 'ifSamePay',
): Promise<void> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId)
  const contracts = await loadContracts(call)
  const { shared, frozen } = await readCurrentInputs(call, row.head, { contracts })
  const inputs = await storeInputs(call, shared, { [budgetId]: frozen })
  await storeCosts(call, row, {
    contracts,
    costing: { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group', levyShareRule },
  })
}
