import { Button, CloseButton, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { tourStep } from '../help.ts'
import classes from './Tour.module.css'

interface TourStop {
  title: string
  text: string
  /** Selector of the element that the step explains. The step is skipped if the element is not visible. */
  at: string
}

const stops: readonly TourStop[] = [
  {
    title: 'Where you work',
    text: 'Choose the organisation, location and budget here. Everything below follows your choice.',
    at: '[aria-label="Selection"]',
  },
  {
    title: 'The menu',
    text: 'Staffing, non-staffing and overview belong to the budget that is open; the console to the whole organisation. Menu groups stay open or closed as you leave them.',
    at: '[aria-label="Areas"], [aria-label="Open navigation"]',
  },
  {
    title: 'Find anything',
    text: 'Ctrl K finds people, contracts, codes, budgets, comments, screens and help, and runs commands such as “add contract” and “recalculate”.',
    at: '[data-search]',
  },
  {
    title: 'To do',
    text: 'Home shows what needs approving, recalculating or closing, and the figures of the open budget.',
    at: '[aria-label="To do"]',
  },
  {
    title: 'Help on every screen',
    text: 'The question mark, or F1, opens help beside the screen you are on. This tour starts again from there.',
    at: '[data-help], [aria-label^="Profile of"]',
  },
]

/** A short tour of the frame, which explains one part after another. The user can end it at any step. */
export function Tour() {
  const number = tourStep.use() ?? 0
  const stop = stops[number]
  const [box, setBox] = useState<DOMRect | null>(null)
  const dialog = useRef<HTMLDivElement>(null)
  const at = stop?.at
  useEffect(() => {
    const measureStep = (): void => {
      const found = at ? [...document.querySelectorAll(at)].find((one) => one.getClientRects().length > 0) : undefined
      setBox(found?.getBoundingClientRect() ?? null)
    }
    measureStep()
    dialog.current?.focus()
    window.addEventListener('resize', measureStep)
    return () => window.removeEventListener('resize', measureStep)
  }, [at])
  const leave = (): void => tourStep.set(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') tourStep.set(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  if (!stop) return null
  const isLast = number === stops.length - 1
  const width = Math.min(340, window.innerWidth - 24)
  const isTallTarget = box !== null && box.height > window.innerHeight / 2
  const left = box
    ? Math.max(12, Math.min(isTallTarget ? box.right + 14 : box.left, window.innerWidth - width - 12))
    : (window.innerWidth - width) / 2
  const top = box ? (isTallTarget ? box.top + 40 : Math.min(box.bottom + 12, window.innerHeight - 220)) : window.innerHeight / 3
  return (
    <>
      {box && (
        <div
          className={classes.ring}
          style={{
            left: box.left - 4,
            top: box.top - 4,
            width: box.width + 8,
            height: Math.min(box.height + 8, window.innerHeight - box.top),
          }}
        />
      )}
      <div ref={dialog} role="dialog" aria-labelledby="tour-title" tabIndex={-1} className={classes.stop} style={{ left, top, width }}>
        <Group justify="space-between" wrap="nowrap">
          <h2 id="tour-title">{stop.title}</h2>
          <CloseButton aria-label="Leave the tour" onClick={leave} />
        </Group>
        <p>{stop.text}</p>
        <Group justify="space-between">
          <span className={classes.count}>
            {number + 1} of {stops.length}
          </span>
          <Group gap={8}>
            {number > 0 && (
              <Button size="compact-md" variant="default" onClick={() => tourStep.set(number - 1)}>
                Back
              </Button>
            )}
            <Button size="compact-md" onClick={() => tourStep.set(isLast ? null : number + 1)}>
              {isLast ? 'Done' : 'Next'}
            </Button>
          </Group>
        </Group>
      </div>
    </>
  )
}
