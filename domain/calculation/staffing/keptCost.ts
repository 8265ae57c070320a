import type { ContractCost, Figure, YearCost } from '../inputs.ts'

/** The figures of consecutive months as they are kept: one that stands for several months is written once, with how many. */
type Runs = (Figure | [figure: Figure, months: number])[]

/** A year of a costing as it is kept. */
type KeptYear = { [Name in Exclude<keyof YearCost, 'year' | 'allowances'>]: Runs } & { year: string; allowances: Record<string, Runs> }

/**
 * A costing as it is kept. Pay is the same for months on end: written month by month, most of what a recalculation writes would be
 * repetition. Costings that were kept month by month, as earlier versions did, are read by the same rule.
 */
export type KeptCost = Omit<ContractCost, 'years'> & { years: KeptYear[] }

function runsOf(figures: readonly Figure[]): Runs {
  const runs: Runs = []
  for (let from = 0, month = 1; month <= figures.length; month++) {
    if (figures[month] === figures[from] && month < figures.length) continue
    const figure = figures[from] ?? null
    runs.push(month - from === 1 ? figure : [figure, month - from])
    from = month
  }
  return runs
}

function figuresOf(runs: Runs): Figure[] {
  return runs.flatMap((run) => (Array.isArray(run) ? Array.from<Figure>({ length: run[1] }).fill(run[0]) : [run]))
}

const inEach = <From, To>(byKey: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(byKey).map(([key, value]) => [key, change(value)]))

/** A costing as it is kept: whole pennies, in runs of equal months. */
export function keptCost(cost: ContractCost): KeptCost {
  return {
    ...cost,
    years: cost.years.map((year) => ({
      year: year.year,
      basic: runsOf(year.basic),
      allowances: inEach(year.allowances, runsOf),
      leavePay: runsOf(year.leavePay),
      leaveRecovery: runsOf(year.leaveRecovery),
      gross: runsOf(year.gross),
      ni: runsOf(year.ni),
      pension: runsOf(year.pension),
    })),
  }
}

/** The costing that was kept. */
export function costOfKept(kept: KeptCost): ContractCost {
  return {
    ...kept,
    years: kept.years.map((year) => ({
      year: year.year,
      basic: figuresOf(year.basic),
      allowances: inEach(year.allowances, figuresOf),
      leavePay: figuresOf(year.leavePay),
      leaveRecovery: figuresOf(year.leaveRecovery),
      gross: figuresOf(year.gross),
      ni: figuresOf(year.ni),
      pension: figuresOf(year.pension),
    })),
  }
}
