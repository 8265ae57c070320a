import type { BudgetDriver, DriverKind } from '../../domain/uncertainty/budget/driver.ts'
import type { CorrelationWord, DriverPair } from '../../domain/uncertainty/correlation.ts'

type Value = 'low' | 'likely' | 'high'

/** A driver being typed; null for a value that is not entered yet. */
export type DriverDraft = Omit<BudgetDriver, Value> & Record<Value, number | null>

export const driverValues: { field: Value; label: string }[] = [
  { field: 'low', label: 'Low' },
  { field: 'likely', label: 'Likely' },
  { field: 'high', label: 'High' },
]

export const kindLabels: Readonly<Record<DriverKind, string>> = {
  award: 'Pay award',
  pension: 'Employer pension rate',
  intake: 'Pupils in a year group',
  fundingRate: 'Funding rate',
  topUp: 'Top-up income',
  supply: 'Supply cover',
  energy: 'Energy',
  prices: 'Other prices',
}

/** What the low, likely and high values of a kind mean. */
export const kindHints: Readonly<Record<DriverKind, string>> = {
  award: 'Enter the award in per cent of pay. Likely is the award that the budget already contains.',
  pension: 'Enter the employer’s rate in per cent of pay. Likely is the rate that the budget already contains.',
  intake: 'Enter numbers of pupils. Likely is the number in the budget.',
  fundingRate: 'Enter the change of funding in per cent. Likely is the change that the budget already contains.',
  topUp: 'Enter the change of these codes in per cent. Likely is the change that the budget already contains.',
  supply: 'Enter the change of these codes in per cent. Likely is the change that the budget already contains.',
  energy: 'Enter the change of these codes in per cent. Likely is the change that the budget already contains.',
  prices: 'Enter the change of these codes in per cent. Likely is the change that the budget already contains.',
}

export const unitOf = ({ kind }: Pick<DriverDraft, 'kind'>): string => (kind === 'intake' ? '' : '%')

export const pairWords: { value: CorrelationWord; label: string }[] = [
  { value: 'movesWith', label: 'moves with' },
  { value: 'movesALittleWith', label: 'moves a little with' },
  { value: 'movesALittleAgainst', label: 'moves a little against' },
  { value: 'movesAgainst', label: 'moves against' },
]

/** A pair being chosen. */
export interface PairDraft {
  first: string | null
  second: string | null
  word: CorrelationWord
}

/** @returns why a pair cannot be used, or null */
export function findPairProblem({ first, second }: PairDraft, earlier: readonly PairDraft[]): string | null {
  if (first === null || second === null) return 'Choose two drivers.'
  if (first === second) return 'Choose two different drivers.'
  const isSame = (one: PairDraft): boolean =>
    (one.first === first && one.second === second) || (one.first === second && one.second === first)
  return earlier.some(isSame) ? 'These two drivers already have a line.' : null
}

export const isComplete = (pair: PairDraft): pair is DriverPair => pair.first !== null && pair.second !== null

export const blankDriver = (id: string): DriverDraft => ({
  id,
  kind: 'award',
  name: kindLabels.award,
  low: null,
  likely: null,
  high: null,
  contractTypeIds: [],
  budgetCodeIds: [],
  yearGroup: null,
  from: null,
  perYear: false,
  locationIds: [],
})
