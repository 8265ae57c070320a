import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { isNewestUndo, offerUndo } from './notify.tsx'

/**
 * The way back from what a page did last.
 * @returns makes taking something back the way that Ctrl Z goes, once, and gives it for the notice
 */
export function useLastUndo(): (takeBack: () => void) => () => void {
  const newest = useRef<(() => void) | null>(null)
  const undoLast = (): void => {
    if (newest.current && isNewestUndo(newest.current)) newest.current()
  }
  useHotkeys([['mod+Z', undoLast]])
  return (takeBack) => {
    const undo = (): void => {
      newest.current = null
      takeBack()
    }
    newest.current = undo
    offerUndo(undo)
    return undo
  }
}
