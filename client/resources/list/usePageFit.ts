import { type RefCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { readRowDensity, rowHeights } from './listState.ts'
import { decidePageLength, readPageFit, storePageFit } from './pageFit.ts'
import type { PageSize } from './usePageSize.ts'

/** For how many milliseconds nothing must move before a list is measured. Names load after the rows, and banners after the page. */
const quietMs = 150

/**
 * Measures the height in pixels that a card has for table rows without the page scrolling. It depends on what is above and below the rows.
 */
function measureRoom(card: HTMLElement) {
  const body = card.querySelector('tbody')
  const page = card.closest('main')
  if (!body || !page) return null
  const { top, bottom } = body.getBoundingClientRect()
  const above = top + window.scrollY
  const below = card.getBoundingClientRect().bottom - bottom + Number.parseFloat(getComputedStyle(page).paddingBottom)
  const height = document.documentElement.clientHeight
  const row = rowHeights[readRowDensity()]
  const columns = card.querySelectorAll('thead th').length
  return {
    height,
    row,
    room: height - above - below,
    heights: [...body.rows].map((line) => line.getBoundingClientRect().height),
    seen: [window.innerWidth, height, row, Math.round(above), Math.round(below), columns].join(' '),
  }
}

/** Whether the focus is in a row. Such a row must not be removed. */
const isFocusInRow = (card: HTMLElement): boolean =>
  document.activeElement !== null && card.contains(document.activeElement) && document.activeElement.matches('tbody *')

interface PageFitOptions {
  list: string
  size: PageSize
  /** Number of rows before the current page. */
  firstRow: number
  /** The rows of the current page. */
  rows: readonly unknown[] | undefined
  /** Whether the rows belong to the current request, and no temporary content reduces the space for them. */
  isAtRest: boolean
}

/**
 * If the user has chosen “As many as fit”, measures how many rows fit, and measures again whenever the window or the area around the table
 * changes.
 * @returns the `ref` of the card that contains the table
 */
export function usePageFit({ list, size, firstRow, rows, isAtRest }: PageFitOptions): RefCallback<HTMLElement> {
  const [card, setCard] = useState<HTMLElement | null>(null)
  const growths = useRef(0)
  const needsMeasuring = isAtRest && size.choice === 'fit'
  const measure = useEffectEvent((card: HTMLElement): void => {
    const found = isFocusInRow(card) ? null : measureRoom(card)
    if (!found) return
    const { height, row, seen } = found
    const isNew = readPageFit(list)?.seen !== seen
    const next = decidePageLength(found, { rows: size.rows, isNew, isFirst: firstRow < size.rows, growths: growths.current })
    if (next === null) return
    if (next > size.rows) growths.current++
    storePageFit(list, { height, row, rows: next, seen })
    size.fit(next)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must be measured again
  useEffect(() => {
    const page = card?.closest('main')
    if (!card || !page || !needsMeasuring) return
    let timer: number | undefined
    const measureSoon = (): void => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => measure(card), quietMs)
    }
    const onResize = (): void => {
      growths.current = 0
      measureSoon()
    }
    measureSoon()
    const observer = new ResizeObserver(measureSoon)
    // Observe the children, because the page itself is always at least as tall as the window.
    for (const part of page.children) observer.observe(part)
    window.addEventListener('resize', onResize)
    card.addEventListener('focusout', measureSoon)
    return () => {
      window.clearTimeout(timer)
      observer.disconnect()
      window.removeEventListener('resize', onResize)
      card.removeEventListener('focusout', measureSoon)
    }
  }, [card, needsMeasuring, rows, size.rows])
  return setCard
}
