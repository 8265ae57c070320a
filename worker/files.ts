import type { LevelMonth } from '../domain/payroll/payroll.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { FanOut, FileJob, Queues } from '../server/core/queue/queues.ts'
import { announceFile } from '../server/features/files/announce.ts'
import { type PackOnPaper, packPaper } from '../server/features/packs/paper/queries.ts'
import { payrollPaper } from '../server/features/payroll/report/queries.ts'
import { type PaperMakers, tryToMake } from '../server/shared/files/commands.ts'
import { unmade, untoldFiles } from '../server/shared/files/queries.ts'
import { type ReportOnPaper, reportPaper } from '../server/shared/reports/paper/queries.ts'

/** What was asked for, as it was checked when it was asked for: the kind of the document says which. */
function asked<Request>(request: unknown): Request {
  // Nothing but the call that checked it writes it into the row.
  return request as Request
}

/** Every kind of document, and who reads it. */
const makers: PaperMakers = {
  pack: (source, reader, request) => packPaper(source, reader, asked<PackOnPaper>(request)),
  payroll: (source, reader, request) => payrollPaper(source, reader, asked<LevelMonth>(request)),
  report: (source, reader, request) => reportPaper(source, reader, asked<ReportOnPaper>(request)),
}

/** What a worker does for files. Every step may run twice, late or not at all; the rows say what is left. */
export function fileMaker({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  /** What is being made by this worker: the sweep leaves it alone. */
  const making = new Set<string>()

  return {
    async make({ organisationId, fileId }: FileJob): Promise<void> {
      if (making.has(fileId)) return
      making.add(fileId)
      try {
        if (await tryToMake(store, { organisationId, id: fileId, makers })) await announceFile({ store, fanOut }, organisationId, fileId)
      } finally {
        making.delete(fileId)
      }
    },
    /** Wakes what is still to be made and tells of what nobody was told of. While a job works, the same wake-up changes nothing. */
    async sweep(): Promise<void> {
      try {
        for (const { organisationId, fileId } of await store.asPlatform(untoldFiles))
          await announceFile({ store, fanOut }, organisationId, fileId)
        for (const one of await store.asPlatform(unmade)) if (!making.has(one.fileId)) await queues.wakeFile(one)
      } catch (error) {
        log.warn({ err: error }, 'sweep of files')
      }
    },
  }
}
