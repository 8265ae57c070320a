import { defineConfig } from '@playwright/test'

const port = Number(process.env.BROWSER_TEST_PORT ?? 3911)

/** Journeys in a real browser against the product as `npm start` runs it, on data of their own. */
export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  // A shared machine may stand still for seconds; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON ? [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON }]] : [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node --import tsx server/launch/start.ts',
    url: `http://localhost:${port}/readyz`,
    timeout: 180_000,
    // More than what `npm start` waits for server and worker, and then for PostgreSQL.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 40_000 },
    env: { PORT: String(port), DATA_DIR: process.env.BROWSER_TEST_DATA ?? '.data-browser', LOG_LEVEL: 'warn' },
    stdout: 'ignore',
  },
})
