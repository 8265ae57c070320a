import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { patience } from './tests/support/patience.ts'

/** A process keeps what it has loaded as long as it goes on with files of the same project: those of the server come first, then the short ones. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isServer = ({ project }: TestSpecification): boolean => project.name === 'server'
    return [...sorted.filter(isServer), ...sorted.filter((file) => !isServer(file))]
  }
}

export default defineConfig({
  test: {
    // A test waits for half of its time, for a worker, a folder or a clock: four keep two cores at work.
    maxWorkers: 4,
    sequence: { sequencer: ByProject },
    // A shared machine may stand still for seconds; what fails twice is broken.
    retry: process.env.CI ? 1 : 0,
    // Every reply is held against its description.
    env: { CHECK_REPLIES: '1' },
    projects: [
      {
        test: {
          name: 'domain',
          // What is pure needs no process of its own for each file.
          isolate: false,
          include: ['tests/domain/**/*.test.ts', 'tests/architecture/**/*.test.ts'],
          testTimeout: patience * 30_000,
        },
      },
      {
        test: {
          name: 'server',
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
