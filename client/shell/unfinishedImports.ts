import { useCore } from './core.ts'
import { useSelection } from './selection.ts'

/** An import that was refused, and of which no file has been imported since. */
export interface UnfinishedImport {
  /** The address of the screen that it was begun from. */
  path: string
  /** What was to be imported, as a sentence has it: `staff contracts`. */
  what: string
  fileName: string
  /** Why not, in the words of the refusal; no cell of the file is kept. */
  said: string
  /** When, in milliseconds. */
  at: number
}

const most = 5
const daysKept = 14

function isUnfinished(one: unknown): one is UnfinishedImport {
  if (typeof one !== 'object' || one === null || !('at' in one) || typeof one.at !== 'number') return false
  return ['path', 'what', 'fileName', 'said'].every((name) => typeof Reflect.get(one, name) === 'string')
}

/** What is kept for somebody in an organisation, the latest first. */
function read(key: string): UnfinishedImport[] {
  try {
    const since = Date.now() - daysKept * 86_400_000
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isUnfinished).filter(({ at }) => at > since) : []
  } catch {
    return []
  }
}

function write(key: string, all: readonly UnfinishedImport[]): void {
  try {
    if (all.length) window.localStorage.setItem(key, JSON.stringify(all.slice(0, most)))
    else window.localStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing shows none.
  }
}

/**
 * The imports that somebody left unfinished in the selected organisation: the file is on their computer, so this browser remembers them, for two
 * weeks.
 */
export function useUnfinishedImports() {
  const { user } = useCore()
  const { organisationId } = useSelection()
  const key = `unfinishedImports ${user.id} ${organisationId}`
  const others = (path: string) => read(key).filter((one) => one.path !== path)
  const here = (): string => window.location.pathname + window.location.search
  return {
    all: (): readonly UnfinishedImport[] => read(key),
    /** Remembers that an import of this screen was refused. */
    keep: (one: Omit<UnfinishedImport, 'path' | 'at'>): void => write(key, [{ ...one, path: here(), at: Date.now() }, ...others(here())]),
    /** Forgets that of this screen, or of another. */
    forget: (path = here()): void => write(key, others(path)),
  }
}
