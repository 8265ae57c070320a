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

/**
 * Loads a code chunk. After a deployment the old chunks are gone, so the page reloads once to get the new version.
 * @throws ChunkMissingError if it has already reloaded, or if reloading would lose unsaved text
 */
async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    const part = await load()
    window.sessionStorage.removeItem(reloadedKey)
    return part
  } catch (error) {
    if (!(await isReachable())) throw new Error('The server cannot be reached.', { cause: error })
    if (window.sessionStorage.getItem(reloadedKey) || hasUnsavedChanges())
      throw new ChunkMissingError('A part of the page is gone', { cause: error })
    window.sessionStorage.setItem(reloadedKey, 'yes')
    window.location.reload()
    return new Promise(() => undefined)
  }
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
