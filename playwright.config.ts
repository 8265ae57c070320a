import { defineConfig } from '@playwright/test'
import { launchOptions, product, products } from './tests/browser/products.ts'
import { patience } from './tests/support/product/patience.ts'

/** Browser tests of the product as `npm start` runs it, each product with its own data. */
export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/browser/startProducts.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: products.length,
  // A shared machine may pause for seconds, so only a test that fails twice counts as failed.
  retries: process.env.CI ? 1 : 0,
  timeout: patience * 60_000,
  expect: { timeout: patience * 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON ? [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON }]] : [['list']],
  // `npm test` runs one journey for each main task of users; `npm run test:all` runs the others too.
  projects: [
    { name: 'journeys', grep: /@journey/ },
    { name: 'others', grepInvert: /@journey/ },
  ],
  use: {
    baseURL: product.origin,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    actionTimeout: patience * 20_000,
    launchOptions,
  },
})
