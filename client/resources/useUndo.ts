import { useHotkeys } from '@mantine/hooks'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { isUndoable, resources } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { notices } from '../../domain/words/notices.ts'
import { failed, isNewestUndo, offerUndo, said } from '../shell/notify.tsx'
import { hooksOf } from './resourceApi.ts'

/** By which the server finds a change: one of its records, and the version that it made of it; no version: its deletion. */
export interface ChangeName {
  id: number
  version: number | null
}

/** What goes for good with people and users, of whom the bin keeps nothing. */
const lostWith: Readonly<Record<string, string>> = {
  staffMember: 'Their names, dates of birth and extended leave go for good.',
  user: 'Their way to sign in and what they may do go for good. Make somebody inactive instead who may come back.',
}

/** The last change of this page that can be taken back by Ctrl Z, and the list that it was made in: whoever deletes a record is led there. */
let last: { list: string; undo: () => void } | null = null

/**
 * The way back from changes of a list: deletions, bulk edits, imports, new records.
 * @param own the organisation's own set of calls
 */
export function useUndo(resource: AnyResource, own = false) {
  const may = isUndoable(resource)
  // A hook stands in every list, also in those whose changes are not taken back.
  const { mutateAsync: send } = hooksOf(may ? resource : resources.location, own && may).undo.useMutation()
  /** Takes a change back. @returns the record as it stands again; null: it is gone again */
  const takeBack = async (change: ChangeName): Promise<AnyRecord | null> => (await send(change)).record
  return {
    may,
    takeBack,
    /** What is said before something is deleted; undefined where it is gone for good. */
    hint: may ? `The bin keeps what is deleted for ${binRetentionDays} days.` : undefined,
    /** What is lost for good where nothing is kept. */
    lost: may ? undefined : lostWith[resource.name],
    /** The way back from a change, for its notice and for Ctrl Z; undefined where nothing was changed or there is none. */
    of: (change: ChangeName | undefined): (() => void) | undefined => {
      if (!may || !change) return undefined
      const undo = (): void => {
        if (last?.undo === undo) last = null
        takeBack(change).then(() => said(notices.saved), failed)
      }
      last = { list: resource.name, undo }
      offerUndo(undo)
      return undo
    },
  }
}

/** Ctrl Z where some lists stand: takes the last change of them back that this page made. */
export function useUndoKey(lists: readonly AnyResource[]): void {
  const undoLast = (): void => {
    if (last && isNewestUndo(last.undo) && lists.some(({ name }) => name === last?.list)) last.undo()
  }
  useHotkeys([['mod+Z', undoLast]])
}
