import type { Sheet, SheetContent } from '../../../domain/files/sheets.ts'
import type { SheetReaderReply, SheetReaderRequest } from './sheetReader.worker.ts'

/** Time limit for reading a file, in milliseconds. */
const timeLimitMs = 60_000

/**
 * Reads a file in a web worker, so that the page stays responsive.
 * @throws Error with a message for the user if the file cannot be read
 */
export async function readSheetFile(file: File, of: SheetContent = 'figures'): Promise<Sheet[]> {
  const bytes = await file.arrayBuffer()
  const worker = new Worker(new URL('./sheetReader.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Sheet[]>((done, failed) => {
      const timeout = setTimeout(
        () => failed(new Error('The file takes too long to read. Save it as CSV, or export fewer rows at once.')),
        timeLimitMs,
      )
      worker.onmessage = ({ data: { sheets, problem } }: MessageEvent<SheetReaderReply>) => {
        clearTimeout(timeout)
        if (sheets) done(sheets)
        else failed(new Error(problem))
      }
      worker.onerror = () => {
        clearTimeout(timeout)
        failed(new Error('The file could not be read. Save it as CSV and choose it again.'))
      }
      worker.postMessage({ name: file.name, bytes, of } satisfies SheetReaderRequest, [bytes])
    })
  } finally {
    worker.terminate()
  }
}
