/** Positive notices, word for word as tests/contract/tables/notices.json has them. */
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
  /** Of one. */
  removedNote: 'Remove notes',
  /** Of several. */
  removedNotes: 'Removed notes',
  savedAdjustment: 'Saved adjustment',
  savedActual: 'Saved Actual',
  clearedActual: 'Cleared Actual',
  carriedForward: 'Carried Forward',
  clearedCarryForward: 'Cleared Carry Forward',
  /** @param month as `October 2026` */
  cleared: (month: string) => `Cleared ${month}`,
  completed: (month: string) => `Completed ${month}`,
  reopened: (month: string) => `Reopened ${month}`,
} as const

/** Milliseconds a notice stays. */
export const noticeTimeoutMs = 5000

/** The page sizes a list offers; the first is the default (notices K-08). */
export const pageSizes = [10, 25, 50, 100] as const

/** The rows of a full list and of the largest import (notices K-31). */
export const fullListSize = 5000
export const largestImportRows = 20_000

/** The largest picture in bytes, and the kinds of it (notices K-30). */
export const largestImageBytes = 2 * 1024 * 1024
/** Pixels that a picture may have on each side: a browser unpacks every one of them. */
export const largestImageSide = 8000
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

export const apiVersion = 2
