import { type RefCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { keepFit, keptFit, nextRows } from './fit.ts'
import { rowHeights, storedDensity } from './listState.ts'
import type { PageSize } from './usePageSize.ts'

/** So long nothing has moved before a list is measured: names come after the rows, banners after the page. Milliseconds. */
const quietMs = 150

/** What a card with a table has room for, without the page being scrolled: what stands above and below the rows stays. Pixels. */
function roomIn(card: HTMLElement) {
  const body = card.querySelector('tbody')
  const page = card.closest('main')
  if (!body || !page) return null
  const { top, bottom } = body.getBoundingClientRect()
  const above = top + window.scrollY
  const below = card.getBoundingClientRect().bottom - bottom + Number.parseFloat(getComputedStyle(page).paddingBottom)
  const height = document.documentElement.clientHeight
  const row = rowHeights[storedDensity()]
  const columns = card.querySelectorAll('thead th').length
  return {
    height,
    row,
    room: height - above - below,
    heights: [...body.rows].map((line) => line.getBoundingClientRect().height),
    seen: [window.innerWidth, height, row, Math.round(above), Math.round(below), columns].join(' '),
  }
}

/** Who types in a row, or stands in it with the keyboard, keeps it. */
const isStoodIn = (card: HTMLElement): boolean =>
  document.activeElement !== null && card.contains(document.activeElement) && document.activeElement.matches('tbody *')

interface Fitted {
  list: string
  size: PageSize
  /** How many stand before those that are shown. */
  firstRow: number
  /** Those that are shown. */
  rows: readonly unknown[] | undefined
  /** The rows are those that were asked for, and nothing stands there for a while that takes room from them. */
  isAtRest: boolean
}

/**
 * Where as many rows as fit are chosen, finds how many that are: from the table itself, whenever the window or what stands around it changes.
 * @returns goes to the card that the table stands in
 */
export function useFit({ list, size, firstRow, rows, isAtRest }: Fitted): RefCallback<HTMLElement> {
  const [card, setCard] = useState<HTMLElement | null>(null)
  const growths = useRef(0)
  const isMeasured = isAtRest && size.choice === 'fit'
  const measure = useEffectEvent((within: HTMLElement): void => {
    const found = isStoodIn(within) ? null : roomIn(within)
    if (!found) return
    const { height, row, seen } = found
    const isNew = keptFit(list)?.seen !== seen
    const next = nextRows(found, { rows: size.rows, isNew, isFirst: firstRow < size.rows, growths: growths.current })
    if (next === null) return
    if (next > size.rows) growths.current++
    keepFit(list, { height, row, rows: next, seen })
    size.fit(next)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must be measured again
  useEffect(() => {
    const page = card?.closest('main')
    if (!card || !page || !isMeasured) return
    let timer: number | undefined
    const soon = (): void => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => measure(card), quietMs)
    }
    const onResize = (): void => {
      growths.current = 0
      soon()
    }
    soon()
    const observer = new ResizeObserver(soon)
    // The page itself is as tall as the window at least, whatever stands in it.
    for (const part of page.children) observer.observe(part)
    window.addEventListener('resize', onResize)
    card.addEventListener('focusout', soon)
    return () => {
      window.clearTimeout(timer)
      observer.disconnect()
      window.removeEventListener('resize', onResize)
      card.removeEventListener('focusout', soon)
    }
  }, [card, isMeasured, rows, size.rows])
  return setCard
}
