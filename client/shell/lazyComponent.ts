import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { hasUnsavedChanges } from './unsavedChanges.ts'

/** A code chunk no longer exists, because a new version was installed while this page was open. */
export class ChunkMissingError extends Error {}

const reloadedKey = 'reloadedForPart'

/** Whether the server can be reached: if so, a chunk that fails to load is gone. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/config.json', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Attempts to load a chunk while the server cannot be reached: about ten minutes. */
const maximumAttempts = 45
/** Longest wait between two attempts, in milliseconds. */
const maximumWaitMs = 15_000

/**
 * Loads a code chunk. While the server cannot be reached it keeps trying, so that an outage does not take down the page. After a deployment
 * the old chunks are gone, so the page reloads once to get the new version.
 * @throws ChunkMissingError if it has already reloaded, or if reloading would lose unsaved text; Error if the outage lasts too long
 */
async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const part = await load()
      window.sessionStorage.removeItem(reloadedKey)
      return part
    } catch (error) {
      if (await isReachable()) return reloadOnce(error)
      if (attempt === maximumAttempts) throw new Error('The server cannot be reached.', { cause: error })
      await new Promise((resume) => window.setTimeout(resume, Math.min(maximumWaitMs, 500 * 2 ** attempt)))
    }
  }
}

/** Reloads the page to get the newest version. @throws ChunkMissingError as `loadChunk` does */
function reloadOnce(cause: unknown): Promise<never> {
  if (window.sessionStorage.getItem(reloadedKey) || hasUnsavedChanges())
    throw new ChunkMissingError('Part of the page is missing', { cause })
  window.sessionStorage.setItem(reloadedKey, 'yes')
  window.location.reload()
  return new Promise(() => undefined)
}

/**
 * A component whose code loads when it is first shown.
 * @param name of the component's export
 */
export function lazyComponent<N extends string, Props>(
  load: () => Promise<{ [K in N]: ComponentType<Props> }>,
  name: N,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadChunk(load))[name] }))
}
