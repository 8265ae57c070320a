import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { patience } from './tests/support/product/patience.ts'

/** A shared machine may pause for seconds, so in continuous integration only a test that fails twice counts as failed. */
const retry = process.env.CI ? 1 : 0

/** Tests of the product with a real PostgreSQL, which is prepared once for all files. Each file ends what it starts. */
function withProduct(name: string, include: string[], exclude: string[] = []): TestProjectConfiguration {
  return {
    test: {
      name,
      retry,
      include,
      exclude: [...configDefaults.exclude, ...exclude],
      isolate: false,
      globalSetup: ['tests/support/product/postgres.ts'],
      setupFiles: ['tests/support/product/eachFile.ts'],
      testTimeout: patience * 30_000,
      hookTimeout: patience * 60_000,
    },
  }
}

/** Tests of features that use the queue. */
const onTheQueue = [
  'tests/server/{calls/hub,budgets/recalculation}.test.ts',
  'tests/resilience/{limits,looks,makingBudgets,networkLost,queueAway,recalculation}.test.ts',
]

/** Tests of all kinds of transactions, which run again with PgBouncer in front of the database. */
const throughPooler = [
  'tests/server/{access/tenancy,budgets/{entries,recalculation},calls/{calls,hub,pressedAgain},staffing/contracts}.test.ts',
  'tests/server/{resources/imports,monitoring/ledgerFiles,reports/reports}.test.ts',
  'tests/resilience/pooler.test.ts',
]

/** The slowest tests of the server. They run with `whole`, so that the tests before a commit take at most 12 minutes. */
const longest = [
  'tests/server/{demoPayroll,access/erasingUsers,reports/packs,reports/paper}.test.ts',
  'tests/server/payroll/{payrollCauses,payrollExplanations,payrollMonthEnd}.test.ts',
  'tests/server/staffing/erasing.test.ts',
]

/** Runs the examples in the documentation against a running product. */
const examplesOfPages = 'tests/docs/examples.test.ts'

export default defineConfig({
  test: {
    // Tests wait a third of their time, for example for a worker, so three at a time keep two processors busy.
    maxWorkers: Number(process.env.MAX_WORKERS ?? 3),
    // Check every reply against its description.
    env: { CHECK_REPLIES: '1' },
    projects: [
      {
        test: {
          name: 'domain',
          retry,
          // These tests have no side effects, so files can share a process.
          isolate: false,
          include: ['tests/{domain,architecture,docs}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, examplesOfPages],
          testTimeout: patience * 30_000,
        },
      },
      withProduct('server', ['tests/{server,contract}/**/*.test.ts'], longest),
      withProduct('whole', ['tests/{operation,replay,resilience,scale,security,upgrade}/**/*.test.ts', examplesOfPages, ...longest]),
      // The tests of the queue again, with the queue on Redis instead of PostgreSQL.
      ...(process.env.REDIS_URL ? [withProduct('redis', onTheQueue)] : []),
      // Some tests again, with PgBouncer in transaction mode between the product and the database.
      ...(process.env.POOLER ? [withProduct('pooler', throughPooler)] : []),
    ],
  },
})
