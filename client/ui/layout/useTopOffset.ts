import { type RefObject, useLayoutEffect } from 'react'

/**
 * Sets `--top` on an element to its distance from the top of the page in pixels, so that styles can fill the remaining
 * height.
 */
export function useTopOffset(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measure = (): void => {
      const current = element.current
      if (current) current.style.setProperty('--top', `${Math.round(current.getBoundingClientRect().top + window.scrollY)}px`)
    }
    measure()
    // Notices above the element come and go.
    const sizes = new ResizeObserver(measure)
    sizes.observe(document.body)
    return () => sizes.disconnect()
  }, [element])
}
