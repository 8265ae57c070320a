import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { around } from '../around.ts'

/** Rows by which the part that is drawn moves on, and as many again stand ready above and below what is in sight. */
const step = 12

/** The rows that are drawn, in order: a row that is missing between two of them leaves its room empty. */
export interface RowWindow {
  rows: number[]
  /** Brings a row into sight and draws it before it returns, so that it can take the focus. */
  show: (index: number) => void
}

/**
 * Draws of a long table what is in sight and a little around it; all rows are equally high. The row that has the focus stays, and a print
 * has all of them.
 * @param frame what is scrolled
 * @param count of all rows
 * @param rowHeight in pixels; null: draw all
 */
export function useRowWindow(frame: RefObject<HTMLElement | null>, count: number, rowHeight: number | null): RowWindow {
  const [first, setFirst] = useState(0)
  const [inSight, setInSight] = useState(40)
  const [focused, setFocused] = useState<number | null>(null)
  const [isPrinted, setPrinted] = useState(false)
  const shown = useRef(0)
  const look = useCallback((): void => {
    if (!frame.current || rowHeight === null) return
    const next = Math.floor(frame.current.scrollTop / rowHeight / step) * step
    if (next === shown.current) return
    shown.current = next
    setFirst(next)
  }, [frame, rowHeight])
  useLayoutEffect(() => {
    const element = frame.current
    if (!element || rowHeight === null) return
    const measure = (): void => setInSight(Math.ceil(element.clientHeight / rowHeight))
    const focus = (event: FocusEvent): void => {
      const row = around(event.target, '[data-index]')
      setFocused(row ? Number(row.dataset.index) : null)
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('focusin', focus)
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
      element.removeEventListener('focusin', focus)
    }
  }, [frame, rowHeight, look])
  useEffect(() => {
    // The browser takes the page as it stands when this returns.
    const print = (isOn: boolean) => () => flushSync(() => setPrinted(isOn))
    const [before, after] = [print(true), print(false)]
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  const show = useCallback(
    (index: number): void => {
      const element = frame.current
      if (!element || rowHeight === null) return
      const top = index * rowHeight
      // What stands at the top and at the bottom covers rows.
      const [covered, uncovered] = [element.scrollTop, element.scrollTop + element.clientHeight - 7 * rowHeight]
      if (top < covered || top > uncovered) element.scrollTop = Math.max(0, top - (uncovered - covered) / 2)
      flushSync(() => {
        look()
        setFocused(index)
      })
    },
    [frame, rowHeight, look],
  )
  const isAll = rowHeight === null || isPrinted
  const [from, to] = isAll ? [0, count] : [Math.max(0, Math.min(first, count) - step), Math.min(count, first + inSight + 2 * step)]
  const rows = Array.from({ length: Math.max(0, to - from) }, (_unused, index) => from + index)
  if (!isAll && focused !== null && focused < count) {
    if (focused < from) rows.unshift(focused)
    if (focused >= to) rows.push(focused)
  }
  return { rows, show }
}
