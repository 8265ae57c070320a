/** Success notices, worded exactly as in tests/contract/tables/notices.json. */
export const notices = {
  created: (thing: string) => `Created new ${thing}`,
  updated: (thing: string) => `Updated ${thing}`,
  deleted: (thing: string) => `Deleted ${thing}`,
  imported: (thing: string) => `Imported ${thing}`,
  duplicated: 'Duplicated',
  locked: 'Locked',
  rolledForward: 'Roll forward',
  updatedTerm: 'Updated term',
  deletedTerm: 'Deleted term',
  saved: 'Saved',
  savedParameters: 'Saved integration parameters',
  processedRequest: 'Integration request processed',
  recalculated: 'Budget Group recalculated',
  savedNote: 'Saved note',
  savedReason: 'Saved reason',
  removedReason: 'Removed reason',
  /** For a single note. */
  removedNote: 'Remove notes',
  /** For several notes. */
  removedNotes: 'Removed notes',
  savedAdjustment: 'Saved adjustment',
  savedActual: 'Saved Actual',
  clearedActual: 'Cleared Actual',
  carriedForward: 'Carried Forward',
  clearedCarryForward: 'Cleared Carry Forward',
  /** @param month such as `October 2026` */
  cleared: (month: string) => `Cleared ${month}`,
  completed: (month: string) => `Completed ${month}`,
  reopened: (month: string) => `Reopened ${month}`,
} as const

/** How long a notice is shown, in milliseconds. */
export const noticeTimeoutMs = 5000

/** The page sizes of a list; the first is the default (notices K-08). */
export const pageSizes = [10, 25, 50, 100] as const

/** The maximum number of rows in a list without pages (notices K-31). */
export const maximumListRows = 5000
export const maximumImportRows = 20_000

/** The maximum size of an image in bytes (notices K-30). */
export const largestImageBytes = 2 * 1024 * 1024
/** The maximum width and height of an image, in pixels. They are limited because browsers decode every pixel. */
export const largestImageSide = 8000
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

export const apiVersion = 2
