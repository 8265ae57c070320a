import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

/** What had the focus when a dialog came: of an entry of a menu, which goes with the menu, the button that opens the menu. */
function opener(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const found = menu ? document.getElementById(menu) : activeElement
  return found instanceof HTMLElement && found !== document.body ? found : null
}

/** Gives the focus back to what opened a dialog when it goes, unless something else has taken it. Mantine does so only for dialogs that stay and are hidden. */
function useFocusBack(): void {
  const [from] = useState(opener)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      window.setTimeout(() => {
        const isTaken = document.activeElement !== null && document.activeElement !== document.body
        if (!isHere.current && !isTaken && from?.isConnected) from.focus({ preventScroll: true })
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
