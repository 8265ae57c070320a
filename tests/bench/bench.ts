import { ageLimits, agesReached } from '../../domain/calculation/ages.ts'
import { costEmployee } from '../../domain/calculation/cost.ts'
import { prepare } from '../../domain/calculation/prepared.ts'
import { teachers } from './inputs.ts'
import { lists } from './lists.ts'
import { bigs, doubles, naiveCost } from './naive.ts'

/** `npm run bench`: 10,000 contract-years with the engine beside the same sums in plain doubles and in naive big.js, turn by turn in one run. */
const contracts = 2000
const { shared, employees } = teachers(contracts)
const turns = 7

function engine(): number {
  const { employee: _employee, ...inputs } = shared
  const prepared = prepare(inputs)
  const limits = ageLimits(inputs.tables.nationalInsurance)
  let total = 0
  for (const { dateOfBirth, contracts: own } of employees)
    for (const cost of costEmployee(prepared, { ages: agesReached(dateOfBirth, limits, inputs.budget), leaves: [], contracts: own }))
      for (const year of cost.years)
        for (const figures of [year.gross, year.ni, year.pension]) for (const figure of figures) total += figure ?? 0
  return total
}

const ways = {
  'the engine, exact': engine,
  'plain doubles, naive': () => employees.reduce((sum, employee) => sum + naiveCost(doubles, shared, employee), 0),
  'big.js, naive': () => employees.reduce((sum, employee) => sum + naiveCost(bigs, shared, employee), 0),
}

const best = new Map<string, number>()
const totals = new Map<string, number>()
for (let turn = 0; turn < turns; turn++)
  for (const [name, way] of Object.entries(ways)) {
    const began = performance.now()
    totals.set(name, way())
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - began))
  }
const engineMs = best.get('the engine, exact')!
console.log(`${contracts * 5} contract-years (${contracts} contracts × 5 years × 12 months), best of ${turns} turns side by side`)
for (const [name, ms] of best)
  console.log(
    `${name.padEnd(22)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / engineMs).toFixed(2).padStart(7)} × the engine  total £${(totals.get(name)! / 100).toFixed(2)}`,
  )
console.log(
  'The naive ways leave out leave, days within a month, apportioning, problems and derivations; their totals differ where they do.',
)

console.log('')
await lists()
