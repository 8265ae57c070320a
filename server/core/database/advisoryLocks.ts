/**
 * The numbers of all advisory locks, so that no two purposes share one. Two versions that run together during an
 * upgrade must agree on them, so a number is never reused.
 */
export const advisoryLocks = {
  /** Signing keys, and the secret that encrypts keys. */
  keys: 7342001,
  /** Filling a database, or removing the demo from it. */
  filling: 7342002,
  migrating: 7342003,
  /** Changes of users, one at a time. */
  users: 7342010,
  /** Appending to the hash chain of an organisation; taken by the functions of the first migration. */
  chain: 7342020,
  anchors: 7342021,
  /** The Employment Allowance and levy shares of a budget group, which only one call at a time may withdraw. */
  shares: 7342022,
  /** Distributes the organisations whose hash chains are due for a check among the workers. */
  checks: 7342023,
  /**
   * Prevents a person from being erased while files that may name them are being created. The creation of files takes it as a shared lock.
   */
  filesWithNames: 7342031,
  /** File requests of one person. */
  filesAsked: 7342032,
  /** Report layouts of one person. */
  layouts: 7342041,
  /** List views of one person. */
  listViews: 7342051,
  /**
   * Combined with a digest of an actuals file: a second concurrent import of the same file waits, and then finds that it is already
   * imported.
   */
  actualsFiles: 7342061,
} as const
