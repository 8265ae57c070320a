import { requireItemAt } from '../../domain/values/assertDefined.ts'
/** Seeded random numbers (mulberry32), so that the demo is always the same. */
export interface RandomSource {
  next(): number
  pick<T>(list: readonly T[]): T
  whole(from: number, to: number): number
  chance(share: number): boolean
}

export function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    pick: (list) => requireItemAt(list, Math.floor(next() * list.length)),
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
  }
}

/** Twelve bytes for an id, always the same for a seed. */
export function generateSeededBytes(seed: number): Uint8Array {
  const random = createRandomSource(seed)
  return Uint8Array.from({ length: 12 }, () => random.whole(0, 255))
}
