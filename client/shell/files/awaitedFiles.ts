/** Files that this page is waiting for. The page downloads each file when it is ready, so no notice is needed. */
export const awaitedFileIds = new Set<string>()
