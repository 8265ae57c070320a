import { Checkbox } from '@mantine/core'
import { useState } from 'react'

/** Ticked items of a paged list, including those on other pages. */
export interface TickedItems<T> {
  ticked: T[]
  has: (one: T) => boolean
  tick: (some: readonly T[], isOn: boolean) => void
  clear: () => void
}

/**
 * Manages ticked items.
 * @param keyOf gives the key of an item, which stays the same when it is refetched
 */
export function useTickedItems<T>(keyOf: (one: T) => string | number): TickedItems<T> {
  const [ticks, setTicks] = useState<ReadonlyMap<string | number, T>>(new Map())
  return {
    ticked: [...ticks.values()],
    has: (one) => ticks.has(keyOf(one)),
    tick: (some, isOn) => {
      const next = new Map(ticks)
      for (const one of some)
        if (isOn) next.set(keyOf(one), one)
        else next.delete(keyOf(one))
      setTicks(next)
    },
    clear: () => setTicks(new Map()),
  }
}

/** A checkbox that ticks all or no items, and shows when only some are ticked. */
export function TickAllCheckbox<T>({ ticks, of, label }: { ticks: TickedItems<T>; of: readonly T[]; label: string }) {
  const count = of.filter(ticks.has).length
  const isAll = count > 0 && count === of.length
  return (
    <Checkbox
      aria-label={label}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      disabled={!of.length}
      onChange={() => ticks.tick(of, !isAll)}
    />
  )
}
