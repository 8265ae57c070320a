/** As many terms of the series as a double can hold: the next is below 10⁻¹⁷ of the first. */
const terms = 11

/**
 * The natural logarithm from + − × ÷ alone, correct to about 10⁻¹⁵ of its size. Browsers and servers may differ in the last bits of
 * `Math.log`, which would give other pennies.
 * @param x above 0 and finite
 */
export function calculateLog(x: number): number {
  // Halving and doubling are exact, so x = part × 2^twos without an error.
  let [part, twos] = [x, 0]
  for (; part > Math.SQRT2; part /= 2) twos++
  for (; part < Math.SQRT1_2; part *= 2) twos--
  // ln part = 2 (s + s³/3 + s⁵/5 + …)
  const s = (part - 1) / (part + 1)
  const square = s * s
  let sum = 0
  for (let term = terms; term >= 0; term--) sum = sum * square + 1 / (2 * term + 1)
  return twos * Math.LN2 + 2 * s * sum
}
