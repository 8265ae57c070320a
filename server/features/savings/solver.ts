import type { Highs } from 'highs'
import type { Programme, ProgrammeOutcome, ProgrammeSolver } from '../../../domain/savings/programme.ts'

let loading: Promise<Highs> | undefined

/**
 * Loads the WebAssembly module of 3.5 MB, once in each thread, and only when somebody asks for a plan. A failed load is not kept, so
 * that the next plan tries again.
 */
function loadHighs(): Promise<Highs> {
  loading ??= import('highs')
    .then(({ default: load }) => load())
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

/**
 * Returns a solver of integer programmes. If it throws, the module may be unusable, so the next solver loads it again.
 * @param seconds how long all programmes that it solves may take together
 */
export async function createSolver(seconds: number): Promise<ProgrammeSolver> {
  const highs = await loadHighs()
  const end = performance.now() + seconds * 1000
  const { infeasible, unboundedOrInfeasible, optimal, timeLimit } = highs.constants.modelStatus
  const { feasible } = highs.constants.solutionStatus
  const solve = ({ columns, rows }: Programme): ProgrammeOutcome => {
    const remaining = (end - performance.now()) / 1000
    if (remaining <= 0) return { status: 'stopped' }
    const starts = [0]
    for (const { terms } of rows) starts.push((starts.at(-1) ?? 0) + terms.length)
    const data = {
      numCols: columns.length,
      numRows: rows.length,
      colCost: columns.map(({ cost }) => cost),
      colLower: columns.map(({ lower }) => lower),
      colUpper: columns.map(({ upper }) => upper),
      rowLower: rows.map(({ lower }) => lower),
      rowUpper: rows.map(() => highs.infinity),
      matrix: {
        format: 'csr' as const,
        numCols: columns.length,
        numRows: rows.length,
        starts,
        indices: rows.flatMap(({ terms }) => terms.map(({ column }) => column)),
        values: rows.flatMap(({ terms }) => terms.map(({ factor }) => factor)),
      },
      integrality: columns.map(() => highs.constants.variableType.integer),
    }
    return highs.withModel(data, (model): ProgrammeOutcome => {
      model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0, time_limit: remaining })
      model.run()
      const status = model.getModelStatus()
      if (status === optimal) return { status: 'solved', values: model.getSolution().colValue }
      if (status === infeasible || status === unboundedOrInfeasible) return { status: 'infeasible' }
      if (status === timeLimit) {
        const isFound = model.info.get('primal_solution_status') === feasible
        return isFound ? { status: 'stopped', values: model.getSolution().colValue } : { status: 'stopped' }
      }
      throw new Error(`The solver of savings ended with status ${status}.`)
    })
  }
  return (programme) => {
    try {
      return solve(programme)
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}
