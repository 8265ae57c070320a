import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { hasUnsavedChanges } from './unsavedChanges.ts'

/** Thrown if a code chunk no longer exists, because a new version was installed while this page was open. */
export class ChunkMissingError extends Error {}

const reloadedKey = 'reloadedForPart'

/** Whether the server can be reached. If it can, a chunk that fails to load no longer exists. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/config.json', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Number of attempts to load a chunk while the server cannot be reached, which take about ten minutes. */
const maximumAttempts = 45
/** Longest wait between two attempts, in milliseconds. */
const maximumWaitMs = 15_000

/**
 * Loads a code chunk. While the server cannot be reached, it keeps trying, so that the page survives an outage. After a new version is
 * installed, the old chunks no longer exist, so the page reloads once to get the new version.
 * @throws ChunkMissingError if the page has already reloaded, or reloading would lose unsaved changes; Error if the outage lasts too long
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

/**
 * Reloads the page to get the newest version.
 * @throws ChunkMissingError in the same cases as `loadChunk`
 */
function reloadOnce(cause: unknown): Promise<never> {
  if (window.sessionStorage.getItem(reloadedKey) || hasUnsavedChanges())
    throw new ChunkMissingError('Part of the page is missing', { cause })
  window.sessionStorage.setItem(reloadedKey, 'yes')
  window.location.reload()
  return new Promise(() => undefined)
}

/**
 * Creates a component whose code loads when it is first shown.
 * @param name the name under which the file exports the component
 */
export function lazyComponent<N extends string, Props>(
  load: () => Promise<{ [K in N]: ComponentType<Props> }>,
  name: N,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadChunk(load))[name] }))
}
