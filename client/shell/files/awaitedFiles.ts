/** The files that this page waits for: they are saved as soon as they are made, and need no notice. */
export const awaitedFiles = new Set<string>()
