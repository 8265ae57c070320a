/** The approximate number of intervals on an axis. */
const intervals = 4

/** Rounds a number up to the next of 1, 2, 2.5, 5 or 10 times a power of ten. */
function roundUpStep(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number))
  return ([1, 2, 2.5, 5].find((times) => times * power >= number) ?? 10) * power
}

/**
 * Lists round values for the axis of a chart. They include zero and span all values, so that bars of either sign begin at zero.
 * @returns in ascending order
 */
export function listAxisTicks(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (least === most) return [0]
  const step = roundUpStep((most - least) / intervals)
  const first = Math.floor(least / step)
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_unused, index) => (first + index) * step)
}
