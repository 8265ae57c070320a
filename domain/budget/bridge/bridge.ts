import { assertDefined } from '../../values/assertDefined.ts'
import { invalid } from '../../words/errors.ts'
import { yearsOf } from '../items/budgetEntry.ts'
import { isShared } from '../sharedSources.ts'
import { addSums, type BridgeItem, type Cause, causes, noSums, type Sums } from './causes.ts'
import { entryBridge, type FactsOf, sharedBridge, sumsOf, type WithPupils } from './moneyBridge.ts'
import { type End, staffBridge } from './staffBridge.ts'

/** A step of a bridge, with the contracts and entries it is made of, the largest first. */
export interface BridgeStep extends Sums {
  cause: Cause
  name: string
  items: BridgeItem[]
}

export interface Bridge {
  from: Sums
  to: Sums
  steps: BridgeStep[]
}

/** What a year of a picture comes to. */
function totalOf({ picture, year }: End, factsOf: FactsOf): Sums {
  let sums = noSums
  for (const { years } of picture.contracts.values()) sums = addSums(sums, { ...noSums, staffing: years[year] ?? 0 })
  for (const stored of picture.state.items.values())
    if (stored.kind === 'entry')
      sums = addSums(sums, sumsOf(factsOf(stored.item.budgetCodeId), yearsOf(stored.item, picture.head.numberOfYears)[year]?.amount ?? 0))
  for (const line of picture.lines)
    if (line.year === year && isShared(line.source)) sums = addSums(sums, { ...noSums, staffing: line.total })
    else if (line.year === year && line.source === 'transfer')
      sums = addSums(sums, sumsOf(factsOf(assertDefined(line.budgetCodeId)), line.total))
  return sums
}

/**
 * From the total of one year of a budget to that of another year, moment or budget, in steps that are causes and add up with nothing left over.
 * @throws DomainError 400 when the budget that is started from does not reach the year it goes to
 */
export function bridge({ from, to, factsOf, withPupils }: { from: End; to: End; factsOf: FactsOf; withPupils: WithPupils }): Bridge {
  const targetYear = to.picture.head.firstYear + to.year - from.picture.head.firstYear
  if (targetYear < 0 || targetYear >= from.picture.head.numberOfYears)
    throw invalid([
      { field: 'to', message: `${from.picture.head.name} has no figures for that year. Choose a year that both budgets have.` },
    ])
  const items = [
    ...staffBridge(from, to, targetYear),
    ...entryBridge({ from, to, targetYear, factsOf, withPupils }),
    ...sharedBridge(from, to, factsOf),
  ]
  const steps = causes.flatMap(({ id, name }): BridgeStep[] => {
    const own = items.filter((item) => item.cause === id).sort((a, b) => weight(b) - weight(a))
    return own.length ? [{ cause: id, name, ...own.reduce(addSums, noSums), items: own }] : []
  })
  return { from: totalOf(from, factsOf), to: totalOf(to, factsOf), steps }
}

const weight = (sums: Sums): number => Math.abs(sums.income) + Math.abs(sums.staffing) + Math.abs(sums.other)
