/**
 * A second implementation of the rules for entries, calculations, pupils, predictions and the levy (rules.md §7, §10 to §13), written from
 * their text alone in plain fractions. Tests compare the product’s results with it.
 */
export type Fraction = readonly [bigint, bigint]

function fraction(value: number | string): Fraction {
  const [before, after = ''] = String(value).split('.')
  const sign = before!.startsWith('-') ? -1n : 1n
  return [sign * BigInt(`${before!.replace('-', '')}${after}`), 10n ** BigInt(after.length)]
}
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const over = (a: Fraction, [c, d]: Fraction): Fraction => (c < 0n ? times(a, [-d, -c]) : times(a, [d, c]))
const minus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d - c * b, b * d]
const rise = (rate: number): Fraction => {
  const [a, b] = fraction(rate)
  return [100n * b + a, 100n * b]
}
const hundred: Fraction = [100n, 1n]

/** Rounds to the nearest whole number, halves away from zero. */
function roundOf([n, d]: Fraction): number {
  const positive = n < 0n ? -n : n
  const whole = (2n * positive + d) / (2n * d)
  return Number(n < 0n ? -whole : whole)
}

/** Shares whole pennies by weight: rounded down, then a penny each to the largest remainders, the earlier first. */
function shareOut(total: number, weights: readonly number[]): number[] {
  const effectiveWeights = weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights
  const all = effectiveWeights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  const amount = BigInt(Math.abs(total))
  const shares = effectiveWeights.map((weight) => (amount * BigInt(weight)) / all)
  const order = effectiveWeights
    .map((weight, index) => ({ index, left: (amount * BigInt(weight)) % all }))
    .sort((a, b) => (a.left === b.left ? a.index - b.index : a.left > b.left ? -1 : 1))
  let missing = amount - shares.reduce((sum, share) => sum + share, 0n)
  for (const { index } of order) if (missing-- > 0n) shares[index] = shares[index]! + 1n
  return shares.map((share) => (total < 0 ? -Number(share) : Number(share)) || 0)
}

type Known = number | null

export interface HandEntry {
  firstYear: number
  years: readonly { amount: Known; periods: number[] | null; rate: Known }[]
  rates: readonly number[] | null
  weights: readonly number[] | null
}

/** The twelve months of each year, in whole pennies. */
export function entryByHand({ firstYear, years, rates, weights }: HandEntry, count: number): number[][] {
  return Array.from({ length: count }, (_unused, year) => {
    if (year < firstYear) return Array<number>(12).fill(0)
    const entryYear = years[year]!
    if (entryYear.periods) return entryYear.periods
    let from = year
    while (years[from]!.amount === null) from--
    let amount: Fraction = [BigInt(years[from]!.amount!), 1n]
    for (let next = from + 1; next <= year; next++) amount = times(amount, rise(years[next]!.rate ?? rates?.[next] ?? 0))
    let shape = weights ?? Array<number>(12).fill(1)
    for (let at = firstYear; at <= year; at++) if (years[at]!.periods) shape = years[at]!.periods!.map(Math.abs)
    return shareOut(roundOf(amount), shape)
  })
}

export interface HandRow {
  kind: 'criteria' | 'amount' | 'inflation' | 'fixed' | 'subtotal' | 'words'
  value: Known
  years: readonly Known[]
}

