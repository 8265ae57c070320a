import { defineConfig } from 'vitest/config'
import { patience } from './tests/support/patience.ts'

// A shared machine may stand still for seconds; what fails twice is broken. A project takes it from nowhere else.
const retry = process.env.CI ? 1 : 0

export default defineConfig({
  test: {
    // A test waits a third of its time, for a worker, a folder or a clock: three keep two cores at work.
    maxWorkers: 3,
    // Every reply is held against its description.
    env: { CHECK_REPLIES: '1' },
    projects: [
      {
        test: {
          name: 'domain',
          retry,
          // What is pure needs no process of its own for each file.
          isolate: false,
          include: ['tests/domain/**/*.test.ts', 'tests/architecture/**/*.test.ts'],
          testTimeout: patience * 30_000,
        },
      },
      {
        test: {
          name: 'server',
          retry,
          // The product is loaded once for all files; what a file starts, it ends.
          isolate: false,
          include: ['tests/server/**/*.test.ts', 'tests/replay/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/upgrade/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.ts'],
          setupFiles: ['tests/support/eachFile.ts'],
          testTimeout: patience * 30_000,
          hookTimeout: patience * 60_000,
        },
      },
    ],
  },
})
