import { assertDefined } from '../../values/assertDefined.ts'
import { invalid } from '../../words/errors.ts'
import { calculateEntryYears } from '../items/budgetEntry.ts'
import { isSharedSource } from '../sharedSources.ts'
import { addAmounts, type BridgeAmounts, type BridgeCause, type BridgeItem, bridgeCauses, zeroAmounts } from './causes.ts'
import { bridgeEntries, bridgeSharedLines, type CodeLookup, classifyAmount, type PredictionRecalculator } from './moneyBridge.ts'
import { type BridgeYear, bridgeStaff } from './staffBridge.ts'

/** What one cause adds to the difference between two years. `items` are the contracts and entries behind the amount, largest first. */
export interface BridgeStep extends BridgeAmounts {
  cause: BridgeCause
  name: string
  items: BridgeItem[]
}

export interface Bridge {
  from: BridgeAmounts
  to: BridgeAmounts
  steps: BridgeStep[]
}

function yearTotal({ snapshot, year }: BridgeYear, factsOf: CodeLookup): BridgeAmounts {
  let sums = zeroAmounts
  for (const { years } of snapshot.contracts.values()) sums = addAmounts(sums, { ...zeroAmounts, staffing: years[year] ?? 0 })
  for (const stored of snapshot.state.items.values())
    if (stored.kind === 'entry')
      sums = addAmounts(
        sums,
        classifyAmount(factsOf(stored.item.budgetCodeId), calculateEntryYears(stored.item, snapshot.head.numberOfYears)[year]?.amount ?? 0),
      )
  for (const line of snapshot.lines)
    if (line.year === year && isSharedSource(line.source)) sums = addAmounts(sums, { ...zeroAmounts, staffing: line.total })
    else if (line.year === year && line.source === 'transfer')
      sums = addAmounts(sums, classifyAmount(factsOf(assertDefined(line.budgetCodeId)), line.total))
  return sums
}

/**
 * Explains the difference between one year's total and another's as steps, one for each cause, that add up exactly. The two years may
 * belong to different budgets or versions.
 * @throws DomainError 400 when the `from` budget does not reach the year of `to`
 */
export function buildBridge({
  from,
  to,
  factsOf,
  withPupils,
}: {
  from: BridgeYear
  to: BridgeYear
  factsOf: CodeLookup
  withPupils: PredictionRecalculator
}): Bridge {
  const targetYear = to.snapshot.head.firstYear + to.year - from.snapshot.head.firstYear
  if (targetYear < 0 || targetYear >= from.snapshot.head.numberOfYears)
    throw invalid([
      { field: 'to', message: `${from.snapshot.head.name} has no figures for that year. Choose a year that both budgets have.` },
    ])
  const items = [
    ...bridgeStaff(from, to, targetYear),
    ...bridgeEntries({ from, to, targetYear, factsOf, withPupils }),
    ...bridgeSharedLines(from, to, factsOf),
  ]
  const steps = bridgeCauses.flatMap(({ id, name }): BridgeStep[] => {
    const matching = items.filter((item) => item.cause === id).sort((a, b) => absoluteTotal(b) - absoluteTotal(a))
    return matching.length ? [{ cause: id, name, ...matching.reduce(addAmounts, zeroAmounts), items: matching }] : []
  })
  return { from: yearTotal(from, factsOf), to: yearTotal(to, factsOf), steps }
}

const absoluteTotal = (sums: BridgeAmounts): number => Math.abs(sums.income) + Math.abs(sums.staffing) + Math.abs(sums.other)