/** The total of each year in whole pennies; null if something is missing. */
export function calculationByHand(rows: readonly HandRow[], count: number): Known[] {
  return Array.from({ length: count }, (_unused, year): Known => {
    let total = 0
    for (const [index, row] of rows.entries()) {
      const at = row.years[year] ?? row.value
      if (row.kind === 'fixed') {
        if (at === null) return null
        total += roundOf(times(fraction(at), hundred))
      }
      if (row.kind === 'criteria') {
        const rest = rows.slice(index + 1)
        const group = rest.findIndex((other) => other.kind !== 'criteria')
        const next = group === -1 ? undefined : rest.slice(group).find((other) => other.kind === 'amount' || other.kind === 'criteria')
        if (next?.kind !== 'amount') return null
      }
      if (row.kind !== 'amount') continue
      let last = index - 1
      while (last >= 0 && rows[last]!.kind !== 'criteria') last--
      if (last < 0 || at === null) return null
      let product = times(fraction(at), hundred)
      for (let above = last; above >= 0 && rows[above]!.kind === 'criteria'; above--) {
        const number = rows[above]!.years[year] ?? rows[above]!.value
        if (number === null) return null
        product = times(product, fraction(number))
      }
      if ((row.years[year] ?? null) === null) {
        const until = rows.slice(index + 1).findIndex((other) => other.kind === 'subtotal')
        const below = (until === -1 ? rows.slice(index + 1) : rows.slice(index + 1, index + 1 + until)).find(
          (other) => other.kind === 'inflation',
        )
        const rises = below ?? rows.slice(0, index).findLast((other) => other.kind === 'inflation')
        for (let later = 1; rises && later <= year; later++) product = times(product, rise(rises.years[later] ?? rises.value ?? 0))
      }
      total += roundOf(product)
    }
    return total
  })
}

export interface HandGroup {
  yearGroup: number
  before: Known
  years: readonly Known[]
}

/** Hundredths of pupils in each October, starting with the one before the budget; null if a group is unknown. */
export function rollByHand(groups: readonly HandGroup[], years: number): (bigint | null)[] {
  const countOf = (yearGroup: number, column: number): bigint | null | undefined => {
    const group = groups.find((other) => other.yearGroup === yearGroup)
    if (!group || column < 0) return undefined
    const typed = column === 0 ? group.before : (group.years[column - 1] ?? null)
    if (typed !== null) {
      const [n, d] = fraction(typed)
      return (n * 100n) / d
    }
    return countOf(yearGroup - 1, column - 1) ?? null
  }
  return Array.from({ length: years + 1 }, (_unused, column) => {
    let sum: bigint | null = 0n
    for (const { yearGroup } of groups) {
      const count = countOf(yearGroup, column)
      sum = sum === null || count === null || count === undefined ? null : sum + count
    }
    return sum
  })
}

export interface HandStream {
  /** `basic` entitlement, other `pupils` of the same phase, or a `sum` that does not depend on pupils. */
  kind: 'basic' | 'pupils' | 'sum'
  rate: number
  years: readonly Known[]
}

/** The total of each year in whole pennies; null if a number is unknown. */
export function fundingByHand(
  streams: readonly HandStream[],
  rises: readonly Known[],
  roll: readonly (bigint | null)[],
  tableYear: number,
  count: number,
): Known[] {
  const lagged = (year: number): bigint | null => (year === 0 ? (roll[0] ?? roll[1] ?? null) : (roll[year] ?? null))
  return Array.from({ length: count }, (_unused, year): Known => {
    let total = 0
    for (const { kind, rate, years } of streams) {
      let rateOf = times(fraction(rate), hundred)
      for (let later = 0; later <= year; later++) if (later > tableYear) rateOf = times(rateOf, rise(rises[later] ?? 0))
      const typed = years[year] ?? null
      const [now, then] = [lagged(year), lagged(0)]
      let number: Fraction | null
      if (typed !== null) number = fraction(typed)
      else if (kind === 'basic') number = now === null ? null : [now, 100n]
      else if (kind === 'sum') number = fraction(years.slice(0, year).findLast((one) => one !== null)!)
      else if (now === null || then === null) number = null
      else if (then === now) number = fraction(years[0]!)
      else number = then === 0n ? (now === 0n ? [0n, 1n] : null) : over(times(fraction(years[0]!), [now, 1n]), [then, 1n])
      if (number === null) return null
      total += roundOf(times([BigInt(roundOf(rateOf)), 1n], number))
    }
    return total
  })
}

/** The levy of a month in whole pennies: half a percent of gross pay, less a twelfth of a share given in pounds a year. */
export function levyByHand(gross: number, shareOfYear: number): number {
  const levy = minus([BigInt(gross) * 5n, 1000n], over(times(fraction(shareOfYear), hundred), [12n, 1n]))
  return Math.max(0, roundOf(levy))
}
