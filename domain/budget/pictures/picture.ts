import { engineOf, knownEngine } from '../../calculation/engines/engines.ts'
import type { ContractCost, Figure } from '../../calculation/inputs.ts'
import { type FrozenBudget, overYears, type SharedInputs, yearTotals } from '../../calculation/staffing/frozen.ts'
import { eachYear } from '../../calculation/staffing/posting.ts'
import { yearName } from '../../values/calendar.ts'
import { displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { conflict } from '../../words/errors.ts'
import type { BudgetHead, StoredContract } from '../budget.ts'
import { linesOfEntry } from '../items/budgetEntry.ts'
import { allowanceLines, levyLines } from '../sharedLines.ts'
import type { StaffSource } from '../sharedSources.ts'
import type { FoldedLog, LastRun } from './foldLog.ts'

/** The kept inputs of a run. */
export type RunInputs = (run: LastRun) => { frozen: FrozenBudget; shared: SharedInputs }

/** What a line of a picture comes from. */
export type PictureSource = StaffSource | 'entry' | 'transfer'

/** A year of one source on one code: whole pennies over what could be calculated, and how many months could not. */
export interface PictureLine {
  source: PictureSource
  /** By which the same thing is known in other budgets: what it was first copied from. */
  root: string
  year: number
  /** Empty for the levy. */
  budgetCodeId: number | null
  /** Whole pennies of the twelve months; null where it was not calculated. */
  months: readonly Figure[]
  total: Pennies
  missing: number
}

/** What a contract costs in a picture, and with which inputs that was worked out. */
export interface PictureContract {
  root: string
  contract: StoredContract
  /** Whole pennies of each year; null where it was not calculated. */
  years: Figure[]
  cost: ContractCost | null
  run: LastRun | null
}

/** A budget as it stood at one of its versions, with every figure: made from its log alone. */
export interface Picture {
  head: BudgetHead
  version: number
  at: string
  state: FoldedLog['state']
  contracts: Map<string, PictureContract>
  lines: PictureLine[]
}

/**
 * @throws RangeError when the budget did not exist at that version
 * @throws DomainError 409, with the recorded totals, where this version of the product does not have an engine that calculated it
 */
export function pictureOf({ state, at, runs }: FoldedLog, inputsOf: RunInputs): Picture {
  const { head } = state
  if (!head) throw new RangeError('The budget did not exist then.')
  refuseMissingEngines({ state, runs }, head)
  const rootOf = (id: string): string => state.origins.get(id) ?? id
  const costs = new Map<LastRun, Map<string, ContractCost>>()
  const lines: PictureLine[] = []
  const add = (
    source: PictureSource,
    root: string,
    line: { year: number; budgetCodeId: number | null; amounts: readonly Figure[] },
  ): void => {
    const known = line.amounts.filter((amount) => amount !== null)
    const total = known.reduce((sum, amount) => sum + amount, 0)
    lines.push({ source, root, year: line.year, budgetCodeId: line.budgetCodeId, months: line.amounts, total, missing: 12 - known.length })
  }
  const contracts = new Map<string, PictureContract>()
  const gross: Figure[] = Array<Figure>(head.numberOfYears * 12).fill(0)
  for (const [id, contract] of state.contracts) {
    const run = runs.get(id) ?? null
    const engine = run && engineOf(run.engine)
    if (run && engine && !costs.has(run)) {
      const { frozen, shared } = inputsOf(run)
      costs.set(run, engine.costContracts(run.contracts, frozen, shared))
    }
    const cost = run ? (costs.get(run)?.get(id) ?? null) : null
    const totals = cost ? yearTotals(cost) : []
    const years = Array.from({ length: head.numberOfYears }, (_unused, year): Figure => totals[year] ?? null)
    contracts.set(rootOf(id), { root: rootOf(id), contract, years, cost, run })
    const whole = cost && overYears(cost, contract, head)
    if (run && engine && whole)
      for (const line of eachYear(engine.linesOf(contract, whole, inputsOf(run).shared)))
        if (line.year < head.numberOfYears) add('contract', rootOf(id), line)
    for (const [month, sum] of gross.entries()) {
      const pay = whole?.years[Math.floor(month / 12)]?.gross[month % 12]
      gross[month] = sum === null || pay === null ? null : sum + (pay ?? 0)
    }
  }
  for (const [id, stored] of state.items)
    if (stored.kind === 'entry') for (const line of linesOfEntry(stored.item, head.numberOfYears)) add('entry', rootOf(id), line)
  for (const { kind, tableId, counterpartId, year, budgetCodeId, amounts } of state.transfers?.transfers ?? [])
    if (year < head.numberOfYears) add('transfer', `${kind} ${tableId} ${counterpartId ?? ''}`, { year, budgetCodeId, amounts })
  for (const line of levyLines(gross, state.levyShares, engineOf(state.recalculated?.engine))) add('levy', 'levy', line)
  for (const line of allowanceLines(head, state.employmentAllowance)) add('employmentAllowance', 'employmentAllowance', line)
  return { head, version: state.version, at, state, contracts, lines }
}

function refuseMissingEngines({ state, runs }: Pick<FoldedLog, 'state' | 'runs'>, head: BudgetHead): void {
  const named = [
    ...[...runs.values()].map((run) => run.engine),
    ...[...state.items.values()].map((stored) => (stored.kind === 'entry' ? stored.item.basis.engine : undefined)),
    state.recalculated?.engine,
    state.employmentAllowance?.engine,
  ]
  const missing = [...new Set(named)].filter((engine) => engine !== undefined && !knownEngine(engine))
  if (!missing.length) return
  const years = state.recalculated?.totals.years.map((total, year) => `${yearName(head.firstYear, year)} ${displayMoney(total)}`) ?? []
  const recorded = years.length ? ` The recorded staff costs are ${years.join(', ')}.` : ''
  throw conflict(
    'engineMissing',
    `${head.name} was calculated with engine ${missing.join(', ')}, which this version of Bursar does not have.${recorded}`,
  )
}
