import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../server/launch/postgres.ts'
import { chromiumPath } from '../support/running/installed.ts'

/** A single file of journeys needs one copy. Otherwise three copies keep two processors busy, as journeys wait for a third of their time. */
const isOneFile = process.argv.filter((word) => word.includes('.spec.ts')).length === 1
const copies = isOneFile || availableParallelism() < 2 ? 1 : 3

// The first process of a run chooses the ports; its child processes inherit them.
process.env.JOURNEY_PORTS ??= (await Promise.all(Array.from({ length: copies }, () => findFreePort()))).join(',')
process.env.JOURNEY_DATA ??= join(tmpdir(), `bursar-journeys-${process.pid}`)

/** The folder with the data of the copies. */
export const dataFolder = process.env.JOURNEY_DATA

/**
 * Journeys run against several copies of the product, each with its own data. Each Playwright worker uses one copy, so that journeys at the
 * same time do not meet each other’s changes.
 */
export const products = process.env.JOURNEY_PORTS.split(',').map((port) => ({
  origin: `http://localhost:${port}`,
  port,
  data: join(dataFolder, port),
}))

/** The copy that this Playwright worker uses. */
export const product = products[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]!

/** The launch options of Chromium. */
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
    // Optimising compilation costs more processor time than a short-lived page wins back.
    '--js-flags=--no-maglev,--no-opt',
  ],
}
