import { readSheets, type Sheet, type SheetContent } from '../../../domain/files/sheets.ts'
import { DomainError } from '../../../domain/words/errors.ts'

export interface SheetReaderReply {
  sheets?: Sheet[]
  /** Why the file cannot be read. */
  problem?: string
}

export interface SheetReaderRequest {
  name: string
  bytes: ArrayBuffer
  of: SheetContent
}

self.onmessage = ({ data: { name, bytes, of } }: MessageEvent<SheetReaderRequest>): void => {
  try {
    self.postMessage({ sheets: readSheets(name, new Uint8Array(bytes), of) } satisfies SheetReaderReply)
  } catch (error) {
    const problem = error instanceof DomainError ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
    self.postMessage({ problem } satisfies SheetReaderReply)
  }
}
