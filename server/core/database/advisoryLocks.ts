/**
 * The numbers of all advisory locks, so that no two purposes share one. Versions that run beside each other during an upgrade must agree on them:
 * a number is never used for another purpose.
 */
export const advisoryLocks = {
  /** Signing keys, and the secret that keys are sealed with. */
  keys: 7342001,
  /** Filling a database, or taking the demo out of it. */
  filling: 7342002,
  migrating: 7342003,
  /** Changes of users, who come one after the other. */
  users: 7342010,
  /** Links of the hash chain of an organisation: taken by the functions of the first migration. */
  chain: 7342020,
  anchors: 7342021,
  /** The shares of a budget group, which one call at a time takes back. */
  shares: 7342022,
  /** By which workers share out the organisations whose chains are due. */
  checks: 7342023,
  /** Keeps a person from being erased while files that may name them are begun; many files may begin at once. */
  filesWithNames: 7342031,
  /** Files that one person asks for. */
  filesAsked: 7342032,
  /** Report layouts of one person. */
  layouts: 7342041,
  /** List views of one person. */
  listViews: 7342051,
  /** With the digest of what a file of actuals says: the same file sent at once waits, and finds itself in. */
  actualsFiles: 7342061,
} as const
