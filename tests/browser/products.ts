/**
 * Journeys are shared out among copies of the product, one for each port that is named, each on data of its own: a worker of the runner keeps to
 * its copy, so that what one journey changes is met by no other that runs at the same time.
 */
export const products = (process.env.BROWSER_TEST_PORT ?? '3911').split(',').map((port, index) => ({
  origin: `http://localhost:${port}`,
  port,
  data: `${process.env.BROWSER_TEST_DATA ?? '.data-browser'}${index || ''}`,
}))

/** The copy that this worker of the runner goes to. */
export const product = products[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]!

/** How the browser is started. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM_PATH || undefined,
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
