import { calculateLog } from './elementary.ts'

/** The 90th percentile of the standard normal: low and high of a driver are read as its 10th and 90th percentiles. */
export const tenthZ = 1.2815515655446004

/** A quantity that nobody knows yet: the middle of what people expect, and the values that one in ten futures goes beyond. */
export interface Driver {
  id: string
  /** What sentences call it. */
  name: string
  low: number
  likely: number
  high: number
  /** Whether its values are whole numbers of at least 0, such as pupils. */
  isCount?: boolean
}

/** Says in a sentence why three values are refused as a driver’s; null if they are accepted. */
export function describeSpreadProblem({ low, likely, high }: Pick<Driver, 'low' | 'likely' | 'high'>): string | null {
  if (![low, likely, high].every(Number.isFinite)) return 'Enter low, likely and high as numbers.'
  return low <= likely && likely <= high ? null : 'Likely must not be below low or above high.'
}

/** The value of a driver at a standard normal `z`: a split normal, with its own spread on each side of likely (rules.md §21). */
export function calculateValue({ low, likely, high, isCount = false }: Driver, z: number): number {
  const value = likely + z * ((z < 0 ? likely - low : high - likely) / tenthZ)
  return isCount ? Math.max(0, Math.round(value)) : value
}

/** Coefficients from the highest power to the constant. */
type Polynomial = readonly number[]

const evaluate = (polynomial: Polynomial, x: number): number => polynomial.reduce((sum, coefficient) => sum * x + coefficient, 0)

/** The three ranges of AS241, each a quotient of two polynomials. The digits are those that a double holds. */
const middle: [Polynomial, Polynomial] = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513, 133.14166789178438,
    3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579, 42.31333070160091,
    1,
  ],
]
const outer: [Polynomial, Polynomial] = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045, 5.769497221460691,
    4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851, 1.6763848301838038,
    2.053191626637759, 1,
  ],
]
const farOut: [Polynomial, Polynomial] = [
  [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487, 1.7848265399172913,
    5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615, 0.1369298809227358,
    0.599832206555888, 1,
  ],
]

/**
 * The standard normal `z` that a future stays below with a probability: algorithm AS241 (PPND16, Wichura 1988), correct to about 10⁻¹⁵.
 * @param probability strictly between 0 and 1
 */
export function invertNormal(probability: number): number {
  const q = probability - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * evaluate(middle[0], r)) / evaluate(middle[1], r)
  }
  const r = Math.sqrt(-calculateLog(q < 0 ? probability : 1 - probability))
  const [top, bottom, from] = r <= 5 ? [...outer, 1.6] : [...farOut, 5]
  const z = evaluate(top, r - from) / evaluate(bottom, r - from)
  return q < 0 ? -z : z
}
