import type { LevelMonth } from '../domain/payroll/payroll.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { FanOut, FileJob, Queues } from '../server/core/queue/queues.ts'
import { announceFile } from '../server/features/files/announce.ts'
import { buildPackDocument, type PackPdfRequest } from '../server/features/packs/paper/queries.ts'
import { buildPayrollDocument } from '../server/features/payroll/report/queries.ts'
import { buildBoardSheet } from '../server/features/reports/glance/paper/queries.ts'
import { type FileMakers, tryToMakeFile } from '../server/shared/files/commands.ts'
import { listUnannouncedFiles, listUnfinishedFiles } from '../server/shared/files/queries.ts'
import { buildReportPaper, type PrintableReportRequest } from '../server/shared/reports/paper/queries.ts'

/** Gives a stored request the type that the kind of file determines. Requests are validated before they are stored. */
function typedRequest<Request>(request: unknown): Request {
  // Only the procedures that validate requests write this column.
  return request as Request
}

const makers: FileMakers = {
  boardSheet: buildBoardSheet,
  pack: (source, reader, request) => buildPackDocument(source, reader, typedRequest<PackPdfRequest>(request)),
  payroll: (source, reader, request) => buildPayrollDocument(source, reader, typedRequest<LevelMonth>(request)),
  report: (source, reader, request) => buildReportPaper(source, reader, typedRequest<PrintableReportRequest>(request)),
}

/** Creates requested files, such as PDFs. The queue may repeat, lose or delay a job: the database records what is left to do. */
export function createFileMaker({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  /** The files that this worker is creating. The sweep queues no second job for them. */
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
