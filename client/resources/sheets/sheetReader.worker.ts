import { readSheets, type Sheet, Unreadable } from './readSheets.ts'

export interface Heard {
  sheets?: Sheet[]
  /** Why it cannot be read. */
  problem?: string
}

/** Reads the file that it is handed, beside the page. */
self.onmessage = ({ data: { name, bytes } }: MessageEvent<{ name: string; bytes: ArrayBuffer }>): void => {
  readSheets(name, bytes).then(
    (sheets) => self.postMessage({ sheets } satisfies Heard),
    (error) => {
      const problem = error instanceof Unreadable ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
      self.postMessage({ problem } satisfies Heard)
    },
  )
}
