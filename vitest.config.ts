import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { patience } from './tests/support/product/patience.ts'

/** A shared machine may stand still for seconds: in continuous integration only what fails twice is broken. */
const retry = process.env.CI ? 1 : 0

/** Tests of the product with a real PostgreSQL. It is loaded once for all files, and each file ends what it starts. */
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

/** Tests of what rests on the queue. */
const onTheQueue = [
  'tests/server/{calls/hub,budgets/recalculation}.test.ts',
  'tests/resilience/{limits,looks,makingBudgets,networkLost,queueAway,recalculation}.test.ts',
]

/** Tests of the server that take longest. They run with the rest, so that the tests before a commit take 12 minutes at most. */
const longest = [
  'tests/server/{demoPayroll,access/erasingUsers,reports/packs,reports/paper}.test.ts',
  'tests/server/payroll/{payrollCauses,payrollExplanations,payrollMonthEnd}.test.ts',
  'tests/server/staffing/erasing.test.ts',
]

/** Runs what the pages show, against a running product. */
const examplesOfPages = 'tests/docs/examples.test.ts'

export default defineConfig({
  test: {
    // A test waits for a worker, a folder or a clock a third of its time: three keep two processors at work.
    maxWorkers: Number(process.env.MAX_WORKERS ?? 3),
    // Every reply is checked against its description.
    env: { CHECK_REPLIES: '1' },
    projects: [
      {
        test: {
          name: 'domain',
          retry,
          // What is pure needs no process of its own for each file.
          isolate: false,
          include: ['tests/{domain,architecture,docs}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, examplesOfPages],
          testTimeout: patience * 30_000,
        },
      },
      withProduct('server', ['tests/{server,contract}/**/*.test.ts'], longest),
      withProduct('whole', ['tests/{operation,replay,resilience,scale,security,upgrade}/**/*.test.ts', examplesOfPages, ...longest]),
      // What rests on the queue, once more with the queue on Redis.
      ...(process.env.REDIS_URL ? [withProduct('redis', onTheQueue)] : []),
    ],
  },
})
