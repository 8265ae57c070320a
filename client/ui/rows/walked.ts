import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { around } from '../around.ts'

/** Rows that a page key goes over. */
const page = 10

/** Which of some rows a key leads to from one of them; undefined for any other key. */
export function rowAfter(key: string, at: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1)
}

/**
 * Makes a table one stop of the Tab key: the thing in it that had the focus last, or the first that is drawn. Keys lead to the others.
 * @param selector what of the table is walked through
 * @returns what the table does when something in it gets the focus
 */
export function useOneStop(frame: RefObject<HTMLElement | null>, selector: string): (event: FocusEvent) => void {
  const stop = useRef<HTMLElement | null>(null)
  const stopAt = (thing: HTMLElement | null): void => {
    if (stop.current) stop.current.tabIndex = -1
    if (thing) thing.tabIndex = 0
    stop.current = thing
  }
  useEffect(() => {
    const things = frame.current?.querySelectorAll<HTMLElement>(selector) ?? []
    for (const thing of things) if (thing !== stop.current) thing.tabIndex = -1
    if (!stop.current?.isConnected) stopAt(things[0] ?? null)
  })
  return (event) => stopAt(around(event.target, selector) ?? stop.current)
}
