import { useHotkeys } from '@mantine/hooks'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { canUndoChanges, resources } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { notices } from '../../domain/words/notices.ts'
import { isLatestUndo, notifyFailure, notifySuccess, setLatestUndo } from '../shell/notify.tsx'
import { getResourceHooks } from './resourceApi.ts'

/** Identifies a change by the record and the version that the change created; without a version, the change deleted the record. */
export interface ChangeReference {
  id: number
  version: number | null
}

/** What is deleted permanently with people and users, because they do not go to the bin. */
const permanentLosses: Readonly<Record<string, string>> = {
  staffMember: 'Their names, dates of birth and extended leave are deleted permanently.',
  user: 'Their sign-in and permissions are deleted permanently. If someone may come back, make them inactive instead.',
}

/** The last undoable change on the page, and the name of the resource that it belongs to. */
let last: { list: string; undo: () => void } | null = null

/**
 * Undoes changes to a list: deletions, bulk edits, imports and new records.
 * @param isOwn whether to use the organisation's own set of calls
 */
export function useResourceUndo(resource: AnyResource, isOwn = false) {
  const may = canUndoChanges(resource)
  // Hooks cannot be conditional, so a list without undo uses the hook of another resource and ignores it.
  const { mutateAsync: send } = getResourceHooks(may ? resource : resources.location, isOwn && may).undo.useMutation()
  /**
   * Undoes a change.
   * @returns the restored record; null if it no longer exists
   */
  const undoChange = async (change: ChangeReference): Promise<AnyRecord | null> => (await send(change)).record
  return {
    may,
    takeBack: undoChange,
    /** A sentence on the bin, for the question before a deletion; undefined if the deletion is permanent. */
    hint: may ? `The bin keeps what is deleted for ${binRetentionDays} days.` : undefined,
    /** A sentence on what is deleted permanently, for records that do not go to the bin. */
    lost: may ? undefined : permanentLosses[resource.name],
    /**
     * Creates the function that undoes a change, for the notice and for Ctrl+Z; undefined if there was no change or it cannot be undone.
     */
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

/** Handles Ctrl+Z on a page with lists: undoes the last change that was made to any of these lists on this page. */
export function useUndoKey(lists: readonly AnyResource[]): void {
  const undoLast = (): void => {
    if (last && isLatestUndo(last.undo) && lists.some(({ name }) => name === last?.list)) last.undo()
  }
  useHotkeys([['mod+Z', undoLast]])
}
