import { findEngine, getEngine } from '../../calculation/engines/engines.ts'
import type { ContractCost, Figure } from '../../calculation/inputs.ts'
import { calculateYearTotals, extendToYears, type FrozenBudget, type SharedInputs } from '../../calculation/staffing/frozen.ts'
import { splitByYear } from '../../calculation/staffing/posting.ts'
import { formatBudgetYear } from '../../values/calendar.ts'
import { displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { conflict } from '../../words/errors.ts'
import type { BudgetHead, StoredContract } from '../budget.ts'
import { calculateEntryLines } from '../items/budgetEntry.ts'
import { postEmploymentAllowance, postLevy } from '../sharedLines.ts'
import type { StaffSource } from '../sharedSources.ts'
import type { FoldedLog, LastRecalculation } from './foldLog.ts'

export type RecalculationInputsLoader = (run: LastRecalculation) => { frozen: FrozenBudget; shared: SharedInputs }

export type SnapshotSource = StaffSource | 'entry' | 'transfer'

/** One year of one source and budget code: whole pennies, and how many months could not be calculated and are left out. */
export interface SnapshotLine {
  source: SnapshotSource
  /** Id of the first original, which is the same across copied budgets. */
  root: string
  year: number
  /** Null for the levy. */
  budgetCodeId: number | null
  /** Whole pennies of the twelve months; null if not calculated. */
  months: readonly Figure[]
  total: Pennies
  missing: number
}

/** The cost of a contract in a snapshot, and the recalculation that it comes from. */
export interface SnapshotContract {
  root: string
  contract: StoredContract
  /** Whole pennies of each year; null if not calculated. */
  years: Figure[]
  cost: ContractCost | null
  run: LastRecalculation | null
}

/** A budget at one of its versions, with all figures, built from its log alone. */
export interface BudgetSnapshot {
  head: BudgetHead
  version: number
  at: string
  state: FoldedLog['state']
  contracts: Map<string, SnapshotContract>
  lines: SnapshotLine[]
}

/**
 * Builds a snapshot from a folded log.
 * @throws RangeError if the budget did not exist at that version
 * @throws DomainError 409, with the recorded totals, if this version of Bursar lacks an engine that calculated the budget
 */
export function buildSnapshot({ state, at, recalculations }: FoldedLog, inputsOf: RecalculationInputsLoader): BudgetSnapshot {
  const { head } = state
  if (!head) throw new RangeError('The budget did not exist then.')
  refuseMissingEngines({ state, recalculations }, head)
  const rootOf = (id: string): string => state.origins.get(id) ?? id
  const costs = new Map<LastRecalculation, Map<string, ContractCost>>()
  const lines: SnapshotLine[] = []
  const add = (
    source: SnapshotSource,
    root: string,
    line: { year: number; budgetCodeId: number | null; amounts: readonly Figure[] },
  ): void => {
    const known = line.amounts.filter((amount) => amount !== null)
    const total = known.reduce((sum, amount) => sum + amount, 0)
    lines.push({ source, root, year: line.year, budgetCodeId: line.budgetCodeId, months: line.amounts, total, missing: 12 - known.length })
  }
  const contracts = new Map<string, SnapshotContract>()
  const gross: Figure[] = Array<Figure>(head.numberOfYears * 12).fill(0)
  for (const [id, contract] of state.contracts) {
    const run = recalculations.get(id) ?? null
    const engine = run && getEngine(run.engine)
    if (run && engine && !costs.has(run)) {
      const { frozen, shared } = inputsOf(run)
      costs.set(run, engine.costContracts(run.contracts, frozen, shared))
    }
    const cost = run ? (costs.get(run)?.get(id) ?? null) : null
    const totals = cost ? calculateYearTotals(cost) : []
    const years = Array.from({ length: head.numberOfYears }, (_unused, year): Figure => totals[year] ?? null)
    contracts.set(rootOf(id), { root: rootOf(id), contract, years, cost, run })
    const whole = cost && extendToYears(cost, contract, head)
    if (run && engine && whole)
      for (const line of splitByYear(engine.linesOf(contract, whole, inputsOf(run).shared)))
        if (line.year < head.numberOfYears) add('contract', rootOf(id), line)
    for (const [month, sum] of gross.entries()) {
      const pay = whole?.years[Math.floor(month / 12)]?.gross[month % 12]
      gross[month] = sum === null || pay === null ? null : sum + (pay ?? 0)
    }
  }
  for (const [id, stored] of state.items)
    if (stored.kind === 'entry') for (const line of calculateEntryLines(stored.item, head.numberOfYears)) add('entry', rootOf(id), line)
  for (const { kind, tableId, counterpartId, year, budgetCodeId, amounts } of state.transfers?.transfers ?? [])
    if (year < head.numberOfYears) add('transfer', `${kind} ${tableId} ${counterpartId ?? ''}`, { year, budgetCodeId, amounts })
  for (const line of postLevy(gross, state.levyShares, getEngine(state.recalculated?.engine))) add('levy', 'levy', line)
  for (const line of postEmploymentAllowance(head, state.employmentAllowance)) add('employmentAllowance', 'employmentAllowance', line)
  return { head, version: state.version, at, state, contracts, lines }
}

function refuseMissingEngines({ state, recalculations }: Pick<FoldedLog, 'state' | 'recalculations'>, head: BudgetHead): void {
  const named = [
    ...[...recalculations.values()].map((run) => run.engine),
    ...[...state.items.values()].map((stored) => (stored.kind === 'entry' ? stored.item.basis.engine : undefined)),
    state.recalculated?.engine,
    state.employmentAllowance?.engine,
  ]
  const missing = [...new Set(named)].filter((engine) => engine !== undefined && !findEngine(engine))
  if (!missing.length) return
  const years =
    state.recalculated?.totals.years.map((total, year) => `${formatBudgetYear(head.firstYear, year)} ${displayMoney(total)}`) ?? []
  const recorded = years.length ? ` The recorded staff costs are ${years.join(', ')}.` : ''
  throw conflict(
    'engineMissing',
    `${head.name} was calculated with engine ${missing.join(', ')}, which this version of Bursar does not have.${recorded}`,
  )
}
