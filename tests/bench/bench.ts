import { calculateAgesReached, listAgeLimits } from '../../domain/calculation/staffing/ages.ts'
import { costEmployee } from '../../domain/calculation/staffing/cost.ts'
import { prepareCalculation } from '../../domain/calculation/staffing/prepared.ts'
import { budgetWork } from './budgets.ts'
import { bulk } from './bulk.ts'
import { calls } from './calls.ts'
import { createDoubleCosting } from './doubles.ts'
import { fairness } from './fairness.ts'
import { floors } from './floors.ts'
import { growth } from './growth.ts'
import { createTeachers } from './inputs.ts'
import { lists } from './lists.ts'
import { monitoringWork } from './monitoring.ts'
import { calculateNaiveCost } from './naive.ts'
import { neighbours } from './neighbours.ts'
import { payrollWork } from './payroll.ts'
import { recalculation } from './recalculation.ts'
import { reportWork } from './reports.ts'
import { rest } from './rest.ts'
import { savings } from './savings.ts'
import { scale } from './scale.ts'
import { screens } from './screens.ts'
import { searches } from './search.ts'
import { calculateAsSpreadsheet } from './spreadsheet.ts'
import { usualSteps } from './steps.ts'
import { uncertainty } from './uncertainty.ts'

/**
 * `npm run bench`, or `npm run bench -- engine` for the first part only. The engine and its comparisons alternate within one run, so their
 * ratios do not depend on the machine.
 */
const contracts = 2000
const spreadsheetContracts = 200
const { shared, employees } = createTeachers(contracts)
const turns = 9

const { employee: _employee, ...inputs } = shared
/** Employees as the frozen inputs store them: the days on which they reach an age replace the date of birth. */
const frozen = employees.map(({ dateOfBirth, contracts: own }) => ({
  ages: calculateAgesReached(dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget),
  leaves: [],
  contracts: own,
}))

function engine(): number {
  const prepared = prepareCalculation(inputs)
  let total = 0
  for (const employee of frozen)
    for (const cost of costEmployee(prepared, employee))
      for (const year of cost.years)
        for (const figures of [year.gross, year.ni, year.pension]) for (const figure of figures) total += figure ?? 0
  return total
}

function inDoubles(rounded: boolean): number {
  const cost = createDoubleCosting(shared, rounded)
  return employees.reduce((sum, employee) => sum + cost(employee), 0)
}

function engines(): void {
  const ways: Record<string, () => number> = {
    'the engine, exact': engine,
    'plain doubles, no rounding': () => inDoubles(false),
    'plain doubles, to the penny': () => inDoubles(true),
    'big.js, naive': () => employees.reduce((sum, employee) => sum + calculateNaiveCost(shared, employee), 0),
  }
  const best = new Map<string, { ms: number; pennies: number; contracts: number }>()
  for (let turn = 0; turn < turns; turn++)
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now()
      const pennies = way()
      const ms = performance.now() - began
      if (ms < (best.get(name)?.ms ?? Number.POSITIVE_INFINITY)) best.set(name, { ms, pennies, contracts })
    }
  const sheet = calculateAsSpreadsheet(shared, employees.slice(0, spreadsheetContracts))
  best.set('HyperFormula, recalculated', { ms: sheet.ms, pennies: Math.round(sheet.total * 100), contracts: spreadsheetContracts })
  const each = best.get('the engine, exact')!.ms / contracts
  console.log(
    `Five years of a teacher with two allowances, best of ${turns} turns side by side (${contracts} contracts; HyperFormula ${spreadsheetContracts})`,
  )
  for (const [name, { ms, pennies, contracts: costed }] of best) {
    const perSecond = Math.round((costed * 5 * 1000) / ms).toLocaleString('en-GB')
    console.log(
      `${name.padEnd(28)} ${perSecond.padStart(11)} contract-years/s ${(ms / costed / each).toFixed(2).padStart(9)} × the engine's time   £${(pennies / 100).toFixed(2)}`,
    )
  }
  console.log('The others leave out leave, runs of days within a month, sharing over contracts, problems and derivations.')
}

const [only, size] = [process.argv[2], process.argv[3] ? Number(process.argv[3]) : undefined]

/** The parts in the order in which they run. A part with a limit returns whether it was met. */
const parts: Record<string, { isAlways: boolean; run: () => unknown }> = {
  engine: { isAlways: true, run: engines },
  recalculation: { isAlways: true, run: () => recalculation() },
  lists: { isAlways: true, run: () => lists() },
  budgets: { isAlways: true, run: () => budgetWork() },
  bulk: { isAlways: true, run: bulk },
  monitoring: { isAlways: true, run: () => monitoringWork() },
  payroll: { isAlways: true, run: () => payrollWork() },
  reports: { isAlways: true, run: () => reportWork() },
  calls: { isAlways: true, run: calls },
  floors: { isAlways: true, run: () => floors(process.argv[3]) },
  rest: { isAlways: true, run: rest },
  search: { isAlways: true, run: () => searches() },
  uncertainty: { isAlways: true, run: uncertainty },
  savings: { isAlways: true, run: savings },
  steps: { isAlways: false, run: usualSteps },
  screens: { isAlways: false, run: screens },
  scale: { isAlways: false, run: () => scale(size) },
  fairness: { isAlways: false, run: () => fairness(size) },
  neighbours: { isAlways: false, run: () => neighbours(size) },
  growth: { isAlways: false, run: growth },
}
if (only && !(only in parts)) throw new Error(`There is no bench ${only}: ${Object.keys(parts).join(', ')}`)
for (const [name, { isAlways, run }] of Object.entries(parts))
  if ((only ? only === name : isAlways) && (await run()) === false) process.exitCode = 1
