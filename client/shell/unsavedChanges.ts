import { modals } from '@mantine/modals'
import { createElement, useCallback, useEffect, useId } from 'react'
import { type Location, useBlocker } from 'react-router'
import { findSelection } from '../../domain/values/selectionAddress.ts'
import { createStore } from './store.ts'

/** Ids of the open editors with unsaved changes (behaviour B-057). */
const edited = createStore<ReadonlySet<string>>(new Set())

export function hasUnsavedChanges(): boolean {
  return edited.get().size > 0
}

/**
 * Asks for confirmation if there are unsaved changes.
 * @returns whether to continue
 */
export function confirmDiscard(): Promise<boolean> {
  if (!hasUnsavedChanges()) return Promise.resolve(true)
  return new Promise((answer) => {
    modals.openConfirmModal({
      title: 'Review Changes',
      children: createElement('p', { style: { margin: 0 } }, "You've made changes. Do you want to discard changes?"),
      labels: { cancel: 'Cancel', confirm: 'Discard Changes' },
      confirmProps: { color: 'red' },
      onConfirm: () => {
        edited.set(new Set())
        answer(true)
      },
      onCancel: () => answer(false),
      onClose: () => answer(false),
    })
  })
}

/**
 * Registers an editor while it has unsaved changes, and warns before the tab is closed (behaviour B-059).
 * @returns a function to call after a save, so that the next navigation does not ask about this editor; other editors still ask
 */
export function useUnsavedChanges(isUnsaved: boolean): () => void {
  const id = useId()
  useWarnBeforeClosing(isUnsaved)
  useEffect(() => {
    const next = new Set(edited.get())
    if (isUnsaved) next.add(id)
    else next.delete(id)
    edited.set(next)
    return () => {
      const rest = new Set(edited.get())
      rest.delete(id)
      edited.set(rest)
    }
  }, [id, isUnsaved])
  return useCallback(() => edited.set(new Set([...edited.get()].filter((one) => one !== id))), [id])
}

/** Warns before the tab is closed while changes are unsaved or still being sent. Navigating within the product does not need this. */
export function useWarnBeforeClosing(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsent])
}

/** Returns the navigation state that keeps the form of a path mounted, because a new record in the form has just got its own URL. */
export function createSameFormState(pathname: string): { sameFormAs: string } {
  return { sameFormAs: pathname }
}

function isSameForm(pathname: string, state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'sameFormAs' in state && state.sameFormAs === pathname
}

/** Returns the id of the record shown next to a list, from the URL; null if there is none. */
export function readSidePanelId(search: URLSearchParams): string | null {
  return search.get('beside')
}

const placeOf = ({ pathname, search }: Location): string =>
  `${pathname} ${findSelection(search)} ${readSidePanelId(new URLSearchParams(search)) ?? ''}`

/** Asks for confirmation before a link or the back button loses unsaved changes. The frame of all screens uses it once, for all editors. */
export function useConfirmLeaving(): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      hasUnsavedChanges() &&
      placeOf(currentLocation) !== placeOf(nextLocation) &&
      // Replacing the URL after a new record was created does not leave the form. Going back to that history entry later does.
      !(historyAction === 'REPLACE' && isSameForm(currentLocation.pathname, nextLocation.state)),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirmDiscard().then((go) => (go ? blocker.proceed() : blocker.reset()))
  }, [blocker])
}

/** Marks the changes of all editors as saved, so that the next navigation does not ask. */
export function clearUnsavedChanges(): void {
  edited.set(new Set())
}
