import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** What a dialog goes back to that came while something had the focus: of an entry of a menu, which goes with the menu, the button that opens the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const found = menu ? document.getElementById(menu) : focused
  return found instanceof HTMLElement && found !== document.body ? found : null
}

/** So long what opened a dialog may take to go, where the dialog has done away with it: a budget that was submitted is not submitted again. */
const goneWithinMs = 5000
/** So long whoever else has the focus to give may take to do so; milliseconds. */
const othersFirstMs = 200

/** What a dialog would have given the focus to that went while a question over it had it. */
let left: HTMLElement | null = null

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Sets the focus on the title of the page, for those who would otherwise begin again at its top. */
function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main h1')
  if (!title) return
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

/** Gives the focus to what opened a dialog, and to the title of the page once that is gone. */
function giveBack(from: HTMLElement | null): void {
  if (!from?.isConnected) {
    focusTitle()
    return
  }
  from.focus({ preventScroll: true })
  const observer = new MutationObserver(() => {
    if (from.isConnected) return
    observer.disconnect()
    window.setTimeout(() => {
      if (isNowhere()) focusTitle()
    }, othersFirstMs)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  window.setTimeout(() => observer.disconnect(), goneWithinMs)
}

/** Gives the focus back to what opened a dialog when it goes, unless something else has taken it. Mantine does so only for dialogs that stay and are hidden. */
function useFocusBack(): void {
  const [from] = useState(() => openerOf(document.activeElement))
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      window.setTimeout(() => {
        if (isHere.current) return
        if (isNowhere()) giveBack(from)
        else left = from
      })
    }
  }, [from])
}

/** A dialog, open as long as it is there. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
}

/** A dialog at the side of the page, open as long as it is there. */
export function SideDialog(props: Omit<DrawerProps, 'opened'>) {
  useFocusBack()
  return <Drawer opened {...props} />
}

/**
 * Where the questions stand that are asked over any page. Mantine notes what had the focus when one comes, but may do so only once the question has
 * it: what the focus came from is known for certain.
 */
export function Questions({ children }: { children: ReactNode }) {
  const from = useRef<HTMLElement>(null)
  return (
    <ModalsProvider
      modalProps={{
        returnFocus: false,
        onFocusCapture: ({ currentTarget, relatedTarget }) => {
          if (!relatedTarget || currentTarget.contains(relatedTarget)) return
          from.current = openerOf(relatedTarget)
          left = null
        },
        onExitTransitionEnd: () => {
          // A dialog that was left by the answer has gone with what the question came from.
          if (isNowhere()) giveBack(from.current?.isConnected ? from.current : left)
          from.current = null
        },
      }}
    >
      {children}
    </ModalsProvider>
  )
}
