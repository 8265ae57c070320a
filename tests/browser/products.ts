import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../server/launch/postgres.ts'
import { chromiumPath } from '../support/running/installed.ts'

/** One file of journeys needs one copy. All of them wait for a third of their time: three copies of the product keep two processors at work. */
const isOneFile = process.argv.filter((word) => word.includes('.spec.ts')).length === 1
const copies = isOneFile || availableParallelism() < 2 ? 1 : 3

// The first process of a run chooses; those that it starts read what it chose.
process.env.JOURNEY_PORTS ??= (await Promise.all(Array.from({ length: copies }, () => findFreePort()))).join(',')
process.env.JOURNEY_DATA ??= join(tmpdir(), `bursar-journeys-${process.pid}`)

/** Where the copies keep their data. */
export const dataFolder = process.env.JOURNEY_DATA

/**
 * Journeys are shared out among copies of the product, each on data of its own: a worker of the runner keeps to its copy, so that no journey
 * meets what another one changes at the same time.
 */
export const products = process.env.JOURNEY_PORTS.split(',').map((port) => ({
  origin: `http://localhost:${port}`,
  port,
  data: join(dataFolder, port),
}))

/** The copy that this worker of the runner goes to. */
export const product = products[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]!

/** How the browser is started. */
export const launchOptions = {
  executablePath: chromiumPath(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // No page lives long enough to win back what the compilers that optimise take of the processors.
    '--js-flags=--no-maglev,--no-opt',
  ],
}
