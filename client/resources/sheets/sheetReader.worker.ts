import { readSheets, type Sheet, type SheetsOf } from '../../../domain/files/sheets.ts'
import { DomainError } from '../../../domain/words/errors.ts'

export interface Heard {
  sheets?: Sheet[]
  /** Why the file cannot be read. */
  problem?: string
}

export interface Asked {
  name: string
  bytes: ArrayBuffer
  of: SheetsOf
}

self.onmessage = ({ data: { name, bytes, of } }: MessageEvent<Asked>): void => {
  try {
    self.postMessage({ sheets: readSheets(name, new Uint8Array(bytes), of) } satisfies Heard)
  } catch (error) {
    const problem = error instanceof DomainError ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
    self.postMessage({ problem } satisfies Heard)
  }
}
