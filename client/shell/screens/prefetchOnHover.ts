import type { FocusEvent, PointerEvent } from 'react'

/** Milliseconds of hover before prefetching, so that the pointer can pass over a link without prefetching. */
const hoverMs = 65
let waiting: number | undefined

/** Whether the user has asked the browser to save data. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

/** Prefetches the page of a link if the pointer stays on the link. Only one hover is tracked at a time. */
function startHover(makeReady: () => void): void {
  window.clearTimeout(waiting)
  if (!savesData()) waiting = window.setTimeout(makeReady, hoverMs)
}

function endHover(): void {
  window.clearTimeout(waiting)
}

/**
 * Returns event handlers for a link that prefetch its page on hover or keyboard focus. Touch is ignored, because a finger does not hover.
 */
export function createPrefetchHandlers(makeReady: () => void): {
  onPointerEnter: (event: PointerEvent) => void
  onPointerLeave: () => void
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
} {
  return {
    onPointerEnter: ({ pointerType }) => {
      if (pointerType !== 'touch') startHover(makeReady)
    },
    onPointerLeave: endHover,
    onFocus: () => startHover(makeReady),
    onBlur: endHover,
  }
}
