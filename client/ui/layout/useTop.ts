import { type RefObject, useLayoutEffect } from 'react'

/** Tells the styles of an element, as `--top`, how far down the page it begins: what is as high as the room below it ends in sight. */
export function useTop(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measure = (): void => {
      const own = element.current
      if (own) own.style.setProperty('--top', `${Math.round(own.getBoundingClientRect().top + window.scrollY)}px`)
    }
    measure()
    // What stands above it comes and goes, as notices do.
    const sizes = new ResizeObserver(measure)
    sizes.observe(document.body)
    return () => sizes.disconnect()
  }, [element])
}
