import { assertDefined } from '../values/assertDefined.ts'

/** Returns the next 32 bits of a stream, as a whole number from 0 to 2³² − 1. */
export type Bits = () => number

/** Four words of 32 bits. */
type State = readonly [number, number, number, number]

/** The greatest seed: seeds are whole numbers of 32 bits. */
export const mostSeed = 2 ** 32 - 1

/** SplitMix32: an odd step, then a mix with shifts 16, 15, 15 and Ettinger’s multipliers. */
export function createSplitMix32(seed: number): Bits {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return (word ^ (word >>> 15)) >>> 0
  }
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

/** xoshiro128** 1.1 (Blackman and Vigna, 2018), started from a state that is not all zero. */
export function createXoshiro(state: State): Bits {
  let [a, b, c, d] = state
  return () => {
    const bits = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return bits
  }
}

/** The generator of rules.md §21: xoshiro128**, whose four words are the first four of SplitMix32 of the seed. They are never all zero. */
export function createGenerator(seed: number): Bits {
  const word = createSplitMix32(seed)
  return createXoshiro([word(), word(), word(), word()])
}

/** A number strictly between 0 and 1: the middle of one of 2³² equal steps, which a double holds exactly. */
export function drawUniform(bits: Bits): number {
  return (bits() + 0.5) / 2 ** 32
}

/**
 * The whole numbers from 0 to `count` − 1 in a drawn order, by Fisher–Yates from the end. Each place is `floor(bits × choices / 2³²)`, exact
 * for up to two million; the places differ in probability by less than one in 200,000.
 */
export function drawPermutation(count: number, bits: Bits): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_unused, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor((bits() * (last + 1)) / 2 ** 32)
    const moved = assertDefined(order[last])
    order[last] = assertDefined(order[other])
    order[other] = moved
  }
  return order
}
