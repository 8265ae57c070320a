import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it before a dialog that is there only while it is open: the library gives it back only where a dialog stays and
 * is closed. What somebody has gone to meanwhile keeps it.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
          opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
