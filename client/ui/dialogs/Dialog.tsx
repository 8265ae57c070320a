import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { useEffect, useRef, useState } from 'react'

/** The element that opened a dialog. If it was a menu item, which disappears with its menu, the button of the menu. */
function findOpener(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const found = menu ? document.getElementById(menu) : focused
  return found instanceof HTMLElement && found !== document.body ? found : null
}

/** How long, in milliseconds, to wait for other code to move the focus before moving it. */
const focusDelayMs = 200

/** The opener of a dialog that closed while a question above it had the focus. */
let leftOpener: HTMLElement | null = null

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Focuses the page's title, so that keyboard users do not restart at the top of the document. */
function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main h1')
  if (!title) return
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

/**
 * Focuses the opener of a dialog. If the opener then disappears while it has the focus, focuses the page's title: the dialog may have made
 * its opener obsolete, as a submitted budget cannot be submitted again.
 */
function returnFocus(from: HTMLElement | null): void {
  if (!from?.isConnected) {
    focusTitle()
    return
  }
  from.focus({ preventScroll: true })
  const observer = new MutationObserver(() => {
    if (from.isConnected && (document.activeElement === from || hasNoFocus())) return
    observer.disconnect()
    if (from.isConnected) return
    window.setTimeout(() => {
      if (hasNoFocus()) focusTitle()
    }, focusDelayMs)
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

/**
 * Returns the focus to the opener when a dialog unmounts, unless something else has taken it. Mantine does so only for
 * dialogs that are hidden, not unmounted.
 */
function useReturnFocus(): void {
  const [from] = useState(() => findOpener(document.activeElement))
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      window.setTimeout(() => {
        if (isMounted.current) return
        if (hasNoFocus()) returnFocus(from)
        else leftOpener = from
      })
    }
  }, [from])
}

/** A dialog that is open while it is mounted. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useReturnFocus()
  return <Modal opened {...props} />
}

/** A dialog at the side of the page that is open while it is mounted. */
export function SideDialog(props: Omit<DrawerProps, 'opened'>) {
  useReturnFocus()
  return <Drawer opened {...props} />
}

/**
 * Shows confirmation questions above any page. Mantine may record the focused element only once the question has the
 * focus, so this records where the focus came from.
 */
export function ConfirmationProvider() {
  const from = useRef<HTMLElement>(null)
  return (
    <ModalsProvider
      modalProps={{
        returnFocus: false,
        onFocusCapture: ({ currentTarget, relatedTarget }) => {
          if (!relatedTarget || currentTarget.contains(relatedTarget)) return
          from.current = findOpener(relatedTarget)
          leftOpener = null
        },
        onExitTransitionEnd: () => {
          // If the answer closed a dialog, the element that asked the question has gone with the dialog.
          if (hasNoFocus()) returnFocus(from.current?.isConnected ? from.current : leftOpener)
          from.current = null
        },
      }}
    >
      {null}
    </ModalsProvider>
  )
}
