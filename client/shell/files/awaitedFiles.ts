/** Files that this page is waiting for. It downloads them when ready, so they need no notice. */
export const awaitedFiles = new Set<string>()
