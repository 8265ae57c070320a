import type { LevelMonth } from '../domain/payroll/payroll.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { FanOut, FileJob, Queues } from '../server/core/queue/queues.ts'
import { announceFile } from '../server/features/files/announce.ts'
import { buildPackPaper, type PackPdfRequest } from '../server/features/packs/paper/queries.ts'
import { buildPayrollPaper } from '../server/features/payroll/report/queries.ts'
import { type PaperMakers, tryToMakeFile } from '../server/shared/files/commands.ts'
import { listUnannouncedFiles, listUnfinishedFiles } from '../server/shared/files/queries.ts'
import { type ReportOnPaper, reportPaper } from '../server/shared/reports/paper/queries.ts'

/** Types a stored request. It was validated before it was stored, and the kind of document determines its type. */
function typedRequest<Request>(request: unknown): Request {
  // Only the call that validated the request writes the column.
  return request as Request
}

const makers: PaperMakers = {
  pack: (source, reader, request) => buildPackPaper(source, reader, typedRequest<PackPdfRequest>(request)),
  payroll: (source, reader, request) => buildPayrollPaper(source, reader, typedRequest<LevelMonth>(request)),
  report: (source, reader, request) => reportPaper(source, reader, typedRequest<ReportOnPaper>(request)),
}

/** Makes files such as PDFs. Each step is safe to repeat, lose or delay, because the database says what is left. */
export function createFileMaker({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  /** Files this worker is making now, which the sweep must not wake again. */
  const making = new Set<string>()

  return {
    async make({ organisationId, fileId }: FileJob): Promise<void> {
      if (making.has(fileId)) return
      making.add(fileId)
      try {
        if (await tryToMakeFile(store, { organisationId, id: fileId, makers }))
          await announceFile({ store, fanOut }, organisationId, fileId)
      } finally {
        making.delete(fileId)
      }
    },
    async sweep(): Promise<void> {
      try {
        for (const { organisationId, fileId } of await store.asPlatform(listUnannouncedFiles))
          await announceFile({ store, fanOut }, organisationId, fileId)
        for (const one of await store.asPlatform(listUnfinishedFiles)) if (!making.has(one.fileId)) await queues.wakeFile(one)
      } catch (error) {
        log.warn({ err: error }, 'the sweep of files failed')
      }
    },
  }
}
