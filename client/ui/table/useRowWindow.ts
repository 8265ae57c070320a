import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { findClosestElement } from '../closestElement.ts'
import { usePrinting } from './usePrinting.ts'

/** Rows rendered above and below the visible ones. */
const overscan = 12

/** Rows that sticky headings and totals may cover. */
const covered = 7

export interface RowWindow {
  /** Indexes of the rendered rows, in order. Gaps are filled with empty space. */
  rows: number[]
  /** Scrolls to a row and renders it before it returns, so that the row can take the focus. */
  show: (index: number) => void
}

/**
 * Selects the rows of a long table to render: the visible ones and a few around them. The focused row stays rendered, and printing renders all rows.
 * @param rowHeight of every row, in pixels; null renders all rows
 */
export function useRowWindow(frame: RefObject<HTMLElement | null>, count: number, rowHeight: number | null): RowWindow {
  const [focused, setFocused] = useState<number | null>(null)
  const isPrinting = usePrinting()
  const isAll = rowHeight === null || isPrinting
  const virtual = useVirtualizer({
    count: isAll ? 0 : count,
    enabled: !isAll,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight ?? 0,
    overscan,
    initialRect: { width: 0, height: 40 * (rowHeight ?? 0) },
    scrollPaddingEnd: covered * (rowHeight ?? 0),
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range)
      if (focused === null || focused >= count || rows.includes(focused)) return rows
      return [...rows, focused].sort((a, b) => a - b)
    },
  })
  useEffect(() => {
    const element = frame.current
    if (!element || rowHeight === null) return
    const focus = (event: FocusEvent): void => {
      const row = findClosestElement(event.target, '[data-index]')
      setFocused(row ? Number(row.dataset.index) : null)
    }
    element.addEventListener('focusin', focus)
    return () => element.removeEventListener('focusin', focus)
  }, [frame, rowHeight])
  const show = (index: number): void => {
    if (isAll) return
    virtual.scrollToIndex(index)
    flushSync(() => setFocused(index))
  }
  const rows = isAll ? Array.from({ length: count }, (_unused, index) => index) : virtual.getVirtualItems().map(({ index }) => index)
  return { rows, show }
}
