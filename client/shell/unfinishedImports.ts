import { useCoreData } from './core.ts'
import { useSelection } from './selection.ts'

/** An import that the server refused and that has not succeeded since. */
export interface UnfinishedImport {
  /** The path of the screen on which the import was started. */
  path: string
  /** The kind of records within a sentence, such as `staff contracts`. */
  what: string
  fileName: string
  /** The reason for the refusal. The content of the file is not stored. */
  said: string
  /** When the import was refused, in epoch milliseconds. */
  at: number
}

const maximumStored = 5
const daysKept = 14

function isUnfinished(one: unknown): one is UnfinishedImport {
  if (typeof one !== 'object' || one === null || !('at' in one) || typeof one.at !== 'number') return false
  return ['path', 'what', 'fileName', 'said'].every((name) => typeof Reflect.get(one, name) === 'string')
}

/** Reads the list of a user in an organisation from the storage, latest first. */
function read(key: string): UnfinishedImport[] {
  try {
    const since = Date.now() - daysKept * 86_400_000
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isUnfinished).filter(({ at }) => at > since) : []
  } catch {
    return []
  }
}

function write(key: string, all: readonly UnfinishedImport[]): void {
  try {
    if (all.length) window.localStorage.setItem(key, JSON.stringify(all.slice(0, maximumStored)))
    else window.localStorage.removeItem(key)
  } catch {
    // If the storage is not available, the list stays empty.
  }
}

/**
 * Returns the user's unfinished imports in the selected organisation. They are stored in this browser, because the file is on this
 * computer, and expire after two weeks.
 */
export function useUnfinishedImports() {
  const { user } = useCoreData()
  const { organisationId } = useSelection()
  const key = `unfinishedImports ${user.id} ${organisationId}`
  const others = (path: string) => read(key).filter((one) => one.path !== path)
  const getCurrentPath = (): string => window.location.pathname + window.location.search
  return {
    all: (): readonly UnfinishedImport[] => read(key),
    /** Records that an import on this screen was refused. */
    record: (one: Omit<UnfinishedImport, 'path' | 'at'>): void =>
      write(key, [{ ...one, path: getCurrentPath(), at: Date.now() }, ...others(getCurrentPath())]),
    /** Removes the unfinished import of a screen; by default of the current screen. */
    remove: (path = getCurrentPath()): void => write(key, others(path)),
  }
}
