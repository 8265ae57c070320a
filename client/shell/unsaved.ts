import { modals } from '@mantine/modals'
import { createElement, useCallback, useEffect, useId } from 'react'
import { type Location, useBlocker } from 'react-router'
import { store } from './store.ts'

/** The open editors whose copy differs from the saved one (behaviour B-057). */
const edited = store<ReadonlySet<string>>(new Set())

export function hasUnsaved(): boolean {
  return edited.get().size > 0
}

/** Asks before edits are lost, in the words that all screens share. @returns whether to go on */
export function mayDiscard(): Promise<boolean> {
  if (!hasUnsaved()) return Promise.resolve(true)
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
 * Marks an editor as unsaved while it is, and keeps closing the tab from losing it (behaviour B-059).
 * @returns lets the next navigation pass, after a save; what other editors hold is still asked about
 */
export function useUnsaved(isUnsaved: boolean): () => void {
  const id = useId()
  useUnsent(isUnsaved)
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

/** Keeps closing the tab from losing what is not saved, or still being sent; to go to another screen loses nothing of what is on its way. */
export function useUnsent(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsent])
}

/** Says of a navigation that the form which is open at a path stays open: the record it made has got its own address. */
export function sameFormAs(pathname: string): { sameFormAs: string } {
  return { sameFormAs: pathname }
}

function isSameForm(pathname: string, state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'sameFormAs' in state && state.sameFormAs === pathname
}

/** The record that stands beside a list, as the address says; null: none. */
export function besideIn(search: URLSearchParams): string | null {
  return search.get('beside')
}

const placeOf = ({ pathname, search }: Location): string => `${pathname} ${besideIn(new URLSearchParams(search)) ?? ''}`

/** Keeps links and back from losing what any open editor holds; the frame of all screens asks, once for all of them. */
export function useUnsavedGuard(): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      hasUnsaved() &&
      placeOf(currentLocation) !== placeOf(nextLocation) &&
      // A record that was made gets its address; coming back to that later is another thing.
      !(historyAction === 'REPLACE' && isSameForm(currentLocation.pathname, nextLocation.state)),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void mayDiscard().then((go) => (go ? blocker.proceed() : blocker.reset()))
  }, [blocker])
}

/** Lets the next navigation pass: nothing that is open is asked about any more. */
export function forgetUnsaved(): void {
  edited.set(new Set())
}
