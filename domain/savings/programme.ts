/** A condition in whole numbers: the factors of the chosen options add up to `lower` or more. */
export interface Condition {
  /** A factor for each option. */
  factors: readonly number[]
  lower: number
}

interface Column {
  lower: number
  upper: number
  cost: number
}

interface Term {
  column: number
  factor: number
}

/** An integer programme for a solver: whole values for the columns with the least cost. The terms of each row must reach its `lower`. */
export interface Programme {
  columns: Column[]
  rows: { terms: Term[]; lower: number }[]
}

/** What a solver says of a programme. `stopped`: time ran out first. Its `values` are the best that were found, if any were. */
export type ProgrammeOutcome =
  | { status: 'solved'; values: ArrayLike<number> }
  | { status: 'infeasible' }
  | { status: 'stopped'; values?: ArrayLike<number> }

export type ProgrammeSolver = (programme: Programme) => ProgrammeOutcome

/**
 * A solver works in floating point, with a tolerance of a millionth. Below this factor, missing a condition by 1 cannot be mistaken for
 * meeting it, so larger factors are split into digits of this base.
 */
const base = 100_000

/** Adds up the factors of the chosen options. Exact: sums stay below 2^53 (`savingsProblem`). */
export function sumChosen(factors: readonly number[], chosen: readonly boolean[]): number {
  return factors.reduce((sum, factor, option) => (chosen[option] ? sum + factor : sum), 0)
}

export const holds = ({ factors, lower }: Condition, chosen: readonly boolean[]): boolean => sumChosen(factors, chosen) >= lower

/**
 * Writes conditions on a choice of options as a programme whose first columns are the options: 1 for chosen, 0 for not.
 * @returns null if a condition cannot hold for any choice
 */
export function buildProgramme(conditions: readonly Condition[], costs: readonly number[]): Programme | null {
  const programme: Programme = { columns: costs.map((cost) => ({ lower: 0, upper: 1, cost })), rows: [] }
  for (const { factors, lower } of conditions) {
    const terms = factors.flatMap((factor, column) => (factor === 0 ? [] : [{ column, factor }]))
    const { least, most } = boundSum(programme, terms)
    if (most < lower) return null
    if (least < lower) addRow(programme, terms, lower)
  }
  return programme
}

/**
 * Adds a row. Large factors are split into a high and a low digit with a whole number carried between them:
 * `base × high + low ≥ lower` holds exactly if some whole `carry` has `low − base × carry ≥ lower's low digit` and
 * `high + carry ≥ lower's high digits`.
 */
function addRow(programme: Programme, terms: Term[], lower: number): void {
  if (terms.every(({ factor }) => Math.abs(factor) <= base)) {
    programme.rows.push({ terms, lower })
    return
  }
  const lowTerms = pickDigits(terms, lowDigit)
  const { least, most } = boundSum(programme, lowTerms)
  const carry = programme.columns.length
  programme.columns.push({
    lower: Math.floor((least - lowDigit(lower)) / base),
    upper: Math.floor((most - lowDigit(lower)) / base),
    cost: 0,
  })
  programme.rows.push({ terms: [...lowTerms, { column: carry, factor: -base }], lower: lowDigit(lower) })
  addRow(programme, [...pickDigits(terms, highDigits), { column: carry, factor: 1 }], highDigits(lower))
}

/** The digit nearest to 0, from `−base / 2` to `base / 2`, so that little has to be carried. */
function lowDigit(value: number): number {
  const digit = value % base
  return digit > base / 2 ? digit - base : digit < -base / 2 ? digit + base : digit
}
const highDigits = (value: number): number => (value - lowDigit(value)) / base

const pickDigits = (terms: readonly Term[], pick: (value: number) => number): Term[] =>
  terms.flatMap(({ column, factor }) => (pick(factor) === 0 ? [] : [{ column, factor: pick(factor) }]))

/** The least and the most that terms can add up to. */
function boundSum({ columns }: Programme, terms: readonly Term[]): { least: number; most: number } {
  let [least, most] = [0, 0]
  for (const { column, factor } of terms) {
    const { lower = 0, upper = 0 } = columns[column] ?? {}
    least += Math.min(factor * lower, factor * upper)
    most += Math.max(factor * lower, factor * upper)
  }
  return { least, most }
}
