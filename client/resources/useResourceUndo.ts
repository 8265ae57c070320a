import { useHotkeys } from '@mantine/hooks'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { isUndoable, resources } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { notices } from '../../domain/words/notices.ts'
import { isLatestUndo, notifyFailure, notifySuccess, setLatestUndo } from '../shell/notify.tsx'
import { getResourceHooks } from './resourceApi.ts'

/** Identifies a change to the server: one of its records and the version it created; no version means its deletion. */
export interface ChangeReference {
  id: number
  version: number | null
}

/** What is permanently deleted with people and users, who do not go to the bin. */
const permanentLosses: Readonly<Record<string, string>> = {
  staffMember: 'Their names, dates of birth and extended leave are deleted permanently.',
  user: 'Their sign-in and permissions are deleted permanently. If someone may come back, make them inactive instead.',
}

/** The page's last undoable change and the path of its list, where the user arrives after deleting a record. */
let last: { list: string; undo: () => void } | null = null

/**
 * Undo for the changes of a list: deletions, bulk edits, imports and new records.
 * @param isOwn uses the organisation's own set of calls
 */
export function useResourceUndo(resource: AnyResource, isOwn = false) {
  const may = isUndoable(resource)
  // Hooks cannot be conditional, so lists without undo call another resource's and ignore it.
  const { mutateAsync: send } = getResourceHooks(may ? resource : resources.location, isOwn && may).undo.useMutation()
  /**
   * Undoes a change.
   * @returns the restored record; null if it no longer exists
   */
  const undoChange = async (change: ChangeReference): Promise<AnyRecord | null> => (await send(change)).record
  return {
    may,
    takeBack: undoChange,
    /** The sentence about the bin in the question before a deletion; undefined if the deletion is permanent. */
    hint: may ? `The bin keeps what is deleted for ${binRetentionDays} days.` : undefined,
    /** What the deletion removes permanently, for records that do not go to the bin. */
    lost: may ? undefined : permanentLosses[resource.name],
    /** The undo of a change, for its notice and Ctrl+Z; undefined if nothing changed or undo is not possible. */
    of: (change: ChangeReference | undefined): (() => void) | undefined => {
      if (!may || !change) return undefined
      const undo = (): void => {
        if (last?.undo === undo) last = null
        undoChange(change).then(() => notifySuccess(notices.saved), notifyFailure)
      }
      last = { list: resource.name, undo }
      setLatestUndo(undo)
      return undo
    },
  }
}

/** Handles Ctrl+Z on pages with some lists: undoes the last change made to any of them on this page. */
export function useUndoKey(lists: readonly AnyResource[]): void {
  const undoLast = (): void => {
    if (last && isLatestUndo(last.undo) && lists.some(({ name }) => name === last?.list)) last.undo()
  }
  useHotkeys([['mod+Z', undoLast]])
}
