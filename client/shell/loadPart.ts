import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { hasUnsaved } from './unsaved.ts'

/** Says that a part of the program is gone, because a newer version was installed while this page was open. */
export class PartGone extends Error {}

const reloadedKey = 'reloadedForPart'

/** Whether the server can be reached: what cannot be read then is gone, not out of reach. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/config.json', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * Reads a part of the program. After an installation the parts of the version before are gone: then the page loads itself once, with the new version.
 * @throws PartGone when that has been done already, or would lose what somebody typed
 */
async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    const part = await load()
    window.sessionStorage.removeItem(reloadedKey)
    return part
  } catch (error) {
    if (!(await isReachable())) throw new Error('The server cannot be reached.', { cause: error })
    if (window.sessionStorage.getItem(reloadedKey) || hasUnsaved()) throw new PartGone('A part of the page is gone', { cause: error })
    window.sessionStorage.setItem(reloadedKey, 'yes')
    window.location.reload()
    return new Promise(() => undefined)
  }
}

/**
 * A component of a file that is read when it is first shown.
 * @param name what the file calls it
 */
export function lazyPart<N extends string, Props>(
  load: () => Promise<{ [K in N]: ComponentType<Props> }>,
  name: N,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadPart(load))[name] }))
}
