import { Checkbox } from '@mantine/core'
import { useState } from 'react'

/** What is ticked among things that come in pages: what was ticked on another page stays so. */
export interface Ticks<T> {
  ticked: T[]
  has: (one: T) => boolean
  tick: (some: readonly T[], isOn: boolean) => void
  clear: () => void
}

/** Ticks of things. @param keyOf what a thing is known by, however often it is read again */
export function useTicks<T>(keyOf: (one: T) => string | number): Ticks<T> {
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

/** Ticks all of some things, or none; it says when it is some of them. */
export function TickAll<T>({ ticks, of, label }: { ticks: Ticks<T>; of: readonly T[]; label: string }) {
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
