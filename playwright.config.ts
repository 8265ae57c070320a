import { defineConfig } from '@playwright/test'
import { launchOptions, product, products } from './tests/browser/products.ts'

/** Journeys in a real browser against the product as `npm start` runs it, on data of their own. */
export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: products.length,
  // A shared machine may stand still for seconds; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON ? [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON }]] : [['list']],
  use: {
    baseURL: product.origin,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    launchOptions,
  },
  webServer: products.map(({ origin, port, data }) => ({
    command: 'node --import tsx server/launch/start.ts',
    url: `${origin}/readyz`,
    timeout: 180_000,
    // More than what `npm start` waits for server and worker, and then for PostgreSQL.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 40_000 },
    // Where the receivers of messages listen that the journeys bring along; everything else of this machine stays closed.
    // Journeys make what they need of the trusts themselves; what a year leaves behind, tests of the server look at.
    env: { PORT: port, DATA_DIR: data, DEMO: 'fresh', LOG_LEVEL: 'warn', OUTBOUND_NETWORKS: '127.7.7.7/32' },
    stdout: 'ignore',
  })),
})
