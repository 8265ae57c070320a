import { readSheets, type Sheet, type SheetsOf, Unreadable } from './readSheets.ts'

export interface Heard {
  sheets?: Sheet[]
  /** Why it cannot be read. */
  problem?: string
}

export interface Asked {
  name: string
  bytes: ArrayBuffer
  of: SheetsOf
}

/** Reads the file that it is handed, beside the page. */
self.onmessage = ({ data: { name, bytes, of } }: MessageEvent<Asked>): void => {
  readSheets(name, bytes, of).then(
    (sheets) => self.postMessage({ sheets } satisfies Heard),
    (error) => {
      const problem = error instanceof Unreadable ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
      self.postMessage({ problem } satisfies Heard)
    },
  )
}
