import { parseArgs } from 'node:util'
import { messageOf } from '../../domain/errors.ts'
import { takeSecretFiles } from '../core/config.ts'
import { loadScale } from '../demo/load.ts'
import { withDatabase } from '../launch/toolDatabase.ts'

/** `npm run demo -- --schools 100 --contracts 10000`: a large trust beside the demo, for scale work. */
const { values } = parseArgs({ options: { schools: { type: 'string', default: '100' }, contracts: { type: 'string', default: '10000' } } })
const schools = Number(values.schools)
const contracts = Number(values.contracts)
if (
  !Number.isInteger(schools) ||
  schools < 1 ||
  schools > 1000 ||
  !Number.isInteger(contracts) ||
  contracts < schools ||
  contracts > 100_000
) {
  console.error('--schools must be 1 to 1000, and --contracts at least one for each school and at most 100000.')
  process.exit(2)
}
try {
  takeSecretFiles()
  const began = performance.now()
  const trust = await withDatabase('npm run demo', (store) => loadScale(store, schools, contracts))
  console.log(
    `${trust.contracts} contracts of ${trust.staff} people in ${schools} schools, in ${((performance.now() - began) / 1000).toFixed(1)} s. Sign in as finance@harbour.example and choose the new trust.`,
  )
} catch (error) {
  console.error(messageOf(error))
  process.exit(1)
}
