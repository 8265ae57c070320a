import type { FocusEvent, PointerEvent } from 'react'

/** For so long somebody points at something before it is made ready: who only passes over it asks for nothing. Milliseconds. */
const pointedMs = 65
let waiting: number | undefined

/** Whether somebody pays for every byte, or wants to be asked for none. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

/** Makes ready what somebody points at, if they stay; there is one such thing at a time. */
function pointAt(makeReady: () => void): void {
  window.clearTimeout(waiting)
  if (!savesData()) waiting = window.setTimeout(makeReady, pointedMs)
}

function pointAway(): void {
  window.clearTimeout(waiting)
}

/**
 * What a way to a page is given, so that the page is made ready while somebody points at it or stands on it with the keyboard. A finger
 * points at nothing before it presses.
 */
export function pointed(makeReady: () => void): {
  onPointerEnter: (event: PointerEvent) => void
  onPointerLeave: () => void
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
} {
  return {
    onPointerEnter: ({ pointerType }) => {
      if (pointerType !== 'touch') pointAt(makeReady)
    },
    onPointerLeave: pointAway,
    onFocus: () => pointAt(makeReady),
    onBlur: pointAway,
  }
}
